import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql, type Updateable } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import {
  type AuditedTransaction,
  createAuditedTransaction,
  type RecordEntries,
} from '../../../workspaces/audit.ts';
import { auditEntries, checkChannelLimit } from '../../owned.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { pollTakesMs, queueCardUpdate } from '../messages/card-updates.ts';
import type { WatchMessage } from '../messages/messages.ts';
import type { Rules } from '../rules/index.ts';
import type { By } from './by.ts';
import { expectCard, expectFinalCard, forgetCard } from './expected-card.ts';
import { byColumns, follow, forgetUnfollowed, pollSoon, unfollow } from './follow.ts';
import { busy } from './one-at-a-time.ts';
import type { Subject } from './subject.ts';
import { readWatch, type Watch } from './watch.ts';

interface NewWatch
  extends Pick<
    Watch,
    'workspaceId' | 'credentialId' | 'channelId' | 'destination' | 'ownerId' | 'title' | 'cardTs'
  > {
  rules: Rules;
  snooze?: Snooze | null;
  subjects: readonly Subject[];
  /** Its card is in Slack already, with this id in its buttons, and was announced by `expectCard`. */
  id?: string;
}

export interface WatchStore {
  /** A card is about to be posted: where its watch is not saved within a minute, it is taken away. */
  expectCard(card: { id: string; workspaceId: string; channelId: string }, by: By): Promise<void>;
  /** Nothing is to be done about the card of a watch that is none: it never stood in Slack, or has its final card. */
  forgetCard(id: string): Promise<void>;
  /**
   * Its subjects are polled at once. Throws UserError when the channel has as many as it may have, and when its
   * card has been taken away.
   */
  create(watch: NewWatch, by: By): Promise<Watch>;
  find(id: string): Promise<Watch | undefined>;
  /** Throws UserError if the channel has as many watches as it may have. */
  checkLimit(channel: { workspaceId: string; channelId: string }): Promise<void>;
  /**
   * Its history and what it remembers go too; what was posted stays in Slack, and its card becomes the final card
   * unless `forgetCard` says that it has it. False when it is gone already.
   */
  stop(id: string, by: By): Promise<boolean>;
  change(id: string, change: WatchChange, by: By): Promise<Watch | undefined>;
  /** It follows these from now on, and no others; what it knows of those that stay is not lost. With `change` both or neither. */
  follow(id: string, subjects: readonly Subject[], by: By, change?: WatchChange): Promise<Watch | undefined>;
  /** Polls its subjects at once, and updates the card after that. */
  refresh(id: string, by: By): Promise<Watch | undefined>;
  /** Messages held back while it was paused go out. */
  resume(id: string, by: By): Promise<Watch | undefined>;
}

/** What people do to a watch. */
export type WatchChange = Partial<
  Pick<Watch, 'ownerId' | 'rules' | 'snooze' | 'acknowledgement' | 'cardTs' | 'title'>
>;

export function createWatchStore(options: {
  db: Kysely<Schema>;
  newId: () => string;
  maxPerChannel?: number;
  audited?: AuditedTransaction;
}): WatchStore {
  const { db, newId, maxPerChannel = 1000, audited = createAuditedTransaction(db) } = options;
  const limit = {
    table: 'watches',
    max: maxPerChannel,
    hint: 'Stop some of them, or add the watch in another channel.',
  } as const;

  const entry = auditEntries(newId);

  const lockWatch = async (
    transaction: Kysely<Schema>,
    id: string,
    { title }: By,
  ): Promise<Watch | undefined> => {
    const row = await transaction
      .selectFrom('watches')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row && { ...readWatch(row), ...(title !== undefined && { title }) };
  };

  const applyChange = async (
    before: Watch,
    { change, by }: { change: WatchChange; by: By },
    { transaction, record }: { transaction: Kysely<Schema>; record: RecordEntries },
  ): Promise<Watch> => {
    const { id } = before;
    await transaction.updateTable('watches').set(columnsOf(change)).where('id', '=', id).execute();
    // The first of them to wake is looked at when it does: the next poll knows when that is.
    if (change.snooze !== undefined || change.rules) await pollSoon(transaction, id, by.now);
    await queueCardUpdate(transaction, { watch: before, id: newId(), ...by });
    // Object.keys forgets which keys these are; they are those of WatchChange.
    const keys = Object.keys(change) as (keyof WatchChange)[];
    const old = Object.fromEntries(keys.map((key) => [key, before[key]]));
    const owners = [before.ownerId, ...(change.ownerId === undefined ? [] : [change.ownerId])];
    await record(entry(before, 'watch.change', by, { before: old, after: change, ownerIds: owners }));
    if (change.rules) await tellOwner(transaction, before, { rules: change.rules, id: newId(), by });
    return { ...before, ...change };
  };

  return {
    async find(id) {
      const row = await db.selectFrom('watches').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readWatch(row);
    },
    checkLimit: (channel) => checkChannelLimit(db, channel, limit),
    expectCard: (card, by) => expectCard(db, card, by),
    async forgetCard(id) {
      await forgetCard(db, id);
    },
    create: (watch, by) =>
      audited(async (transaction, record) => {
        await checkChannelLimit(transaction, watch, limit);
        if (watch.id !== undefined && !(await forgetCard(transaction, watch.id))) throw busy();
        const row = await insertWatch(transaction, watch, { id: watch.id ?? newId(), now: by.now });
        for (const subject of watch.subjects.toSorted(byColumns)) {
          await follow(transaction, { watch: row, subject, id: newId(), now: by.now });
        }
        const after = { rules: row.rules, subjects: watch.subjects };
        await record(entry(row, 'watch.add', by, { after }));
        return row;
      }),
    stop: (id, by) =>
      audited(async (transaction, record) => {
        const watch = await lockWatch(transaction, id, by);
        if (!watch) return false;
        await transaction.deleteFrom('watches').where('id', '=', id).execute();
        await expectFinalCard(transaction, watch, by);
        await forgetUnfollowed(transaction, watch.credentialId);
        await record(entry(watch, 'watch.stop', by, { before: { rules: watch.rules } }));
        return true;
      }),
    change: (id, change, by) =>
      audited(async (transaction, record) => {
        const before = await lockWatch(transaction, id, by);
        return before && (await applyChange(before, { change, by }, { transaction, record }));
      }),
    follow: (id, subjects, by, change) =>
      audited(async (transaction, record) => {
        const watch = await lockWatch(transaction, id, by);
        if (!watch) return undefined;
        const before = await unfollow(transaction, { watch, but: subjects });
        for (const subject of subjects.toSorted(byColumns)) {
          await follow(transaction, { watch, subject, id: newId(), now: by.now });
        }
        await forgetUnfollowed(transaction, watch.credentialId);
        await queueCardUpdate(transaction, { watch, id: newId(), ...by });
        await record(entry(watch, 'watch.follow', by, { before: { subjects: before }, after: { subjects } }));
        return change ? await applyChange(watch, { change, by }, { transaction, record }) : watch;
      }),
    refresh: (id, by) =>
      audited(async (transaction) => {
        const watch = await lockWatch(transaction, id, by);
        if (!watch) return undefined;
        await pollSoon(transaction, id, by.now);
        const afterPoll = new Date(by.realNow.getTime() + pollTakesMs);
        await queueCardUpdate(transaction, { watch, id: newId(), now: by.now, realNow: afterPoll });
        return watch;
      }),
    resume: (id, by) =>
      audited(async (transaction, record) => {
        const watch = await lockWatch(transaction, id, by);
        if (!watch) return undefined;
        if (watch.status !== 'paused') return watch;
        await transaction
          .updateTable('watches')
          .set({ status: 'active', pause_reason: null })
          .where('id', '=', id)
          .execute();
        // One new update of the card stands for all that were held.
        await transaction
          .deleteFrom('outbox')
          .where('watch_id', '=', id)
          .where('status', '=', 'held')
          .where('kind', '=', 'card-update')
          .execute();
        await transaction
          .updateTable('outbox')
          .set({ status: statusOfResumed, due_at: by.realNow, attempts: 0, error: null })
          .where('watch_id', '=', id)
          .where('status', '=', 'held')
          .execute();
        await pollSoon(transaction, id, by.now);
        await queueCardUpdate(transaction, { watch, id: newId(), ...by });
        await record(entry(watch, 'watch.resume', by));
        return { ...watch, status: 'active', pauseReason: null };
      }),
  };
}

/** What may have gone out before is looked up first. */
const statusOfResumed = sql<string>`case when attempted_at is null then 'pending' else 'sending' end`;

/** Of rules that somebody else has given their watch. */
async function tellOwner(
  transaction: Kysely<Schema>,
  watch: Watch,
  { rules: after, id, by }: { rules: Rules; id: string; by: By },
): Promise<void> {
  const { workspaceId, ownerId, id: watchId, title, channelId, rules: before } = watch;
  const { actorId, now, realNow } = by;
  if (actorId === ownerId || isDeepStrictEqual(before, after)) return;
  const port = await transaction
    .selectFrom('followings')
    .innerJoin('subjects', 'subjects.id', 'followings.subject_id')
    .select('kind')
    .where('watch_id', '=', watchId)
    .where('kind', '=', 'port')
    .executeTakeFirst();
  const about = { watchId, title, isPort: port !== undefined, channelId, actorId, before, after };
  const message: WatchMessage = { kind: 'rules-notice', ...about };
  const row = pendingMessage({ id, workspaceId, channelId: ownerId, message, now, realNow });
  await transaction.insertInto('outbox').values(row).execute();
}

async function insertWatch(
  db: Kysely<Schema>,
  watch: NewWatch,
  { id, now }: { id: string; now: Date },
): Promise<Watch> {
  const row = await db
    .insertInto('watches')
    .values({
      id,
      workspace_id: watch.workspaceId,
      credential_id: watch.credentialId,
      channel_id: watch.channelId,
      destination: watch.destination,
      owner_id: watch.ownerId,
      title: watch.title,
      rules: JSON.stringify(watch.rules),
      snooze: watch.snooze ? JSON.stringify(watch.snooze) : null,
      status: 'active',
      pause_reason: null,
      acknowledgement: null,
      card_ts: watch.cardTs,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return readWatch(row);
}

function columnsOf(change: WatchChange): Updateable<Schema['watches']> {
  const { ownerId, rules, snooze, acknowledgement, cardTs, title } = change;
  return {
    ...(ownerId !== undefined && { owner_id: ownerId }),
    ...(title !== undefined && { title }),
    ...(cardTs !== undefined && { card_ts: cardTs }),
    ...(rules !== undefined && { rules: JSON.stringify(rules) }),
    ...(snooze !== undefined && { snooze: snooze && JSON.stringify(snooze) }),
    ...(acknowledgement !== undefined && {
      acknowledgement: acknowledgement && JSON.stringify(acknowledgement),
    }),
  };
}
