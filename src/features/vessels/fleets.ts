import { inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line.ts';
import { fleetKey, formatFleetName } from '../../grammar/vessel.ts';
import { type Imo, isImo } from '../../reference/codes.ts';
import { nearest } from '../../reference/nearest.ts';
import {
  type AuditedTransaction,
  type Change,
  createAuditedTransaction,
  type RecordEntries,
} from '../../workspaces/audit.ts';
import type { AskCtx, FollowFleets, FollowingWatch, WorkCtx } from '../ctx.ts';
import type { GetFleet } from '../feature.ts';
import type { WorkspaceServices } from '../services.ts';
import { fleetExample, type Imos } from './words.ts';

export const followNothing: FollowFleets = async () => new Map();

/** A request about a fleet costs one request to the service for each of its vessels. */
export const maxVesselsInFleet = 50;

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

/** What changes fleets. Without `followFleets`, nothing is watched. */
export interface FleetServices extends Pick<WorkspaceServices, 'store' | 'newId'> {
  audited?: AuditedTransaction;
  followFleets?: FollowFleets;
}

/** The person who makes a change, and its time. */
export const changeBy = ({ actor, now }: Pick<AskCtx, 'actor' | 'now'>): Change => ({
  actorId: actor.userId,
  now: now(),
});

export function fleetServices({ services, registry }: WorkCtx) {
  const followFleets: FollowFleets = (transaction, fleets, change) =>
    registry.followFleets(transaction, fleets, change, { services, registry });
  return { ...services, followFleets };
}

/** The fleets of the workspace. */
export const fleetsHere = (ctx: WorkCtx) => createFleets(fleetServices(ctx));

/** Named groups of vessels, for any line that can name several vessels. A fleet without vessels is deleted. */
export function createFleets({
  store,
  newId,
  audited = createAuditedTransaction(store),
  followFleets = followNothing,
}: FleetServices) {
  async function list(): Promise<Fleet[]> {
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

  const find = async (name: string): Promise<Fleet | undefined> =>
    (await list()).find((fleet) => fleetKey(fleet.name) === fleetKey(name));

  const get: GetFleet = async (name, lineOf) => {
    const fleets = await list();
    const fleet = fleets.find((candidate) => fleetKey(candidate.name) === fleetKey(name));
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
      example: fleetExample,
    });
  };

  /** Removes these vessels, or the whole fleet if `imos` is left out. */
  async function remove(
    { name, imos }: { name: string; imos?: Imos | undefined },
    by: Change,
  ): Promise<FleetChanged> {
    const key = fleetKey(name);
    return await audited(async (transaction, record) => {
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
        id: newId(),
        at: by.now,
        actorId: by.actorId,
        action: imos ? 'fleet.remove' : 'fleet.forget',
        subject: fleet.name,
        before: { imos: removed.map(({ imo }) => imo).sort((first, second) => first - second) },
      });
      const followed = await followFleets(transaction, [key], { ...by, record });
      return { vessels: removed.length, watches: followed.get(key) ?? [] };
    });
  }

  return {
    list,
    /** Undefined if there is no such fleet. Case and spacing of the name do not matter. */
    find,
    get,
    /** Creates the fleet if it is new. */
    add: (fleet: Fleet, by: Change): Promise<FleetChanged> =>
      audited(async (transaction, record) => {
        const changes = await addFleets(transaction, [fleet], { by, newId, record, followFleets });
        return changes.get(fleetKey(fleet.name)) ?? { vessels: 0, watches: [] };
      }),
    remove,
  };
}

interface FleetTransaction extends Pick<FleetServices, 'newId' | 'followFleets'> {
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
  { by, newId, record, followFleets = followNothing, recordsFleets = true }: FleetTransaction,
): Promise<Map<string, FleetChanged>> {
  const { actorId, now } = by;
  const nonEmpty = fleets.filter(({ imos }) => imos.length > 0);
  const byKey = Map.groupBy(nonEmpty, ({ name }) => fleetKey(name));
  const inOrder = [...byKey].sort(([first], [second]) => (first < second ? -1 : 1));
  const named = inOrder.map(([key, [first]]) => ({ key, name: first?.name.trim() ?? '' }));
  const members = inOrder.flatMap(([fleet_key, sameFleet]) =>
    [...new Set(sameFleet.flatMap(({ imos }) => imos))].map((imo) => ({ fleet_key, imo })),
  );
  const update = { updated_at: now, updated_by: actorId };
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
    return imos ? [{ id: newId(), at: now, ...by, action: 'fleet.add', subject: name, after: { imos } }] : [];
  });
  if (recordsFleets) await record(...entries);
  const followed = await followFleets(transaction, [...addedTo.keys()], { actorId, now, record });
  return new Map(
    [...addedTo].map(([key, { length }]) => [key, { vessels: length, watches: followed.get(key) ?? [] }]),
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
