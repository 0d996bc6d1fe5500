import { addMilliseconds } from 'date-fns/addMilliseconds';
import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import { subMilliseconds } from 'date-fns/subMilliseconds';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Prediction } from '../../analytics/answers.ts';
import { createYieldToEventLoop, deleteInBatches, inChunks, valuesList } from '../../database/batches.ts';
import type { AllWorkspaces, WorkspaceStore } from '../../database/workspace-store.ts';
import type { Answer, Subject } from '../../predictions/next-port.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { date, imo, locode } from '../../reference/prediction.ts';
import type { ScopeFilter } from '../scope.ts';
import {
  columnsKey,
  readWatchedTimes,
  type SubjectColumns,
  subjectKey,
  toColumns,
  type WatchedTime,
  type WatchedTimes,
} from './subject.ts';

/** Each subject is polled at least once a day, even if that exceeds the budget. */
export const slowestMinutes = 24 * 60;

/** Of a vessel watched alone and in a list, the two polls are at most this far apart. */
export const lookBackHours = slowestMinutes / 60;

/** Writes one row per poll of a vessel or port. A poll of a list becomes one row per vessel that has predictions. */
export async function writeHistory(
  store: WorkspaceStore,
  polls: readonly (Subject & Answer)[],
): Promise<void> {
  const rows = polls.flatMap((poll) =>
    bySource(poll).map(({ source, predictions }) => ({
      ...source,
      polled_at: poll.at,
      predictions: JSON.stringify({ scale: poll.scale, records: predictions }),
    })),
  );
  for (const chunk of inChunks(rows)) {
    await store
      .insertInto('history', chunk)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'kind', 'key', 'polled_at']).doNothing())
      .execute();
  }
}

function bySource(poll: Subject & Answer): { source: SubjectColumns; predictions: readonly Prediction[] }[] {
  const { predictions } = poll;
  if (poll.kind !== 'shiplist') return [{ source: toColumns(poll), predictions }];
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  return [...byVessel].map(([imo, records]) => ({
    source: listedSource(imo, poll.name),
    predictions: records,
  }));
}

/** Where the history has a vessel as the polls of a list had it. */
export const listedSource = (imo: Imo, list: string): SubjectColumns => ({
  kind: 'listed',
  key: `${imo} ${list}`,
});

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

/**
 * What was predicted for a vessel or a port since `from`, oldest first, in the polls that the filter allows: those of the
 * vessel alone, and those of lists.
 */
export async function readHistory<Of extends StoredSubject>(
  store: WorkspaceStore,
  { subject, from, filter }: { subject: Of; from: Date; filter: ScopeFilter },
): Promise<(Of & Answer)[]> {
  const times = await readWatchedTimes(store, { subjects: [subject], filter });
  const polls: (Of & Answer)[] = [];
  for (const { source, watched } of sourcesOf(subject, times)) {
    for (const { begin, end } of watched) {
      let query = store
        .selectFrom('history')
        .select(['polled_at', 'predictions'])
        .where('kind', '=', source.kind)
        .where('key', '=', source.key)
        .where('polled_at', '>=', max([from, begin]));
      if (end) query = query.where('polled_at', '<', end);
      for (const { polled_at: at, predictions } of await query.orderBy('polled_at').execute())
        polls.push({ ...subject, at, ...readPredictions(predictions) });
    }
  }
  return polls.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** One place in the history, and when somebody watched it. */
interface WatchedSource {
  source: SubjectColumns;
  watched: readonly WatchedTime[];
}

/** Where the history has polls of the subject. */
const sourcesOf = (subject: StoredSubject, times: WatchedTimes): WatchedSource[] =>
  [...times].flatMap(([key, watched]) => {
    if (key === subjectKey(subject)) return [{ source: toColumns(subject), watched }];
    const list = /^shiplist (.*)$/s.exec(key)?.[1];
    if (list === undefined || subject.kind !== 'vessel') return [];
    return [{ source: listedSource(subject.imo, list), watched }];
  });

/** Of a time that has ended. */
const lastMoment = ({ end }: WatchedTime): Date[] => (end ? [subMilliseconds(end, 1)] : []);

/**
 * For each source, by its key: the last answer at or before `at`, or else the first one after it, of the times in which it
 * was watched. Leaves out those that have no history.
 */
export async function readAnswersAt(
  store: WorkspaceStore,
  { sources, at }: { sources: readonly WatchedSource[]; at: Date },
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const yieldToEventLoop = createYieldToEventLoop();
  const never = new Date(0);
  const wanted = sources.map(({ source: { kind, key }, watched }) => {
    const before = watched.findLast(({ begin }) => begin <= at);
    const after = watched.find(({ end }) => !end || end > at);
    const until = before ? min([at, ...lastMoment(before)]) : never;
    return [kind, key, before?.begin ?? at, until, after ? max([after.begin, at]) : null];
  });
  for (const chunk of inChunks(wanted)) {
    const ofSource = sql`${store.isOwn('history')} and kind = column1 and key = column2`;
    const { rows } = await sql<{ kind: string; key: string; polled_at: Date; predictions: unknown }>`
      select kind, key, polled_at, predictions
      from (${valuesList(chunk, ['text', 'text', 'bigint', 'bigint', 'bigint'])}) as wanted cross join history
      where ${ofSource} and polled_at = coalesce(
        (select max(polled_at) from history where ${ofSource} and polled_at between column3 and column4),
        (select min(polled_at) from history where ${ofSource} and polled_at >= column5)
      )`.execute(store);
    for (const row of rows) {
      await yieldToEventLoop();
      answers.set(columnsKey(row), { at: row.polled_at, ...readPredictions(row.predictions) });
    }
  }
  return answers;
}

/** The list of a large port takes tens of kilobytes. */
const rowsAtOnce = 4;

/** What was predicted for ports while watches that the filter matches followed them. */
export function portHistory({
  store,
  filter,
}: {
  store: WorkspaceStore;
  filter: () => Promise<ScopeFilter>;
}) {
  return {
    /**
     * For each of `times`, the time of the port's last poll at or before it and that of the first one after it, if they
     * are within `withinMs`. Reads only the index.
     */
    async findPolls(
      port: Locode,
      { times, withinMs }: { times: readonly Date[]; withinMs: number },
    ): Promise<Date[]> {
      if (times.length === 0) return [];
      const subject = { kind: 'port', port } as const;
      const all = await readWatchedTimes(store, { subjects: [subject], filter: await filter() });
      const watched = all.get(subjectKey(subject)) ?? [];
      const ofPort = sql`${store.isOwn('history')} and kind = 'port' and key = ${port}`;
      const wanted = times.flatMap((time) =>
        watched.map(({ begin, end }) => {
          const last = end ? [subMilliseconds(end, 1)] : [];
          return [
            ...[max([begin, subMilliseconds(time, withinMs)]), min([...last, time])],
            ...[max([begin, time]), min([...last, addMilliseconds(time, withinMs)])],
          ];
        }),
      );
      if (wanted.length === 0) return [];
      const { rows } = await sql<Record<'earlier' | 'later', number | string | null>>`
        select
          (select max(polled_at) from history where ${ofPort} and polled_at between column1 and column2) as earlier,
          (select min(polled_at) from history where ${ofPort} and polled_at between column3 and column4) as later
        from (${valuesList(wanted, ['bigint', 'bigint', 'bigint', 'bigint'])}) as wanted`.execute(store);
      // PostgreSQL gives its 64-bit integers as text.
      const found = rows.flatMap(({ earlier, later }) => [earlier, later].filter((time) => time !== null));
      return [...new Set(found.map(Number))].sort((one, other) => one - other).map((time) => new Date(time));
    },

    /** What the service answered in these polls, one after the other, oldest first. `times` are sorted. */
    async *readPolls(port: Locode, times: readonly Date[]): AsyncGenerator<Answer> {
      const yieldToEventLoop = createYieldToEventLoop();
      for (let at = 0; at < times.length; at += rowsAtOnce) {
        const rows = await store
          .selectFrom('history')
          .select(['polled_at', 'predictions'])
          .where('kind', '=', 'port')
          .where('key', '=', port)
          .where('polled_at', 'in', times.slice(at, at + rowsAtOnce))
          .orderBy('polled_at')
          .execute();
        for (const { polled_at, predictions } of rows) {
          await yieldToEventLoop();
          yield { at: polled_at, ...readPredictions(predictions) };
        }
      }
    },
  };
}

/** Reads the column `predictions` of the history. */
export function readPredictions(column: unknown): Pick<Answer, 'scale' | 'predictions'> {
  const { scale, records } = storedPredictions.parse(column);
  return { scale, predictions: records };
}

/** Deletes older history, alerts, and finished rows of the outbox. Returns how many polls it deleted. */
export async function forgetHistory(
  db: AllWorkspaces,
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
