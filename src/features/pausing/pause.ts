import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import { recordChanges } from '../../workspaces/audit.ts';
import type { Pausable, PauseCause, PausedThing, PauseRefused } from '../pausable.ts';
import { type ChannelNotice, channelNoticeKind } from './channel-notice.ts';

interface UnavailableChannel {
  workspaceId: string;
  channelId: string;
  /** Slack's word for what a post there would meet. */
  code: string;
  /** The domain clock. */
  now: Date;
  realNow: Date;
}

/** What becomes of things whose messages Slack refuses for good. Each owner is notified once. */
export interface Pauser {
  /** A message was refused. Where that goes for its whole channel, all that is there is paused. */
  refused: PauseRefused;
  /** Slack says that nothing can be posted there any more; what is paused already stays as it is. */
  markUnavailable(channel: UnavailableChannel): Promise<void>;
}

interface PauserOptions {
  db: Kysely<Schema>;
  /** The bot's, for the audit log. */
  botUserId: string;
  newId: () => string;
  /** Of all features. */
  parts: () => readonly Pausable[];
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

type Paused = PausedThing & { part: Pausable };

export function createPauser({ db, botUserId, newId, parts }: PauserOptions): Pauser {
  return {
    async refused(transaction, { row, code, now, realNow }, { part, ids, toPerson }) {
      const channel = { workspaceId: row.workspace_id, channelId: row.channel_id, code, now, realNow };
      if (channelCodes.has(code) && !toPerson) {
        await pauseChannel(transaction, channel);
        return;
      }
      const things = await part.pause(transaction, { workspaceId: row.workspace_id, code, of: { ids } });
      await notify(transaction, asPaused(part, things), channel);
    },
    markUnavailable: (channel) =>
      db.transaction().execute((transaction) => pauseChannel(transaction, channel)),
  };

  async function pauseChannel(transaction: Kysely<Schema>, channel: UnavailableChannel): Promise<void> {
    const { workspaceId, channelId, code } = channel;
    const of = { channelId };
    const paused = await ofAll((part) => part.pause(transaction, { workspaceId, code, of }));
    await notify(transaction, paused, channel);
  }

  /** One after the other: they share a transaction. */
  async function ofAll(read: (part: Pausable) => Promise<PausedThing[]>): Promise<Paused[]> {
    const all: Paused[] = [];
    for (const part of parts()) all.push(...asPaused(part, await read(part)));
    return all;
  }

  /** In the transaction that pauses them. */
  async function notify(
    transaction: Kysely<Schema>,
    paused: readonly Paused[],
    { workspaceId, channelId, code: reason, now, realNow }: UnavailableChannel,
  ): Promise<void> {
    await takeTurns(transaction, workspaceId);
    const owners = new Set(paused.map(({ ownerId }) => ownerId));
    for (const ownerId of [...owners].sort()) {
      const about = { workspaceId, ownerId, channelId, reason };
      const isMore = await takeBackNotices(transaction, about);
      const mine = isMore
        ? await ofAll((part) => part.paused(transaction, about))
        : paused.filter((one) => one.ownerId === ownerId);
      // While nothing goes out at all, it waits for what is paused next, and covers that too.
      const dueAt = accountCodes.has(reason) ? new Date(realNow.getTime() + gatheringMs) : realNow;
      const row = { id: newId(), workspaceId, channelId: ownerId, now, realNow: dueAt };
      await transaction
        .insertInto('outbox')
        .values(pendingMessage({ ...row, ...noticeOf(mine, { channelId, reason }) }))
        .execute();
    }
    const after = { status: 'paused', reason };
    await recordChanges(
      transaction,
      paused.map(({ part, title: subject }) => {
        const action = `${part.words.one}.pause`;
        return { id: newId(), workspaceId, at: now, actorId: botUserId, channelId, action, subject, after };
      }),
    );
  }

  /** What an owner has not been notified of yet, of one channel and one cause; whether that was anything. */
  async function takeBackNotices(
    transaction: Kysely<Schema>,
    { workspaceId, ownerId, channelId, reason }: PauseCause & { ownerId: string },
  ): Promise<boolean> {
    const kinds = [channelNoticeKind, ...parts().map(({ noticeKind }) => noticeKind)];
    const { numDeletedRows } = await transaction
      .deleteFrom('outbox')
      .where('workspace_id', '=', workspaceId)
      .where('channel_id', '=', ownerId)
      .where('status', '=', 'pending')
      .where('kind', 'in', kinds)
      .where(sql`payload ->> 'channelId'`, '=', channelId)
      .where(sql`payload ->> 'reason'`, '=', reason)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
}

const asPaused = (part: Pausable, things: readonly PausedThing[]): Paused[] =>
  things.map((thing) => ({ ...thing, part }));

/** Two who notify one owner at the same moment would not see each other's message. */
async function takeTurns(transaction: Kysely<Schema>, workspaceId: string): Promise<void> {
  await transaction
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute();
}

/** One thing's own notice, or one for all of them. */
function noticeOf(
  paused: readonly Paused[],
  where: { channelId: string; reason: string },
): PausedThing['notice'] {
  const [first, ...others] = paused;
  if (first && others.length === 0)
    return { ...first.notice, message: { ...first.notice.message, ...where } };
  const things = paused.map(({ id, title, part }) => ({ what: part.words.one, id, title }));
  const message: ChannelNotice = { kind: channelNoticeKind, things, ...where };
  return { message };
}
