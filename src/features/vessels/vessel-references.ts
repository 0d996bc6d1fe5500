import type { Kysely } from 'kysely';
import { z } from 'zod';
import { inChunks } from '../../database/in-chunks.ts';
import type { Schema } from '../../database/schema.ts';
import { UserError } from '../../errors.ts';
import { type References, referenceKey } from '../../grammar/reference-index.ts';
import { maxReferences } from '../../grammar/vessel-reference.ts';
import { type Imo, isImo } from '../../reference/imo.ts';
import type { Change, RecordEntries } from '../../workspaces/audit.ts';

/** References that a vessel gets, or loses. In what it gets, the first becomes the newest. */
export interface ReferenceChange {
  imo: Imo;
  added?: readonly string[];
  removed?: readonly string[];
}

/** The references of these vessels, or of all if `imos` is left out. */
export async function readReferences(
  db: Kysely<Schema>,
  workspaceId: string,
  imos?: readonly Imo[],
): Promise<References> {
  const query = db
    .selectFrom('vessel_references')
    .select(['imo', 'references'])
    .where('workspace_id', '=', workspaceId);
  const queries = imos ? inChunks(imos).map((chunk) => query.where('imo', 'in', chunk)) : [query];
  const stored = new Map<Imo, readonly string[]>();
  for (const chunk of queries) {
    for (const { imo, references } of await chunk.execute())
      if (isImo(imo)) stored.set(imo, z.array(z.string()).parse(references));
  }
  return stored;
}

/**
 * Changes the references of vessels in the caller's transaction, which holds the lock of the workspace's names. Throws
 * UserError too-many-references.
 */
export async function changeReferences(
  transaction: Kysely<Schema>,
  changes: readonly ReferenceChange[],
  { by, newId, record }: { by: Change; newId: () => string; record: RecordEntries },
): Promise<void> {
  if (changes.length === 0) return;
  const { workspaceId, actorId, now } = by;
  const before = await readReferences(
    transaction,
    workspaceId,
    changes.map(({ imo }) => imo),
  );
  const changed = changes.flatMap((change) => applied(change, before.get(change.imo) ?? []));
  for (const { imo, after } of changed) if (after.length > maxReferences) throw tooMany(imo, after.length);
  const update = { updated_at: now, updated_by: actorId };
  const emptied = changed.filter(({ after }) => after.length === 0).map(({ imo }) => imo);
  for (const imos of inChunks(emptied)) {
    await transaction
      .deleteFrom('vessel_references')
      .where('workspace_id', '=', workspaceId)
      .where('imo', 'in', imos)
      .execute();
  }
  const stored = changed.filter(({ after }) => after.length > 0);
  for (const chunk of inChunks(stored)) {
    await transaction
      .insertInto('vessel_references')
      .values(
        chunk.map(({ imo, after }) => ({
          workspace_id: workspaceId,
          imo,
          references: JSON.stringify(after),
          ...update,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'imo'])
          .doUpdateSet(({ ref }) => ({ references: ref('excluded.references'), ...update })),
      )
      .execute();
  }
  const entry = (action: string, imo: Imo) => ({
    ...{ id: newId(), at: now, ...by, action, subject: `IMO ${imo}` },
  });
  await record(
    ...changed.flatMap(({ imo, added, removed }) => [
      ...(added.length > 0 ? [{ ...entry('reference.add', imo), after: { references: added } }] : []),
      ...(removed.length > 0 ? [{ ...entry('reference.remove', imo), before: { references: removed } }] : []),
    ]),
  );
}

/** What a change does to the stored references; nothing if it changes none. */
function applied({ imo, added = [], removed = [] }: ReferenceChange, stored: readonly string[]) {
  const keys = new Set(stored.map(referenceKey));
  const gone = new Set(removed.map(referenceKey));
  const isNew = added.filter((reference) => !keys.has(referenceKey(reference)));
  const isRemoved = stored.filter((reference) => gone.has(referenceKey(reference)));
  if (isNew.length + isRemoved.length === 0) return [];
  const after = [...isNew, ...stored.filter((reference) => !isRemoved.includes(reference))];
  return [{ imo, added: isNew, removed: isRemoved, after }];
}

const tooMany = (imo: Imo, count: number): UserError =>
  new UserError({
    code: 'too-many-references',
    message: `A vessel can have at most ${maxReferences} references; IMO ${imo} would have ${count}. Nothing was saved.`,
    hint: 'Remove those of bookings that are done.',
    choices: [{ label: 'Show its references', line: `vessel ref ${imo}` }],
    example: `vessel ref ${imo}`,
  });
