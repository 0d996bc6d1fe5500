import { isDeepStrictEqual } from 'node:util';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { Subject } from '../../predictions/next-port.ts';
import { type Imo, isImo, type Locode } from '../../reference/codes.ts';
import { locode } from '../../reference/prediction.ts';
import type { RecordEntries } from '../../workspaces/audit.ts';
import { endAlerts } from '../alerts/index.ts';
import {
  beginWatched,
  columnsKey,
  endWatched,
  fromColumns,
  selectFollowed,
  subjectKey,
  toColumns,
} from '../history/index.ts';
import { auditEntries } from '../owned/index.ts';
import { type PortCondition, type WatchState, watchState } from '../rules/index.ts';
import { type ChangedBy, queueCardUpdates, readWatch, type Watch } from './watch.ts';
import type { WatchTarget } from './watch-list.ts';

interface Following {
  watchId: string;
  subjects: readonly Subject[];
}

/**
 * Makes watches follow subjects, and polls these at once, since the watches need their first answers. To avoid
 * deadlocks, it first locks those that exist, and those of `droppedIds`, in the order of their ids, as polls do. Then it
 * inserts the others in the order of their keys.
 */
export async function follow(
  store: WorkspaceStore,
  followings: readonly Following[],
  { droppedIds = [], newId, now }: { droppedIds?: readonly string[]; newId: () => string; now: Date },
): Promise<void> {
  const all = followings.flatMap(({ subjects }) => subjects);
  const byKey = new Map(all.map((subject) => [subjectKey(subject), subject]));
  const sorted = [...byKey].sort(([key], [otherKey]) => (key < otherKey ? -1 : 1));
  const columns = sorted.map(([, subject]) => toColumns(subject));
  await lockSubjects(store, columns, droppedIds);
  const ids = new Map<string, string>();
  for (const { kind, key } of columns) {
    const { id } = await store
      .insertInto('subjects', {
        id: newId(),
        kind,
        key,
        // Until the first poll computes it.
        interval_minutes: 15,
        polled_at: null,
        failing_since: null,
        nearest_eta: null,
        open_calls: null,
        due_at: now,
        lease_until: null,
        lease_token: null,
        attempts: 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'kind', 'key']).doUpdateSet({ due_at: now }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(columnsKey({ kind, key }), id);
  }
  const rows = followings.flatMap(({ watchId, subjects }) =>
    subjects.map((subject) => ({
      watch_id: watchId,
      subject_id: ids.get(subjectKey(subject)) ?? '',
      state: null,
    })),
  );
  for (const chunk of inChunks(rows)) {
    await store
      .insertInto('followings', chunk)
      .onConflict((conflict) => conflict.columns(['watch_id', 'subject_id']).doNothing())
      .execute();
  }
  await beginWatched(store, followings, now);
}

async function lockSubjects(
  store: WorkspaceStore,
  columns: readonly { kind: string; key: string }[],
  droppedIds: readonly string[],
): Promise<void> {
  const kinds = [...new Set(columns.map(({ kind }) => kind))];
  const keys = columns.map(({ key }) => key);
  if (keys.length + droppedIds.length === 0) return;
  await store
    .selectFrom('subjects')
    .select('id')
    .where((where) => {
      const isFollowed = where.and([where('kind', 'in', kinds), where('key', 'in', keys)]);
      const isDropped = where('id', 'in', droppedIds);
      if (droppedIds.length === 0) return isFollowed;
      return keys.length === 0 ? isDropped : where.or([isFollowed, isDropped]);
    })
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Stops following every subject except `kept`. Returns all that the watch followed before, and what was dropped. */
export async function unfollow(
  store: WorkspaceStore,
  { watch, kept, now }: { watch: Watch; kept: readonly Subject[]; now: Date },
): Promise<{ before: Subject[]; droppedIds: string[]; droppedStates: WatchState[] }> {
  const keptKeys = new Set(kept.map(subjectKey));
  const followed = await selectFollowed(store)
    .select(['subject_id', 'kind', 'key', 'state'])
    .where('watch_id', '=', watch.id)
    .orderBy('kind')
    .orderBy('key')
    .execute();
  const dropped = followed.filter((row) => !keptKeys.has(columnsKey(row)));
  const droppedIds = dropped.map((row) => row.subject_id);
  if (droppedIds.length > 0) {
    await store
      .deleteFrom('followings')
      .where('watch_id', '=', watch.id)
      .where('subject_id', 'in', droppedIds)
      .execute();
    await endWatched(store, { watchId: watch.id, keys: dropped, now });
  }
  return {
    before: followed.flatMap((row) => fromColumns(row) ?? []),
    droppedIds,
    droppedStates: dropped.flatMap(({ state }) => watchState.safeParse(state).data ?? []),
  };
}

/**
 * Deletes those subjects that no watch follows any more, so they are no longer polled. It locks them and then checks
 * them again, because another watch may have begun to follow one before the lock.
 */
export async function deleteUnfollowed(store: WorkspaceStore, droppedIds: readonly string[]): Promise<void> {
  if (droppedIds.length === 0) return;
  const unfollowed = () => sql<SqlBool>`not exists (
    select 1 from followings
    where ${store.isOwn('followings')} and followings.subject_id = subjects.id
  )`;
  const locked = await store
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', droppedIds)
    .where(unfollowed())
    .orderBy('id')
    .forUpdate()
    .execute();
  if (locked.length === 0) return;
  const ids = locked.map(({ id }) => id);
  await store.deleteFrom('subjects').where('id', 'in', ids).where(unfollowed()).execute();
}

/** Makes the watch's subjects due now. Locks them in the order of their ids, so two callers don't deadlock. */
export async function pollSoon(store: WorkspaceStore, { id }: Pick<Watch, 'id'>, now: Date): Promise<void> {
  const followed = store
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', store.selectFrom('followings').select('subject_id').where('watch_id', '=', id))
    .orderBy('id')
    .forUpdate();
  await store
    .updateTable('subjects')
    .set({ due_at: sql`least(due_at, ${now})` })
    .where('id', 'in', followed)
    .execute();
}

/**
 * The members, sorted; empty if there is no such fleet. Nobody can change the fleet until the transaction ends. Fleets are
 * locked before watches.
 */
export async function lockFleetMembers(store: WorkspaceStore, fleet: string): Promise<Imo[]> {
  await store.selectFrom('fleets').select('key').where('key', '=', fleet).forShare().execute();
  return (await readMembers(store, [fleet])).get(fleet) ?? [];
}

/** The same for the ports of a group. Groups are locked after fleets. */
export async function lockGroupPorts(store: WorkspaceStore, group: string): Promise<readonly Locode[]> {
  await store.selectFrom('port_groups').select('name').where('name', '=', group).forShare().execute();
  return (await readPorts(store, [group])).get(group) ?? [];
}

async function readPorts(
  store: WorkspaceStore,
  groups: readonly string[],
): Promise<Map<string, readonly Locode[]>> {
  const rows = await store
    .selectFrom('port_groups')
    .select(['name', 'ports'])
    .where('name', 'in', groups)
    .execute();
  return new Map(rows.map(({ name, ports }) => [name, z.array(locode).parse(ports)]));
}

async function readMembers(store: WorkspaceStore, fleets: readonly string[]): Promise<Map<string, Imo[]>> {
  const rows = await store
    .selectFrom('fleet_vessels')
    .select(['fleet_key', 'imo'])
    .where('fleet_key', 'in', fleets)
    .orderBy('imo')
    .execute();
  const byFleet = Map.groupBy(rows, ({ fleet_key }) => fleet_key);
  return new Map([...byFleet].map(([key, ofFleet]) => [key, ofFleet.map(({ imo }) => imo).filter(isImo)]));
}

/** What a watch of a fleet is about while the fleet has these members. */
export const withMembers = <Target extends WatchTarget>(target: Target, imos: readonly Imo[]): Target =>
  target.condition
    ? { ...target, condition: { ...target.condition, imos: [...imos] } }
    : { ...target, subjects: vesselsOf(imos) };

/** What a watch of a group is about while the group has these ports. */
export const withPorts = <Target extends WatchTarget>(target: Target, ports: readonly Locode[]): Target => ({
  ...target,
  subjects: portsOf(ports),
});

const portsOf = (ports: readonly Locode[]): Subject[] => ports.map((port) => ({ kind: 'port', port }));

const vesselsOf = (imos: readonly Imo[]): Subject[] => imos.map((imo) => ({ kind: 'vessel', imo }));

/**
 * Makes every watch of these fleets follow their current members. Call in the transaction that has changed the fleets.
 * The watches of a fleet without members keep the last ones. Returns the watches of each fleet.
 */
export async function followFleets(
  store: WorkspaceStore,
  fleets: readonly string[],
  { newId, by, record }: FollowContext,
): Promise<ReadonlyMap<string, readonly Watch[]>> {
  const watches = await lockWatches(store, { column: 'fleet', values: fleets });
  if (watches.length === 0) return new Map();
  const watched = [...new Set(watches.flatMap(({ fleet }) => fleet ?? []))];
  const members = await readMembers(store, watched);
  const changeOf = async (watch: Watch): Promise<MembersChange | undefined> => {
    const imos = members.get(watch.fleet ?? '');
    if (!imos) return undefined;
    return watch.condition
      ? setConditionMembers(store, { ...watch, condition: watch.condition }, imos)
      : setFollowedVessels(store, watch, imos, by.now);
  };
  await followChanged(store, watches, changeOf, { newId, by, record });
  return Map.groupBy(watches, ({ fleet }) => fleet ?? '');
}

/** The same for groups of ports, by their names. */
export async function followPortGroups(
  store: WorkspaceStore,
  groups: readonly string[],
  context: FollowContext,
): Promise<ReadonlyMap<string, readonly Watch[]>> {
  const watches = await lockWatches(store, { column: 'port_group', values: groups });
  if (watches.length === 0) return new Map();
  const current = await readPorts(store, groups);
  const changeOf = async (watch: Watch): Promise<MembersChange | undefined> => {
    const ports = current.get(watch.portGroup ?? '');
    return ports && (await setFollowedPorts(store, watch, ports, context.by.now));
  };
  await followChanged(store, watches, changeOf, context);
  return Map.groupBy(watches, ({ portGroup }) => portGroup ?? '');
}

interface FollowContext {
  newId: () => string;
  by: ChangedBy;
  record: RecordEntries;
}

/** Lets locked watches follow what `changeOf` says that they follow now. */
async function followChanged(
  store: WorkspaceStore,
  watches: readonly Watch[],
  changeOf: (watch: Watch) => Promise<MembersChange | undefined>,
  { newId, by, record }: FollowContext,
): Promise<void> {
  const entry = auditEntries(newId);
  const droppedIds: string[] = [];
  const followings: { watchId: string; subjects: readonly Subject[] }[] = [];
  const left: { watchId: string; states: readonly WatchState[] }[] = [];
  for (const watch of watches) {
    const change = await changeOf(watch);
    if (!change) continue;
    droppedIds.push(...change.droppedIds);
    followings.push({ watchId: watch.id, subjects: change.polled });
    left.push({ watchId: watch.id, states: change.droppedStates });
    const { before, after } = change;
    await record(entry(watch, 'watch.follow', by, { before, after }));
  }
  // The subjects of all watches at once, so that they are locked in order.
  await follow(store, followings, { droppedIds, newId, now: by.now });
  await deleteUnfollowed(store, droppedIds);
  // After the subjects, which polls lock before messages.
  for (const { watchId, states } of left)
    for (const state of states) await endAlerts(store, { watchId, state }, { newId, ...by });
  // The card also says whether there is such a fleet.
  await queueCardUpdates(store, watches, { newId, ...by });
}

/** The watches of these fleets or groups, locked in the order of their ids. No other can begin, as those are locked. */
async function lockWatches(
  store: WorkspaceStore,
  { column, values }: { column: 'fleet' | 'port_group'; values: readonly string[] },
): Promise<Watch[]> {
  const ids: string[] = [];
  for (const chunk of inChunks(values)) {
    const found = await store.selectFrom('watches').select('id').where(column, 'in', chunk).execute();
    ids.push(...found.map(({ id }) => id));
  }
  const watches: Watch[] = [];
  for (const chunk of inChunks(ids.sort())) {
    const rows = await store
      .selectFrom('watches')
      .selectAll()
      .where('id', 'in', chunk)
      .where('status', '<>', 'ended')
      .orderBy('id')
      .forUpdate()
      .execute();
    watches.push(...rows.map(readWatch));
  }
  return watches;
}

/** `before` and `after`: for the audit log. `polled`: the subjects that need an answer now. */
interface MembersChange {
  before: Members;
  after: Members;
  droppedIds: readonly string[];
  droppedStates: readonly WatchState[];
  polled: readonly Subject[];
}

type Members = { imos: readonly Imo[] } | { ports: readonly Locode[] };

/** Undefined if the watch follows these vessels already. */
async function setFollowedVessels(
  store: WorkspaceStore,
  watch: Watch,
  imos: readonly Imo[],
  now: Date,
): Promise<MembersChange | undefined> {
  const {
    before: subjects,
    droppedIds,
    droppedStates,
  } = await unfollow(store, { watch, kept: vesselsOf(imos), now });
  const before = subjects.flatMap((subject) => (subject.kind === 'vessel' ? [subject.imo] : []));
  const polled = vesselsOf(imos.filter((imo) => !before.includes(imo)));
  return polled.length + droppedIds.length === 0
    ? undefined
    : { before: { imos: before }, after: { imos }, droppedIds, droppedStates, polled };
}

/** The same for ports. */
async function setFollowedPorts(
  store: WorkspaceStore,
  watch: Watch,
  ports: readonly Locode[],
  now: Date,
): Promise<MembersChange | undefined> {
  const { before: subjects, ...dropped } = await unfollow(store, { watch, kept: portsOf(ports), now });
  const before = subjects.flatMap((subject) => (subject.kind === 'port' ? [subject.port] : []));
  const polled = portsOf(ports.filter((port) => !before.includes(port)));
  return polled.length + dropped.droppedIds.length === 0
    ? undefined
    : { before: { ports: before }, after: { ports }, ...dropped, polled };
}

async function setConditionMembers(
  store: WorkspaceStore,
  { id, condition }: Watch & { condition: PortCondition },
  imos: readonly Imo[],
): Promise<MembersChange | undefined> {
  const { port, imos: before } = condition;
  if (isDeepStrictEqual(before, imos)) return undefined;
  const ports = port === null ? await followedPorts(store, id) : [port];
  await store
    .updateTable('watches')
    .set({ condition: JSON.stringify({ port, imos }) })
    .where('id', '=', id)
    .execute();
  return {
    ...{ before: { imos: before ?? [] }, after: { imos } },
    ...{ droppedIds: [], droppedStates: [], polled: portsOf(ports) },
  };
}

async function followedPorts(store: WorkspaceStore, watchId: string): Promise<Locode[]> {
  const rows = await selectFollowed(store).select(['kind', 'key']).where('watch_id', '=', watchId).execute();
  const subjects = rows.flatMap((row) => fromColumns(row) ?? []);
  return subjects.flatMap((subject) => (subject.kind === 'port' ? [subject.port] : []));
}
