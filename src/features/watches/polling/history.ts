import { type Kysely, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Prediction } from '../../../analytics/answers.ts';
import { deleteInBatches } from '../../../database/delete-in-batches.ts';
import { inChunks } from '../../../database/in-chunks.ts';
import type { Schema } from '../../../database/schema.ts';
import { date, imo, locode } from '../../../reference/stored-values.ts';
import type { Answer } from '../evaluation/snapshot.ts';
import { type Subject, toColumns } from '../store/subject.ts';
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
export async function readHistory<Of extends Exclude<Subject, { kind: 'shiplist' }>>(
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

/** Reads the column `predictions` of the history. */
export function readPredictions(column: unknown): Pick<Answer, 'scale' | 'predictions'> {
  const { scale, records } = storedPredictions.parse(column);
  return { scale, predictions: records };
}

/** Deletes older history and older finished rows of the outbox. Returns how many polls it deleted. */
export async function forgetHistory(
  db: Kysely<Schema>,
  olderThan: Date,
  mayGoOn?: () => boolean,
): Promise<number> {
  const deletion = { work: 'retention', mayGoOn } as const;
  const isSettled = sql<SqlBool>`created_at < ${olderThan} and status in ('sent', 'merged', 'failed')`;
  await deleteInBatches(db, { ...deletion, table: 'outbox', where: isSettled });
  const isOlder = sql<SqlBool>`polled_at < ${olderThan}`;
  return await deleteInBatches(db, { ...deletion, table: 'history', where: isOlder });
}
