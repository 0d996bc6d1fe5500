import { UserError } from '../../errors.ts';
import { actorIn } from '../run-context.ts';
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
      hint: 'Type the line in the channel that you mean.',
      example: 'landfall settings',
    });
  const refused = await context.channels.refusal(channelId, actor);
  // Somebody who has left the channel.
  if (refused?.code === 'bad-channel') throw refused;
  const settings = await context.channels.settings(channelId);
  return { kind: 'settings', channelId, settings, mayChange: refused === undefined };
}
