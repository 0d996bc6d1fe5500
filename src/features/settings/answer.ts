import { UserError } from '../../errors.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import type { GuestRights } from '../../workspaces/settings.ts';
import { actorIn, placeIn } from '../run-context.ts';
import type { GuestsAnswer } from './guests-view.ts';
import type { SettingsContext } from './services.ts';
import type { SettingsAnswer } from './view.ts';

/** The settings of the channel in which it is asked. Throws UserError anywhere else. */
export async function askSettings(context: SettingsContext): Promise<SettingsAnswer> {
  const actor = actorInChannel(context);
  const { channelId } = actor;
  const refused = await context.channels.refusal(channelId, actor);
  // Somebody who has left the channel.
  if (refused?.code === 'bad-channel') throw refused;
  const [settings, guests] = await Promise.all([context.channels.settings(channelId), context.guests.get()]);
  return { kind: 'settings', channelId, settings, guests, mayChange: refused === undefined };
}

/** Throws UserError anywhere else. */
export function actorInChannel(context: SettingsContext): Actor {
  if (placeIn(context).destination === 'channel') return actorIn(context);
  throw new UserError({
    code: 'bad-channel',
    message: 'Settings belong to a channel.',
    hint: 'Type the line in the channel that you mean.',
    example: 'landfall settings',
  });
}

/** Of the whole workspace, wherever it is typed. Throws UserError for a person who isn't an admin. */
export async function changeGuests(guests: GuestRights, context: SettingsContext): Promise<GuestsAnswer> {
  return { kind: 'guests', guests, before: await context.guests.change(guests, actorIn(context)) };
}
