import { UserError } from '../../errors.ts';
import type { GuestRights } from '../../workspaces/guests.ts';
import type { RunContext } from '../feature.ts';
import { keptOf } from '../stored.ts';
import type { GuestsAnswer } from './guests-view.ts';
import type { SettingsAnswer } from './view.ts';

/** The settings of the channel in which it is asked. Throws UserError anywhere else. */
export async function askSettings(context: RunContext): Promise<SettingsAnswer> {
  const { kept, actor } = keptOf(context);
  const { channelId } = actor;
  if (context.place?.isDm)
    throw new UserError({
      code: 'bad-channel',
      message: 'Settings belong to a channel.',
      hint: 'Type the line in the channel that you mean.',
      example: 'landfall settings',
    });
  const refused = await kept.channels.refusal(channelId, actor);
  // Somebody who has left the channel.
  if (refused?.code === 'bad-channel') throw refused;
  const [settings, guests] = await Promise.all([kept.channels.settings(channelId), kept.guests.get()]);
  return { kind: 'settings', channelId, settings, guests, mayChange: refused === undefined };
}

/** Of the whole workspace, wherever it is typed. Throws UserError for who is no admin. */
export async function changeGuests(guests: GuestRights, context: RunContext): Promise<GuestsAnswer> {
  const { kept, actor } = keptOf(context);
  return { kind: 'guests', guests, before: await kept.guests.change(guests, actor) };
}
