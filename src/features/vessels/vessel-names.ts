import { sql } from 'kysely';
import { createReadCache } from '../../cache.ts';
import { inChunks } from '../../database/in-chunks.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import {
  createVesselDirectory,
  type NamedVessel,
  type VesselDirectory,
} from '../../grammar/vessel-directory.ts';
import { type Imo, isImo } from '../../reference/imo.ts';
import { type AuditedTransaction, createAuditedTransaction } from '../../workspaces/audit.ts';
import type { FollowFleets } from '../run-context.ts';
import { addFleets, type ChangeBy, type Fleet, followNothing } from './fleets.ts';
import {
  compareNames,
  forgottenNotes,
  type Note,
  referenceNotes,
  type Source,
  savedNotes,
} from './name-changes.ts';
import {
  type ChangedReferences,
  changeReferences,
  type LeftOut,
  type ReferenceChange,
  type ReferenceLimits,
  readAllReferences,
  referenceLimits,
} from './vessel-references.ts';

/** Every typed vessel is compared with all names of the workspace, so their number is limited. */
export const maxNames = 20_000;

interface Names {
  names: ReadonlyMap<Imo, string>;
  /** Includes the examples. */
  directory: VesselDirectory;
}

/** What is saved together with names. */
interface Additions {
  fleets?: readonly Fleet[];
  references?: readonly ReferenceChange[];
}

export type VesselNames = ReturnType<typeof createVesselNames>;

/** The names and references that a workspace gives its vessels. A change by another process shows within a second. */
export function createVesselNames(options: {
  store: WorkspaceStore;
  /** Names for vessels that the workspace has not named. */
  examples?: readonly NamedVessel[];
  limit?: number;
  maxReferences?: ReferenceLimits;
  newId: () => string;
  audited?: AuditedTransaction;
  followFleets?: FollowFleets;
  realNow: () => number;
}) {
  const { store, examples = [], limit = maxNames, newId, realNow } = options;
  const { followFleets = followNothing, maxReferences: limits = referenceLimits } = options;
  const { audited = createAuditedTransaction(store) } = options;
  const { workspaceId } = store;
  const revisions = createReadCache({ read: () => readRevision(store), realNow });
  const cached = createReadCache({ read: load, ttlMs: 0, max: 1, realNow });

  /** The revision is read before the names: if the names change in between, they are read again next time. */
  const current = async (): Promise<Names> => await cached.get(String(await revisions.get(workspaceId)));

  async function load(): Promise<Names> {
    const names = await readNames(store);
    const references = await readAllReferences(store);
    const named = [...names].map(([imo, name]) => ({ imo, name }));
    return { names, directory: createVesselDirectory([...examples, ...named], references) };
  }

  /** Updates the cache with a change of this process, so that it need not read all names again. */
  function updateCache(
    revision: number,
    {
      saved = [],
      forgotten = [],
      references = [],
    }: {
      saved?: readonly NamedVessel[];
      forgotten?: readonly Imo[];
      references?: readonly ChangedReferences[];
    },
  ): void {
    revisions.invalidate(workspaceId);
    const change = (previous: Names): Names => {
      const names = new Map(previous.names);
      for (const imo of forgotten) names.delete(imo);
      for (const { imo, name } of saved) names.set(imo, name);
      // A forgotten vessel gets its example name back.
      const exampleNames = examples.filter(({ imo }) => forgotten.includes(imo));
      const directory = previous.directory.withChanges({
        named: [...exampleNames, ...saved],
        forgotten,
        references: new Map(references.map(({ imo, after }) => [imo, after])),
      });
      return { names, directory };
    };
    const previous = cached.peek(String(revision - 1));
    if (previous) cached.set(String(revision), previous.then(change));
    // A workspace that was deleted counts from 0 again.
    else cached.invalidate(String(revision));
  }

  const entriesOf = (notes: readonly Note[], { actorId, now: at }: ChangeBy) =>
    notes.map((note) => ({ id: newId(), at, actorId, ...note }));

  return {
    /** Includes the examples. */
    directory: async (): Promise<VesselDirectory> => (await current()).directory,
    /** The vessels that the workspace has named, sorted by name. */
    async list(): Promise<readonly NamedVessel[]> {
      const { directory, names } = await current();
      return directory.all().flatMap(({ imo }) => {
        const name = names.get(imo);
        return name === undefined ? [] : [{ imo, name }];
      });
    },
    /**
     * Saves all names and fleets, or nothing; a vessel that is listed twice gets its last name. Of the references of a file,
     * it returns those for which there is no room. Throws UserError too-many-names, too-many-references.
     */
    async save(
      vessels: readonly NamedVessel[],
      by: ChangeBy,
      source: Source = { kind: 'typed' },
      { fleets = [], references = [] }: Additions = {},
    ): Promise<{ references: readonly ChangedReferences[]; leftOut: readonly LeftOut[] }> {
      const saved = [...new Map(vessels.map((vessel) => [vessel.imo, vessel])).values()];
      const change = { by, limits, storesWhatFits: source.kind === 'file' };
      const { revision, changed, leftOut } = await audited(async (transaction, record) => {
        // This comes first: it locks the workspace's row, so nobody else can change names until the commit.
        const next = await incrementRevision(transaction);
        const changes = compareNames(await readNames(transaction, saved), saved);
        await writeNames(transaction, saved, by);
        const added = changes.filter(({ before }) => before === null).length;
        if (added > 0) await checkCount(transaction, { added, limit, hasFleets: fleets.length > 0 });
        const result = await changeReferences(transaction, references, change);
        const additions = { names: saved.length, fleets, references: result.changed };
        await record(...entriesOf(savedNotes(changes, source, additions), by));
        const recordsFleets = source.kind !== 'file';
        await addFleets(transaction, fleets, { by, newId, record, followFleets, recordsFleets });
        return { revision: next, ...result };
      });
      updateCache(revision, { saved, references: changed });
      return { references: changed, leftOut };
    },
    /** Throws UserError too-many-references. */
    async changeReferences(change: ReferenceChange, by: ChangeBy): Promise<void> {
      const { revision, changed } = await audited(async (transaction, record) => {
        const next = await incrementRevision(transaction);
        const options = { by, limits, storesWhatFits: false };
        const result = await changeReferences(transaction, [change], options);
        await record(...entriesOf(referenceNotes(result.changed), by));
        return { revision: next, changed: result.changed };
      });
      updateCache(revision, { references: changed });
    },
    async forget(imos: readonly [Imo, ...Imo[]], by: ChangeBy): Promise<void> {
      const revision = await audited(async (transaction, record) => {
        const next = await incrementRevision(transaction);
        const forgotten = await transaction
          .deleteFrom('vessel_names')
          .where('imo', 'in', imos)
          .returning(['imo', 'name'])
          .execute();
        await record(...entriesOf(forgottenNotes(forgotten), by));
        return next;
      });
      updateCache(revision, { forgotten: imos });
    },
  };
}

async function readRevision(store: WorkspaceStore): Promise<number> {
  const row = await store.selectFrom('workspaces').select('names_revision').executeTakeFirst();
  return row?.names_revision ?? 0;
}

async function incrementRevision(store: WorkspaceStore): Promise<number> {
  const row = await store
    .updateTable('workspaces')
    .set({ names_revision: sql`names_revision + 1` })
    .returning('names_revision')
    .executeTakeFirst();
  return row?.names_revision ?? 0;
}

/** The names of these vessels, or of all if `vessels` is left out. */
async function readNames(store: WorkspaceStore, vessels?: readonly NamedVessel[]): Promise<Map<Imo, string>> {
  const query = store.selectFrom('vessel_names').select(['imo', 'name']);
  const queries = vessels
    ? inChunks(vessels.map(({ imo }) => imo)).map((imos) => query.where('imo', 'in', imos))
    : [query];
  const names = new Map<Imo, string>();
  for (const chunk of queries) {
    for (const { imo, name } of await chunk.execute()) if (isImo(imo)) names.set(imo, name);
  }
  return names;
}

async function writeNames(
  store: WorkspaceStore,
  vessels: readonly NamedVessel[],
  { actorId, now }: ChangeBy,
): Promise<void> {
  const update = { updated_at: now, updated_by: actorId };
  for (const rows of inChunks(vessels.map(({ imo, name }) => ({ imo, name, ...update })))) {
    await store
      .insertInto('vessel_names', rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'imo'])
          .doUpdateSet(({ ref }) => ({ name: ref('excluded.name'), ...update })),
      )
      .execute();
  }
}

/** Throws UserError if `added` names have made too many. Renames are not checked: they add none. */
async function checkCount(
  store: WorkspaceStore,
  { added, limit, hasFleets }: { added: number; limit: number; hasFleets: boolean },
): Promise<void> {
  const { total } = await store
    .selectFrom('vessel_names')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (total <= limit) return;
  const [most, before, more] = [limit, total - added, added].map((count) => count.toLocaleString('en'));
  throw new UserError({
    code: 'too-many-names',
    message: `A workspace can name at most ${most} vessels. It has named ${before}, and this would add ${more}. Nothing was saved${hasFleets ? ': neither names nor fleets' : ''}.`,
    hint: 'Forget names that nobody uses, or add fewer.',
    example: 'vessel list',
  });
}
