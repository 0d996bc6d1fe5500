import { sql } from 'kysely';
import { present } from '../../answers/text.ts';
import { createReadCache } from '../../cache.ts';
import { inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import {
  createVesselDirectory,
  type NamedVessel,
  type VesselDirectory,
} from '../../grammar/vessel-directory.ts';
import { exampleVessels, type Imo, isImo } from '../../reference/codes.ts';
import {
  type AuditEntry,
  type Change,
  createAuditedTransaction,
  type RecordEntries,
} from '../../workspaces/audit.ts';
import type { WorkCtx } from '../ctx.ts';
import type { StateKey, WorkspaceServices } from '../services.ts';
import { addFleets, type Fleet, type FleetServices, fleetServices, followNothing } from './fleets.ts';
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

/** The origin of names. `first`: those that a new workspace starts with; nobody chose them, so no entry is written. */
type Source = { kind: 'typed' } | { kind: 'file'; fileName: string } | { kind: 'first' };

interface NameChange {
  imo: number;
  /** Null if the vessel had no name. */
  before: string | null;
  after: string;
}

/** An entry of the audit log, without person and time. */
type Note = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>;

/** The most names that an entry of the audit log lists. */
const maxNamesListed = 100;

type RecordNotes = (notes: readonly Note[]) => Promise<void>;

/** What a change has done to the names in memory. */
interface Changed {
  saved?: readonly NamedVessel[];
  forgotten?: readonly Imo[];
  references?: readonly ChangedReferences[];
}

interface NamesOptions extends FleetServices, Pick<WorkspaceServices, 'realNow'> {
  /** Names for vessels that the workspace has not named. */
  examples?: readonly NamedVessel[];
  limit?: number;
  maxReferences?: ReferenceLimits;
}

export type VesselNames = ReturnType<typeof createVesselNames>;

const namesKey: StateKey<VesselNames> = { name: 'vessel names' };

export const namesHere = (ctx: WorkCtx): VesselNames =>
  ctx.services.state(namesKey, () => createVesselNames({ ...fleetServices(ctx), examples: exampleVessels }));

/** The names and references that a workspace gives its vessels. A change by another process shows within a second. */
export function createVesselNames({
  store,
  examples = [],
  limit = maxNames,
  maxReferences: limits = referenceLimits,
  newId,
  audited = createAuditedTransaction(store),
  followFleets = followNothing,
  realNow,
}: NamesOptions) {
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
  function updateCache(revision: number, { saved = [], forgotten = [], references = [] }: Changed): void {
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

  async function change<Done extends Changed>(
    { actorId, now: at }: Change,
    work: (transaction: WorkspaceStore, record: RecordEntries, note: RecordNotes) => Promise<Done>,
  ): Promise<Done> {
    const { revision, done } = await audited(async (transaction, record) => {
      // This comes first: it locks the workspace's row, so nobody else can change names until the commit.
      const next = await incrementRevision(transaction);
      const note: RecordNotes = (notes) =>
        record(...notes.map((each) => ({ id: newId(), at, actorId, ...each })));
      return { revision: next, done: await work(transaction, record, note) };
    });
    updateCache(revision, done);
    return done;
  }

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
     * it returns those that have no room. Throws UserError too-many-names, too-many-references.
     */
    save: (
      vessels: readonly NamedVessel[],
      by: Change,
      source: Source = { kind: 'typed' },
      { fleets = [], references = [] }: Additions = {},
    ): Promise<{ references: readonly ChangedReferences[]; leftOut: readonly LeftOut[] }> =>
      change(by, async (transaction, record, note) => {
        const isFile = source.kind === 'file';
        const saved = [...new Map(vessels.map((vessel) => [vessel.imo, vessel])).values()];
        const changes = compareNames(await readNames(transaction, saved), saved);
        await writeNames(transaction, saved, by);
        const added = changes.filter(({ before }) => before === null).length;
        if (added > 0) await checkCount(transaction, { added, limit, hasFleets: fleets.length > 0 });
        const options = { by, limits, storesWhatFits: isFile };
        const { changed, leftOut } = await changeReferences(transaction, references, options);
        await note(savedNotes(changes, source, { names: saved.length, fleets, references: changed }));
        await addFleets(transaction, fleets, { by, newId, record, followFleets, recordsFleets: !isFile });
        return { saved, references: changed, leftOut };
      }),
    /** Throws UserError too-many-references. */
    changeReferences: (given: ReferenceChange, by: Change) =>
      change(by, async (transaction, _, note) => {
        const options = { by, limits, storesWhatFits: false };
        const { changed } = await changeReferences(transaction, [given], options);
        await note(referenceNotes(changed));
        return { references: changed };
      }),
    forget: (forgotten: readonly [Imo, ...Imo[]], by: Change) =>
      change(by, async (transaction, _, note) => {
        const names = await transaction
          .deleteFrom('vessel_names')
          .where('imo', 'in', forgotten)
          .returning(['imo', 'name'])
          .execute();
        if (names.length > 0)
          await note([
            {
              action: 'vessel.forget',
              subject: subjectOf(names),
              before: { names: names.slice(0, maxNamesListed) },
            },
          ]);
        return { forgotten };
      }),
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
  { actorId, now }: Change,
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

/** The names that are new or different. */
function compareNames(
  before: ReadonlyMap<number, string>,
  vessels: readonly { imo: number; name: string }[],
): NameChange[] {
  return vessels
    .filter(({ imo, name }) => before.get(imo) !== name)
    .map(({ imo, name }) => ({ imo, before: before.get(imo) ?? null, after: name }));
}

/** None if no name has changed. An import always gets one entry, with its names, fleets and references. */
function savedNotes(
  changes: readonly NameChange[],
  source: Source,
  {
    names,
    fleets,
    references,
  }: { names: number; fleets: readonly Fleet[]; references: readonly ChangedReferences[] },
): Note[] {
  const listed = changes.slice(0, maxNamesListed);
  const before = listed.flatMap(({ imo, before: name }) => (name === null ? [] : [{ imo, name }]));
  if (source.kind !== 'file') {
    const named: Note = {
      action: 'vessel.name',
      subject: subjectOf(changes),
      ...(before.length > 0 && { before: { names: before } }),
      after: { names: listed.map(({ imo, after: name }) => ({ imo, name })) },
    };
    return [
      ...(source.kind === 'first' || changes.length === 0 ? [] : [named]),
      ...referenceNotes(references),
    ];
  }
  const added = changes.filter((change) => change.before === null).length;
  const texts = references.flatMap((of) => of.added.map((reference) => `${reference} (IMO ${of.imo})`));
  const after = {
    ...{ names, added, renamed: changes.length - added, changes: listed },
    ...(fleets.length > 0 && { fleets: fleets.map(({ name }) => name).slice(0, maxNamesListed) }),
    ...(texts.length > 0 && { newReferences: texts.length, references: texts.slice(0, maxNamesListed) }),
  };
  return [{ action: 'vessel.import', subject: source.fileName, after }];
}

/** An entry for what each vessel got, and one for what it lost. */
const referenceNotes = (changed: readonly ChangedReferences[]): Note[] =>
  changed.flatMap(({ imo, added, removed }) => {
    const subject = `IMO ${imo}`;
    return present<Note>(
      added.length > 0 && { action: 'reference.add', subject, after: { references: added } },
      removed.length > 0 && { action: 'reference.remove', subject, before: { references: removed } },
    );
  });

function subjectOf([first, ...others]: readonly { imo: number }[]): string {
  return others.length === 0 ? `IMO ${first?.imo}` : `${others.length + 1} vessels`;
}
