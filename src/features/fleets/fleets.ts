import { inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line.ts';
import { fleetKey, formatFleetName, maxVesselsInFleet } from '../../grammar/vessel.ts';
import { type Imo, isImo } from '../../reference/codes.ts';
import { nearest } from '../../reference/nearest.ts';
import type { Change, RecordEntries } from '../../workspaces/audit.ts';
import { incrementNamesRevision } from '../../workspaces/names-revision.ts';
import { type FollowingWatch, fleetExample, type WorkCtx } from '../ctx.ts';

export interface Fleet {
  /** In the spelling that was typed first. */
  name: string;
  /** Sorted. */
  imos: readonly Imo[];
}

/** How many vessels were added or removed, and which watches of the fleet follow that. */
export interface FleetChanged {
  vessels: number;
  watches: readonly FollowingWatch[];
}

interface FleetAdded extends FleetChanged {
  name: string;
  added: readonly Imo[];
}

/** The fleets of the workspace: groups of vessels with names, for any line that can name several vessels. */
export async function fleetsHere({ services: { store } }: WorkCtx): Promise<Fleet[]> {
  const rows = await store
    .selectFrom('fleets')
    .innerJoin(...store.join('fleet_vessels', 'fleet_vessels.fleet_key', 'fleets.key'))
    .select(['fleets.key', 'fleets.name', 'fleet_vessels.imo'])
    .orderBy('fleets.key')
    .orderBy('fleet_vessels.imo')
    .execute();
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return [...byKey.values()].map((members) => ({
    name: members[0]?.name ?? '',
    imos: members.map(({ imo }) => imo).filter(isImo),
  }));
}

export async function readFleetNames(store: WorkspaceStore): Promise<string[]> {
  const rows = await store.selectFrom('fleets').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** Undefined if there is no such fleet. Case and spacing of the name do not matter. */
export const findFleet = async (name: string, ctx: WorkCtx): Promise<Fleet | undefined> =>
  withName(name, await fleetsHere(ctx));

const withName = (name: string, fleets: readonly Fleet[]): Fleet | undefined =>
  fleets.find((fleet) => fleetKey(fleet.name) === fleetKey(name));

/** Throws UserError if no fleet has that name; `lineOf` makes the lines that offer fleets with similar names. */
export async function getFleet(
  name: string,
  lineOf: (words: string) => string,
  ctx: WorkCtx,
): Promise<{ name: string; imos: readonly [Imo, ...Imo[]] }> {
  const fleets = await fleetsHere(ctx);
  const fleet = withName(name, fleets);
  const [first, ...others] = fleet?.imos ?? [];
  if (fleet && first !== undefined) return { name: fleet.name, imos: [first, ...others] };
  const names = fleets.map((candidate) => candidate.name);
  const candidates = names.map((value) => ({ key: value.toUpperCase(), value }));
  const near = nearest(name.toUpperCase(), candidates, 3);
  throw new UserError({
    code: 'unknown-fleet',
    message: `There is no fleet called ${quote(name)} here.`,
    ...(names.length === 0 && { hint: 'There are no fleets yet.' }),
    choices: (near.length > 0 ? near : names.slice(0, 5)).map((offered) => ({
      label: `Fleet ${offered}`,
      line: lineOf(formatFleetName(offered)),
    })),
    example: fleetExample(ctx.registry),
  });
}

/** Creates the fleet if it is new. */
export const addToFleet = (fleet: Fleet, by: Change, ctx: WorkCtx): Promise<FleetChanged> =>
  ctx.services.audited(async (transaction, record) => {
    const changes = await addFleets(transaction, [fleet], { by, record }, ctx);
    return changes.get(fleetKey(fleet.name)) ?? { vessels: 0, watches: [] };
  });

/** Removes these vessels, or the whole fleet if `imos` is left out. A fleet without vessels is deleted. */
export const removeFromFleet = (change: FleetRemoval, by: Change, ctx: WorkCtx): Promise<FleetChanged> =>
  ctx.services.audited((transaction, record) => removeMembers(transaction, change, { by, record }, ctx));

interface FleetRemoval {
  name: string;
  imos?: readonly Imo[] | undefined;
}

/** The same in the caller's transaction. For several fleets, call it in order of their keys to avoid deadlocks. */
export async function removeMembers(
  transaction: WorkspaceStore,
  { name, imos }: FleetRemoval,
  { by, record }: FleetTransaction,
  ctx: WorkCtx,
): Promise<FleetChanged> {
  const key = fleetKey(name);
  await incrementNamesRevision(transaction);
  // Locks the fleet, so that nobody can add a vessel to it while it is deleted as empty.
  const fleet = await transaction
    .selectFrom('fleets')
    .select('name')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  const removed = await transaction
    .deleteFrom('fleet_vessels')
    .where('fleet_key', '=', key)
    .$if(imos !== undefined, (query) => query.where('imo', 'in', imos ?? []))
    .returning('imo')
    .execute();
  await transaction
    .deleteFrom('fleets')
    .where('key', '=', key)
    .where('key', 'not in', transaction.selectFrom('fleet_vessels').select('fleet_key'))
    .execute();
  if (!fleet || removed.length === 0) return { vessels: 0, watches: [] };
  await record({
    id: ctx.services.newId(),
    at: by.now,
    actorId: by.actorId,
    action: imos ? 'fleet.remove' : 'fleet.forget',
    subject: fleet.name,
    before: { imos: removed.map(({ imo }) => imo).sort((first, second) => first - second) },
  });
  const followed = await ctx.registry.followFleets(transaction, [key], { ...by, record }, ctx);
  return { vessels: removed.length, watches: followed.get(key) ?? [] };
}

interface FleetTransaction {
  by: Change;
  record: RecordEntries;
  /** False if another entry of the audit log lists the fleets. */
  recordsFleets?: boolean;
}

/**
 * Adds vessels to fleets, in the caller's transaction. It locks the fleets in order of key to avoid deadlocks. Returns
 * the changes by key.
 */
export async function addFleets(
  transaction: WorkspaceStore,
  fleets: readonly Fleet[],
  { by, record, recordsFleets = true }: FleetTransaction,
  ctx: WorkCtx,
): Promise<Map<string, FleetAdded>> {
  const { actorId, now } = by;
  const nonEmpty = fleets.filter(({ imos }) => imos.length > 0);
  const byKey = Map.groupBy(nonEmpty, ({ name }) => fleetKey(name));
  const inOrder = [...byKey].sort(([first], [second]) => (first < second ? -1 : 1));
  const named = inOrder.map(([key, [first]]) => ({ key, name: first?.name.trim() ?? '' }));
  const members = inOrder.flatMap(([fleet_key, sameFleet]) =>
    [...new Set(sameFleet.flatMap(({ imos }) => imos))].map((imo) => ({ fleet_key, imo })),
  );
  const update = { updated_at: now, updated_by: actorId };
  const existing = new Set((await readFleetNames(transaction)).map(fleetKey));
  if (named.some(({ key }) => !existing.has(key))) await incrementNamesRevision(transaction);
  for (const rows of inChunks(named.map((row) => ({ ...row, ...update })))) {
    await transaction
      .insertInto('fleets', rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doUpdateSet(update))
      .execute();
  }
  const added: { fleet_key: string; imo: number }[] = [];
  for (const rows of inChunks(members)) {
    const inserted = await transaction
      .insertInto('fleet_vessels', rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'fleet_key', 'imo']).doNothing())
      .returning(['fleet_key', 'imo'])
      .execute();
    added.push(...inserted);
  }
  const addedTo = Map.groupBy(added, ({ fleet_key }) => fleet_key);
  await checkSizes(transaction, [...addedTo.keys()]);
  const entries = named.flatMap(({ key, name }) => {
    const imos = addedTo.get(key)?.map(({ imo }) => imo);
    return imos
      ? [{ id: ctx.services.newId(), at: now, actorId, action: 'fleet.add', subject: name, after: { imos } }]
      : [];
  });
  if (recordsFleets) await record(...entries);
  const followed = await ctx.registry.followFleets(transaction, [...addedTo.keys()], { ...by, record }, ctx);
  return new Map(
    named.flatMap(({ key, name }) => {
      const imos = addedTo
        .get(key)
        ?.map(({ imo }) => imo)
        .filter(isImo);
      const watches = followed.get(key) ?? [];
      return imos ? [[key, { name, added: imos, vessels: imos.length, watches }]] : [];
    }),
  );
}

/** Throws UserError for a fleet with too many vessels, also if several people add some at once. */
async function checkSizes(store: WorkspaceStore, keys: readonly string[]): Promise<void> {
  for (const chunk of inChunks(keys)) {
    const tooLarge = await store
      .selectFrom('fleet_vessels')
      .select(({ fn }) => fn.countAll<number>().as('size'))
      .where('fleet_key', 'in', chunk)
      .groupBy('fleet_key')
      .having(({ fn }) => fn.countAll(), '>', maxVesselsInFleet)
      .executeTakeFirst();
    if (!tooLarge) continue;
    throw new UserError({
      code: 'too-many-vessels',
      message: `A fleet can have at most ${maxVesselsInFleet} vessels; this one would have ${tooLarge.size}. Nothing was changed.`,
      hint: "For more, use one of the provider's lists: its name works wherever a vessel does, as in list:FEEDERS.",
    });
  }
}
