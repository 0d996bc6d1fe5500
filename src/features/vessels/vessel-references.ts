import { sql } from 'kysely';
import { z } from 'zod';
import { createYieldToEventLoop, inChunks } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { maxReferences, type References, referenceKey } from '../../grammar/vessel-directory.ts';
import { type Imo, isImo } from '../../reference/codes.ts';
import type { Change } from '../../workspaces/audit.ts';
import { formatReferences, formatReferencesChange } from './words.ts';

/** References that a vessel gets, or loses. In what it gets, the first becomes the newest. */
export interface ReferenceChange {
  imo: Imo;
  added?: readonly string[];
  removed?: readonly string[];
}

/** The vessels of a workspace that have references, and the references of all of them. */
interface ReferenceCount {
  vessels: number;
  references: number;
}

/** Every process holds them in memory for each of its workspaces. */
export const referenceLimits: ReferenceCount = { vessels: 5_000, references: 20_000 };

/** What a change has done. */
export interface ChangedReferences {
  imo: Imo;
  added: readonly string[];
  removed: readonly string[];
  /** All that the vessel has now, the newest first. */
  after: readonly string[];
}

/** References that have no room, and the limit that is reached. */
export interface LeftOut {
  imo: Imo;
  references: readonly string[];
  limit: 'vessel' | 'vessels' | 'references';
}

/** The vessels that one statement reads: SQLite holds up everything else meanwhile. */
const vesselsAtOnce = 1_500;

/** The references of the whole workspace. */
export async function readAllReferences(store: WorkspaceStore): Promise<References> {
  const stored = new Map<Imo, readonly string[]>();
  for (let last = 0; ; ) {
    const rows = await rowsOf(store).where('imo', '>', last).orderBy('imo').limit(vesselsAtOnce).execute();
    await addRows(stored, rows);
    if (rows.length < vesselsAtOnce) return stored;
    last = rows.at(-1)?.imo ?? 0;
  }
}

export async function readReferences(store: WorkspaceStore, imos: readonly Imo[]): Promise<References> {
  const stored = new Map<Imo, readonly string[]>();
  for (const chunk of inChunks(imos))
    await addRows(stored, await rowsOf(store).where('imo', 'in', chunk).execute());
  return stored;
}

const rowsOf = (store: WorkspaceStore) => store.selectFrom('vessel_references').select(['imo', 'references']);

async function addRows(
  stored: Map<Imo, readonly string[]>,
  rows: readonly { imo: number; references: unknown }[],
): Promise<void> {
  const yieldToEventLoop = createYieldToEventLoop();
  for (const { imo, references } of rows) {
    await yieldToEventLoop();
    if (isImo(imo)) stored.set(imo, z.array(z.string()).parse(references));
  }
}

/**
 * Changes the references of vessels in the caller's transaction, which holds the lock of the workspace's names, so that
 * nobody else adds any meanwhile. If there is no room for all, `storesWhatFits` decides between storing the others and
 * UserError too-many-references.
 */
export async function changeReferences(
  transaction: WorkspaceStore,
  changes: readonly ReferenceChange[],
  { by, storesWhatFits }: { by: Change; storesWhatFits: boolean },
): Promise<{ changed: ChangedReferences[]; leftOut: LeftOut[] }> {
  if (changes.length === 0) return { changed: [], leftOut: [] };
  const before = await readReferences(
    transaction,
    changes.map(({ imo }) => imo),
  );
  const count = await countReferences(transaction);
  const changed: ChangedReferences[] = [];
  const leftOut: LeftOut[] = [];
  for (const change of changes) {
    const stored = before.get(change.imo) ?? [];
    const { fits, tooMany } = splitByRoom(change, stored, count);
    if (tooMany && !storesWhatFits) throw noRoom(tooMany, { fits, count });
    if (tooMany) leftOut.push(tooMany);
    if (fits.added.length + fits.removed.length === 0) continue;
    changed.push(fits);
    count.references += fits.after.length - stored.length;
    count.vessels += Math.sign(fits.after.length) - Math.sign(stored.length);
  }
  await writeReferences(transaction, changed, by);
  return { changed, leftOut };
}

/** What of a change there is room for: a vessel's first references go before its others. */
function splitByRoom(
  { imo, added = [], removed = [] }: ReferenceChange,
  stored: readonly string[],
  count: ReferenceCount,
): { fits: ChangedReferences; tooMany?: LeftOut } {
  const gone = new Set(removed.map(referenceKey));
  const isRemoved = stored.filter((reference) => gone.has(referenceKey(reference)));
  const remaining = stored.filter((reference) => !gone.has(referenceKey(reference)));
  const keys = new Set(stored.map(referenceKey));
  const isNew = added.filter((reference) => {
    const key = referenceKey(reference);
    return !keys.has(key) && keys.add(key);
  });
  const isVesselNew = stored.length === 0;
  const rooms: Record<LeftOut['limit'], number> = {
    vessel: maxReferences - remaining.length,
    vessels: isVesselNew && count.vessels >= referenceLimits.vessels ? 0 : maxReferences,
    references: referenceLimits.references - count.references + isRemoved.length,
  };
  const room = Math.min(rooms.vessel, rooms.vessels, rooms.references);
  const limit = room === rooms.vessel ? 'vessel' : room === rooms.vessels ? 'vessels' : 'references';
  const fitting = isNew.slice(0, Math.max(0, room));
  const over = isNew.slice(fitting.length);
  return {
    fits: { imo, added: fitting, removed: isRemoved, after: [...fitting, ...remaining] },
    ...(over.length > 0 && { tooMany: { imo, references: over, limit } }),
  };
}

async function countReferences(store: WorkspaceStore): Promise<ReferenceCount> {
  // A reference has no quotation mark of its own, so JSON has two for each.
  const references = sql<number>`coalesce(sum(length("references") - length(replace("references", '"', ''))), 0)`;
  const { vessels, marks } = await store
    .selectFrom('vessel_references')
    .select(({ fn }) => [fn.countAll<number>().as('vessels'), references.as('marks')])
    .executeTakeFirstOrThrow();
  return { vessels: Number(vessels), references: Number(marks) / 2 };
}

async function writeReferences(
  transaction: WorkspaceStore,
  changed: readonly ChangedReferences[],
  { actorId, now }: Change,
): Promise<void> {
  const update = { updated_at: now, updated_by: actorId };
  const emptied = changed.filter(({ after }) => after.length === 0).map(({ imo }) => imo);
  for (const imos of inChunks(emptied)) {
    await transaction.deleteFrom('vessel_references').where('imo', 'in', imos).execute();
  }
  const stored = changed
    .filter(({ after }) => after.length > 0)
    .map(({ imo, after }) => ({ imo, references: JSON.stringify(after), ...update }));
  for (const rows of inChunks(stored)) {
    await transaction
      .insertInto('vessel_references', rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'imo'])
          .doUpdateSet(({ ref }) => ({ references: ref('excluded.references'), ...update })),
      )
      .execute();
  }
}

/** How to make room in a full workspace. */
export const howToMakeRoom =
  'To make room, remove those of bookings that are done, a vessel at a time: /vessel ref <vessel> forget. /vessel list shows who has some.';

const figure = (count: number): string => count.toLocaleString('en');

function noRoom(
  { imo, limit, references }: LeftOut,
  { fits, count }: { fits: ChangedReferences; count: ReferenceCount },
): UserError {
  const added = [...fits.added, ...references];
  if (limit === 'vessel') {
    return new UserError({
      code: 'too-many-references',
      message: `A vessel can have at most ${maxReferences} references; IMO ${imo} would have ${fits.after.length + references.length}. Nothing was saved.`,
      hint: 'Remove those of bookings that are done.',
      choices: [{ label: 'Show its references', line: formatReferences(imo) }],
      example: formatReferences(imo),
    });
  }
  const full =
    limit === 'vessels'
      ? `At most ${figure(referenceLimits.vessels)} vessels of a workspace can have references, and ${figure(count.vessels)} have some here.`
      : `A workspace can have at most ${figure(referenceLimits.references)} references, and there are ${figure(count.references)} here.`;
  return new UserError({
    code: 'too-many-references',
    message: `${full} Nothing was saved.`,
    hint: howToMakeRoom,
    choices: [
      { label: 'List the vessels', line: 'vessel list' },
      // What was typed isn't lost: the button adds it once there is room.
      {
        label: 'Try again',
        line: formatReferencesChange({ imo, change: 'add', references: added }),
      },
    ],
    example: 'vessel list',
  });
}
