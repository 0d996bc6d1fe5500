import { type Kysely, sql } from 'kysely';
import type { Prediction } from '../../../analytics/answers.ts';
import { rankProspects } from '../../../analytics/rank-prospects.ts';
import type { Schema } from '../../../database/schema.ts';
import { type Imo, isImo } from '../../../reference/imo.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { WatchState } from '../evaluation/state.ts';
import { readPredictions } from '../polling/history.ts';
import { type Subject, toColumns } from './subject.ts';

/** What the service predicted for each vessel, likeliest port first. */
export type LatestAnswer = ReadonlyMap<Imo, readonly Prospect[]>;

interface Followed {
  credentialId: string;
  subject: Subject;
  state: WatchState | null;
  polledAt: Date | null;
}

/** Returns a lookup of each subject's answer at its last poll; null if the history no longer has it. */
export async function readLatestAnswers(
  db: Kysely<Schema>,
  followed: readonly Followed[],
): Promise<(following: Followed) => LatestAnswer | null> {
  const answers = await readAnswers(db, followed.flatMap(keysOf));
  return (following) => {
    const found = keysOf(following).flatMap((key) => answers.get(textOf(key)) ?? []);
    return found.length === 0 ? null : new Map(found.flatMap((answer) => [...answer]));
  };
}

/** The primary key of one answer in the history. */
interface HistoryKey {
  credential_id: string;
  kind: string;
  key: string;
  polled_at: Date;
}

/** The history holds a list's vessels as if each had been polled alone. */
function keysOf({ credentialId, subject, state, polledAt }: Followed): HistoryKey[] {
  if (!polledAt) return [];
  const common = { credential_id: credentialId, polled_at: polledAt };
  if (subject.kind !== 'shiplist') return [{ ...common, ...toColumns(subject) }];
  const vessels = state?.kind === 'vessels' ? Object.keys(state.vessels) : [];
  return vessels.map((key) => ({ ...common, kind: 'vessel', key }));
}

const textOf = ({ credential_id, kind, key, polled_at }: HistoryKey): string =>
  JSON.stringify([credential_id, kind, key, polled_at.getTime()]);

async function readAnswers(
  db: Kysely<Schema>,
  keys: readonly HistoryKey[],
): Promise<Map<string, LatestAnswer>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<HistoryKey & { predictions: unknown }>`
    select history.credential_id, history.kind, history.key, history.polled_at, history.predictions
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as wanted (
      credential_id text, kind text, key text, polled_at timestamptz
    ) join history using (credential_id, kind, key, polled_at)`.execute(db);
  return new Map(
    rows.map((row) => [textOf(row), answerOf(row, readPredictions(row.predictions).predictions)]),
  );
}

/** An empty answer about a vessel means that it has no predictions. */
function answerOf({ kind, key }: HistoryKey, predictions: readonly Prediction[]): LatestAnswer {
  const imo = Number(key);
  if (kind === 'vessel' && isImo(imo)) return new Map([[imo, rankProspects(predictions)]]);
  const byVessel = Map.groupBy(predictions, (prediction) => prediction.imo);
  return new Map([...byVessel].map(([vessel, records]) => [vessel, rankProspects(records)]));
}
