import { isDeepStrictEqual } from 'node:util';
import { inChunks } from '../../../database/batches.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { type Imo, isImo } from '../../../reference/codes.ts';
import type { RecordEntries } from '../../../workspaces/audit.ts';
import type { Subject } from '../../history/index.ts';
import { auditEntries } from '../../owned/store.ts';
import type { PortCondition } from '../../rules/evaluation/snapshot.ts';
import type { WatchState } from '../../rules/evaluation/state.ts';
import { queueCardUpdates } from '../messages/card-updates.ts';
import { endAlerts } from '../polling/close-alerts.ts';
import { deleteUnfollowed, follow, unfollow } from './follow.ts';
import { type ChangedBy, readWatch, type Watch } from './watch.ts';
import type { WatchTarget } from './watch-list.ts';

/**
 * The members, sorted; empty if there is no such fleet. Nobody can change the fleet until the transaction ends. Fleets are
 * locked before watches.
 */
export async function lockFleetMembers(store: WorkspaceStore, fleet: string): Promise<Imo[]> {
  await store.selectFrom('fleets').select('key').where('key', '=', fleet).forShare().execute();
  return (await readMembers(store, [fleet])).get(fleet) ?? [];
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

const vesselsOf = (imos: readonly Imo[]): Subject[] => imos.map((imo) => ({ kind: 'vessel', imo }));

/**
 * Makes every watch of these fleets follow their current members. Call in the transaction that has changed the fleets.
 * The watches of a fleet without members keep the last ones. Returns the watches of each fleet.
 */
export async function followFleets(
  store: WorkspaceStore,
  fleets: readonly string[],
  { newId, by, record }: { newId: () => string; by: ChangedBy; record: RecordEntries },
): Promise<ReadonlyMap<string, readonly Watch[]>> {
  const watches = await lockWatches(store, fleets);
  if (watches.length === 0) return new Map();
  const watched = [...new Set(watches.flatMap(({ fleet }) => fleet ?? []))];
  const members = await readMembers(store, watched);
  const entry = auditEntries(newId);
  const droppedIds: string[] = [];
  const followings: { watchId: string; subjects: readonly Subject[] }[] = [];
  const left: { watchId: string; states: readonly WatchState[] }[] = [];
  for (const watch of watches) {
    const imos = members.get(watch.fleet ?? '');
    if (!imos) continue;
    const change = await (watch.condition
      ? setConditionMembers(store, { ...watch, condition: watch.condition }, imos)
      : setFollowedVessels(store, watch, imos, by.now));
    if (!change) continue;
    droppedIds.push(...change.droppedIds);
    followings.push({ watchId: watch.id, subjects: change.polled });
    left.push({ watchId: watch.id, states: change.droppedStates });
    const [before, after] = [change.before, imos].map((vessels) => ({ imos: vessels }));
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
  return Map.groupBy(watches, ({ fleet }) => fleet ?? '');
}

/** The watches of these fleets, locked in the order of their ids. No other can begin, as the fleets are locked. */
async function lockWatches(store: WorkspaceStore, fleets: readonly string[]): Promise<Watch[]> {
  const ids: string[] = [];
  for (const chunk of inChunks(fleets)) {
    const found = await store.selectFrom('watches').select('id').where('fleet', 'in', chunk).execute();
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

/** `polled`: the subjects that need an answer now. */
interface MembersChange {
  before: readonly Imo[];
  droppedIds: readonly string[];
  droppedStates: readonly WatchState[];
  polled: readonly Subject[];
}

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
  return polled.length + droppedIds.length === 0 ? undefined : { before, droppedIds, droppedStates, polled };
}

async function setConditionMembers(
  store: WorkspaceStore,
  { id, condition }: Watch & { condition: PortCondition },
  imos: readonly Imo[],
): Promise<MembersChange | undefined> {
  const { port, imos: before } = condition;
  if (isDeepStrictEqual(before, imos)) return undefined;
  await store
    .updateTable('watches')
    .set({ condition: JSON.stringify({ port, imos }) })
    .where('id', '=', id)
    .execute();
  return { before: before ?? [], droppedIds: [], droppedStates: [], polled: [{ kind: 'port', port }] };
}
