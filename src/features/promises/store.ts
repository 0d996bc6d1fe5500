import { type Selectable, type SqlBool, sql } from 'kysely';
import { deleteInBatches, inChunks } from '../../database/batches.ts';
import type { Schema } from '../../database/schema.ts';
import type { AllWorkspaces, WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { referenceKey } from '../../grammar/vessel-directory.ts';
import { type Due, dueKey, type VesselDue } from '../../predictions/promises.ts';
import { type Imo, isImo } from '../../reference/codes.ts';
import { canonicalPort } from '../../reference/ports.ts';
import { locode } from '../../reference/prediction.ts';
import type { Change } from '../../workspaces/audit.ts';
import { matchesScope, type ScopeFilter } from '../scope.ts';

/** A promise with its owner and place. One with a watch is that watch's own, and ends with it. */
export interface StoredPromise extends VesselDue {
  id: string;
  watchId: string | null;
  ownerId: string;
  channelId: string;
}

export interface AddedPromise extends NewPromise {
  id: string;
}

export type NewPromise = Pick<StoredPromise, 'imo' | 'due' | 'channelId'> &
  Partial<Pick<StoredPromise, 'watchId'>>;

/** Every poll reads those of its vessels. */
export const promiseLimits = { vessel: 50, workspace: 20_000 };

/** The soonest first. Without `imos`, those of all vessels. `scope` limits those of watches; references are everybody's. */
export async function readPromises(
  store: WorkspaceStore,
  { imos, after, scope }: { imos?: readonly Imo[]; after?: Date; scope?: ScopeFilter } = {},
): Promise<StoredPromise[]> {
  const query = store
    .selectFrom('promises')
    .selectAll()
    .orderBy('latest')
    .orderBy('id')
    .where((where) =>
      where.and([
        ...(after ? [where('latest', '>', after)] : []),
        ...(scope ? [where.or([where('watch_id', 'is', null), matchesScope(scope)])] : []),
      ]),
    );
  const queries = imos
    ? inChunks([...new Set(imos)]).map((chunk) => query.where('imo', 'in', chunk))
    : [query];
  const found: StoredPromise[] = [];
  for (const each of queries) found.push(...(await each.execute()).flatMap(readRow));
  return found;
}

export async function readOwnPromises(store: WorkspaceStore, watchId: string): Promise<StoredPromise[]> {
  const query = store.selectFrom('promises').selectAll().where('watch_id', '=', watchId);
  return (await query.orderBy('latest').orderBy('id').execute()).flatMap(readRow);
}

/** A row that can't be read counts as none: it must not keep other alerts back. */
function readRow(row: Selectable<Schema['promises']>): StoredPromise[] {
  const port = locode.safeParse(row.port).data;
  if (!isImo(row.imo) || port === undefined) return [];
  const due: Due = {
    port,
    at: row.latest,
    ...(row.earliest && { earliest: row.earliest }),
    ...(row.minimum !== null && { minimum: row.minimum }),
    ...(row.reference !== null && { reference: row.reference }),
  };
  return [
    {
      id: row.id,
      imo: row.imo,
      due,
      watchId: row.watch_id,
      ownerId: row.owner_id,
      channelId: row.channel_id,
    },
  ];
}

/**
 * Adds those that aren't there, in the caller's transaction. Returns what was added. Throws UserError too-many-promises.
 * `ownerId`: left out, the person who adds them.
 */
export async function addPromises(
  transaction: WorkspaceStore,
  added: readonly NewPromise[],
  {
    by,
    newId,
    ownerId = by.actorId,
  }: { by: Pick<Change, 'actorId' | 'now'>; newId: () => string; ownerId?: string },
): Promise<AddedPromise[]> {
  if (added.length === 0) return [];
  const imos = added.map(({ imo }) => imo);
  const stored = new Set((await readPromises(transaction, { imos })).map(identityOf));
  const fresh = added
    .filter((promise) => {
      const identity = identityOf(promise);
      return !stored.has(identity) && stored.add(identity);
    })
    .map((promise) => ({ ...promise, id: newId() }));
  const rows = fresh.map(({ id, imo, due, channelId, watchId = null }) => ({
    ...{ id, imo, port: due.port, latest: due.at },
    earliest: due.earliest ?? null,
    minimum: due.minimum ?? null,
    reference: due.reference ?? null,
    ...{ watch_id: watchId, owner_id: ownerId, channel_id: channelId, created_at: by.now },
  }));
  for (const chunk of inChunks(rows)) await transaction.insertInto('promises', chunk).execute();
  if (rows.length > 0) await checkRoom(transaction, imos, by.now);
  await pollSoon(transaction, fresh, by.now);
  return fresh;
}

/** Adds them, and removes those of the same reference and port with another date: the newest counts. */
export async function replacePromises(
  transaction: WorkspaceStore,
  promises: readonly NewPromise[],
  options: Parameters<typeof addPromises>[2],
): Promise<{ added: AddedPromise[]; replaced: StoredPromise[] }> {
  const wanted = new Set(promises.map(identityOf));
  const calls = new Set(promises.filter(({ due }) => due.reference !== undefined).map(callOf));
  const stored = await readPromises(transaction, {
    imos: promises.map(({ imo }) => imo),
    after: options.by.now,
  });
  const replaced = stored.filter(
    (promise) => promise.watchId === null && calls.has(callOf(promise)) && !wanted.has(identityOf(promise)),
  );
  await removePromises(
    transaction,
    replaced.map(({ id }) => id),
  );
  return { added: await addPromises(transaction, promises, options), replaced };
}

/** A reference's call at a port. */
export const callOf = ({ imo, due }: VesselDue): string =>
  `${imo} ${canonicalPort(due.port)} ${referenceKey(due.reference ?? '')}`;

export const identityOf = ({ imo, due, watchId }: Pick<NewPromise, 'imo' | 'due' | 'watchId'>): string =>
  `${imo} ${watchId ?? ''} ${dueKey({ ...due, ...(due.reference !== undefined && { reference: referenceKey(due.reference) }) })}`;

/** What breaks a promise counts from the first poll that knows it, so that must not be hours away. */
async function pollSoon(
  transaction: WorkspaceStore,
  promises: readonly NewPromise[],
  now: Date,
): Promise<void> {
  for (const keys of inChunks([...new Set(promises.map(({ imo }) => String(imo)))])) {
    const ids = transaction
      .selectFrom('subjects')
      .select('id')
      .where('kind', '=', 'vessel')
      .where('key', 'in', keys)
      .orderBy('id')
      .forUpdate();
    const soon = { due_at: sql<Date>`least(due_at, ${now})` };
    await transaction.updateTable('subjects').set(soon).where('id', 'in', ids).execute();
  }
}

/** Counts those ahead. */
async function checkRoom(transaction: WorkspaceStore, imos: readonly Imo[], now: Date): Promise<void> {
  const count = (rows: readonly { total: number }[]) =>
    Math.max(0, ...rows.map(({ total }) => Number(total)));
  const counted = () =>
    transaction
      .selectFrom('promises')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('latest', '>', now);
  const all = count(await counted().execute());
  let most = 0;
  for (const chunk of inChunks([...new Set(imos)]))
    most = Math.max(most, count(await counted().where('imo', 'in', chunk).groupBy('imo').execute()));
  const { vessel, workspace } = promiseLimits;
  if (most <= vessel && all <= workspace) return;
  const limit =
    most > vessel
      ? `A vessel can have at most ${vessel}`
      : `A workspace can have at most ${workspace.toLocaleString('en')}`;
  throw new UserError({
    code: 'too-many-promises',
    message: `${limit} promises. Nothing was saved.`,
    hint: 'Remove those that are no longer needed.',
  });
}

export async function removePromises(transaction: WorkspaceStore, ids: readonly string[]): Promise<void> {
  for (const chunk of inChunks(ids))
    await transaction.deleteFrom('promises').where('id', 'in', chunk).execute();
}

/** Makes these a watch's own promises: removes the others that it had, and adds what is missing for its vessels. */
export async function setOwnPromises(
  transaction: WorkspaceStore,
  {
    watchId,
    channelId,
    imos,
    dates,
  }: { watchId: string; channelId: string; imos: readonly Imo[]; dates: readonly Due[] },
  options: Parameters<typeof addPromises>[2],
): Promise<void> {
  const wanted = new Set(dates.map(dueKey));
  const stored = await readOwnPromises(transaction, watchId);
  const dropped = stored.filter(({ due }) => !wanted.has(dueKey(due)));
  await removePromises(
    transaction,
    dropped.map(({ id }) => id),
  );
  const known = new Set(stored.map(({ due }) => dueKey(due)));
  const fresh = dates.filter((due) => !known.has(dueKey(due)));
  const added = imos.flatMap((imo) => fresh.map((due) => ({ imo, due, channelId, watchId })));
  await addPromises(transaction, added, options);
}

/** A watch that is handed over takes its own along: where it is personal, only its owner sees them. */
export async function changePromisesOwner(
  transaction: WorkspaceStore,
  { watchId, ownerId }: Pick<StoredPromise, 'ownerId'> & { watchId: string },
): Promise<void> {
  await transaction
    .updateTable('promises')
    .set({ owner_id: ownerId })
    .where('watch_id', '=', watchId)
    .execute();
}

/** Deletes what became due before then. */
export async function forgetPastPromises(
  db: AllWorkspaces,
  before: Date,
  mayGoOn?: () => boolean,
): Promise<void> {
  const where = sql<SqlBool>`latest < ${before}`;
  await deleteInBatches(db, { work: 'retention', table: 'promises', where, mayGoOn });
}
