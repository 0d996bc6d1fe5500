import { closestTo } from 'date-fns/closestTo';
import { millisecondsInHour } from 'date-fns/constants';
import type { Selectable } from 'kysely';
import type { Prediction, PredictionsAnswer } from '../../analytics/answers.ts';
import { watchThese } from '../../answers/answer.ts';
import { counted } from '../../answers/formatting/words.ts';
import type { Destination } from '../../answers/message.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';
import type { Schema } from '../../database/schema.ts';
import { UserError } from '../../errors.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { likeliestEtas, type Subject } from '../../predictions/next-port.ts';
import { exampleList, type Imo } from '../../reference/codes.ts';
import { portLabel } from '../../reference/ports.ts';
import { type AskCtx, actorIn, example } from '../ctx.ts';
import {
  columnsKey,
  fromColumns,
  readHistory,
  selectFollowed,
  subjectKey,
  toColumns,
} from '../history/index.ts';
import {
  checkDueDates,
  type PortCondition,
  predictionsFor,
  type Rules,
  replay,
  type Snapshot,
} from '../rules/index.ts';
import type { WatchedSubject, WatchedSubjects } from '../scheduled-calls.ts';
import { filterByScope, matchesScope, type ScopeFilter } from '../scope.ts';
import { type CallPlan, callPlanHere, pollIntervalMinutes, readCallPlan } from './call-plan.ts';
import { requestPredictions } from './poll.ts';
import { vesselsTitle } from './watch.ts';
import { findOverlaps, findWatches, type Overlap, vesselsIn, type WatchTarget } from './watch-list.ts';

/** What a watch will cost, and how often it would have notified. */
export interface Estimate {
  /** Requests to the service, rounded; 0 if watches that the person may list follow all subjects already. */
  callsPerMonth: number;
  /** The workspace's budget without this watch. */
  plan: CallPlan;
  /**
   * Alerts that the polls of the past 30 days would have caused, the first of them at `since`; undefined without such
   * polls. `coverage` is set if only some of the vessels have been polled, or there are very many polls.
   */
  past: { replies: number; since: Date; coverage?: { polled: number; all: number } } | undefined;
  /** Set if a list would use less than half of it. */
  asList?: AsList | undefined;
  /** Other watches of the channel that follow some of these vessels or ports. */
  overlaps: readonly Overlap[];
  /** The service's latest answers, without the subjects whose request failed. */
  answers: readonly { subject: Subject; answer: PredictionsAnswer }[];
}

/** What a watch of vessels would use as one of the provider's lists, and which list that would be. */
interface AsList {
  /** Left out if no list of these vessels is known. */
  name?: string;
  callsPerMonth: number;
  /** The vessels that the list doesn't have. */
  missing: readonly Imo[];
  /** How many further vessels it has. */
  others: number;
}

interface Request extends WatchTarget {
  channelId: string;
  destination: Destination;
  rules: Rules;
}

/** `filter`: what the person may list. What others watch saves them nothing, and has no past for them. */
type Asked = Request & { filter: ScopeFilter };

/**
 * Asks the service once for each subject. A subject whose request fails is estimated as if its ETA were far off. Throws
 * UserError for too many due dates, or a list that the service doesn't know. Its requests count as the context's cause.
 */
export async function estimateRequest(request: Request, ctx: AskCtx): Promise<Estimate> {
  checkDueDates(request.rules.due);
  const { condition } = request;
  const asked = { ...request, filter: await filterByScope('all', actorIn(ctx), ctx.services.access) };
  const [requested, followed, plan] = await Promise.all([
    requestAll(asked, ctx),
    readFollowed(asked, ctx),
    callPlanHere(ctx),
  ]);
  const calls = requested.map(({ subject, answer }) =>
    followed.has(subjectKey(subject)) ? 0 : callsPerMonth(answer?.predictions, condition, ctx),
  );
  const answers = requested.flatMap(({ subject, answer }) => (answer ? [{ subject, answer }] : []));
  checkLists(answers, ctx);
  const imos = new Set(condition ? [] : requested.flatMap(vesselsOf));
  const estimate = {
    callsPerMonth: roundToTwoDigits(calls.reduce((sum, count) => sum + count, 0)),
    plan,
    past: await replayPast(requested, asked, ctx),
    answers,
  };
  const overlaps = await findOverlaps(asked, imos, ctx);
  return { ...estimate, overlaps, asList: await estimateAsList(asked, estimate, ctx) };
}

/** Throws UserError for a list without vessels. */
function checkLists(answers: Estimate['answers'], { registry }: AskCtx): void {
  for (const { subject, answer } of answers) {
    if (subject.kind !== 'shiplist' || answer.predictions.length > 0) continue;
    throw new UserError({
      code: 'unknown-list',
      message: `No list called ${subject.name}, so nothing was saved.`,
      hint: "Lists are kept by the provider; they can't be made here. Check the spelling with whoever set up the list.",
      example: example(watchThese(exampleList), registry),
    });
  }
}

interface SubjectAnswer {
  subject: Subject;
  answer: PredictionsAnswer | undefined;
}

/** The timeout is short, since watches can be added while the service is down. */
const requestTimeoutMs = 4_000;

function requestAll(
  request: Request,
  { services: { analytics }, actor, cause }: AskCtx,
): Promise<SubjectAnswer[]> {
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const options = { askedBy: actor.userId, signal, ...(cause && { cause }) };
  return Promise.all(
    request.subjects.map(async (subject) => {
      const answer = await requestPredictions(analytics, subject, options).catch(() => undefined);
      return { subject, answer };
    }),
  );
}

/**
 * Returns the keys of the subjects that watches follow already, as far as the person may list them. A subject of conditions only is polled less often than
 * without a condition, so for a watch without one it doesn't count.
 */
async function readFollowed(
  { subjects, condition, filter }: Asked,
  { services: { store } }: AskCtx,
): Promise<Set<string>> {
  const keys = subjects.map((subject) => toColumns(subject).key);
  const followed = selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .where('subjects.key', 'in', keys)
    .where(matchesScope(filter));
  const rows = await (condition ? followed : followed.where('watches.condition', 'is', null))
    .select(['subjects.kind', 'subjects.key'])
    .execute();
  return new Set(rows.map(columnsKey));
}

const monthHours = 30 * 24;
/** The ETA of a vessel that is about to call says little about its later legs, so a leg has at least this length. */
const shortestLegOfVessel = 5 * 24;

/** Intervals shrink as the ETA nears, so calls are summed over one leg, then scaled to the legs of a month. */
function callsPerMonth(
  predictions: readonly Prediction[] = [],
  condition: PortCondition | null,
  ctx: AskCtx,
): number {
  const fixedMinutes = ctx.services.settings.pollMinutes;
  const now = ctx.now();
  const relevant = condition ? predictionsFor(condition, predictions) : predictions;
  const etas = likeliestEtas(relevant).filter((eta) => eta > now);
  // The next ETA of a list or a port is soon that of another vessel.
  const shortestLegHours = shortestLegOfVessel / Math.max(1, etas.length);
  return callsPerMonthAt(closestTo(now, etas) ?? null, { fixedMinutes, now, shortestLegHours });
}

/** The same, if the nearest ETA is known; null if there is none. */
function callsPerMonthAt(
  eta: Date | null,
  {
    fixedMinutes,
    now,
    shortestLegHours,
  }: { fixedMinutes: number | undefined; now: Date; shortestLegHours: number },
): number {
  if (fixedMinutes !== undefined) return (monthHours * 60) / fixedMinutes;
  if (!eta) return (monthHours * 60) / pollIntervalMinutes(null, now);
  const etaHours = Math.ceil((eta.getTime() - now.getTime()) / millisecondsInHour);
  const legHours = Math.min(Math.max(shortestLegHours, etaHours), monthHours);
  let calls = 0;
  for (let hours = 0; hours < legHours; hours += 1) {
    calls += 60 / pollIntervalMinutes(new Date(now.getTime() + hours * millisecondsInHour), now);
  }
  return (calls * monthHours) / legHours;
}

/** Estimates say no more: `2,400`. */
export const roundToTwoDigits = (count: number): number =>
  count < 10 ? Math.ceil(count) : Number(count.toPrecision(2));

/** `about 2,400 API calls a month` */
export const monthly = (calls: number): string => {
  const rounded = roundToTwoDigits(calls);
  return rounded === 0 ? 'no API calls' : `about ${counted(rounded, 'API call')} a month`;
};

/** What was polled more often is left out: a thousand polls take 40 ms to read and replay. */
const maxReplayedPolls = 20_000;

async function replayPast(
  answers: readonly SubjectAnswer[],
  { rules, condition, filter }: Asked,
  { services: { store }, now }: AskCtx,
): Promise<Estimate['past']> {
  const from = new Date(now().getTime() - monthHours * millisecondsInHour);
  const imos = answers.flatMap(vesselsOf);
  const vessels = imos.map((imo) => ({ kind: 'vessel', imo }) as const);
  const ports = answers.flatMap(({ subject }) => (subject.kind === 'port' ? [subject] : []));
  const starts: number[] = [];
  const times: number[] = [];
  let polls = 0;
  const yieldToEventLoop = createYieldToEventLoop();
  for (const subject of [...vessels, ...ports]) {
    await yieldToEventLoop();
    const history: Snapshot[] = await readHistory(store, { subject, from, filter });
    polls += history.length;
    if (polls > maxReplayedPolls) break;
    starts.push(...history.slice(0, 1).map(({ at }) => at.getTime()));
    times.push(...replay(history, rules, condition).map(({ at }) => at.getTime()));
  }
  if (starts.length === 0) return undefined;
  // Vessels of one list that have news in the same poll share a reply.
  const isList = answers.some(({ subject }) => subject.kind === 'shiplist');
  return {
    replies: isList ? new Set(times).size : times.length,
    since: new Date(Math.min(...starts)),
    ...(starts.length < imos.length && { coverage: { polled: starts.length, all: imos.length } }),
  };
}

function vesselsOf({ subject, answer }: SubjectAnswer): Imo[] {
  if (subject.kind === 'vessel') return [subject.imo];
  return subject.kind === 'port' ? [] : [...new Set(answer?.predictions.map(({ imo }) => imo))];
}

/** From this many vessels on, a list is worth a word. */
const minVessels = 5;
/** A list is offered if it has all but a fifth of the vessels, and at most as many others. */
const maxMissingShare = 0.2;

/**
 * What the watch would use as one of the provider's lists, which is polled with one request for all its vessels. The
 * service doesn't say which lists there are: known are those that the person can see a watch of. Undefined if a list would not use half as much.
 */
async function estimateAsList(
  { subjects, condition, filter }: Asked,
  estimate: Pick<Estimate, 'callsPerMonth' | 'answers'>,
  ctx: AskCtx,
): Promise<AsList | undefined> {
  const imos = subjects.flatMap((subject) => (subject.kind === 'vessel' ? [subject.imo] : []));
  if (condition || imos.length < minVessels || estimate.callsPerMonth === 0) return undefined;
  const predictions = estimate.answers.flatMap(({ answer }) => answer.predictions);
  const list = nearestList(imos, await findKnownLists(filter, ctx));
  // A list is polled as often as its nearest ETA needs.
  const calls = list ? 0 : roundToTwoDigits(callsPerMonth(predictions, null, ctx));
  if (calls > estimate.callsPerMonth / 2) return undefined;
  const { name, missing = [], others = 0 } = list ?? {};
  return { ...(name !== undefined && { name }), callsPerMonth: calls, missing, others };
}

async function findKnownLists(filter: ScopeFilter, ctx: AskCtx) {
  const { watches } = await findWatches(filter, ctx);
  return watches
    .filter(({ status, condition }) => status === 'active' && !condition)
    .flatMap(({ followedSubjects }) =>
      followedSubjects.flatMap((followed) =>
        followed.subject.kind === 'shiplist'
          ? [{ name: followed.subject.name, imos: new Set(vesselsIn([followed])) }]
          : [],
      ),
    );
}

/** The list that lacks the fewest of these vessels, and of those the one with the fewest others. */
function nearestList(imos: readonly Imo[], lists: Awaited<ReturnType<typeof findKnownLists>>) {
  const [nearest] = lists
    .map(({ name, imos: listed }) => {
      const missing = imos.filter((imo) => !listed.has(imo));
      return { name, missing, others: listed.size - (imos.length - missing.length) };
    })
    .filter(
      ({ missing, others }) =>
        missing.length <= imos.length * maxMissingShare && others <= imos.length - missing.length,
    )
    .sort((a, b) => a.missing.length - b.missing.length || a.others - b.others);
  return nearest;
}

type Row = Pick<Selectable<Schema['subjects']>, 'kind' | 'key' | 'nearest_eta'> &
  Pick<Selectable<Schema['watches']>, 'channel_id' | 'destination' | 'status'> & { watch_id: string };

/** Everything that is polled for the workspace, by what is stored: the service isn't asked. */
export async function polledSubjects({
  services,
  vessels,
  now: clock,
}: Pick<AskCtx, 'services' | 'vessels' | 'now'>): Promise<WatchedSubjects> {
  const { store, settings } = services;
  const fixedMinutes = settings.pollMinutes;
  // With a fixed interval, watches are never polled less often.
  const limit = fixedMinutes === undefined ? await services.limit.today() : undefined;
  const rows: Row[] = await selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['kind', 'key', 'nearest_eta', 'channel_id', 'destination', 'status', 'watch_id'])
    .execute();
  const { plannedCalls, dailyCalls } = await readCallPlan({ store, limit, now: clock });
  const now = clock();
  const subjects: WatchedSubject[] = [];
  // Thousands of subjects share a few hundred values.
  const known = new Map<string, number>();
  const callsPerDay = (etaHours: number | null, shortestLegHours: number): number => {
    const key = `${etaHours} ${shortestLegHours}`;
    const eta = etaHours === null ? null : new Date(now.getTime() + etaHours * millisecondsInHour);
    const calls = known.get(key) ?? callsPerMonthAt(eta, { fixedMinutes, now, shortestLegHours }) / 30;
    known.set(key, calls);
    return calls;
  };
  const yieldToEventLoop = createYieldToEventLoop();
  for (const [key, followed] of Map.groupBy(rows, columnsKey)) {
    await yieldToEventLoop();
    const [first] = followed;
    const subject = first && fromColumns(first);
    if (!subject) continue;
    const isActive = followed.some(({ status }) => status === 'active');
    const etaMs = first.nearest_eta?.getTime();
    // One that has passed is followed by the next leg.
    const etaHours =
      etaMs === undefined ? null : Math.ceil(Math.max(0, etaMs - now.getTime()) / millisecondsInHour);
    // In a list and at a port, the next ETA is that of another vessel, and seldom days later.
    const legHours = subject.kind === 'vessel' ? shortestLegOfVessel : 24;
    subjects.push({
      key,
      name: nameOf(subject, vessels),
      watchedIn: followed.map(({ channel_id, destination }) =>
        destination === 'channel' ? channel_id : null,
      ),
      watchIds: followed.map(({ watch_id }) => watch_id),
      // If all its watches are paused, it is polled once a day.
      isActive,
      callsPerDay: isActive ? callsPerDay(etaHours, legHours) : 1,
    });
  }
  return { subjects, plannedCalls, dailyCalls };
}

function nameOf(subject: Subject, names: Pick<VesselDirectory, 'nameOf'>): string {
  switch (subject.kind) {
    case 'vessel':
      return vesselsTitle([subject.imo], names);
    case 'shiplist':
      return `list ${subject.name}`;
    case 'port':
      return `port ${portLabel(subject.port)}`;
  }
}
