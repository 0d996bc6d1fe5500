import { type Kysely, sql, type Updateable } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { type AuditedTransaction, createAuditedTransaction } from '../../workspaces/audit.ts';
import { auditEntries, checkChannelLimit } from '../owned.ts';
import { gone } from './choose-digest.ts';
import { type Baseline, type Digest, readDigest, readMemory } from './digest.ts';
import { lastNumber, lockNumbers, takeNumber } from './digest-numbers.ts';
import { columnsOf, type DigestChange, type NewDigest, settingsOf, toRow } from './digest-rows.ts';
import { type DigestFilter, type DigestPage, isUndelivered, listDigests } from './list-digests.ts';
import { nextRun } from './next-run.ts';

/** Who changes something, and when, on the domain clock. */
export interface By {
  actorId: string;
  now: Date;
}

/** Each is audited in the same transaction. Undefined or false: it is gone already. */
export interface DigestStore {
  /** One with that id that is there already is given back as it is. Throws UserError when the channel is full. */
  create(digest: NewDigest, by: By): Promise<Digest>;
  find(id: string): Promise<Digest | undefined>;
  /** Null: nothing was sent yet. */
  baseline(id: string): Promise<Baseline | null>;
  /** By number, the oldest first. */
  list(filter: DigestFilter, page?: { limit: number; offset?: number }): Promise<DigestPage>;
  /** A run that is due or under way starts again, with the new values. */
  change(id: string, change: DigestChange, by: By): Promise<Digest | undefined>;
  /** A run that is under way is not sent. */
  pause(id: string, by: By): Promise<Digest | undefined>;
  /** It goes on with the next run; what would have run meanwhile was not missed. */
  resume(id: string, by: By): Promise<Digest | undefined>;
  /** It is due at once, paused or not, and sent even when nothing is new; its schedule stays. */
  runNow(id: string, now: Date): Promise<boolean>;
  /** What was posted stays in Slack; what waits to be posted goes too. */
  remove(id: string, by: By): Promise<boolean>;
  /** One that was removed, as it was; it goes on with the next run. Throws UserError when the channel is full. */
  restore(id: string, by: By): Promise<Digest | undefined>;
  /** Those that were removed and can be restored. */
  listRemoved(filter: DigestFilter): Promise<Digest[]>;
  /** The last number that was given in a channel; 0 before the first. */
  lastNumber(channel: Pick<Digest, 'workspaceId' | 'channelId'>): Promise<number>;
}

export function createDigestStore(options: {
  db: Kysely<Schema>;
  newId: () => string;
  maxPerChannel?: number;
  audited?: AuditedTransaction;
}): DigestStore {
  const { db, newId, maxPerChannel = 50, audited = createAuditedTransaction(db) } = options;
  const entry = auditEntries(newId);
  const limit = {
    table: 'digests',
    max: maxPerChannel,
    hint: 'Remove one of them, add lines to another, or add the digest in another channel.',
  } as const;

  return {
    async find(id) {
      const row = await db
        .selectFrom('digests')
        .selectAll()
        .select(isUndelivered)
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return row && readDigest(row);
    },
    async baseline(id) {
      const row = await db.selectFrom('digests').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? readMemory(row).baseline : null;
    },
    list: (filter, page) => listDigests(db, filter, page),
    listRemoved: async (filter) => (await listDigests(db, { ...filter, isRemoved: true })).digests,
    lastNumber: (channel) => lastNumber(db, channel),
    create: (digest, by) =>
      audited(async (transaction, record) => {
        await lockNumbers(transaction, digest);
        const known = digest.id === undefined ? undefined : await madeBefore(transaction, digest.id);
        if (known) return known;
        await checkChannelLimit(transaction, digest, limit);
        const number = await takeNumber(transaction, digest);
        const row = await transaction
          .insertInto('digests')
          .values(toRow(digest, { id: digest.id ?? newId(), number, now: by.now }))
          .returningAll()
          .executeTakeFirstOrThrow();
        const created = readDigest(row);
        await record(entry(created, 'digest.add', by, { after: settingsOf(created) }));
        return created;
      }),
    change: (id, change, by) =>
      edit(id, 'digest.change', by, (before) => {
        const after = { ...before, ...change };
        return {
          ...columnsOf(change),
          ...((change.lines || change.ownerId !== undefined) && { chosen_by: by.actorId }),
          ...((change.schedule || change.zone) && {
            due_at:
              before.nextRunAt <= by.now ? before.nextRunAt : nextRun(after.schedule, after.zone, by.now),
          }),
        };
      }),
    pause: (id, by) =>
      edit(id, 'digest.pause', by, ({ status }) =>
        status === 'paused' ? undefined : { status: 'paused', pause_reason: null },
      ),
    resume: (id, by) =>
      edit(id, 'digest.resume', by, ({ status, schedule, zone }) =>
        status === 'active'
          ? undefined
          : { status: 'active', pause_reason: null, due_at: nextRun(schedule, zone, by.now) },
      ),
    async runNow(id, now) {
      const { numUpdatedRows } = await db
        .updateTable('digests')
        .set({
          is_manual: true,
          // A run under way starts again: it doesn't count as the one asked for.
          lease_until: null,
          lease_token: null,
          // A run that is due is that run; of a paused one the old time means nothing.
          due_at: sql`case when status = 'active' then least(due_at, ${now}) else ${now} end`,
        })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    remove: (id, by) =>
      audited(async (transaction, record) => {
        const digest = await lockDigest(transaction, id);
        if (!digest) return false;
        const waiting = await transaction
          .deleteFrom('outbox')
          .where('digest_id', '=', id)
          .where('kind', '=', 'digest')
          .where('status', 'in', ['pending', 'sending'])
          .executeTakeFirst();
        await transaction.deleteFrom('outbox').where('digest_id', '=', id).execute();
        await transaction
          .updateTable('digests')
          .set({
            removed_at: by.now,
            is_manual: false,
            lease_until: null,
            lease_token: null,
            // What nobody has read is not compared with, when it is restored.
            ...(waiting.numDeletedRows > 0n && { baseline: null }),
          })
          .where('id', '=', id)
          .execute();
        await record(entry(digest, 'digest.remove', by, { before: settingsOf(digest) }));
        return true;
      }),
    restore: (id, by) =>
      audited(async (transaction, record) => {
        const digest = await lockDigest(transaction, id, { isRemoved: true });
        if (!digest) return undefined;
        await lockNumbers(transaction, digest);
        await checkChannelLimit(transaction, digest, limit);
        const row = await transaction
          .updateTable('digests')
          .set({ removed_at: null, due_at: nextRun(digest.schedule, digest.zone, by.now) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const restored = readDigest(row);
        await record(entry(restored, 'digest.restore', by, { after: settingsOf(restored) }));
        return restored;
      }),
  };

  /** Takes the lease away from a run under way, so that it can't be stored with what was before. */
  function edit(
    id: string,
    action: string,
    by: By,
    changesOf: (before: Digest) => Updateable<Schema['digests']> | undefined,
  ): Promise<Digest | undefined> {
    return audited(async (transaction, record) => {
      const before = await lockDigest(transaction, id);
      const changes = before && changesOf(before);
      if (!changes) return before;
      const row = await transaction
        .updateTable('digests')
        .set({ ...changes, lease_until: null, lease_token: null })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const after = readDigest(row);
      const ownerIds = [before.ownerId, after.ownerId];
      const values = { before: settingsOf(before), after: settingsOf(after), ownerIds };
      await record(entry(after, action, by, values));
      return after;
    });
  }
}

/** Throws UserError for one that was removed again. */
async function madeBefore(db: Kysely<Schema>, id: string): Promise<Digest | undefined> {
  const row = await db.selectFrom('digests').selectAll().where('id', '=', id).executeTakeFirst();
  if (row?.removed_at) throw gone();
  return row && readDigest(row);
}

async function lockDigest(
  db: Kysely<Schema>,
  id: string,
  { isRemoved = false } = {},
): Promise<Digest | undefined> {
  const row = await db
    .selectFrom('digests')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', isRemoved ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row && readDigest(row);
}

/** What was removed before then can't be restored any more. */
export async function forgetRemovedDigests(db: Kysely<Schema>, before: Date): Promise<void> {
  await db.deleteFrom('digests').where('removed_at', '<', before).execute();
}
