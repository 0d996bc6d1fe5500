import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { millisecondsInMinute } from 'date-fns/constants';
import { max } from 'date-fns/max';
import { subDays } from 'date-fns/subDays';
import { subHours } from 'date-fns/subHours';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { createYieldToEventLoop, deleteInBatches, inChunks, valuesList } from '../../database/batches.ts';
import type { AllWorkspaces, WorkspaceStore } from '../../database/workspace-store.ts';
import { followCalls, openCalls } from '../../predictions/calls.ts';
import { type Answer, rankProspects, type Subject } from '../../predictions/next-port.ts';
import {
  type EndedCall,
  type FinishedCall,
  type Lead,
  leads,
  type Readings,
  readings,
} from '../../predictions/stability.ts';
import type { Imo } from '../../reference/codes.ts';
import { date, firstOfEachKey, imo, locode } from '../../reference/prediction.ts';
import {
  columnsKey,
  listedSource,
  readPredictions,
  readWatchedTimes,
  type SubjectColumns,
  slowestMinutes,
  toColumns,
  type WatchedTime,
  watchedAt,
} from '../history/index.ts';
import type { ScopeFilter } from '../scope.ts';

/** One poll of a subject: its row as it was before, and the answer. */
interface Poll {
  row: { id: string; open_calls: unknown };
  snapshot: (Subject & Answer) | { kind: 'failed' };
}

/**
 * Stores the calls that ended in these polls, whose history must be written. Returns the open calls to store with each
 * subject, by its id; nothing for a failed poll, or one of a port.
 */
export async function storeEndedCalls(
  store: WorkspaceStore,
  polls: readonly Poll[],
): Promise<Map<string, string>> {
  const { open, ended } = await findEndedCalls(polls);
  await writeFinishedCalls(store, ended);
  return open;
}

const stored = openCalls.nullable();

/** A poll that is due is made within this time, unless there is trouble. */
const lateMinutes = 30;
const maxPauseMs = (slowestMinutes + lateMinutes) * millisecondsInMinute;

async function findEndedCalls(
  polls: readonly Poll[],
): Promise<{ open: Map<string, string>; ended: EndedCall[] }> {
  const open = new Map<string, string>();
  const ended: EndedCall[] = [];
  // A list may have a thousand vessels.
  const yieldToEventLoop = createYieldToEventLoop();
  for (const { row, snapshot } of polls) {
    if (snapshot.kind === 'failed' || snapshot.kind === 'port') continue;
    await yieldToEventLoop();
    // A newer version may have written it otherwise: then the calls begin anew.
    const { data: before = null } = stored.safeParse(row.open_calls);
    const followed = followCalls(before, snapshot, { maxPauseMs });
    open.set(row.id, JSON.stringify(followed.open));
    const list = snapshot.kind === 'shiplist' ? snapshot.name : '';
    ended.push(...followed.ended.map((call) => ({ ...call, list })));
  }
  return { open, ended };
}

/** A reading is the last poll at or before its time, at most this much older: the longest interval between two polls. */
const maxReadingAgeHours = 6;

/** For a list apart from the vessel's own. */
export async function writeFinishedCalls(store: WorkspaceStore, ended: readonly EndedCall[]): Promise<void> {
  if (ended.length === 0) return;
  // In one order, so that two transactions don't wait for each other.
  const sorted = ended.toSorted(
    (one, other) => one.imo - other.imo || (one.list < other.list ? -1 : one.list > other.list ? 1 : 0),
  );
  const last = await readLast(store, sorted);
  const isStored = (call: EndedCall) => {
    const endedAt = last.get(keyOf(call))?.ended_at;
    return endedAt !== undefined && call.endedAt <= endedAt;
  };
  const calls = firstOfEachKey(
    sorted.filter((call) => !isStored(call)),
    keyOf,
  );
  if (calls.length === 0) return;
  const readings = await readReadings(store, calls);
  const rows = calls.map((call) => ({
    imo: call.imo,
    list: call.list,
    number: (last.get(keyOf(call))?.number ?? 0) + 1,
    previous_port: call.previousPort,
    port: call.port,
    last_eta: call.lastEta,
    ended_at: call.endedAt,
    readings: JSON.stringify(readings.get(columnsKey(sourceOf(call))) ?? noReadings),
  }));
  await store
    .insertInto('finished_calls', rows)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'imo', 'list', 'number']).doNothing())
    .execute();
}

const keyOf = ({ imo, list }: { imo: number; list: string }): string => `${imo} ${list}`;

/** Where the history has the polls that found it. */
const sourceOf = ({ imo, list }: EndedCall): SubjectColumns =>
  list === '' ? toColumns({ kind: 'vessel', imo }) : listedSource(imo, list);

/** The last call of each vessel, by list. */
async function readLast(store: WorkspaceStore, calls: readonly EndedCall[]) {
  const { rows } = await sql<{ imo: number; list: string; number: number; ended_at: Date }>`
    select imo, list, number, ended_at
    from (${valuesList(
      calls.map(({ imo, list }) => [imo, list]),
      ['integer', 'text'],
    )}) as wanted cross join finished_calls
    where ${store.isOwn('finished_calls')} and imo = column1 and list = column2 and number = (
      select max(number) from finished_calls
      where ${store.isOwn('finished_calls')} and imo = column1 and list = column2
    )`.execute(store);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

const noReadings: Readings = { 72: null, 48: null, 24: null };

async function readReadings(
  store: WorkspaceStore,
  calls: readonly EndedCall[],
): Promise<Map<string, Readings>> {
  const wanted = calls.flatMap((call) =>
    leads.map((lead) => {
      const at = subHours(call.lastEta, lead);
      const { kind, key } = sourceOf(call);
      return [kind, key, lead, at, max([call.since, subHours(at, maxReadingAgeHours)])] as const;
    }),
  );
  const ofSource = sql`${store.isOwn('history')} and kind = column1 and key = column2`;
  const { rows } = await sql<SubjectColumns & { lead: Lead; polled_at: Date; predictions: unknown }>`
    select kind, key, column3 as lead, polled_at, predictions
    from (${valuesList(wanted, ['text', 'text', 'integer', 'bigint', 'bigint'])}) as wanted cross join history
    where ${ofSource} and polled_at = (
      select max(polled_at) from history where ${ofSource} and polled_at <= column4 and polled_at >= column5
    )`.execute(store);
  const readings = new Map<string, Readings>();
  for (const { lead, polled_at: at, predictions, ...source } of rows) {
    const [top] = rankProspects(readPredictions(predictions).predictions);
    const key = columnsKey(source);
    readings.set(key, { ...(readings.get(key) ?? noReadings), [lead]: top ? { ...top, at } : null });
  }
  return readings;
}

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
