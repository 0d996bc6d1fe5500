import { max } from 'date-fns/max';
import { type Selectable, sql } from 'kysely';
import { capitalised } from '../../../answers/formatting/words.ts';
import { createYieldToEventLoop, inChunks, valuesList } from '../../../database/batches.ts';
import type { Schema } from '../../../database/schema.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import { rankByVessel, rankProspects } from '../../../predictions/next-port.ts';
import { type Imo, isImo, type Locode } from '../../../reference/codes.ts';
import { portLabel } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import {
  fromColumns,
  listedSource,
  readPredictions,
  type Subject,
  selectFollowed,
  subjectKey,
  toColumns,
} from '../../history/index.ts';
import { matchesScope, type ScopeFilter } from '../../owned/scope.ts';
import { isMet, type PortCondition } from '../../rules/evaluation/snapshot.ts';
import { imosIn, type WatchState, watchState } from '../../rules/evaluation/state.ts';
import { type AlertState, noAlerts, readAlertStates } from './open-alerts.ts';
import { readWatch, type Watch } from './watch.ts';

/** What the service predicted for each vessel, likeliest port first. */
type LatestAnswer = ReadonlyMap<Imo, readonly Prospect[]>;

/** One subject that a watch follows, and what is known of it. */
export interface FollowedSubject {
  subject: Subject;
  /** Null before the first answer. */
  state: WatchState | null;
  nextPollAt: Date;
  polledAt: Date | null;
  /** The answer at `polledAt`; null without `withLatest`, or if the history no longer has it. */
  latest: LatestAnswer | null;
  failingSince: Date | null;
}

export interface WatchWithSubjects extends Watch, AlertState {
  followedSubjects: FollowedSubject[];
  /** The fleet no longer exists, so the watch keeps its last vessels. */
  isFleetGone: boolean;
}

export interface WatchFilter extends ScopeFilter {
  subject?: Subject;
  /** The key of a fleet. */
  fleet?: string;
  cardTs?: string;
  ids?: readonly string[];
}

export interface WatchPageOptions {
  limit: number;
  offset?: number;
  /** Also reads the service's latest answers. */
  withLatest?: boolean;
}

/** Oldest first; `total` counts the matches of all pages. */
export async function listWatches(
  store: WorkspaceStore,
  filter: WatchFilter,
  { limit, offset = 0, withLatest = false }: WatchPageOptions,
): Promise<{ watches: WatchWithSubjects[]; total: number }> {
  const { subject, fleet, cardTs, ids, ...scope } = filter;
  let query = store.selectFrom('watches').where(matchesScope(scope));
  if (cardTs !== undefined) query = query.where('card_ts', '=', cardTs);
  if (fleet !== undefined) query = query.where('fleet', '=', fleet);
  // SQL has no empty list.
  if (ids !== undefined) query = query.where('watches.id', 'in', ['', ...ids]);
  if (subject !== undefined) query = query.where('watches.id', 'in', followersOf(store, subject));
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy('created_at')
    .orderBy('watches.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const watches = await withSubjects(store, rows.map(readWatch));
  return { watches: withLatest ? await withAnswers(store, watches) : watches, total };
}

function followersOf(store: WorkspaceStore, subject: Subject) {
  const { kind, key } = toColumns(subject);
  return selectFollowed(store)
    .select('followings.watch_id')
    .where('subjects.kind', '=', kind)
    .where('subjects.key', '=', key);
}

async function withSubjects(store: WorkspaceStore, watches: readonly Watch[]): Promise<WatchWithSubjects[]> {
  if (watches.length === 0) return [];
  const ids = watches.map(({ id }) => id);
  const [times, on] = store.join('watched_times', 'watched_times.watch_id', 'followings.watch_id');
  const rows = await selectFollowed(store)
    .leftJoin(times, (join) =>
      on(join)
        .onRef('watched_times.kind', '=', 'subjects.kind')
        .onRef('watched_times.key', '=', 'subjects.key')
        .on('ended_at', 'is', null),
    )
    .select(['followings.watch_id', 'state', 'subjects.kind', 'subjects.key', 'due_at'])
    .select(['polled_at', 'failing_since', 'begun_at'])
    .where('followings.watch_id', 'in', ids)
    .orderBy('subjects.kind')
    .orderBy('subjects.key')
    .execute();
  const alerts = await readAlertStates(store, ids);
  const byWatch = Map.groupBy(rows, (row) => row.watch_id);
  const fleets = await existingFleets(store, watches);
  // Hundreds of watches take a while to read.
  const yieldToEventLoop = createYieldToEventLoop();
  const read: WatchWithSubjects[] = [];
  for (const watch of watches) {
    await yieldToEventLoop();
    const followedSubjects = (byWatch.get(watch.id) ?? []).flatMap(readFollowed);
    const isFleetGone = watch.fleet !== null && !fleets.has(watch.fleet);
    read.push({ ...watch, ...(alerts.get(watch.id) ?? noAlerts), followedSubjects, isFleetGone });
  }
  return read;
}

async function existingFleets(store: WorkspaceStore, watches: readonly Watch[]): Promise<Set<string>> {
  const keys = [...new Set(watches.flatMap(({ fleet }) => fleet ?? []))];
  if (keys.length === 0) return new Set();
  const rows = await store.selectFrom('fleets').select('key').where('key', 'in', keys).execute();
  return new Set(rows.map(({ key }) => key));
}

function readFollowed(
  row: Pick<Selectable<Schema['followings']>, 'state'> &
    Pick<Selectable<Schema['subjects']>, 'kind' | 'key' | 'due_at' | 'polled_at' | 'failing_since'> & {
      begun_at: Date | null;
    },
): FollowedSubject[] {
  const subject = fromColumns(row);
  if (!subject) return [];
  // A state that can't be read counts as none, so the list still works; polls log the error.
  const state = watchState.nullable().safeParse(row.state).data ?? null;
  const { due_at: nextPollAt, polled_at, failing_since, begun_at } = row;
  // What was polled before the watch began, or in a pause, was polled for another watch, which may be private.
  const isOwnPoll = polled_at && begun_at && polled_at >= begun_at;
  const polledAt = isOwnPoll ? polled_at : (state?.snapshotAt ?? null);
  const failingSince = failing_since && begun_at && max([failing_since, begun_at]);
  return [{ subject, state, nextPollAt, polledAt, latest: null, failingSince }];
}

/** The key of one answer in the history. */
interface HistoryKey {
  kind: string;
  key: string;
  polled_at: Date;
}

async function withAnswers(
  store: WorkspaceStore,
  watches: readonly WatchWithSubjects[],
): Promise<WatchWithSubjects[]> {
  const keys = watches.flatMap(({ followedSubjects }) => followedSubjects.flatMap(historyKeysOf));
  const answers = await readAnswers(store, keys);
  return watches.map(({ followedSubjects, ...watch }) => ({
    ...watch,
    followedSubjects: followedSubjects.map((followed) => {
      const own = historyKeysOf(followed);
      const found = own.flatMap((key) => {
        const answer = answers.get(keyText(key));
        return answer ? narrowAnswer(answer, watch.condition) : [];
      });
      const latest = found.length === 0 ? null : new Map(found.flatMap((answer) => [...answer]));
      return { ...followed, latest };
    }),
  }));
}

/** The history holds a list's vessels as if each had been polled alone. */
function historyKeysOf({ subject, state, polledAt }: FollowedSubject): HistoryKey[] {
  if (!polledAt) return [];
  const common = { polled_at: polledAt };
  if (subject.kind !== 'shiplist') return [{ ...common, ...toColumns(subject) }];
  return imosIn(state).map((imo) => ({ ...common, ...listedSource(imo, subject.name) }));
}

const keyText = ({ kind, key, polled_at }: HistoryKey): string =>
  JSON.stringify([kind, key, polled_at.getTime()]);

async function readAnswers(
  store: WorkspaceStore,
  keys: readonly HistoryKey[],
): Promise<Map<string, LatestAnswer>> {
  if (keys.length === 0) return new Map();
  const answers = new Map<string, LatestAnswer>();
  const yieldToEventLoop = createYieldToEventLoop();
  for (const chunk of inChunks(keys)) {
    const wanted = chunk.map(({ kind, key, polled_at }) => [kind, key, polled_at]);
    const { rows } = await sql<HistoryKey & { predictions: unknown }>`
      select kind, key, polled_at, predictions
      from (${valuesList(wanted, ['text', 'text', 'bigint'])}) as wanted cross join history
      where ${store.isOwn('history')} and kind = column1 and key = column2 and polled_at = column3
    `.execute(store);
    for (const row of rows) {
      await yieldToEventLoop();
      answers.set(keyText(row), readAnswer(row));
    }
  }
  return answers;
}

/** A condition is about the calls of its vessels at its port. */
function narrowAnswer(answer: LatestAnswer, condition: PortCondition | null): LatestAnswer {
  if (!condition) return answer;
  const calls = [...answer].map(([imo, ranked]) => {
    return [imo, ranked.filter(({ port }) => isMet(condition, { imo, port }))] as const;
  });
  return new Map(calls.filter(([, ranked]) => ranked.length > 0));
}

function readAnswer({ kind, key, predictions: column }: HistoryKey & { predictions: unknown }): LatestAnswer {
  const { predictions } = readPredictions(column);
  const imo = Number(key);
  // The vessel is in the map even if the answer is empty, which means that there are no predictions.
  if (kind === 'vessel' && isImo(imo)) return new Map([[imo, rankProspects(predictions)]]);
  return rankByVessel(predictions);
}

export const subjectsOf = ({ followedSubjects }: WatchWithSubjects): Subject[] =>
  followedSubjects.map(({ subject }) => subject);

/** The vessels that are followed one by one, without those of a list or port. */
export const vesselSubjects = (followedSubjects: readonly FollowedSubject[]): Imo[] =>
  followedSubjects.flatMap(({ subject }) => (subject.kind === 'vessel' ? [subject.imo] : []));

/** What the watch is about. */
export const targetOf = (watch: WatchWithSubjects): WatchTarget => {
  const { fleet, condition } = watch;
  return { fleet, condition, subjects: subjectsOf(watch) };
};

/** The port whose expected vessels the watch is about. A port is the only subject of its watch. */
export function watchedPort({ condition, subjects: [subject] }: WatchTarget): Locode | undefined {
  if (condition) return condition.port;
  return subject?.kind === 'port' ? subject.port : undefined;
}

export const isOfPort = (watch: WatchWithSubjects): boolean => watchedPort(targetOf(watch)) !== undefined;

export const isOfOneVessel = (watch: WatchWithSubjects): boolean =>
  watch.followedSubjects.length === 1 && vesselSubjects(watch.followedSubjects).length === 1;

/** All followed vessels, including those of lists and ports at the last notification. */
export function vesselsIn(followedSubjects: readonly FollowedSubject[]): Imo[] {
  const imos = followedSubjects.flatMap(({ subject, state }) => {
    if (subject.kind === 'vessel') return [subject.imo];
    return state?.kind === 'port' ? (state.expected ?? []).map(({ imo }) => imo) : imosIn(state);
  });
  return [...new Set(imos)];
}

type Names = Pick<VesselDirectory, 'nameOf'>;

const maxNamed = 3;

/** `DS CYPRESS`; `DS CYPRESS, MSC DIANA, IMO 9811000 and 2 more`. */
export function vesselsTitle(imos: readonly Imo[], { nameOf }: Names): string {
  const named = imos.map((imo) => nameOf(imo) ?? `IMO ${imo}`);
  const rest = named.length - maxNamed;
  return rest > 0 ? `${named.slice(0, maxNamed).join(', ')} and ${rest} more` : named.join(', ');
}

/** `fleet NORTH at Rotterdam (NLRTM)`. */
export const withPort = (title: string, port: Locode | undefined): string =>
  port === undefined ? title : `${title} at ${portLabel(port)}`;

/** A title that begins a line: `Fleet NORTH`. Names of vessels stay as they are. */
export const titleAtStart = (title: string): string => title.replace(/^(?:fleet|list|port) /, capitalised);

/** Titles a watch by the current names of its vessels; a fleet, list or port keeps the name that was typed. */
export function withTitle(watch: WatchWithSubjects, names: Names): WatchWithSubjects {
  const { fleet, condition, followedSubjects } = watch;
  const imos = condition?.imos ?? vesselSubjects(followedSubjects);
  if (imos.length === 0 || fleet !== null) return watch;
  return { ...watch, title: withPort(vesselsTitle(imos, names), condition?.port) };
}

/** What a watch is about. `subjects` are those to poll: of a condition its port, or its list. */
export interface WatchTarget extends Pick<Watch, 'fleet' | 'condition'> {
  subjects: readonly Subject[];
}

/** Equal for watches of the same. A fleet is the same whatever its vessels. */
export function targetKey({ fleet, condition, subjects }: WatchTarget): string {
  const vessels =
    condition?.imos?.map((imo) => subjectKey({ kind: 'vessel', imo })) ?? subjects.map(subjectKey);
  const watched = fleet === null ? [...new Set(vessels)].sort() : [`fleet ${fleet}`];
  return JSON.stringify([...watched, ...(condition ? [`at ${condition.port}`] : [])]);
}
