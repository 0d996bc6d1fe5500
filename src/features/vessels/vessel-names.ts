import { type Kysely, sql } from 'kysely';
import { inChunks } from '../../database/in-chunks.ts';
import { createRecent } from '../../database/recent.ts';
import type { Schema } from '../../database/schema.ts';
import { UserError } from '../../errors.ts';
import {
  createVesselDirectory,
  type NamedVessel,
  type VesselDirectory,
} from '../../grammar/vessel-directory.ts';
import { type Imo, isImo } from '../../reference/imo.ts';
import { type AuditedTransaction, type Change, createAuditedTransaction } from '../../workspaces/audit.ts';
import { addFleets, type Fleet } from './fleets.ts';
import { compareNames, forgottenNote, type NameChange, noteOf, type Source } from './name-changes.ts';

/** Of a workspace: whatever is typed is compared with all of them, in a few milliseconds. */
export const maxNames = 20_000;

/** Names as they are now; what another process changes may show a second later. */
export interface VesselNames {
  /** The example vessels have names too, where the workspace gives them none. */
  directory(workspaceId: string): Promise<VesselDirectory>;
  /** Those that the workspace gave, by name. */
  list(workspaceId: string): Promise<readonly NamedVessel[]>;
  /**
   * A vessel keeps its last name. All or none are saved, with one audit row for all names, and with the fleets
   * that came with them. `typed` where left out. Throws UserError too-many-names.
   */
  save(
    vessels: readonly NamedVessel[],
    by: Change,
    source?: Source,
    fleets?: readonly Fleet[],
  ): Promise<void>;
  /** Gives back how many had a name. */
  forget(imos: readonly Imo[], by: Change): Promise<number>;
}

interface VesselNamesOptions {
  db: Kysely<Schema>;
  /** Vessels that have a name where the workspace gives them none. */
  examples?: readonly NamedVessel[];
  /** How many a workspace may give. */
  limit?: number;
  newId: () => string;
  audited?: AuditedTransaction;
  realNow: () => number;
}

interface Known {
  revision: number;
  /** As they were saved. */
  names: ReadonlyMap<Imo, string>;
  directory: VesselDirectory;
  /** Made when it is first asked for. */
  list?: readonly NamedVessel[];
}

/** Every command asks for the names. */
const maxAgeMs = 1_000;

/** The names a workspace gives its vessels: the service knows IMO numbers only. */
export function createVesselNames(options: VesselNamesOptions): VesselNames {
  const { db, examples = [], limit = maxNames, newId, realNow } = options;
  const { audited = createAuditedTransaction(db) } = options;
  const revisions = createRecent({ read: (id) => readRevision(db, id), maxAgeMs, realNow });
  const known = new Map<string, Known>();

  async function current(workspaceId: string): Promise<Known> {
    // Read before the names: if one comes in between, the copy counts as old and is made again.
    const revision = await revisions.get(workspaceId);
    const last = known.get(workspaceId);
    if (last?.revision === revision) return last;
    const names = await readNames(db, workspaceId);
    const named = [...names].map(([imo, name]) => ({ imo, name }));
    const read = { revision, names, directory: createVesselDirectory([...examples, ...named]) };
    known.set(workspaceId, read);
    return read;
  }

  /** What this process changes needs no second look at all the other names. */
  function remember(
    workspaceId: string,
    revision: number,
    { saved = [], forgotten = [] }: { saved?: readonly NamedVessel[]; forgotten?: readonly Imo[] },
  ): void {
    revisions.changed(workspaceId);
    const last = known.get(workspaceId);
    known.delete(workspaceId);
    if (last?.revision !== revision - 1) return;
    const names = new Map(last.names);
    for (const imo of forgotten) names.delete(imo);
    for (const { imo, name } of saved) names.set(imo, name);
    const exampleAgain = examples.filter(({ imo }) => forgotten.includes(imo));
    const directory = last.directory.changed({ named: [...exampleAgain, ...saved], forgotten });
    known.set(workspaceId, { revision, names, directory });
  }

  return {
    async directory(workspaceId) {
      return (await current(workspaceId)).directory;
    },
    async list(workspaceId) {
      const last = await current(workspaceId);
      last.list ??= last.directory.all().flatMap(({ imo }) => {
        const name = last.names.get(imo);
        return name === undefined ? [] : [{ imo, name }];
      });
      return last.list;
    },
    async save(vessels, by, source = { kind: 'typed' }, fleets = []) {
      const { workspaceId, actorId, now } = by;
      const last = [...new Map(vessels.map((vessel) => [vessel.imo, vessel])).values()];
      const revision = await audited(async (transaction, record) => {
        // First of all, so that those who change names take turns, and what is noted is what there was.
        const next = await nextRevision(transaction, workspaceId);
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
        await refuseTooMany(transaction, workspaceId, { changes, limit, fleets: fleets.length });
        const entry = noteOf(changes, source, last.length);
        if (entry) await record({ id: newId(), at: now, ...by, ...entry });
        await addFleets(transaction, fleets, { by, newId, record });
        return next;
      });
      remember(workspaceId, revision, { saved: last });
    },
    async forget(imos, by) {
      const { workspaceId, now } = by;
      if (imos.length === 0) return 0;
      const { revision, count } = await audited(async (transaction, record) => {
        const next = await nextRevision(transaction, workspaceId);
        const gone = await transaction
          .deleteFrom('vessel_names')
          .where('workspace_id', '=', workspaceId)
          .where('imo', 'in', imos)
          .returning(['imo', 'name'])
          .execute();
        const entry = forgottenNote(gone);
        if (entry) await record({ id: newId(), at: now, ...by, ...entry });
        return { revision: next, count: gone.length };
      });
      remember(workspaceId, revision, { forgotten: imos });
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

async function nextRevision(db: Kysely<Schema>, workspaceId: string): Promise<number> {
  const row = await db
    .updateTable('workspaces')
    .set({ names_revision: sql`names_revision + 1` })
    .where('id', '=', workspaceId)
    .returning('names_revision')
    .executeTakeFirst();
  return row?.names_revision ?? 0;
}

async function readNames(db: Kysely<Schema>, workspaceId: string): Promise<Map<Imo, string>> {
  const rows = await db
    .selectFrom('vessel_names')
    .select(['imo', 'name'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(rows.flatMap(({ imo, name }) => (isImo(imo) ? [[imo, name] as const] : [])));
}

/** After they were written, within the transaction. Whoever has too many already may still rename them. */
async function refuseTooMany(
  db: Kysely<Schema>,
  workspaceId: string,
  { changes, limit, fleets }: { changes: readonly NameChange[]; limit: number; fleets: number },
): Promise<void> {
  const added = changes.filter(({ before }) => before === null).length;
  const { total } = await db
    .selectFrom('vessel_names')
    .select(({ fn }) => fn.countAll().as('total'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (added === 0 || Number(total) <= limit) return;
  const before = Number(total) - added;
  throw new UserError({
    code: 'too-many-names',
    message: `A workspace can name at most ${inWords(limit)} vessels. It has named ${inWords(before)}, and this would add ${inWords(added)}. Nothing was saved${fleets > 0 ? ': neither names nor fleets' : ''}.`,
    hint: 'Forget names that nobody uses, or add fewer.',
    example: 'vessel list',
  });
}

const inWords = (count: number): string => count.toLocaleString('en');
