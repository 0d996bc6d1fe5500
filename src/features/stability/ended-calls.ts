import { millisecondsInMinute } from 'date-fns/constants';
import { max } from 'date-fns/max';
import { subHours } from 'date-fns/subHours';
import { sql } from 'kysely';
import { createYieldToEventLoop, valuesList } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { followCalls, openCalls } from '../../predictions/calls.ts';
import { type Answer, rankProspects } from '../../predictions/next-port.ts';
import { type EndedCall, type Lead, leads, type Readings } from '../../predictions/stability.ts';
import { firstOfEachKey } from '../../reference/prediction.ts';
import {
  columnsKey,
  listedSource,
  readPredictions,
  type Subject,
  type SubjectColumns,
  slowestMinutes,
  toColumns,
} from '../history/index.ts';

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
