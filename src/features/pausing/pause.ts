import { z } from 'zod';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage, type Refusal } from '../../outbox/outgoing-message.ts';
import { lockWorkspace, recordChanges } from '../../workspaces/audit.ts';
import { seenOutside } from '../outsiders.ts';
import type { Pausable, PausedFilter, PausedThing, PauseRefused } from '../pausable.ts';
import type { WorkspaceServices } from '../services.ts';
import { type ChannelNotice, channelNoticeKind } from './channel-notice.ts';

/** `code`: Slack's error code for messages to the channel. */
interface UnavailableChannel extends Omit<Refusal, 'row'> {
  channelId: string;
}

interface PauserOptions extends Pick<WorkspaceServices, 'store' | 'botUserId' | 'newId'> {
  pausables: () => readonly Pausable[];
}

/** With these codes, Slack refuses every message to the channel. */
const channelCodes: ReadonlySet<string> = new Set([
  'is_archived',
  'not_in_channel',
  'channel_not_found',
  seenOutside,
]);

/** With these codes, Slack refuses every message of the bot, notices included. */
const accountCodes: ReadonlySet<string> = new Set([
  'token_revoked',
  'token_expired',
  'account_inactive',
  'invalid_auth',
  'not_authed',
]);
const noticeDelayMs = 60_000;

/** Every notice about paused things holds these. */
const noticeAbout = z.object({ channelId: z.string(), reason: z.string() });

type Paused = PausedThing & { pausable: Pausable };

/** Pauses things whose messages Slack refuses for good, and notifies each owner once. */
export function createPauser({ store, botUserId, newId, pausables }: PauserOptions) {
  /** If Slack refuses every message to the channel, everything in the channel is paused. */
  const pauseRefused: PauseRefused = async (transaction, refusal, { pausable, ids, toPerson }) => {
    const { row, code, now, realNow } = refusal;
    const channel = { channelId: row.channel_id, code, now, realNow };
    if (channelCodes.has(code) && !toPerson) return await pauseChannel(transaction, channel);
    const which = { code, of: { ids }, now };
    await notify(transaction, withPausable(pausable, await pausable.pause(transaction, which)), channel);
  };

  return {
    pauseRefused,
    /** Pauses everything in a channel in which Slack no longer accepts messages. */
    markUnavailable: (channel: UnavailableChannel): Promise<void> =>
      store.transaction((transaction) => pauseChannel(transaction, channel)),
  };

  async function pauseChannel(transaction: WorkspaceStore, channel: UnavailableChannel): Promise<void> {
    const { channelId, code, now } = channel;
    const which = { code, of: { channelId }, now };
    await notify(
      transaction,
      await collectFromAll((pausable) => pausable.pause(transaction, which)),
      channel,
    );
  }

  /** Calls `read` for one pausable after the other, because they share a transaction. */
  async function collectFromAll(read: (pausable: Pausable) => Promise<PausedThing[]>): Promise<Paused[]> {
    const all: Paused[] = [];
    for (const pausable of pausables()) all.push(...withPausable(pausable, await read(pausable)));
    return all;
  }

  async function notify(
    transaction: WorkspaceStore,
    paused: readonly Paused[],
    { channelId, code: reason, now, realNow }: UnavailableChannel,
  ): Promise<void> {
    if (paused.length === 0) return;
    // Two transactions that notify an owner at the same moment would not see each other's notices.
    await lockWorkspace(transaction);
    const owners = new Set(paused.map(({ ownerId }) => ownerId));
    for (const ownerId of [...owners].sort()) {
      const filter = { ownerId, channelId, reason };
      // If earlier notices have not been sent, one notice about everything that is paused replaces them.
      const things = (await deleteUnsentNotices(transaction, filter))
        ? await collectFromAll((pausable) => pausable.findPaused(transaction, filter))
        : paused.filter((thing) => thing.ownerId === ownerId);
      // Without a valid account the notice can't be sent either, so it waits for further pauses to list.
      const dueAt = accountCodes.has(reason) ? new Date(realNow.getTime() + noticeDelayMs) : realNow;
      const row = { id: newId(), channelId: ownerId, now, dueAt };
      await transaction
        .insertInto('outbox', pendingMessage({ ...row, ...noticeOf(things, { channelId, reason }) }))
        .execute();
    }
    const after = { status: 'paused', reason };
    await recordChanges(
      transaction,
      paused.map(({ pausable, title: subject }) => {
        const action = `${pausable.noun.singular}.pause`;
        return { id: newId(), at: now, actorId: botUserId, channelId, action, subject, after };
      }),
    );
  }

  /** Returns whether there were notices to delete. */
  async function deleteUnsentNotices(
    transaction: WorkspaceStore,
    { ownerId, channelId, reason }: Required<PausedFilter>,
  ): Promise<boolean> {
    const kinds = [channelNoticeKind, ...pausables().map(({ noticeKind }) => noticeKind)];
    const notices = await transaction
      .selectFrom('outbox')
      .select(['id', 'payload'])
      .where('channel_id', '=', ownerId)
      .where('status', '=', 'pending')
      .where('kind', 'in', kinds)
      .execute();
    const unsent = notices.filter(({ payload }) => {
      const { data: notice } = noticeAbout.safeParse(payload);
      return notice?.channelId === channelId && notice.reason === reason;
    });
    if (unsent.length === 0) return false;
    const { numDeletedRows } = await transaction
      .deleteFrom('outbox')
      .where(
        'id',
        'in',
        unsent.map(({ id }) => id),
      )
      .where('status', '=', 'pending')
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
}

const withPausable = (pausable: Pausable, things: readonly PausedThing[]): Paused[] =>
  things.map((thing) => ({ ...thing, pausable }));

function noticeOf(
  paused: readonly Paused[],
  place: { channelId: string; reason: string },
): PausedThing['notice'] {
  const [first, second] = paused;
  if (first && !second) return { ...first.notice, message: { ...first.notice.message, ...place } };
  const things = paused.map(({ id, title, pausable }) => ({ what: pausable.noun.singular, id, title }));
  const message: ChannelNotice = { kind: channelNoticeKind, things, ...place };
  return { message };
}
