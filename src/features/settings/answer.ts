import { UserError } from '../../errors.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import type { GuestSetting } from '../../workspaces/settings.ts';
import { actorIn, placeIn, type RunContext } from '../run-context.ts';
import type { ChannelSettingsService } from './service.ts';
import type { SettingsAnswer } from './view.ts';

export interface SettingsServices {
  channels: ChannelSettingsService;
  guests: GuestSetting;
}

/** The settings of the channel in which the line was typed. */
export async function askSettings(context: RunContext & SettingsServices): Promise<SettingsAnswer> {
  const actor = actorInChannel(context);
  const { channelId } = actor;
  const refusal = await context.channels.refusal(channelId, actor);
  // The person has left the channel.
  if (refusal?.code === 'bad-channel') throw refusal;
  const [settings, guests] = await Promise.all([context.channels.settings(channelId), context.guests.get()]);
  return { kind: 'settings', channelId, settings, guests, mayChange: refusal === undefined };
}

/** Throws UserError unless the line was typed in a channel. */
export function actorInChannel(context: RunContext): Actor {
  if (placeIn(context).destination === 'channel') return actorIn(context);
  throw new UserError({
    code: 'bad-channel',
    message: 'Settings belong to a channel.',
    hint: 'Type the line in the channel that you mean.',
    example: 'landfall settings',
  });
}
