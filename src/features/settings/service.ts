import { UserError } from '../../errors.ts';
import { type Actor, notInChannel } from '../../workspaces/permissions.ts';
import type { ChannelSettings } from '../../workspaces/settings.ts';
import { actorIn, placeIn, type RunContext } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';
import type { SettingsAnswer } from './view.ts';

export interface SettingsServices {
  channels: ChannelSettingsService;
  guests: WorkspaceServices['guests'];
  links: WorkspaceServices['links'];
}

export type ChannelSettingsService = ReturnType<typeof createChannelSettingsService>;

/** Reads and changes the settings of channels, with permissions checked. */
export function createChannelSettingsService({
  channels,
  access,
  now,
  newId,
}: Pick<WorkspaceServices, 'channels' | 'access' | 'now' | 'newId'>) {
  /** Why the actor can't change the settings; undefined if they can. Code `bad-channel`: they are not in the channel. */
  const refusal = async (channelId: string, actor: Actor): Promise<UserError | undefined> => {
    if (!(await access.mayUse(channelId, actor))) return notInChannel();
    if (await access.mayAdd(channelId, actor)) return undefined;
    return new UserError({
      code: 'not-allowed',
      message: "You can't change the settings of this channel. Nothing was saved.",
      hint: 'Only workspace admins can: that is one of its settings.',
    });
  };

  return {
    settings: channels.get,
    refusal,
    /** Settings that are missing in `change` keep their values. Throws the error that `refusal` would return. */
    async change(
      channelId: string,
      change: Partial<ChannelSettings>,
      actor: Actor,
    ): Promise<ChannelSettings> {
      const error = await refusal(channelId, actor);
      if (error) throw error;
      return await channels.save(channelId, { change, actorId: actor.userId, now: now(), id: newId() });
    },
  };
}

/** The settings of the channel in which the line was typed. */
export async function askSettings(context: RunContext & SettingsServices): Promise<SettingsAnswer> {
  const actor = actorInChannel(context);
  const { channelId } = actor;
  const refusal = await context.channels.refusal(channelId, actor);
  // People who are not in the channel can't see its settings either.
  if (refusal?.code === 'bad-channel') throw refusal;
  const [settings, guests, links] = await Promise.all([
    context.channels.settings(channelId),
    context.guests.get(),
    context.links.get(),
  ]);
  return { kind: 'settings', channelId, settings, guests, links, mayChange: refusal === undefined };
}

/** Throws UserError unless the line was typed in a channel. */
export function actorInChannel(context: RunContext): Actor {
  if (placeIn(context).destination === 'channel') return actorIn(context);
  throw new UserError({
    code: 'bad-channel',
    message: 'Settings belong to a channel.',
    hint: 'Type the line in that channel.',
    example: 'landfall settings',
  });
}
