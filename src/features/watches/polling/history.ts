import { type Kysely, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Prediction } from '../../../analytics/answers.ts';
import { deleteInBatches } from '../../../database/delete-in-batches.ts';
import { inChunks } from '../../../database/in-chunks.ts';
import type { Schema } from '../../../database/schema.ts';
import { valuesList } from '../../../database/values-list.ts';
import { createYieldToEventLoop } from '../../../database/yield-to-event-loop.ts';
import { date, imo, locode } from '../../../reference/stored-values.ts';
import type { Answer } from '../evaluation/snapshot.ts';
import { columnsKey, type Subject, toColumns } from '../store/subject.ts';
import type { Polled } from './next-poll.ts';

/** Writes one row per poll of a vessel or port. A poll of a list becomes one row per vessel that has predictions. */
export async function writeHistory(db: Kysely<Schema>, polls: readonly Polled[]): Promise<void> {
  const rows = polls.flatMap(({ row, snapshot }) => {
    if (snapshot.kind === 'failed') return [];
    const { at, scale } = snapshot;
    return bySubject(snapshot).map(({ subject, predictions }) => ({
      ...toColumns(subject),
      workspace_id: row.workspace_id,
      polled_at: at,
      predictions: JSON.stringify({ scale, records: predictions }),
    }));
  });
  for (const chunk of inChunks(rows)) {
    await db
      .insertInto('history')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'kind', 'key', 'polled_at']).doNothing())
      .execute();
  }
}

function bySubject(snapshot: Subject & Answer): { subject: Subject; predictions: readonly Prediction[] }[] {
  const { predictions } = snapshot;
  if (snapshot.kind !== 'shiplist') return [{ subject: snapshot, predictions }];
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  return [...byVessel].map(([imo, records]) => ({ subject: { kind: 'vessel', imo }, predictions: records }));
}

/** A list's history is that of its vessels. */
type StoredSubject = Exclude<Subject, { kind: 'shiplist' }>;

const storedPrediction = z.object({
  imo,
  port: locode,
  probability: z.number(),
  eta: z.exactOptional(date),
  etaZone: z.enum(['given', 'assumed-utc']),
});
const storedPredictions = z.object({
  scale: z.enum(['fraction', 'percent']),
  records: z.array(storedPrediction),
});

/** Returns what was predicted for a vessel or a port since `from`, oldest first. */
export async function readHistory<Of extends StoredSubject>(
  db: Kysely<Schema>,
  { workspaceId, subject, from }: { workspaceId: string; subject: Of; from: Date },
): Promise<(Of & Answer)[]> {
  const { kind, key } = toColumns(subject);
  const rows = await db
    .selectFrom('history')
    .select(['polled_at', 'predictions'])
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('polled_at', '>=', from)
    .orderBy('polled_at')
    .execute();
  return rows.map((row) => ({ ...subject, at: row.polled_at, ...readPredictions(row.predictions) }));
}

/**
 * For each vessel or port, by its key: the last answer at or before `at`, or else the first one after it. Leaves out
 * those that have no history.
 */
export async function readAnswersAt(
  db: Kysely<Schema>,
  { workspaceId, subjects, at }: { workspaceId: string; subjects: readonly StoredSubject[]; at: Date },
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const yieldToEventLoop = createYieldToEventLoop();
  for (const chunk of inChunks(subjects.map(toColumns))) {
    const wanted = chunk.map(({ kind, key }) => [kind, key]);
    const ofSubject = sql`workspace_id = ${workspaceId} and kind = column1 and key = column2`;
    const { rows } = await sql<{ kind: string; key: string; polled_at: Date; predictions: unknown }>`
      select kind, key, polled_at, predictions
      from (${valuesList(wanted, ['text', 'text'])}) as wanted cross join history
      where ${ofSubject} and polled_at = coalesce(
        (select max(polled_at) from history where ${ofSubject} and polled_at <= ${at}),
        (select min(polled_at) from history where ${ofSubject} and polled_at > ${at})
      )`.execute(db);
    for (const row of rows) {
      await yieldToEventLoop();
      answers.set(columnsKey(row), { at: row.polled_at, ...readPredictions(row.predictions) });
    }
  }
  return answers;
}

/** Reads the column `predictions` of the history. */
export function readPredictions(column: unknown): Pick<Answer, 'scale' | 'predictions'> {
  const { scale, records } = storedPredictions.parse(column);
  return { scale, predictions: records };
}

/** Deletes older history, alerts, and finished rows of the outbox. Returns how many polls it deleted. */
export async function forgetHistory(
  db: Kysely<Schema>,
  olderThan: Date,
  mayGoOn?: () => boolean,
): Promise<number> {
  const deletion = { work: 'retention', mayGoOn } as const;
  const isSettled = sql<SqlBool>`created_at < ${olderThan} and status in ('sent', 'merged', 'failed')`;
  await deleteInBatches(db, { ...deletion, table: 'outbox', where: isSettled });
  await deleteInBatches(db, { ...deletion, table: 'alerts', where: sql<SqlBool>`at < ${olderThan}` });
  const isOlder = sql<SqlBool>`polled_at < ${olderThan}`;
  return await deleteInBatches(db, { ...deletion, table: 'history', where: isOlder });
}
