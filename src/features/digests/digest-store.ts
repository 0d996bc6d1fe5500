import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import {
  type AuditEntry,
  type AuditedTransaction,
  createAuditedTransaction,
} from '../../workspaces/audit.ts';
import { gone } from './choose-digest.ts';
import { type Digest, type LastTold, readDigest, readMemory } from './digest.ts';
import { lastNumber, lockNumbers, refuseFullChannel, takeNumber } from './digest-numbers.ts';
import { nextRun } from './next-run.ts';

/** Who changes something, and when, on the domain clock. */
export interface By {
  actorId: string;
  now: Date;
}

export interface NewDigest
  extends Pick<
    Digest,
    | 'workspaceId'
    | 'channelId'
    | 'destination'
    | 'ownerId'
    | 'title'
    | 'lines'
    | 'schedule'
    | 'zone'
    | 'onlyNews'
  > {
  /** The same for what is asked for once and delivered several times. */
  id?: string;
}

/** What people change of it. */
export type DigestChange = Partial<
  Pick<Digest, 'title' | 'lines' | 'schedule' | 'zone' | 'onlyNews' | 'ownerId'>
>;

/** Each is audited in the same transaction. Undefined or false: it is gone already. */
export interface DigestStore {
  /** One with that id that is there already is given back as it is. Throws UserError when the channel is full. */
  create(digest: NewDigest, by: By): Promise<Digest>;
  find(id: string): Promise<Digest | undefined>;
  /** Null: nothing was sent yet. */
  lastTold(id: string): Promise<LastTold | null>;
  /** By number, the oldest first. */
  list(filter: DigestFilter, page?: { limit: number; offset?: number }): Promise<DigestPage>;
  /** A run that is due or under way is done anew, as it is now. */
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

export interface DigestFilter {
  workspaceId: string;
  /** Several: those of all of them. */
  channelIds?: readonly string[];
  ownerId?: string;
  /** Those of a person, and those of these channels. */
  mine?: { ownerId: string; channelIds: readonly string[] };
}

export interface DigestPage {
  digests: Digest[];
  total: number;
}

export function createDigestStore(options: {
  db: Kysely<Schema>;
  newId: () => string;
  maxPerChannel?: number;
  audited?: AuditedTransaction;
}): DigestStore {
  const { db, newId, maxPerChannel = 50, audited = createAuditedTransaction(db) } = options;

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
    async lastTold(id) {
      const row = await db.selectFrom('digests').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? readMemory(row).told : null;
    },
    list: (filter, page) => listDigests(db, filter, page),
    listRemoved: async (filter) => (await listDigests(db, { ...filter, isRemoved: true })).digests,
    lastNumber: (channel) => lastNumber(db, channel),
    create: (digest, by) =>
      audited(async (transaction, record) => {
        await lockNumbers(transaction, digest);
        const known = digest.id === undefined ? undefined : await madeBefore(transaction, digest.id);
        if (known) return known;
        await refuseFullChannel(transaction, digest, maxPerChannel);
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
          // One that is under way is done anew, so that this is not taken for done with it.
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
        await refuseFullChannel(transaction, digest, maxPerChannel);
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

  /** Takes the lease away from a run under way, so that it can't be kept with what was before. */
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

  function entry(digest: Digest, action: string, by: By, values: Partial<AuditEntry>): AuditEntry {
    return {
      id: newId(),
      workspaceId: digest.workspaceId,
      at: by.now,
      actorId: by.actorId,
      action,
      subject: digest.title,
      channelId: digest.channelId,
      ownerIds: [digest.ownerId],
      ...values,
    };
  }
}

const isUndelivered = sql<boolean>`exists (
  select from outbox
  where outbox.digest_id = digests.id and outbox.status in ('pending', 'sending') and outbox.error is not null
)`.as('is_undelivered');

async function listDigests(
  db: Kysely<Schema>,
  { workspaceId, channelIds, ownerId, mine, isRemoved = false }: DigestFilter & { isRemoved?: boolean },
  { limit, offset = 0 }: { limit: number; offset?: number } = { limit: 1000 },
): Promise<DigestPage> {
  let query = db
    .selectFrom('digests')
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', isRemoved ? 'is not' : 'is', null);
  if (channelIds) query = query.where('channel_id', 'in', channelIds.length > 0 ? [...channelIds] : ['']);
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
  if (mine)
    query = query.where((where) =>
      where.or([
        where('owner_id', '=', mine.ownerId),
        where('channel_id', 'in', mine.channelIds.length > 0 ? [...mine.channelIds] : ['']),
      ]),
    );
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .select(isUndelivered)
    .orderBy('channel_id')
    .orderBy('number')
    .limit(limit)
    .offset(offset)
    .execute();
  return { digests: rows.map(readDigest), total };
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

function toRow(
  digest: NewDigest,
  { id, number, now }: { id: string; number: number; now: Date },
): Insertable<Schema['digests']> {
  return {
    id,
    workspace_id: digest.workspaceId,
    channel_id: digest.channelId,
    destination: digest.destination,
    number,
    owner_id: digest.ownerId,
    title: digest.title,
    lines: JSON.stringify(digest.lines),
    schedule: JSON.stringify(digest.schedule),
    zone: digest.zone,
    only_news: digest.onlyNews,
    status: 'active',
    pause_reason: null,
    baseline: null,
    missed: null,
    last_run_at: null,
    created_at: now,
    due_at: nextRun(digest.schedule, digest.zone, now),
    lease_until: null,
    lease_token: null,
    attempts: 0,
  };
}

function columnsOf({
  title,
  lines,
  schedule,
  zone,
  onlyNews,
  ownerId,
}: DigestChange): Updateable<Schema['digests']> {
  return {
    ...(title !== undefined && { title }),
    ...(lines !== undefined && { lines: JSON.stringify(lines) }),
    ...(schedule !== undefined && { schedule: JSON.stringify(schedule) }),
    ...(zone !== undefined && { zone }),
    ...(onlyNews !== undefined && { only_news: onlyNews }),
    ...(ownerId !== undefined && { owner_id: ownerId }),
  };
}

/** What stands in the audit log. */
function settingsOf({ ownerId, title, lines, schedule, zone, onlyNews, status }: Digest) {
  return { ownerId, title, lines, schedule, zone, onlyNews, status };
}

/** What was removed before then can't be restored any more. */
export async function forgetRemovedDigests(db: Kysely<Schema>, before: Date): Promise<void> {
  await db.deleteFrom('digests').where('removed_at', '<', before).execute();
}
