import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { subDays } from 'date-fns/subDays';
import { subHours } from 'date-fns/subHours';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { createYieldToEventLoop, deleteInBatches, inChunks } from '../../database/batches.ts';
import type { AllWorkspaces, WorkspaceStore } from '../../database/workspace-store.ts';
import { type FinishedCall, type Lead, readings } from '../../predictions/stability.ts';
import type { Imo } from '../../reference/codes.ts';
import { date, imo, locode } from '../../reference/prediction.ts';
import { readWatchedTimes, type WatchedTime, watchedAt } from '../history/index.ts';
import type { ScopeFilter } from '../owned/scope.ts';

/** More than a hundred busy vessels make in a year. */
const maxCalls = 10_000;

/**
 * Of these vessels, the newest first: all, unless there are very many. Only those that ended while watches that the
 * filter matches followed the vessel, and of each only what such a watch could know.
 */
export async function readFinishedCalls(
  store: WorkspaceStore,
  { imos, filter }: { imos: readonly Imo[]; filter: ScopeFilter },
): Promise<FinishedCall[]> {
  const subjects = imos.map((imo) => ({ kind: 'vessel', imo }) as const);
  const times = await readWatchedTimes(store, { subjects, filter });
  if (times.size === 0) return [];
  const lists = [...times.keys()].flatMap((key) => /^shiplist (.*)$/s.exec(key)?.[1] ?? []);
  const calls: StoredCall[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (const chunk of inChunks(imos)) {
    const rows = await store
      .selectFrom('finished_calls')
      .select(['imo', 'list', 'number', 'previous_port', 'port', 'last_eta', 'ended_at', 'readings'])
      .where('imo', 'in', chunk)
      .where('list', 'in', ['', ...lists])
      .orderBy('ended_at', 'desc')
      .orderBy('imo')
      .limit(maxCalls)
      .execute();
    for (const row of rows) {
      await yieldToEventLoop();
      // A newer version may have written readings that this one doesn't know.
      const { data } = storedCall.safeParse(row);
      if (data) calls.push(data);
    }
  }
  const seen = [...Map.groupBy(calls, ({ imo, list }) => `${imo} ${list}`).values()].flatMap((ofSource) => {
    const [{ imo, list } = { imo: undefined, list: '' }] = ofSource;
    const watched = times.get(list === '' ? `vessel ${imo}` : `shiplist ${list}`) ?? [];
    return ofSource.flatMap((call) => seenIn(call, ofSource, watched));
  });
  return withoutRepeats(seen).map(({ list: _, number: __, ...call }) => call);
}

/** A watch is polled at once. From that poll alone nobody knows that a call has ended. */
const firstPollMinutes = 30;

/** The call as somebody knows it who watched the vessel only at these times; empty if they can't know of it. */
function seenIn(
  call: StoredCall,
  ofSource: readonly StoredCall[],
  watched: readonly WatchedTime[],
): StoredCall[] {
  const time = watchedAt(watched, call.endedAt);
  if (!time || call.endedAt <= addMinutes(time.begin, firstPollMinutes)) return [];
  const before = ofSource.find(({ number }) => number === call.number - 1);
  const isBeforeKnown = before && before.endedAt > time.begin;
  const readingAt = (lead: Lead) => {
    const reading = call.readings[lead];
    // Earlier versions stored no time: it is at most that of the lead.
    const at = reading?.at ?? subHours(call.lastEta, lead);
    if (!reading || at < time.begin) return null;
    const { at: _, ...shown } = reading;
    return shown;
  };
  return [
    {
      ...call,
      previousPort: isBeforeKnown ? call.previousPort : null,
      readings: { 72: readingAt(72), 48: readingAt(48), 24: readingAt(24) },
    },
  ];
}

/** Another subject with the same vessel finds the same end at its next poll, which is at most a day later. */
const sameEndHours = 48;

/** A vessel that is watched alone and in lists counts once. The newest first. */
function withoutRepeats(calls: readonly StoredCall[]): StoredCall[] {
  const oldestFirst = calls.toSorted(
    (one, other) => one.endedAt.getTime() - other.endedAt.getTime() || (one.list < other.list ? -1 : 1),
  );
  const kept: StoredCall[] = [];
  const lastOf = new Map<Imo, StoredCall[]>();
  for (const call of oldestFirst) {
    const recent = (lastOf.get(call.imo) ?? []).filter(
      ({ endedAt }) => call.endedAt < addHours(endedAt, sameEndHours),
    );
    if (recent.some(({ port, list }) => port === call.port && list !== call.list)) continue;
    kept.push(call);
    lastOf.set(call.imo, [...recent, call]);
  }
  return kept.reverse();
}

const storedCall = z
  .object({
    imo,
    list: z.string(),
    number: z.number(),
    previous_port: locode.nullable(),
    port: locode,
    last_eta: date,
    ended_at: date,
    readings,
  })
  .transform(({ previous_port: previousPort, last_eta: lastEta, ended_at: endedAt, ...call }) => ({
    ...call,
    previousPort,
    lastEta,
    endedAt,
  }));
type StoredCall = z.infer<typeof storedCall>;

const minDays = 365;

/** They are stored for a year, or as long as the history if that is longer, and so are the times of the watches. */
export async function forgetFinishedCalls(
  db: AllWorkspaces,
  olderThan: Date,
  mayGoOn: () => boolean,
  now: Date,
): Promise<number> {
  const time = new Date(Math.min(olderThan.getTime(), subDays(now, minDays).getTime()));
  const isOlder = sql<SqlBool>`ended_at < ${time}`;
  await deleteInBatches(db, { work: 'retention', mayGoOn, table: 'watched_times', where: isOlder });
  return await deleteInBatches(db, { work: 'retention', mayGoOn, table: 'finished_calls', where: isOlder });
}
