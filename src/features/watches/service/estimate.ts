import { closestTo } from 'date-fns/closestTo';
import { millisecondsInHour } from 'date-fns/constants';
import type { PredictionsAnswer, RequestOptions } from '../../../analytics/answers.ts';
import { createYieldToEventLoop } from '../../../database/yield-to-event-loop.ts';
import { likeliestEtas } from '../../../predictions/ranking.ts';
import type { Imo } from '../../../reference/imo.ts';
import {
  columnsKey,
  readHistory,
  type Subject,
  selectFollowed,
  subjectKey,
  toColumns,
} from '../../history/index.ts';
import { matchesScope, type ScopeFilter } from '../../owned.ts';
import { replay } from '../evaluation/evaluate.ts';
import { type PortCondition, predictionsFor, type Snapshot } from '../evaluation/snapshot.ts';
import { pollIntervalMinutes } from '../polling/next-poll.ts';
import { requestPredictions } from '../polling/poll.ts';
import { type CallPlan, readCallPlan } from '../polling/poll-plan.ts';
import type { Rules } from '../rules/index.ts';
import type { WatchTarget } from '../store/watch-target.ts';
import type { Overlap } from './find-watches.ts';
import type { WatchServiceOptions } from './options.ts';

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
  /** Other watches of the channel that follow some of these vessels. */
  overlaps: readonly Overlap[];
  /** The service's latest answers, without the subjects whose request failed. */
  answers: readonly { subject: Subject; answer: PredictionsAnswer }[];
}

/** What a watch of vessels would use as one of the provider's lists, and which list that would be. */
export interface AsList {
  /** Left out if no list of these vessels is known. */
  name?: string;
  callsPerMonth: number;
  /** The vessels that the list doesn't have. */
  missing: readonly Imo[];
  /** How many further vessels it has. */
  others: number;
}

type EstimateContext = WatchServiceOptions &
  Required<Pick<RequestOptions, 'askedBy' | 'cause'>> & {
    /** What the person may list: what others watch saves them nothing, and has no past for them. */
    filter: ScopeFilter;
  };

/** Asks the service once for each subject. A subject whose request fails is estimated as if its ETA were far off. */
export async function estimateWatch(
  { subjects, condition, rules }: Omit<WatchTarget, 'fleet'> & { rules: Rules },
  context: EstimateContext,
): Promise<Omit<Estimate, 'overlaps' | 'asList'>> {
  const [answers, followed, plan] = await Promise.all([
    requestAll(subjects, context),
    readFollowed(subjects, { ...context, condition }),
    readCallPlan(context),
  ]);
  const calls = answers.map(({ subject, answer }) =>
    followed.has(subjectKey(subject)) ? 0 : callsPerMonth(answer?.predictions, { ...context, condition }),
  );
  return {
    callsPerMonth: roundToTwoDigits(calls.reduce((sum, count) => sum + count, 0)),
    plan,
    past: await replayPast(answers, { rules, condition }, context),
    answers: answers.flatMap(({ subject, answer }) => (answer ? [{ subject, answer }] : [])),
  };
}

interface SubjectAnswer {
  subject: Subject;
  answer: PredictionsAnswer | undefined;
}

/** The timeout is short, since watches can be added while the service is down. */
const requestTimeoutMs = 4_000;

function requestAll(
  subjects: readonly Subject[],
  { analytics, askedBy, cause }: EstimateContext,
): Promise<SubjectAnswer[]> {
  const options = { askedBy, cause, signal: AbortSignal.timeout(requestTimeoutMs) };
  return Promise.all(
    subjects.map(async (subject) => {
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
  subjects: readonly Subject[],
  { store, filter, condition }: EstimateContext & { condition: PortCondition | null },
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
export function callsPerMonth(
  predictions: PredictionsAnswer['predictions'] = [],
  context: Pick<WatchServiceOptions, 'fixedMinutes' | 'now'> & { condition: PortCondition | null },
): number {
  const { fixedMinutes, condition } = context;
  const now = context.now();
  const relevant = condition ? predictionsFor(condition, predictions) : predictions;
  const etas = likeliestEtas(relevant).filter((eta) => eta > now);
  // The next ETA of a list or a port is soon that of another vessel.
  const shortestLegHours = shortestLegOfVessel / Math.max(1, etas.length);
  return callsPerMonthAt(closestTo(now, etas) ?? null, { fixedMinutes, now, shortestLegHours });
}

/** The same, if the nearest ETA is known; null if there is none. */
export function callsPerMonthAt(
  eta: Date | null,
  {
    fixedMinutes,
    now,
    shortestLegHours = shortestLegOfVessel,
  }: Pick<WatchServiceOptions, 'fixedMinutes'> & { now: Date; shortestLegHours?: number },
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

export const roundToTwoDigits = (count: number): number =>
  count < 10 ? Math.ceil(count) : Number(count.toPrecision(2));

/** What was polled more often is left out: a thousand polls take 40 ms to read and replay. */
const maxReplayedPolls = 20_000;

async function replayPast(
  answers: readonly SubjectAnswer[],
  { rules, condition }: { rules: Rules; condition: PortCondition | null },
  { store, filter, now }: EstimateContext,
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
