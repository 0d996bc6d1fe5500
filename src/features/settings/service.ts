import { UserError } from '../../errors.ts';
import { type Access, type Actor, notInChannel } from '../../workspaces/permissions.ts';
import type { ChannelSettings, ChannelSettingsStore } from '../../workspaces/settings.ts';

/** What people choose for a channel. */
export interface ChannelSettingsService {
  /** Never cached, so that every instance has what was saved last. */
  settings(channelId: string): Promise<ChannelSettings>;
  /**
   * Why this person can't change them: `bad-channel` for who is not in it; `not-allowed` where admins alone may.
   * Undefined for who may.
   */
  refusal(channelId: string, actor: Actor): Promise<UserError | undefined>;
  /** What is left out stays as it is. Throws what `refusal` gives. */
  change(channelId: string, change: Partial<ChannelSettings>, actor: Actor): Promise<ChannelSettings>;
}

interface ChannelSettingsOptions {
  channels: ChannelSettingsStore;
  access: Pick<Access, 'mayUse' | 'mayAdd'>;
  now: () => Date;
  newId: () => string;
}

export function createChannelSettingsService(options: ChannelSettingsOptions): ChannelSettingsService {
  const { channels, access, now, newId } = options;

  const refusal = async (channelId: string, actor: Actor) => {
    if (!(await access.mayUse(channelId, actor))) return notInChannel();
    return (await access.mayAdd(channelId, actor)) ? undefined : adminsOnly();
  };

  return {
    settings: channels.get,
    refusal,
    async change(channelId, change, actor) {
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
