import { UserError } from '../../errors.ts';
import type { GuestSetting } from '../../workspaces/settings.ts';
import { slackCode } from '../posting/post-errors.ts';
import type { Memberships } from './memberships.ts';
import type { People } from './people.ts';

export interface OwnerCheckOptions {
  people: People;
  getJoinedChannels: Memberships;
  guests: Pick<GuestSetting, 'get'>;
}

/** Throws UserError for a person who can't own a watch or digest in the channel. */
export function createOwnerCheck(
  options: OwnerCheckOptions,
): (owner: { userId: string; channelId: string }) => Promise<void> {
  const { people, getJoinedChannels, guests } = options;
  return async ({ userId, channelId }) => {
    const { isOutside, isGone, isGuest, isUnknown } = await people.of(userId);
    if (isOutside && !isUnknown)
      throw refusal('That person is of another organisation, which Landfall does not serve.');
    if (isGone) throw refusal('That is an app, or somebody who has left the workspace.');
    if (isGuest && (await guests.get()) !== 'full')
      throw refusal('That person is a guest, and guests may change nothing here.');
    const channels = await getJoinedChannels(userId).catch(noChannels);
    if (!channels.has(channelId))
      throw refusal(
        'That person is not in the channel, so they would not see it.',
        'Ask them to join it first.',
      );
    if (isUnknown)
      throw refusal("Slack can't tell me who that person is right now.", 'Please try again in a minute.');
  };
}

/** A person unknown to Slack is in no channel. */
function noChannels(error: unknown): ReadonlySet<string> {
  if (slackCode(error) === 'user_not_found') return new Set();
  throw error;
}

const refusal = (message: string, hint?: string): UserError =>
  new UserError({
    code: 'bad-owner',
    message: `${message} Nothing is handed over.`,
    ...(hint !== undefined && { hint }),
  });
