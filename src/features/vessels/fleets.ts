import type { Kysely } from 'kysely';
import { inChunks } from '../../database/in-chunks.ts';
import type { Schema } from '../../database/schema.ts';
import { type Imo, isImo } from '../../reference/imo.ts';
import {
  type AuditEntry,
  type AuditedTransaction,
  type Change,
  createAuditedTransaction,
  type RecordEntries,
} from '../../workspaces/audit.ts';

export interface Fleet {
  /** As it was first written. */
  name: string;
  /** Sorted. */
  imos: Imo[];
}

export interface Fleets {
  /** Undefined for a fleet that does not exist; case and spacing do not matter. */
  find(workspaceId: string, name: string): Promise<Fleet | undefined>;
  list(workspaceId: string): Promise<Fleet[]>;
  /** Makes the fleet where it is new. */
  add(fleet: Fleet, by: Change): Promise<void>;
  /** A fleet without vessels is gone. Gives back how many were in it. */
  remove(fleet: Fleet, by: Change): Promise<number>;
  forget(name: string, by: Change): Promise<boolean>;
}

/** Named groups of vessels, usable wherever several vessels are. */
export function createFleets(options: {
  db: Kysely<Schema>;
  newId: () => string;
  audited?: AuditedTransaction;
}): Fleets {
  const { db, newId, audited = createAuditedTransaction(db) } = options;

  const entryOf = (
    by: Change,
    entry: Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>,
  ): AuditEntry => ({ id: newId(), at: by.now, ...by, ...entry });

  async function list(workspaceId: string): Promise<Fleet[]> {
    const rows = await db
      .selectFrom('fleets')
      .innerJoin('fleet_vessels', (join) =>
        join
          .onRef('fleet_vessels.workspace_id', '=', 'fleets.workspace_id')
          .onRef('fleet_vessels.fleet_key', '=', 'fleets.key'),
      )
      .select(['fleets.key', 'fleets.name', 'fleet_vessels.imo'])
      .where('fleets.workspace_id', '=', workspaceId)
      .orderBy('fleets.key')
      .orderBy('fleet_vessels.imo')
      .execute();
    const byKey = Map.groupBy(rows, ({ key }) => key);
    return [...byKey.values()].map((members) => ({
      name: members[0]?.name ?? '',
      imos: members.map(({ imo }) => imo).filter(isImo),
    }));
  }

  return {
    list,
    async find(workspaceId, name) {
      return (await list(workspaceId)).find((fleet) => fleetKey(fleet.name) === fleetKey(name));
    },
    add: (fleet, by) =>
      audited((transaction, record) => addFleets(transaction, [fleet], { by, newId, record })),
    async remove({ name, imos }, by) {
      const { workspaceId } = by;
      if (imos.length === 0) return 0;
      const key = fleetKey(name);
      return await audited(async (transaction, record) => {
        // First of all: who adds to it meanwhile would lose what was added, with a fleet that looks empty.
        await transaction
          .selectFrom('fleets')
          .select('key')
          .where('workspace_id', '=', workspaceId)
          .where('key', '=', key)
          .forUpdate()
          .execute();
        const gone = await transaction
          .deleteFrom('fleet_vessels')
          .where('workspace_id', '=', workspaceId)
          .where('fleet_key', '=', key)
          .where('imo', 'in', imos)
          .returning('imo')
          .execute();
        await transaction
          .deleteFrom('fleets')
          .where('workspace_id', '=', workspaceId)
          .where('key', '=', key)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('fleet_vessels')
                  .select('imo')
                  .where('workspace_id', '=', workspaceId)
                  .where('fleet_key', '=', key),
              ),
            ),
          )
          .execute();
        if (gone.length === 0) return 0;
        await record(
          entryOf(by, {
            action: 'fleet.remove',
            subject: name.trim(),
            before: { imos: gone.map(({ imo }) => imo) },
          }),
        );
        return gone.length;
      });
    },
    async forget(name, by) {
      const { workspaceId } = by;
      return await audited(async (transaction, record) => {
        const fleet = await transaction
          .selectFrom('fleets')
          .select('name')
          .where('workspace_id', '=', workspaceId)
          .where('key', '=', fleetKey(name))
          .forUpdate()
          .executeTakeFirst();
        if (!fleet) return false;
        const vessels = await transaction
          .selectFrom('fleet_vessels')
          .select('imo')
          .where('workspace_id', '=', workspaceId)
          .where('fleet_key', '=', fleetKey(name))
          .orderBy('imo')
          .execute();
        await transaction
          .deleteFrom('fleets')
          .where('workspace_id', '=', workspaceId)
          .where('key', '=', fleetKey(name))
          .execute();
        await record(
          entryOf(by, {
            action: 'fleet.forget',
            subject: fleet.name,
            before: { imos: vessels.map(({ imo }) => imo) },
          }),
        );
        return true;
      });
    },
  };
}

/** Within the caller's transaction, in the order of their keys: two who do so never wait for each other. */
export async function addFleets(
  transaction: Kysely<Schema>,
  fleets: readonly Fleet[],
  { by, newId, record }: { by: Change; newId: () => string; record: RecordEntries },
): Promise<void> {
  const { workspaceId, actorId, now } = by;
  const byKey = Map.groupBy(
    fleets.filter(({ imos }) => imos.length > 0),
    ({ name }) => fleetKey(name),
  );
  const inOrder = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
  const named = inOrder.map(([key, [first]]) => ({ key, name: first?.name.trim() ?? '' }));
  const members = inOrder.flatMap(([key, same]) =>
    [...new Set(same.flatMap(({ imos }) => imos))].map((imo) => ({
      workspace_id: workspaceId,
      fleet_key: key,
      imo,
    })),
  );
  for (const rows of inChunks(named)) {
    const about = { workspace_id: workspaceId, updated_at: now, updated_by: actorId };
    await transaction
      .insertInto('fleets')
      .values(rows.map((row) => ({ ...row, ...about })))
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'key']).doUpdateSet({ updated_at: now, updated_by: actorId }),
      )
      .execute();
  }
  const added: { fleet_key: string; imo: number }[] = [];
  for (const rows of inChunks(members)) {
    added.push(
      ...(await transaction
        .insertInto('fleet_vessels')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['workspace_id', 'fleet_key', 'imo']).doNothing())
        .returning(['fleet_key', 'imo'])
        .execute()),
    );
  }
  const addedTo = Map.groupBy(added, ({ fleet_key }) => fleet_key);
  const entries = named.flatMap(({ key, name }) => {
    const imos = addedTo.get(key)?.map(({ imo }) => imo);
    return imos ? [{ id: newId(), at: now, ...by, action: 'fleet.add', subject: name, after: { imos } }] : [];
  });
  await record(...entries);
}

/** Names of one fleet have one key: case and spacing do not matter. */
export const fleetKey = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();
