import { type SqlBool, sql, type UpdateObject } from 'kysely';
import { deleteInBatches } from '../../database/batches.ts';
import type { AllWorkspaces, WorkspaceStore, WorkspaceTables } from '../../database/workspace-store.ts';
import { deleteUnsent } from '../../outbox/outgoing-message.ts';
import type { Change } from '../../workspaces/audit.ts';
import { auditEntries, checkChannelLimit, gone } from '../owned/index.ts';
import { matchesScope, type ScopeFilter } from '../scope.ts';
import type { WorkspaceServices } from '../services.ts';
import { type Baseline, type Digest, digestKind, readBaseline, readDigest } from './digest.ts';
import { nextRun } from './schedule.ts';

type DigestSettings = Pick<Digest, 'title' | 'lines' | 'schedule' | 'zone' | 'onlyNews' | 'ownerId'>;
export type DigestChange = Partial<DigestSettings & Pick<Digest, 'outsidersAllowedBy'>>;

export interface NewDigest extends DigestSettings, Pick<Digest, 'channelId' | 'destination'> {
  /** The same for both deliveries, if Slack delivers a request twice. */
  id?: string;
  outsidersAllowedBy?: string | null;
}

/** The part of the context that the store of digests needs. */
export interface StoreCtx {
  services: Pick<WorkspaceServices, 'store' | 'audited' | 'newId'> & {
    settings: Pick<WorkspaceServices['settings'], 'maxDigestsPerChannel'>;
  };
}

// Each change is in one transaction with its audit entry. Throws UserError for an unknown digest.

/** Returns the existing digest if its id is taken. Throws UserError if the channel is full. */
export const createDigest = (digest: NewDigest, by: Change, ctx: StoreCtx): Promise<Digest> =>
  ctx.services.audited(async (transaction, record) => {
    const { newId } = ctx.services;
    await lockNumbers(transaction, digest);
    const existing = digest.id === undefined ? undefined : await findCreated(transaction, digest.id);
    if (existing) return existing;
    await checkLimit(transaction, digest, ctx);
    const row = await transaction
      .insertInto('digests', {
        id: digest.id ?? newId(),
        channel_id: digest.channelId,
        destination: digest.destination,
        number: await takeNumber(transaction, digest),
        owner_id: digest.ownerId,
        title: digest.title,
        lines: JSON.stringify(digest.lines),
        schedule: JSON.stringify(digest.schedule),
        zone: digest.zone,
        only_news: digest.onlyNews,
        status: 'active',
        outsiders_allowed_by: digest.outsidersAllowedBy ?? null,
        created_at: by.now,
        due_at: nextRun(digest.schedule, digest.zone, by.now),
        attempts: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const created = readDigest(row);
    await record(auditEntries(newId)(created, 'digest.add', by, { after: auditValuesOf(created) }));
    return created;
  });

/** A run that is due or in progress starts again with the new settings. */
export const updateDigest = (id: string, change: DigestChange, by: Change, ctx: StoreCtx): Promise<Digest> =>
  changeColumns({ id, action: 'digest.change', by }, ctx, (before) => {
    const { schedule, zone } = { ...before, ...change };
    const isRescheduled = change.schedule !== undefined || change.zone !== undefined;
    return {
      title: change.title,
      lines: change.lines && JSON.stringify(change.lines),
      schedule: change.schedule && JSON.stringify(change.schedule),
      zone: change.zone,
      only_news: change.onlyNews,
      owner_id: change.ownerId,
      outsiders_allowed_by: change.outsidersAllowedBy,
      chosen_by: change.lines || change.ownerId !== undefined ? by.actorId : undefined,
      due_at: isRescheduled && before.nextRunAt > by.now ? nextRun(schedule, zone, by.now) : undefined,
    };
  });

/** A run that is in progress is not sent. */
export const beginPause = (id: string, by: Change, ctx: StoreCtx): Promise<Digest> =>
  changeColumns({ id, action: 'digest.pause', by }, ctx, ({ status }) =>
    status === 'paused' ? undefined : { status: 'paused', pause_reason: null },
  );

/** Continues with the next run. Runs that were skipped in the meantime do not count as missed. */
export const endPause = (id: string, by: Change, ctx: StoreCtx): Promise<Digest> =>
  changeColumns({ id, action: 'digest.resume', by }, ctx, ({ status, schedule, zone }) =>
    status === 'active'
      ? undefined
      : {
          status: 'active',
          pause_reason: null,
          // A manual run that was asked for during the pause stays due.
          due_at: sql`case when is_manual = 1 then due_at else ${nextRun(schedule, zone, by.now)} end`,
        },
  );

/** Makes the digest due now. It is sent even if it is paused or nothing is new; its schedule doesn't change. */
export async function makeDue(id: string, now: Date, { services: { store } }: StoreCtx): Promise<void> {
  const { numUpdatedRows } = await store
    .updateTable('digests')
    .set({
      is_manual: true,
      // A run in progress starts again as the manual one.
      lease_until: null,
      lease_token: null,
      // If a scheduled run is due already, it becomes the manual one, so the digest is not sent twice.
      due_at: sql`case when status = 'active' then least(due_at, ${now}) else ${now} end`,
    })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw gone(digestKind);
}

/** Messages that were posted stay in Slack; those that wait in the outbox are deleted. */
export const markRemoved = (id: string, by: Change, ctx: StoreCtx): Promise<Digest> =>
  changeColumns({ id, action: 'digest.remove', by }, ctx, async (_, transaction) => {
    const unsent = await deleteUnsent(transaction, id);
    // Nobody has read an unsent digest, so the next one must not be compared with it.
    const isUnread = unsent.includes('digest');
    return { removed_at: by.now, is_manual: false, ...(isUnread && { baseline: null }) };
  });

/** Brings a removed digest back, with its number and baseline. Throws UserError if the channel is full. */
export const markRestored = (id: string, by: Change, ctx: StoreCtx): Promise<Digest> =>
  changeColumns({ id, action: 'digest.restore', by }, ctx, async (digest, transaction) => {
    await lockNumbers(transaction, digest);
    await checkLimit(transaction, digest, ctx);
    return { removed_at: null, due_at: nextRun(digest.schedule, digest.zone, by.now) };
  });

/** Nothing can bring it back, and its columns may be unreadable. One that was removed already has its audit entry. */
export const deleteDigest = (id: string, by: Change, { services }: StoreCtx): Promise<void> =>
  services.audited(async (transaction, record) => {
    const query = transaction.deleteFrom('digests').where('id', '=', id).returningAll();
    const row = await query.executeTakeFirst();
    if (!row) return;
    await deleteUnsent(transaction, id);
    if (row.removed_at) return;
    const { title, channel_id: channelId, owner_id: ownerId, lines, schedule, zone } = row;
    const destination = row.destination === 'direct-message' ? 'direct-message' : 'channel';
    const digest = { title, channelId, ownerId, destination } as const;
    const before = { ownerId, lines, schedule, zone };
    await record(auditEntries(services.newId)(digest, 'digest.remove', by, { before }));
  });

interface ColumnChange {
  id: string;
  action: 'digest.change' | 'digest.pause' | 'digest.resume' | 'digest.remove' | 'digest.restore';
  by: Change;
}

/**
 * Changes nothing if `columnsOf` returns undefined; columns that are undefined keep their values. Takes the lease
 * from a run in progress, so its result is not stored.
 */
const changeColumns = (
  { id, action, by }: ColumnChange,
  { services: { audited, newId } }: StoreCtx,
  columnsOf: (before: Digest, transaction: WorkspaceStore) => Columns | Promise<Columns>,
): Promise<Digest> =>
  audited(async (transaction, record) => {
    const isRemoved = action === 'digest.restore';
    const locked = await selectDigest(transaction, { id, isRemoved }).forUpdate().executeTakeFirst();
    if (!locked) throw gone(digestKind);
    const before = readDigest(locked);
    const columns = await columnsOf(before, transaction);
    if (!columns) return before;
    const row = await transaction
      .updateTable('digests')
      .set({ ...columns, lease_until: null, lease_token: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = readDigest(row);
    const values = {
      ...(action !== 'digest.restore' && { before: auditValuesOf(before) }),
      ...(action !== 'digest.remove' && { after: auditValuesOf(after) }),
      ownerIds: [before.ownerId, after.ownerId],
    };
    await record(auditEntries(newId)(after, action, by, values));
    return after;
  });

const checkLimit = (
  store: WorkspaceStore,
  { channelId }: Channel,
  { services: { settings } }: StoreCtx,
): Promise<void> => checkChannelLimit(digestKind, store, { channelId, max: settings.maxDigestsPerChannel });

type Columns = UpdateObject<WorkspaceTables, 'digests'> | undefined;

function auditValuesOf(digest: Digest) {
  const { ownerId, title, lines, schedule, zone, onlyNews, status, outsidersAllowedBy } = digest;
  const values = { ownerId, title, lines, schedule, zone, onlyNews, status };
  return outsidersAllowedBy === null ? values : { ...values, outsidersAllowedBy };
}

/** The digest that an earlier delivery of the request created. Throws UserError if it has been removed. */
async function findCreated(store: WorkspaceStore, id: string): Promise<Digest | undefined> {
  const row = await store.selectFrom('digests').selectAll().where('id', '=', id).executeTakeFirst();
  if (row?.removed_at) throw gone(digestKind);
  return row && readDigest(row);
}

interface OneDigest {
  id: string;
  isRemoved?: boolean;
}

const selectDigest = (store: WorkspaceStore, { id, isRemoved = false }: OneDigest) =>
  store
    .selectFrom('digests')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', isRemoved ? 'is not' : 'is', null);

export async function findDigest(
  which: OneDigest,
  { services: { store } }: StoreCtx,
): Promise<Digest | undefined> {
  const row = await selectDigest(store, which).select(isUndelivered(store)).executeTakeFirst();
  return row && readDigest(row);
}

/** Null if no digest was sent yet. */
export async function findBaseline(id: string, { services: { store } }: StoreCtx): Promise<Baseline | null> {
  const row = await store.selectFrom('digests').select('baseline').where('id', '=', id).executeTakeFirst();
  return row ? readBaseline(row) : null;
}

type Channel = Pick<Digest, 'channelId'>;

/** Only one transaction at a time adds digests to a channel, so numbers are unique and the limit holds. */
async function lockNumbers(store: WorkspaceStore, { channelId }: Channel): Promise<void> {
  await store
    .insertInto('digest_numbers', { channel_id: channelId, last: 0 })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'channel_id']).doUpdateSet({ last: sql`digest_numbers.last` }),
    )
    .execute();
}

/** Never gives a number twice. Call `lockNumbers` first. */
async function takeNumber(store: WorkspaceStore, { channelId }: Channel): Promise<number> {
  const { last } = await store
    .updateTable('digest_numbers')
    .set({ last: sql`last + 1` })
    .where('channel_id', '=', channelId)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/** The highest number that was ever given in a channel, or 0. */
export async function lastNumber({ channelId }: Channel, { services: { store } }: StoreCtx): Promise<number> {
  const row = await store
    .selectFrom('digest_numbers')
    .select('last')
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return row?.last ?? 0;
}

interface DigestFilter extends ScopeFilter {
  isRemoved?: boolean;
  limit?: number;
  offset?: number;
}

/** Sorted by channel and number; `total` counts the digests of all pages. */
export async function readDigests(
  { isRemoved = false, limit = 1000, offset = 0, ...scope }: DigestFilter,
  { services: { store } }: StoreCtx,
): Promise<{ digests: Digest[]; total: number }> {
  const query = store
    .selectFrom('digests')
    .where(matchesScope(scope))
    .where('removed_at', isRemoved ? 'is not' : 'is', null);
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .select(isUndelivered(store))
    .orderBy('channel_id')
    .orderBy('number')
    .limit(limit)
    .offset(offset)
    .execute();
  return { digests: rows.map(readDigest), total };
}

/** Also of one that was removed, while it can be restored. */
export async function titleOfDigest(
  { channelId, number }: Pick<Digest, 'channelId' | 'number'>,
  { services: { store } }: StoreCtx,
): Promise<string | undefined> {
  const query = store.selectFrom('digests').select('title').where('channel_id', '=', channelId);
  return (await query.where('number', '=', number).executeTakeFirst())?.title;
}

/** Every one of the workspace; `lastRunAt`: null before the first scheduled run. */
export async function readAllDigests({ services: { store } }: StoreCtx) {
  const rows = await store
    .selectFrom('digests')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...readDigest(row),
    createdAt: row.created_at,
    lastRunAt: row.last_run_at,
  }));
}

/** Computes `isUndelivered`: a message of the digest is still in the outbox, and Slack has refused it. */
export const isUndelivered = (store: WorkspaceStore) =>
  sql<number>`case when exists (
    select 1 from outbox
    where ${store.isOwn('outbox')} and outbox.thread_key = digests.id and outbox.status in ('pending', 'sending') and outbox.error is not null
  ) then 1 else 0 end`.as('is_undelivered');

/** Digests that were removed before then can no longer be restored. */
export async function forgetRemovedDigests(
  db: AllWorkspaces,
  before: Date,
  mayGoOn?: () => boolean,
): Promise<void> {
  const where = sql<SqlBool>`removed_at < ${before}`;
  await deleteInBatches(db, { work: 'retention', table: 'digests', where, mayGoOn });
}
