import { z } from 'zod';
import { present } from '../../answers/text.ts';
import { createReadCache } from '../../cache.ts';
import { inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import {
  createVesselDirectory,
  type GroupedPorts,
  type NamedVessel,
  referenceKey,
  type VesselDirectory,
} from '../../grammar/vessel-directory.ts';
import type { Due } from '../../predictions/promises.ts';
import { exampleVessels, type Imo, isImo } from '../../reference/codes.ts';
import { locode } from '../../reference/prediction.ts';
import type { AuditEntry, Change, RecordEntries } from '../../workspaces/audit.ts';
import { incrementNamesRevision, readNamesRevision } from '../../workspaces/names-revision.ts';
import type { WorkCtx } from '../ctx.ts';
import { addFleets, type Fleet, readFleetNames } from '../fleets/index.ts';
import {
  identityOf,
  type NewPromise,
  readPromises,
  removePromises,
  replacePromises,
  type StoredPromise,
} from '../promises/index.ts';
import { dueText } from '../rules/index.ts';
import type { StateKey, WorkspaceServices } from '../services.ts';
import {
  type ChangedReferences,
  changeReferences,
  type LeftOut,
  type ReferenceChange,
  readAllReferences,
} from './vessel-references.ts';
import type { Imos } from './words.ts';

/** Every typed vessel is compared with all names of the workspace, so their number is limited. */
export const maxNames = 20_000;

interface Names {
  names: ReadonlyMap<Imo, string>;
  /** Includes the examples. */
  directory: VesselDirectory;
}

/** What is saved together with names. If `source` is left out, they were typed. */
interface Additions {
  source?: Source;
  fleets?: readonly Fleet[];
  references?: readonly ReferenceChange[];
  /** What else belongs to the transaction. Returns what the import's entry in the audit log says of it. */
  alongside?: (transaction: WorkspaceStore) => Promise<Record<string, unknown>>;
  /** Called last in the transaction. */
  finish?: (transaction: WorkspaceStore, done: Added) => Promise<void>;
}

interface Added {
  names: readonly NameChange[];
  references: readonly ChangedReferences[];
  fleets: readonly { name: string; added: readonly Imo[] }[];
}

/** The origin of names. `first`: those that a new workspace starts with; nobody chose them, so no entry is written. */
type Source = { kind: 'typed' } | { kind: 'file'; fileName: string } | { kind: 'first' };

export interface NameChange {
  imo: Imo;
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
  /** All that there are now. */
  portGroups?: GroupedPorts;
}

const createMemory = ({ store, realNow }: WorkspaceServices) => ({
  revisions: createReadCache({ read: () => readNamesRevision(store), realNow }),
  /** Those of the last revision. */
  names: createReadCache({ read: () => loadNames(store), ttlMs: 0, max: 1, realNow }),
});

const memoryKey: StateKey<ReturnType<typeof createMemory>> = { name: 'vessel names' };

/** A change by another process shows within a second. */
const memoryOf = ({ services }: WorkCtx) => services.state(memoryKey, () => createMemory(services));

/** The revision is read before the names: if the names change in between, they are read again next time. */
async function currentNames(ctx: WorkCtx): Promise<Names> {
  const { revisions, names } = memoryOf(ctx);
  return await names.get(String(await revisions.get(ctx.services.store.workspaceId)));
}

/** The names and references that the workspace gives its vessels. Includes the examples. */
export const readDirectory = async (ctx: WorkCtx): Promise<VesselDirectory> =>
  (await currentNames(ctx)).directory;

/** The vessels that the workspace has named, sorted by name. */
export async function namedVessels(ctx: WorkCtx): Promise<readonly NamedVessel[]> {
  const { directory, names } = await currentNames(ctx);
  return directory.all().flatMap(({ imo }) => {
    const name = names.get(imo);
    return name === undefined ? [] : [{ imo, name }];
  });
}

/**
 * Saves all names and fleets, or nothing; a vessel that is listed twice gets its last name. Of the references of a file,
 * it returns those that have no room. Throws UserError too-many-names, too-many-references.
 */
export const saveNames = (
  vessels: readonly NamedVessel[],
  { source = { kind: 'typed' }, fleets = [], references = [], alongside, finish }: Additions,
  by: Change,
  ctx: WorkCtx,
): Promise<{ references: readonly ChangedReferences[]; leftOut: readonly LeftOut[] }> =>
  changeNames(by, ctx, async (transaction, record, note) => {
    const isFile = source.kind === 'file';
    const saved = [...new Map(vessels.map((vessel) => [vessel.imo, vessel])).values()];
    const changes = compareNames(await readNames(transaction, saved), saved);
    await writeNames(transaction, saved, by);
    const added = changes.filter(({ before }) => before === null).length;
    if (added > 0) await checkCount(transaction, { added, hasFleets: fleets.length > 0 });
    const options = { by, storesWhatFits: isFile };
    const { changed, leftOut } = await changeReferences(transaction, references, options);
    const more = await alongside?.(transaction);
    await note(savedNotes(changes, source, { names: saved.length, fleets, references: changed, more }));
    const filled = await addFleets(transaction, fleets, { by, record, recordsFleets: !isFile }, ctx);
    await finish?.(transaction, { names: changes, references: changed, fleets: [...filled.values()] });
    return { saved, references: changed, leftOut };
  });

/** What is promised of references, or no longer promised. */
interface PromiseChange {
  promised?: readonly NewPromise[];
  noLonger?: readonly Due[];
}

/** Throws UserError too-many-references, too-many-promises. A reference that goes takes its promises with it. */
export const saveReferences = (
  { promised = [], noLonger = [], ...given }: ReferenceChange & PromiseChange,
  by: Change,
  ctx: WorkCtx,
) =>
  changeNames(by, ctx, async (transaction, _, note) => {
    const { changed } = await changeReferences(transaction, [given], { by, storesWhatFits: false });
    const { imo } = given;
    const gone = changed.flatMap(({ removed }) => removed.map(referenceKey));
    const keys = new Set(noLonger.map((due) => identityOf({ imo, due })));
    const dropped = await dropPromises(
      transaction,
      imo,
      (promise) =>
        keys.has(identityOf({ imo, due: promise.due })) ||
        gone.includes(referenceKey(promise.due.reference ?? '')),
    );
    const { added, replaced } = await replacePromises(transaction, promised, {
      by,
      newId: ctx.services.newId,
    });
    const noted = { added, dropped: [...dropped, ...replaced] };
    await note([...referenceNotes(changed), ...promiseNotes(imo, noted, by.now)]);
    return { references: changed, dropped, added, replaced };
  });

/** Those of references, which no watch has of its own. */
async function dropPromises(
  transaction: WorkspaceStore,
  imo: Imo,
  isDropped: (promise: StoredPromise) => boolean,
): Promise<StoredPromise[]> {
  const stored = await readPromises(transaction, { imos: [imo] });
  const dropped = stored.filter((promise) => promise.watchId === null && isDropped(promise));
  await removePromises(
    transaction,
    dropped.map(({ id }) => id),
  );
  return dropped;
}

export const deleteNames = (forgotten: Imos, by: Change, ctx: WorkCtx) =>
  changeNames(by, ctx, async (transaction, _, note) => {
    const names = await transaction
      .deleteFrom('vessel_names')
      .where('imo', 'in', forgotten)
      .returning(['imo', 'name'])
      .execute();
    const before = { names: names.slice(0, maxNamesListed) };
    if (names.length > 0) await note([{ action: 'vessel.forget', subject: subjectOf(names), before }]);
    return { forgotten };
  });

/**
 * Takes these changes back in the caller's transaction, but for those of vessels that have been renamed or forgotten
 * since.
 */
export async function revertNames(
  transaction: WorkspaceStore,
  changes: readonly NameChange[],
  by: Change,
): Promise<{ saved: NamedVessel[]; forgotten: Imo[] }> {
  const named = changes.map(({ imo, after }) => ({ imo, name: after }));
  const current = await readNames(transaction, named);
  const unchanged = changes.filter(({ imo, after }) => current.get(imo) === after);
  const saved = unchanged.flatMap(({ imo, before }) => (before === null ? [] : [{ imo, name: before }]));
  const forgotten = unchanged.flatMap(({ imo, before }) => (before === null ? [imo] : []));
  await writeNames(transaction, saved, by);
  for (const imos of inChunks(forgotten))
    await transaction.deleteFrom('vessel_names').where('imo', 'in', imos).execute();
  return { saved, forgotten };
}

/** For all changes of what the directory holds. */
export async function changeNames<Done extends Changed>(
  { actorId, now: at }: Change,
  ctx: WorkCtx,
  work: (transaction: WorkspaceStore, record: RecordEntries, note: RecordNotes) => Promise<Done>,
): Promise<Done> {
  const { audited, newId } = ctx.services;
  const { revision, done } = await audited(async (transaction, record) => {
    const next = await incrementNamesRevision(transaction);
    const note: RecordNotes = (notes) =>
      record(...notes.map((each) => ({ id: newId(), at, actorId, ...each })));
    return { revision: next, done: await work(transaction, record, note) };
  });
  updateMemory(revision, done, ctx);
  return done;
}

/** Updates the names in memory with a change of this process, so that it need not read all names again. */
function updateMemory(
  revision: number,
  { saved = [], forgotten = [], references = [], portGroups }: Changed,
  ctx: WorkCtx,
): void {
  const { revisions, names } = memoryOf(ctx);
  revisions.invalidate(ctx.services.store.workspaceId);
  const change = (previous: Names): Names => {
    const changed = new Map(previous.names);
    for (const imo of forgotten) changed.delete(imo);
    for (const { imo, name } of saved) changed.set(imo, name);
    // A forgotten vessel gets its example name back.
    const exampleNames = exampleVessels.filter(({ imo }) => forgotten.includes(imo));
    const directory = previous.directory.withChanges({
      named: [...exampleNames, ...saved],
      forgotten,
      references: new Map(references.map(({ imo, after }) => [imo, after])),
      ...(portGroups && { portGroups }),
    });
    return { names: changed, directory };
  };
  const previous = names.peek(String(revision - 1));
  if (previous) names.set(String(revision), previous.then(change));
  // A workspace that was deleted counts from 0 again.
  else names.invalidate(String(revision));
}

async function loadNames(store: WorkspaceStore): Promise<Names> {
  const names = await readNames(store);
  const references = await readAllReferences(store);
  const named = [...names].map(([imo, name]) => ({ imo, name }));
  const directory = createVesselDirectory(
    [...exampleVessels, ...named],
    references,
    await readPortGroups(store),
    await readFleetNames(store),
  );
  return { names, directory };
}

/** The ports of each group; features/port-groups/ writes them. */
export async function readPortGroups(store: WorkspaceStore): Promise<GroupedPorts> {
  const rows = await store.selectFrom('port_groups').select(['name', 'ports']).execute();
  return new Map(rows.map(({ name, ports }) => [name, z.array(locode).parse(ports)]));
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
  { added, hasFleets }: { added: number; hasFleets: boolean },
): Promise<void> {
  const { total } = await store
    .selectFrom('vessel_names')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (total <= maxNames) return;
  const [most, before, more] = [maxNames, total - added, added].map((count) => count.toLocaleString('en'));
  throw new UserError({
    code: 'too-many-names',
    message: `A workspace can name at most ${most} vessels. It has named ${before}, and this would add ${more}. Nothing was saved${hasFleets ? ': neither names nor fleets' : ''}.`,
    hint: 'Forget names that nobody uses, or add fewer.',
    example: 'vessel list',
  });
}

/** The names that are new or different. */
function compareNames(before: ReadonlyMap<number, string>, vessels: readonly NamedVessel[]): NameChange[] {
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
    more = {},
  }: {
    names: number;
    fleets: readonly Fleet[];
    references: readonly ChangedReferences[];
    more: Record<string, unknown> | undefined;
  },
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
    ...more,
  };
  return [{ action: 'vessel.import', subject: source.fileName, after }];
}

function promiseNotes(
  imo: Imo,
  { added, dropped }: Record<'added' | 'dropped', readonly Pick<NewPromise, 'due'>[]>,
  now: Date,
): Note[] {
  const subject = `IMO ${imo}`;
  const listed = (promises: readonly Pick<NewPromise, 'due'>[]) => ({
    promises: promises.map(({ due }) => `${due.reference ?? ''} due ${dueText(due, now)}`.trim()),
  });
  return present<Note>(
    added.length > 0 && { action: 'promise.add', subject, after: listed(added) },
    dropped.length > 0 && { action: 'promise.remove', subject, before: listed(dropped) },
  );
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
