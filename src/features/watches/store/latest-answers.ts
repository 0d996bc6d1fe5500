import { type Kysely, sql } from 'kysely';
import type { Prediction } from '../../../analytics/answers.ts';
import { rankProspects } from '../../../analytics/rank-prospects.ts';
import type { Schema } from '../../../database/schema.ts';
import { type Imo, isImo } from '../../../reference/imo.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { WatchState } from '../evaluation/state.ts';
import { readKept } from '../polling/history.ts';
import { type Subject, toColumns } from './subject.ts';

/** What the service said of each vessel, likeliest port first. */
export type LatestAnswer = ReadonlyMap<Imo, readonly Prospect[]>;

/** What a watch follows, as it was asked last. */
interface Followed {
  credentialId: string;
  subject: Subject;
  state: WatchState | null;
  polledAt: Date | null;
}

/** What the service said at the last answer about each of these, from the history; null where that is forgotten. */
export async function readLatestAnswers(
  db: Kysely<Schema>,
  followed: readonly Followed[],
): Promise<(one: Followed) => LatestAnswer | null> {
  const wanted = followed.flatMap((one) =>
    keysOf(one).map((key) => ({ credentialId: one.credentialId, ...key })),
  );
  const found = await readAnswers(db, wanted);
  return (one) => {
    const answers = keysOf(one).flatMap((key) => found.get(nameOf(one, key)) ?? []);
    return answers.length === 0 ? null : merged(answers);
  };
}

interface Key {
  kind: string;
  key: string;
  at: Date;
}

/** A list's vessels are in the history as if they had been asked alone. */
function keysOf({ subject, state, polledAt: at }: Followed): Key[] {
  if (!at) return [];
  if (subject.kind !== 'shiplist') return [{ ...toColumns(subject), at }];
  const vessels = state?.kind === 'vessels' ? Object.keys(state.vessels) : [];
  return vessels.map((key) => ({ kind: 'vessel', key, at }));
}

const nameOf = ({ credentialId }: { credentialId: string }, { kind, key, at }: Key): string =>
  JSON.stringify([credentialId, kind, key, at.getTime()]);

async function readAnswers(
  db: Kysely<Schema>,
  wanted: readonly (Key & { credentialId: string })[],
): Promise<Map<string, LatestAnswer>> {
  if (wanted.length === 0) return new Map();
  const rows = wanted.map(({ credentialId, kind, key, at }) => ({
    credential_id: credentialId,
    kind,
    key,
    polled_at: at,
  }));
  const { rows: found } = await sql<{
    credential_id: string;
    kind: string;
    key: string;
    polled_at: Date;
    predictions: unknown;
  }>`
    select history.credential_id, history.kind, history.key, history.polled_at, history.predictions
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as wanted (
      credential_id text, kind text, key text, polled_at timestamptz
    ) join history using (credential_id, kind, key, polled_at)`.execute(db);
  return new Map(
    found.map(({ credential_id: credentialId, kind, key, polled_at: at, predictions }) => [
      nameOf({ credentialId }, { kind, key, at }),
      answerIn(kind, key, readKept(predictions).predictions),
    ]),
  );
}

/** An empty answer about a vessel says that it has no predictions. */
function answerIn(kind: string, key: string, predictions: readonly Prediction[]): LatestAnswer {
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  const imo = Number(key);
  if (kind === 'vessel' && isImo(imo)) return new Map([[imo, rankProspects(predictions)]]);
  return new Map([...byVessel].map(([one, records]) => [one, rankProspects(records)]));
}

const merged = (answers: readonly LatestAnswer[]): LatestAnswer =>
  new Map(answers.flatMap((answer) => [...answer]));
