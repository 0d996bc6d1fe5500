import { max } from 'date-fns/max';
import { type Selectable, sql } from 'kysely';
import { createYieldToEventLoop, inChunks, valuesList } from '../../database/batches.ts';
import type { Schema } from '../../database/schema.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { rankByVessel, rankProspects, type Subject } from '../../predictions/next-port.ts';
import { groupOf, type Imo, isImo, type Locode, type PortOrGroup } from '../../reference/codes.ts';
import { canonicalPort } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { type AlertState, noAlerts, readAlertStates, readableAlerts } from '../alerts/index.ts';
import { type AskCtx, actorIn, type WorkCtx } from '../ctx.ts';
import {
  fromColumns,
  listedSource,
  readPredictions,
  type SubjectColumns,
  selectFollowed,
  subjectKey,
  toColumns,
} from '../history/index.ts';
import { readPromises } from '../promises/index.ts';
import {
  imosIn,
  isMet,
  type PortCondition,
  type WatchEvent,
  type WatchState,
  watchState,
} from '../rules/index.ts';
import { filterByScope, matchesScope, type Scope, type ScopeFilter } from '../scope.ts';
import { type Names, readWatch, vesselsTitle, type Watch, withPort, withPromises } from './watch.ts';

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
  /** The same of its group of ports. */
  isPortGroupGone: boolean;
}

interface WatchFilter extends ScopeFilter {
  subject?: Subject;
  /** The key of a fleet. */
  fleet?: string;
  portGroup?: string;
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
  const { subject, fleet, portGroup, cardTs, ids, ...scope } = filter;
  let query = store.selectFrom('watches').where(matchesScope(scope));
  if (cardTs !== undefined) query = query.where('card_ts', '=', cardTs);
  if (fleet !== undefined) query = query.where('fleet', '=', fleet);
  if (portGroup !== undefined) query = query.where('port_group', '=', portGroup);
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
  const portGroups = await existingPortGroups(store, watches);
  // Hundreds of watches take a while to read.
  const yieldToEventLoop = createYieldToEventLoop();
  const subjectsByWatch = new Map([...byWatch].map(([id, own]) => [id, own.flatMap(readFollowed)]));
  const promises = await readPromises(store, { imos: vesselsIn([...subjectsByWatch.values()].flat()) });
  const byVessel = Map.groupBy(promises, ({ imo }) => imo);
  const read: WatchWithSubjects[] = [];
  for (const bare of watches) {
    await yieldToEventLoop();
    const followedSubjects = subjectsByWatch.get(bare.id) ?? [];
    const imos = new Set(vesselsIn(followedSubjects));
    const watch = withPromises(
      bare,
      imos,
      [...imos].flatMap((imo) => byVessel.get(imo) ?? []),
    );
    const isFleetGone = watch.fleet !== null && !fleets.has(watch.fleet);
    const isPortGroupGone = watch.portGroup !== null && !portGroups.has(watch.portGroup);
    const gone = { isFleetGone, isPortGroupGone };
    read.push({ ...watch, ...(alerts.get(watch.id) ?? noAlerts), followedSubjects, ...gone });
  }
  return read;
}

async function existingFleets(store: WorkspaceStore, watches: readonly Watch[]): Promise<Set<string>> {
  const keys = [...new Set(watches.flatMap(({ fleet }) => fleet ?? []))];
  if (keys.length === 0) return new Set();
  const rows = await store.selectFrom('fleets').select('key').where('key', 'in', keys).execute();
  return new Set(rows.map(({ key }) => key));
}

async function existingPortGroups(store: WorkspaceStore, watches: readonly Watch[]): Promise<Set<string>> {
  const names = [...new Set(watches.flatMap(({ portGroup }) => portGroup ?? []))];
  if (names.length === 0) return new Set();
  const rows = await store.selectFrom('port_groups').select('name').where('name', 'in', names).execute();
  return new Set(rows.map(({ name }) => name));
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

const historyKeysOf = (followed: FollowedSubject): HistoryKey[] =>
  sourcesOf(followed).flatMap(({ source }) =>
    followed.polledAt ? { ...source, polled_at: followed.polledAt } : [],
  );

/** Where the history has the answers. It holds a list's vessels as if each had been polled alone. */
export function sourcesOf({
  subject,
  state,
}: FollowedSubject): { of: Imo | Locode; source: SubjectColumns }[] {
  switch (subject.kind) {
    case 'shiplist':
      return imosIn(state).map((imo) => ({ of: imo, source: listedSource(imo, subject.name) }));
    case 'vessel':
      return [{ of: subject.imo, source: toColumns(subject) }];
    case 'port':
      return [{ of: subject.port, source: toColumns(subject) }];
  }
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

/** An event of an alert that was sent. */
export interface SentEvent {
  watchId: string;
  /** When Slack took it. */
  at: Date;
  event: WatchEvent;
}

/** More than a busy channel is notified of in a week. */
const maxAlerts = 2_000;

/** What these watches have notified of since then, oldest first: the newest, if it is very much. */
export async function eventsSent(
  store: WorkspaceStore,
  watches: readonly Watch[],
  since: Date,
): Promise<SentEvent[]> {
  const rows = await store
    .selectFrom('alerts')
    .selectAll()
    // SQL has no empty list.
    .where('watch_id', 'in', ['', ...watches.map(({ id }) => id)])
    .where('notified_at', '>', since)
    .orderBy('notified_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxAlerts)
    .execute();
  const yieldToEventLoop = createYieldToEventLoop();
  const sent: SentEvent[] = [];
  for (const row of rows.toReversed()) {
    await yieldToEventLoop();
    for (const { watchId, notifiedAt: at, events } of readableAlerts([row]))
      if (at) sent.push(...events.map((event) => ({ watchId, at, event })));
  }
  return sent;
}

const subjectsOf = ({ followedSubjects }: WatchWithSubjects): Subject[] =>
  followedSubjects.map(({ subject }) => subject);

/** The vessels that are followed one by one, without those of a list or port. */
export const vesselSubjects = (followedSubjects: readonly FollowedSubject[]): Imo[] =>
  followedSubjects.flatMap(({ subject }) => (subject.kind === 'vessel' ? [subject.imo] : []));

/** What the watch is about. */
export const targetOf = (watch: WatchWithSubjects): WatchTarget => {
  const { fleet, portGroup, condition } = watch;
  return { fleet, portGroup, condition, subjects: subjectsOf(watch) };
};

/** The port, or the group of ports, whose expected vessels the watch is about. Other subjects don't stand beside a port. */
export function watchedPort({
  portGroup,
  condition,
  subjects: [subject],
}: WatchTarget): PortOrGroup | undefined {
  if (portGroup !== null) return groupOf(portGroup);
  if (condition?.port) return condition.port;
  return subject?.kind === 'port' ? subject.port : undefined;
}

export const isOfPort = (watch: WatchWithSubjects): boolean => watchedPort(targetOf(watch)) !== undefined;

/** The ports that it asks the service about; empty if the watch isn't about ports. */
export const portSubjects = (followedSubjects: readonly FollowedSubject[]): Locode[] =>
  followedSubjects.flatMap(({ subject }) => (subject.kind === 'port' ? [subject.port] : []));

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

/** Titles a watch by the current names of its vessels; a fleet, list or port keeps the name that was typed. */
export function withTitle(watch: WatchWithSubjects, names: Names): WatchWithSubjects {
  const { fleet, condition, followedSubjects } = watch;
  const imos = condition?.imos ?? vesselSubjects(followedSubjects);
  if (imos.length === 0 || fleet !== null) return watch;
  const at = condition ? watchedPort(targetOf(watch)) : undefined;
  return { ...watch, title: withPort(vesselsTitle(imos, names), at) };
}

/** What a watch is about. `subjects` are those to poll: of a condition its port, or its list. */
export interface WatchTarget extends Pick<Watch, 'fleet' | 'portGroup' | 'condition'> {
  subjects: readonly Subject[];
}

/** Equal for watches of the same. A fleet is the same whatever its vessels, and a group whatever its ports. */
function targetKey(target: WatchTarget): string {
  const { fleet, portGroup, condition, subjects } = target;
  const vessels =
    condition?.imos?.map((imo) => subjectKey({ kind: 'vessel', imo })) ??
    (portGroup === null ? subjects.map(subjectKey) : []);
  const watched = fleet === null ? [...new Set(vessels)].sort() : [`fleet ${fleet}`];
  return JSON.stringify([
    ...watched,
    ...(condition || portGroup !== null ? [`at ${watchedPort(target)}`] : []),
  ]);
}

/** With the names of the vessels. */
interface FindCtx {
  services: Pick<AskCtx['services'], 'store'>;
  vessels: Pick<AskCtx['vessels'], 'nameOf'>;
}

/** One page, longer than any channel's list of watches. */
const singlePage = { limit: 10_000 };

/** As `listWatches`, with titles that use the vessels' current names. */
export async function findWatches(
  filter: WatchFilter,
  { services, vessels }: FindCtx,
  page: WatchPageOptions = singlePage,
): Promise<{ watches: WatchWithSubjects[]; total: number }> {
  const { watches, total } = await listWatches(services.store, filter, page);
  return { watches: watches.map((watch) => withTitle(watch, vessels)), total };
}

/** The watch, with the service's latest answers, which its card shows. */
export const findWatch = async (id: string, ctx: FindCtx): Promise<WatchWithSubjects | undefined> =>
  (await findWatches({ ids: [id] }, ctx, { limit: 1, withLatest: true })).watches[0];

/** The watches in a scope of the person, oldest first; `total` counts those of all pages. */
export async function findInScope(scope: Scope, ctx: AskCtx, page?: WatchPageOptions) {
  const filter = await filterByScope(scope, actorIn(ctx), ctx.services.access);
  return await findWatches(filter, ctx, page);
}

/** The watch with this thread under its card. */
export const findByCard = async (
  { channelId, threadTs: cardTs }: { channelId: string; threadTs: string },
  ctx: FindCtx,
): Promise<WatchWithSubjects | undefined> => (await findWatches({ channelId, cardTs }, ctx)).watches[0];

/** The watches of a channel that are about exactly this. */
export async function findByTarget(
  channelId: string,
  target: WatchTarget,
  ctx: FindCtx,
): Promise<WatchWithSubjects[]> {
  const { fleet, portGroup, subjects } = target;
  const [subject] = subjects;
  const named = fleet === null ? portGroup !== null && { portGroup } : { fleet };
  const followed = named || (subject && { subject });
  if (!followed) return [];
  const { watches } = await findWatches({ channelId, ...followed }, ctx);
  return watches.filter((watch) => targetKey(targetOf(watch)) === targetKey(target));
}

/** Another watch of the channel, and the vessels or ports that it follows as well. */
export interface Overlap {
  title: string;
  imos: readonly Imo[];
  ports: readonly Locode[];
}

/** Other watches of the channel than that of the same. */
export async function findOverlaps(
  target: WatchTarget & { channelId: string },
  imos: ReadonlySet<Imo>,
  ctx: FindCtx,
): Promise<Overlap[]> {
  const ports = new Set(wholePorts(target.condition, target.subjects));
  if (imos.size + ports.size === 0) return [];
  const { channelId } = target;
  const { watches } = await findWatches({ channelId }, ctx);
  const existing = watches.find((watch) => targetKey(targetOf(watch)) === targetKey(target));
  return watches
    .filter(({ id, status }) => status !== 'ended' && id !== existing?.id)
    .map((watch) => ({
      title: watch.title,
      imos: watchedVessels(watch).filter((imo) => imos.has(imo)),
      ports: wholePorts(
        watch.condition,
        watch.followedSubjects.map(({ subject }) => subject),
      ).filter((port) => ports.has(port)),
    }))
    .filter((overlap) => overlap.imos.length + overlap.ports.length > 0);
}

/** None for a watch of some vessels there. Another code of the same port is the same. */
const wholePorts = (condition: PortCondition | null, subjects: readonly Subject[]): Locode[] =>
  condition
    ? []
    : subjects.flatMap((subject) => (subject.kind === 'port' ? canonicalPort(subject.port) : []));

/** A watch of a port, or of vessels at a port, doesn't count as watching those vessels. */
export const watchedVessels = (watch: WatchWithSubjects): Imo[] =>
  isOfPort(watch) ? [] : vesselsIn(watch.followedSubjects);

/** Slack is asked for each link. */
const maxLinks = 20;

/** Links each vessel to the thread of one watch, at best its own. */
export async function watchThreads(
  channelId: string,
  imos: readonly Imo[],
  { services: { store, slack } }: WorkCtx,
): Promise<ReadonlyMap<Imo, string>> {
  if (imos.length === 0) return new Map();
  const { watches } = await listWatches(store, { channelId }, { limit: 10_000 });
  const fewestVesselsFirst = watches
    .filter(({ status }) => status !== 'ended')
    .map((watch) => ({ cardTs: watch.cardTs, vessels: watchedVessels(watch) }))
    .toSorted((one, other) => one.vessels.length - other.vessels.length);
  const threads = imos.flatMap((imo) => {
    const watch = fewestVesselsFirst.find(({ vessels }) => vessels.includes(imo));
    return watch?.cardTs ? [{ imo, ts: watch.cardTs }] : [];
  });
  const wanted = [...new Set(threads.map(({ ts }) => ts))].slice(0, maxLinks);
  const urls = await Promise.all(wanted.map((ts) => slack.messages.linkTo({ channelId, ts })));
  return new Map(
    threads.flatMap(({ imo, ts }): [Imo, string][] => {
      const url = urls[wanted.indexOf(ts)];
      return url === undefined ? [] : [[imo, url]];
    }),
  );
}
