import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type Digest, readDigest } from '../features/digests/digest.ts';
import { pauseDigests } from '../features/digests/pause-digests.ts';
import { summary } from '../features/watches/messages/messages.ts';
import { pauseWatches } from '../features/watches/store/pause-watches.ts';
import { readWatch, type Watch } from '../features/watches/store/watch.ts';
import type { DeadLetter, OnDeadLetter } from '../outbox/dead-letter.ts';
import { pendingMessage } from '../outbox/pending-message.ts';
import { takeBackNotices } from '../outbox/take-back-notices.ts';
import { recordChanges } from '../workspaces/audit.ts';

export interface UnavailableChannel {
  workspaceId: string;
  channelId: string;
  /** Slack's word for what a post there would meet. */
  code: string;
  /** The domain clock. */
  now: Date;
  realNow: Date;
}

/** What becomes of watches and digests whose messages Slack refuses for good. Each owner is told once. */
export interface Pausing {
  /** A message was refused. Where that goes for its whole channel, all that stands there is paused. */
  onDeadLetter: OnDeadLetter;
  /** Slack says that nothing can be posted there any more; what is paused already stays as it is. */
  markUnavailable(channel: UnavailableChannel): Promise<void>;
}

/** Of these all messages to a channel die, whatever is in them. */
const channelCodes: ReadonlySet<string> = new Set(['is_archived', 'not_in_channel', 'channel_not_found']);

/** Slack takes nothing from the bot, for nobody. */
const accountCodes: ReadonlySet<string> = new Set([
  'token_revoked',
  'token_expired',
  'account_inactive',
  'invalid_auth',
  'not_authed',
]);
const gatheringMs = 60_000;

/** A digest to oneself is addressed to a user's id: Slack opens the direct message anew. */
const isChannel = (id: string): boolean => !/^[UW]/.test(id);

/** `actorId`: the bot's, for the audit log. */
export function createPausing(options: {
  db: Kysely<Schema>;
  actorId: string;
  newId: () => string;
}): Pausing {
  const { db, actorId, newId } = options;

  return {
    onDeadLetter: (transactions, { row, leaseToken, code, now, realNow }) =>
      transactions.transaction().execute(async (transaction) => {
        const isNotice = row.kind.endsWith('notice');
        const { numUpdatedRows } = await transaction
          .updateTable('outbox')
          .set({
            status: row.watch_id && !isNotice ? 'held' : 'failed',
            error: code,
            // Slack's answer to the first try is certain; a row found in `sending` may have gone out before.
            ...(row.status === 'pending' && { attempted_at: null }),
            lease_until: null,
            lease_token: null,
          })
          .where('id', '=', row.id)
          .where('lease_token', '=', leaseToken)
          .executeTakeFirst();
        if (numUpdatedRows === 0n || isNotice) return;
        const {
          workspace_id: workspaceId,
          channel_id: channelId,
          watch_id: watchId,
          digest_id: digestId,
        } = row;
        const lost = { workspaceId, channelId, code, now, realNow };
        if (channelCodes.has(code) && isChannel(channelId)) await pauseChannel(transaction, lost);
        else {
          const reason = { workspaceId, code };
          const of = { watchIds: watchId ? [watchId] : summarisedIn(row) };
          const watches = await pauseWatches(transaction, { ...reason, of });
          const digests = digestId ? await pauseDigests(transaction, { ...reason, of: { digestId } }) : [];
          await tell(transaction, { watches, digests }, lost);
        }
      }),
    markUnavailable: (channel) =>
      db.transaction().execute((transaction) => pauseChannel(transaction, channel)),
  };

  async function pauseChannel(transaction: Kysely<Schema>, channel: UnavailableChannel): Promise<void> {
    const { workspaceId, channelId, code } = channel;
    const which = { workspaceId, code, of: { channelId } };
    const watches = await pauseWatches(transaction, which);
    const digests = await pauseDigests(transaction, which);
    await tell(transaction, { watches, digests }, channel);
  }

  /** In the transaction that pauses them. */
  async function tell(
    transaction: Kysely<Schema>,
    { watches, digests }: { watches: readonly Watch[]; digests: readonly Digest[] },
    { workspaceId, channelId, code: reason, now, realNow }: UnavailableChannel,
  ): Promise<void> {
    await takeTurns(transaction, workspaceId);
    const owners = new Set([...watches, ...digests].map(({ ownerId }) => ownerId));
    for (const ownerId of [...owners].sort()) {
      const about = { workspaceId, ownerId, channelId, reason };
      const isMore = (await takeBackNotices(transaction, about)) > 0;
      const mine = isMore
        ? await allPaused(transaction, about)
        : {
            watches: watches.filter((watch) => watch.ownerId === ownerId),
            digests: digests.filter((digest) => digest.ownerId === ownerId),
          };
      const message = noticeOf(mine, { channelId, reason });
      // While nothing goes out at all, it waits for what is paused after it, to tell of that too.
      const dueAt = accountCodes.has(reason) ? new Date(realNow.getTime() + gatheringMs) : realNow;
      const row = { id: newId(), workspaceId, channelId: ownerId, now, realNow: dueAt };
      await transaction
        .insertInto('outbox')
        .values(pendingMessage({ ...row, ...message }))
        .execute();
    }
    const paused = [
      ...watches.map(({ title }) => ({ action: 'watch.pause', subject: title })),
      ...digests.map(({ title }) => ({ action: 'digest.pause', subject: title })),
    ];
    const after = { status: 'paused', reason };
    await recordChanges(
      transaction,
      paused.map((what) => ({ id: newId(), workspaceId, at: now, actorId, channelId, after, ...what })),
    );
  }
}

/** The watches that a message for many speaks of; none for any other. */
function summarisedIn({ payload }: DeadLetter['row']): string[] {
  const { data: message } = summary.safeParse(payload);
  return [...new Set(message?.items.map(({ watchId }) => watchId))];
}

/** Two who tell one owner at the same moment would not see each other's message. */
async function takeTurns(transaction: Kysely<Schema>, workspaceId: string): Promise<void> {
  await transaction
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute();
}

/** All that an owner has paused in one channel for one cause, told or not. */
async function allPaused(
  transaction: Kysely<Schema>,
  {
    workspaceId,
    ownerId,
    channelId,
    reason,
  }: { workspaceId: string; ownerId: string; channelId: string; reason: string },
): Promise<{ watches: Watch[]; digests: Digest[] }> {
  const watches = await transaction
    .selectFrom('watches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('owner_id', '=', ownerId)
    .where('channel_id', '=', channelId)
    .where('status', '=', 'paused')
    .where('pause_reason', '=', reason)
    .orderBy('id')
    .execute();
  const digests = await transaction
    .selectFrom('digests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('owner_id', '=', ownerId)
    .where('channel_id', '=', channelId)
    .where('status', '=', 'paused')
    .where('pause_reason', '=', reason)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  return { watches: watches.map(readWatch), digests: digests.map(readDigest) };
}

/** One watch's or one digest's own notice, or one for all of them. */
function noticeOf(
  { watches, digests }: { watches: readonly Watch[]; digests: readonly Digest[] },
  where: { channelId: string; reason: string },
) {
  const [watch] = watches;
  const [digest] = digests;
  if (watch && watches.length === 1 && !digest) {
    return { watchId: watch.id, message: { kind: 'notice', title: watch.title, ...where } };
  }
  if (digest && digests.length === 1 && !watch) {
    const { id: digestId, number, title } = digest;
    return { digestId, message: { kind: 'digest-notice', digestId, number, title, ...where } };
  }
  const things = {
    watches: watches.map(({ title }) => title),
    watchIds: watches.map(({ id }) => id),
    digests: digests.map(({ title }) => title),
  };
  return { message: { kind: 'channel-notice', ...things, ...where } };
}
