import { UserError } from '../../errors.ts';
import { type Actor, notInChannel } from '../../workspaces/permissions.ts';
import type { ChannelSettings } from '../../workspaces/settings.ts';
import type { WorkspaceServices } from '../feature.ts';

export type ChannelSettingsService = ReturnType<typeof createChannelSettingsService>;

/** Reads and changes the settings of channels, with permissions checked. */
export function createChannelSettingsService({
  channels,
  access,
  now,
  newId,
}: Pick<WorkspaceServices, 'channels' | 'access' | 'now' | 'newId'>) {
  /**
   * Why this person can't change the settings: `bad-channel` if not in the channel, `not-allowed` if only admins may.
   * Undefined: the person may.
   */
  const refusal = async (channelId: string, actor: Actor): Promise<UserError | undefined> => {
    if (!(await access.mayUse(channelId, actor))) return notInChannel();
    return (await access.mayAdd(channelId, actor)) ? undefined : adminsOnly();
  };

  return {
    settings: channels.get,
    refusal,
    /** Changes only what is given. Throws what `refusal` returns. */
    async change(
      channelId: string,
      change: Partial<ChannelSettings>,
      actor: Actor,
    ): Promise<ChannelSettings> {
      const refused = await refusal(channelId, actor);
      if (refused) throw refused;
      return await channels.save(channelId, { change, actorId: actor.userId, now: now(), id: newId() });
    },
  };
}

const adminsOnly = () =>
  new UserError({
    code: 'not-allowed',
    message: "You can't change the settings of this channel. Nothing was saved.",
    hint: 'Only workspace admins can: that is one of its settings.',
  });
