import type { UsersInfoResponse, WebClient } from '@slack/web-api';
import type { Reader } from '../../answers/message.ts';
import { forgottenName, forgottenPerson } from '../../answers/text.ts';
import { createReadCache, type ReadCacheOptions } from '../../cache.ts';
import type { Readers } from '../../features/outsiders.ts';
import type { Publicity, SlackServices } from '../../features/services.ts';
import type { Logger } from '../../log.ts';
import type { Installation } from '../../workspaces/installations.ts';
import type { Person } from '../../workspaces/permissions.ts';
import { slackCode } from '../posting/deliver.ts';

type SlackPerson = NonNullable<UsersInfoResponse['user']>;

const maxPages = 20;
/** After a failure, a person or channel is unknown for so long. */
const failureTtlMs = 60_000;
/** The ids that are cached, of all people together. */
const maxJoinedChannels = 100_000;

const unknownPerson: Person = {
  name: 'somebody',
  zone: undefined,
  isAdmin: false,
  isGuest: false,
  isOutside: true,
  isGone: false,
  isUnknown: true,
};

const noPerson: Person = { ...unknownPerson, name: forgottenName, isGone: true, isUnknown: false };

type PlaceToRead = Parameters<SlackServices['audienceOf']>[0];

export type Lookups = ReturnType<typeof createLookups>;

/** What Slack says about people and channels, cached in memory. */
export function createLookups(options: {
  client: WebClient;
  installation: Installation;
  realNow: () => number;
  logger: Logger;
}) {
  const { client, installation, realNow, logger } = options;
  async function askPerson(userId: string): Promise<Person> {
    if (userId === forgottenPerson) return noPerson;
    const { user = {} } = await client.users
      .info({ user: userId, include_locale: true })
      .catch((error: unknown) => {
        logger.warn({ reason: String(error) }, 'users.info failed: the person is unknown');
        throw error;
      });
    const team = { teamId: user.team_id, enterpriseId: user.enterprise_user?.enterprise_id };
    // With the token of an organisation, Slack also describes admins of its other workspaces.
    const teams = [user.team_id ?? installation.teamId, ...(user.enterprise_user?.teams ?? [])];
    const isMember = teams.includes(installation.teamId);
    const isAdminSomewhere = Boolean(user.is_admin || user.is_owner);
    const isAdmin = installation.isOrgWide ? isAdminByOrganisation(user) : isMember && isAdminSomewhere;
    return {
      name: user.profile?.display_name || user.real_name || user.name || userId,
      zone: user.tz || undefined,
      locale: user.locale || undefined,
      isAdmin,
      mayBeAdmin: isAdminSomewhere && !isAdmin,
      isGuest: Boolean(user.is_restricted || user.is_ultra_restricted),
      isOutside: Boolean(user.is_stranger) || membershipOf(team, installation) === 'outside',
      isGone: Boolean(user.is_bot || user.deleted),
      isUnknown: false,
    };
  }

  /** With the token of an organisation, Slack doesn't say which workspace somebody with several is an admin of. */
  function isAdminByOrganisation({ team_id, is_admin, enterprise_user = {} }: SlackPerson): boolean {
    const { enterprise_id, teams = [] } = enterprise_user;
    const isInOrganisation = enterprise_id !== undefined && enterprise_id === installation.enterpriseId;
    if (isInOrganisation && (enterprise_user.is_admin || enterprise_user.is_owner)) return true;
    return Boolean(is_admin) && team_id === installation.teamId && teams.every((team) => team === team_id);
  }

  async function askChannel(channelId: string) {
    const { channel } = await client.conversations.info({ channel: channelId }).catch((error: unknown) => {
      logger.info(
        { reason: String(error) },
        'conversations.info failed: the channel counts as shared and private',
      );
      throw error;
    });
    const isShared = channel?.is_ext_shared || channel?.is_pending_ext_shared;
    const readers: Readers = isShared ? 'outside' : 'channel';
    // Slack says of a direct message only that it is one.
    return { readers, isPublic: channel?.is_private === false && !channel.is_im && !channel.is_mpim };
  }

  async function askJoinedChannels(userId: string): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    let cursor = '';
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await client.users.conversations({
        user: userId,
        types: 'public_channel,private_channel',
        exclude_archived: true,
        limit: 200,
        ...(cursor && { cursor }),
      });
      for (const { id } of answer.channels ?? []) if (id) ids.add(id);
      cursor = answer.response_metadata?.next_cursor ?? '';
      if (!cursor) break;
    }
    return ids;
  }

  async function askDirectMessage(userId: string): Promise<string> {
    const { channel } = await client.conversations.open({ users: userId });
    if (!channel?.id) throw new Error('Slack opened no direct message');
    return channel.id;
  }

  const cached = <Value>(
    read: (id: string) => Promise<Value>,
    options: Pick<ReadCacheOptions<Value>, 'ttlMs' | 'failureTtlMs' | 'max' | 'sizeOf'>,
  ) => createReadCache({ read, realNow, ...options }).get;

  const cachedPerson = (ttlMs: number) => {
    const get = cached(askPerson, { ttlMs, failureTtlMs });
    return (...asked: Parameters<typeof get>) => get(...asked).catch(() => unknownPerson);
  };

  const getChannel = cached(askChannel, { ttlMs: 600_000, failureTtlMs });
  const readersOf = (...asked: Parameters<typeof getChannel>) =>
    getChannel(...asked).then(
      ({ readers }) => readers,
      (error): Readers => (slackCode(error) === 'channel_not_found' ? 'unseen' : 'unknown'),
    );

  return {
    /** Cached for an hour; `fresh` asks Slack again. */
    personOf: cachedPerson(3_600_000),
    /** Cached for a minute: for requests that somebody could send who has left Slack. */
    personLatelyOf: cachedPerson(60_000),
    /** The readers of a channel; cached for 10 minutes. */
    readersOf,
    /** Cached for 10 minutes. */
    async publicityOf(channelId: string): Promise<Publicity> {
      try {
        return (await getChannel(channelId)).isPublic ? 'public' : 'private';
      } catch (error) {
        // Slack hides private channels from a bot that isn't in them, and describes no direct message to this one.
        return ['channel_not_found', 'missing_scope'].includes(slackCode(error) ?? '')
          ? 'private'
          : 'unknown';
      }
    },
    /**
     * The same readers; a channel that the bot can't look into counts as shared. Slack needs another scope to describe the
     * bot's own direct message with a person, which nobody else reads.
     */
    async audienceOf({ channelId, destination }: PlaceToRead): Promise<Reader['audience']> {
      if (destination === 'direct-message') return 'private';
      const readers = await readersOf(channelId);
      return readers === 'unseen' || readers === 'unknown' ? 'outside' : readers;
    },
    /** Those of a person's channels that the bot can see, cached for a minute. Rejects if Slack does not answer. */
    getJoinedChannels: cached(askJoinedChannels, {
      ttlMs: 60_000,
      sizeOf: ({ size }) => size,
      max: maxJoinedChannels,
    }),
    /** A person's direct message with the bot; its id never changes. Rejects if Slack does not answer. */
    directMessageOf: cached(askDirectMessage, { ttlMs: 0 }),
    /** The message above a thread. Rejects if Slack does not answer. */
    async firstOfThread({ channelId: channel, threadTs: ts }: { channelId: string; threadTs: string }) {
      const { messages } = await client.conversations.replies({ channel, ts, limit: 1 });
      const [first] = messages ?? [];
      return { userId: first?.user, text: first?.text ?? '' };
    },
  };
}

/** The workspace of a person, as far as a payload names it. */
interface Team {
  teamId: string | undefined;
  enterpriseId?: string | undefined;
}

/** A person, as a payload names them. */
export interface SlackUser extends Team {
  id: string;
}

export function userOf(body: {
  user: { id: string; team_id?: string };
  enterprise?: { id: string } | null;
}): SlackUser {
  return { id: body.user.id, teamId: body.user.team_id, enterpriseId: body.enterprise?.id };
}

/** Does the person belong to this workspace? `unknown`: the payload names no workspace, so `users.info` decides. */
export type Membership = 'inside' | 'outside' | 'unknown';

export function membershipOf({ teamId, enterpriseId }: Team, installation: Installation): Membership {
  if (!teamId) return 'unknown';
  if (teamId === installation.teamId) return 'inside';
  return !installation.enterpriseId || enterpriseId !== installation.enterpriseId ? 'outside' : 'inside';
}
