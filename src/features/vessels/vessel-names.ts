import { type Kysely, sql } from 'kysely';
import { createRecent } from '../../database/recent.ts';
import type { Schema } from '../../database/schema.ts';
import { recordChange } from '../../workspaces/audit.ts';
import { inChunks } from '../../workspaces/in-chunks.ts';
import { addFleets, type Fleet } from './fleets.ts';
import { compareNames, forgottenNote, noteOf, type Source } from './name-changes.ts';

export interface NamedVessel<Imo extends number> {
  imo: Imo;
  name: string;
}

export interface VesselNames<Imo extends number, Directory> {
  /** As it is now, but that what another process has changed may show a second later; built again only then. */
  directory(workspaceId: string): Promise<Directory>;
  list(workspaceId: string): Promise<NamedVessel<Imo>[]>;
  /**
   * A vessel keeps its last name. All or none are kept, with one audit row for all names, and with the fleets
   * that stood in the same file. `typed` where left out.
   */
  save(
    vessels: readonly NamedVessel<Imo>[],
    by: Change,
    source?: Source,
    fleets?: readonly Fleet<Imo>[],
  ): Promise<void>;
  /** Gives back how many had a name. */
  forget(imos: readonly Imo[], by: Change): Promise<number>;
}

export interface Change {
  workspaceId: string;
  actorId: string;
  now: Date;
}

export interface VesselNamesOptions<Imo extends number, Directory> {
  db: Kysely<Schema>;
  isImo: (value: number) => value is Imo;
  /** As grammar/create-vessel-directory.ts. */
  build: (vessels: readonly NamedVessel<Imo>[]) => Directory;
  newId: () => string;
  /** Milliseconds of the real clock. */
  realNow: () => number;
}

/** Every command asks for the names. */
const keepMs = 1_000;

/** The names a workspace gives its vessels: the service knows IMO numbers only. */
export function createVesselNames<Imo extends number, Directory>(
  options: VesselNamesOptions<Imo, Directory>,
): VesselNames<Imo, Directory> {
  const { db, isImo, build, newId, realNow } = options;
  const revisions = createRecent({ read: (id) => readRevision(db, id), keepMs, realNow });
  const built = new Map<string, { revision: number; directory: Directory }>();

  async function list(workspaceId: string): Promise<NamedVessel<Imo>[]> {
    const rows = await db
      .selectFrom('vessel_names')
      .select(['imo', 'name'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('name')
      .orderBy('imo')
      .execute();
    return rows.flatMap(({ imo, name }) => (isImo(imo) ? [{ imo, name }] : []));
  }

  return {
    list,
    async directory(workspaceId) {
      // Read before the names: if one comes in between, the copy counts as old and is made again.
      const revision = await revisions.get(workspaceId);
      const known = built.get(workspaceId);
      if (known?.revision === revision) return known.directory;
      const directory = build(await list(workspaceId));
      built.set(workspaceId, { revision, directory });
      return directory;
    },
    async save(vessels, by, source = { kind: 'typed' }, fleets = []) {
      const { workspaceId, actorId, now } = by;
      const last = [...new Map(vessels.map((vessel) => [vessel.imo, vessel])).values()];
      await db.transaction().execute(async (transaction) => {
        // First of all, so that those who change names take turns, and what is noted is what there was.
        await nextRevision(transaction, workspaceId);
        const changes = compareNames(await namesOf(transaction, workspaceId, last), last);
        for (const some of inChunks(last)) {
          await transaction
            .insertInto('vessel_names')
            .values(
              some.map(({ imo, name }) => ({
                workspace_id: workspaceId,
                imo,
                name,
                updated_at: now,
                updated_by: actorId,
              })),
            )
            .onConflict((conflict) =>
              conflict.columns(['workspace_id', 'imo']).doUpdateSet((excluded) => ({
                name: excluded.ref('excluded.name'),
                updated_at: now,
                updated_by: actorId,
              })),
            )
            .execute();
        }
        const entry = noteOf(changes, source, last.length);
        if (entry) await recordChange(transaction, { id: newId(), at: now, ...by, ...entry });
        await addFleets(transaction, fleets, { by, newId });
      });
      revisions.changed(workspaceId);
    },
    async forget(imos, by) {
      const { workspaceId, now } = by;
      if (imos.length === 0) return 0;
      const count = await db.transaction().execute(async (transaction) => {
        await nextRevision(transaction, workspaceId);
        const gone = await transaction
          .deleteFrom('vessel_names')
          .where('workspace_id', '=', workspaceId)
          .where('imo', 'in', imos)
          .returning(['imo', 'name'])
          .execute();
        const entry = forgottenNote(gone);
        if (entry) await recordChange(transaction, { id: newId(), at: now, ...by, ...entry });
        return gone.length;
      });
      revisions.changed(workspaceId);
      return count;
    },
  };
}

async function namesOf(
  db: Kysely<Schema>,
  workspaceId: string,
  vessels: readonly { imo: number }[],
): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const some of inChunks(vessels)) {
    const rows = await db
      .selectFrom('vessel_names')
      .select(['imo', 'name'])
      .where('workspace_id', '=', workspaceId)
      .where(
        'imo',
        'in',
        some.map(({ imo }) => imo),
      )
      .execute();
    for (const { imo, name } of rows) names.set(imo, name);
  }
  return names;
}

async function readRevision(db: Kysely<Schema>, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('workspaces')
    .select('names_revision')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return row?.names_revision ?? 0;
}

async function nextRevision(db: Kysely<Schema>, workspaceId: string): Promise<void> {
  await db
    .updateTable('workspaces')
    .set({ names_revision: sql`names_revision + 1` })
    .where('id', '=', workspaceId)
    .execute();
}
