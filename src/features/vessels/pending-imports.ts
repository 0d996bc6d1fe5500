import { subDays } from 'date-fns/subDays';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { createYieldToEventLoop, deleteInBatches } from '../../database/batches.ts';
import type { AllWorkspaces, WorkspaceStore } from '../../database/workspace-store.ts';
import { parseJson, UserError } from '../../errors.ts';
import { date, imo, locode } from '../../reference/prediction.ts';
import type { Change } from '../../workspaces/audit.ts';
import type { AskCtx } from '../ctx.ts';
import { type SkipKind, skipReasons } from './import-rows.ts';

const vesselRow = z.object({
  imo,
  name: z.string().nullable(),
  fleets: z.array(z.string()).readonly(),
  references: z.array(z.string()).readonly(),
});
const promise = z.object({
  ...{ imo, port: locode, by: date },
  earliest: z.exactOptional(date),
  reference: z.exactOptional(z.string()),
});
const skippedRow = z.object({
  line: z.number(),
  kind: z.custom<SkipKind>((value) => typeof value === 'string' && value in skipReasons),
  detail: z.string(),
});
/** What depends on which number of a date is the month. */
const dated = z.object({
  promises: z.array(promise).readonly(),
  skippedRows: z.array(skippedRow).readonly(),
  usedRows: z.number(),
});
const content = z.object({
  /** The file's name, or other words for it. */
  source: z.string(),
  totalRows: z.number(),
  isEncodingGuessed: z.boolean(),
  ...dated.shape,
  monthFirst: z.exactOptional(dated),
});
const stored = content.extend({ vessels: z.array(z.unknown()) });

/** What was read of a file or of pasted cells. */
export type Importable = z.infer<typeof content> & { vessels: readonly z.infer<typeof vesselRow>[] };

const storedPromise = z.object({
  ...{ id: z.string(), imo, watchId: z.string().nullable(), ownerId: z.string(), channelId: z.string() },
  due: z.object({
    ...{ port: locode, at: date },
    earliest: z.exactOptional(date),
    minimum: z.exactOptional(z.number()),
    reference: z.exactOptional(z.string()),
  }),
});
const importUndo = z.object({
  source: z.string(),
  names: z.array(z.object({ imo, before: z.string().nullable(), after: z.string() })).readonly(),
  references: z.array(z.object({ imo, added: z.array(z.string()).readonly() })).readonly(),
  fleets: z.array(z.object({ name: z.string(), added: z.array(imo).readonly() })).readonly(),
  /** Those that were added, and those that they replaced. */
  promises: z.object({
    added: z.array(z.object({ id: z.string(), imo })).readonly(),
    replaced: z.array(storedPromise).readonly(),
  }),
});

/** What an import has added and replaced. */
export type ImportUndo = z.infer<typeof importUndo>;

const days = 1;
/** As many files as one message can have. The rows of a file are megabytes. */
const maxOfPerson = 5;

/** Stores what a person was shown, so that exactly that is imported, after a restart too. Returns its id. */
export async function storeImport(shown: Importable, { services, actor, now }: AskCtx): Promise<string> {
  const { store, newId } = services;
  const [id, at, userId] = [newId(), now(), actor.userId];
  await store.transaction(async (transaction) => {
    const row = { id, user_id: userId, content: JSON.stringify(shown), created_at: at, imported_at: null };
    await transaction.insertInto('imports', row).execute();
    const newest = transaction
      .selectFrom('imports')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(maxOfPerson);
    const kept = (await newest.execute()).map((each) => each.id);
    await transaction
      .deleteFrom('imports')
      .where('user_id', '=', userId)
      .where('id', 'not in', [id, ...kept])
      .execute();
  });
  return id;
}

/** Throws UserError if it isn't this person's, if it is imported already, or if it is too old. */
export async function getImport(id: string, { services, actor, now }: AskCtx): Promise<Importable> {
  const row = await services.store
    .selectFrom('imports')
    .select(['user_id', 'content', 'created_at', 'imported_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.created_at < subDays(now(), days)) throw tooOld();
  if (row.user_id !== actor.userId) throw notYours();
  if (row.imported_at !== null) throw alreadyImported();
  const { vessels, ...read } = stored.parse(parseJson(row.content));
  const yieldToEventLoop = createYieldToEventLoop();
  const rows: z.infer<typeof vesselRow>[] = [];
  for (const vessel of vessels) {
    await yieldToEventLoop();
    rows.push(vesselRow.parse(vessel));
  }
  return { ...read, vessels: rows };
}

/** Call in the transaction of the import. Throws UserError if another press was faster. */
export async function finishImport(store: WorkspaceStore, id: string, now: Date): Promise<void> {
  const done = await store
    .updateTable('imports')
    .set({ content: '', imported_at: now })
    .where('id', '=', id)
    .where('imported_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!done) throw alreadyImported();
}

/** Stores how to take an import back, in its transaction. */
export async function storeUndo(store: WorkspaceStore, id: string, undo: ImportUndo): Promise<void> {
  await store
    .updateTable('imports')
    .set({ content: JSON.stringify(importUndo.parse(undo)) })
    .where('id', '=', id)
    .execute();
}

/** Call in the transaction that takes it back: it can be taken once. Throws UserError. */
export async function takeUndo(
  store: WorkspaceStore,
  id: string,
  { actorId, now }: Change,
): Promise<ImportUndo> {
  const row = await store
    .selectFrom('imports')
    .select(['user_id', 'content', 'created_at'])
    .where('id', '=', id)
    .where('imported_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.content === '' || row.user_id !== actorId || row.created_at < subDays(now, days))
    throw noUndo();
  await store.updateTable('imports').set({ content: '' }).where('id', '=', id).execute();
  return importUndo.parse(parseJson(row.content));
}

/** Whatever `olderThan` is: nobody can import them after a day. */
export async function forgetImports(
  db: AllWorkspaces,
  _olderThan: Date,
  mayGoOn: () => boolean,
  now: Date,
): Promise<void> {
  const where = sql<SqlBool>`created_at < ${subDays(now, days)}`;
  await deleteInBatches(db, { work: 'retention', table: 'imports', where, mayGoOn });
}

const howToRepeat = { hint: 'Share the file or paste the cells again.', example: 'vessel import' };

const tooOld = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'What was read here can be imported for a day, and that is over. Nothing was changed.',
    ...howToRepeat,
  });

const notYours = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only the person who shared this can import it. Nothing was changed.',
    ...howToRepeat,
  });

const alreadyImported = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'This is imported already, so nothing more was changed.',
    hint: '/vessel list shows what is stored.',
    example: 'vessel list',
  });

const noUndo = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message:
      'This import is undone already, or more than a day old. Only the person who imported it can undo it. Nothing was changed.',
    hint: '/vessel list shows what is stored.',
    example: 'vessel list',
  });
