import { UserError } from '../../errors.ts';
import type { GuestRights } from '../../workspaces/guests.ts';
import { actorIn } from '../run-context.ts';
import type { GuestsAnswer } from './guests-view.ts';
import type { SettingsContext } from './services.ts';
import type { SettingsAnswer } from './view.ts';

/** The settings of the channel in which it is asked. Throws UserError anywhere else. */
export async function askSettings(context: SettingsContext): Promise<SettingsAnswer> {
  const actor = actorIn(context);
  const { channelId } = actor;
  if (context.place?.isDm)
    throw new UserError({
      code: 'bad-channel',
      message: 'Settings belong to a channel.',
      hint: 'Type the line in that channel.',
      example: 'landfall settings',
    });
  const refused = await context.channels.refusal(channelId, actor);
  // Somebody who has left the channel.
  if (refused?.code === 'bad-channel') throw refused;
  const [settings, guests] = await Promise.all([context.channels.settings(channelId), context.guests.get()]);
  return { kind: 'settings', channelId, settings, guests, mayChange: refused === undefined };
}

/** Of the whole workspace, wherever it is typed. Throws UserError for a person who isn't an admin. */
export async function changeGuests(guests: GuestRights, context: SettingsContext): Promise<GuestsAnswer> {
  return { kind: 'guests', guests, before: await context.guests.change(guests, actorIn(context)) };
}
