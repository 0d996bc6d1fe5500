import { type Kysely, sql } from 'kysely';
import type { Prediction } from '../../../analytics/answers.ts';
import type { Schema } from '../../../database/schema.ts';
import { isImo } from '../../../reference/imo.ts';
import { rankProspects } from '../evaluation/snapshot.ts';
import { readKept } from '../polling/history.ts';
import { toColumns } from './subject.ts';
import type { Following, LatestAnswer, WatchWithFollowings } from './watch-list.ts';

/** Of each following what the service said at its last answer, from the history; null where that is forgotten. */
export async function withLatestAnswers(
  db: Kysely<Schema>,
  watches: readonly WatchWithFollowings[],
): Promise<WatchWithFollowings[]> {
  const wanted = watches.flatMap(({ credentialId, followings }) =>
    followings.flatMap((following) => keysOf(following).map((key) => ({ credentialId, ...key }))),
  );
  const found = await readAnswers(db, wanted);
  return watches.map((watch) => ({
    ...watch,
    followings: watch.followings.map((following) => {
      const answers = keysOf(following).flatMap((key) => found.get(nameOf(watch, key)) ?? []);
      return { ...following, latest: answers.length === 0 ? null : merged(answers) };
    }),
  }));
}

interface Key {
  kind: string;
  key: string;
  at: Date;
}

/** A list's vessels stand in the history as if they had been asked alone. */
function keysOf({ subject, state, polledAt: at }: Following): Key[] {
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
