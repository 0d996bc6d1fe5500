import type { Prediction } from '../../analytics/answers.ts';
import { portPredictionsByAnyCode } from '../../analytics/client.ts';
import type { ChartSection } from '../../answers/answer.ts';
import { dayLabel, isoDay } from '../../answers/formatting/times.ts';
import { clip } from '../../answers/message.ts';
import { mergeProvenance } from '../../answers/slack/answer-message.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { whenIn } from '../../predictions/when.ts';
import type { Locode } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { Provenance } from '../../reference/prediction.ts';
import { type AskCtx, knownVessel, requestOptions } from '../ctx.ts';

interface CallsQuestion {
  period: TimeSpan | undefined;
  /** From 0 to 1. */
  minProbability: number;
}

export type PortCalls = Awaited<ReturnType<typeof askPortCalls>>;

/** The vessels that may call at a port, the likeliest first. */
export async function askPortCalls(port: Locode, { period, minProbability }: CallsQuestion, ctx: AskCtx) {
  const now = ctx.now();
  const { predictions, scale: _, ...of } = await fetchPort(port, ctx);
  const isOverdue = ({ eta }: Prediction) => eta !== undefined && eta < now;
  const countsOverdue = !period || period.begin <= now;
  const whenOf = ({ eta }: Prediction) => whenIn(period, { eta, now });
  const isLikely = ({ probability }: Prediction) => probability >= minProbability;
  const within = predictions.filter((prediction) => whenOf(prediction) === 'within');
  const likely = within.filter(isLikely);
  return {
    ...of,
    period,
    minProbability,
    calls: likely.map(({ imo, ...prediction }) => ({
      ...prediction,
      port: of.port,
      vessel: knownVessel(imo, ctx.vessels),
    })),
    /** All predictions of the service, for any day and of any probability. */
    listed: predictions.map((prediction) => ({ ...prediction, when: whenOf(prediction) })),
    /** The number of calls in the period below the minimum probability. */
    hidden: within.length - likely.length,
    /** If the period begins later than now, the number of vessels whose ETA has passed. `calls` leaves them out. */
    overdueBefore: countsOverdue ? 0 : predictions.filter(isOverdue).filter(isLikely).length,
    /** The service has no predictions for this port. */
    isUnknown: predictions.length === 0,
    /** The number of vessels without an ETA. If there is a period, `calls` leaves them out. */
    withoutEta: predictions.filter(({ eta }) => !eta).length,
    expected: expectedCalls(within, { zone: portOf(port)?.zone ?? 'UTC', isOverdue }),
  };
}

/** All that the service predicts for a port. */
export async function fetchPort(port: Locode, ctx: AskCtx) {
  const { analytics } = ctx.services;
  const { code, answer } = await portPredictionsByAnyCode(analytics, port, requestOptions(ctx));
  return {
    port: code,
    /** The typed code, if the service has nothing for it; then `port` is another code of the same port. */
    insteadOf: code === port ? undefined : port,
    ...answer,
  };
}

/** What the service answered for one port or several, in the typed order. */
export interface PortAnswers<Port> extends Provenance {
  ports: readonly Port[];
  /** Those whose request failed. */
  failed: readonly Locode[];
}

/** Runs one request for each port, side by side. Throws only if all fail. */
export async function askEach<Port extends Provenance>(
  ports: readonly Locode[],
  ask: (port: Locode) => Promise<Port>,
  { signal }: Pick<AskCtx, 'signal'>,
): Promise<PortAnswers<Port>> {
  const results = await Promise.allSettled(ports.map(ask));
  signal.throwIfAborted();
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [first, ...others] = answers;
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const failed = ports.filter((_, index) => results[index]?.status === 'rejected');
  return { ports: answers, failed, ...mergeProvenance([first, ...others]) };
}

/**
 * Sums of probabilities, hidden vessels included: per local day, and for the vessels whose ETA has passed or isn't given,
 * which may call on any day.
 */
function expectedCalls(
  predictions: readonly Prediction[],
  { zone, isOverdue }: { zone: string; isOverdue: (prediction: Prediction) => boolean },
) {
  const sumOf = (some: readonly Prediction[] = []) =>
    some.reduce((sum, { probability }) => sum + probability, 0);
  const byDay = Map.groupBy(predictions, (prediction) => {
    if (!prediction.eta) return 'undated';
    return isOverdue(prediction) ? 'overdue' : isoDay(prediction.eta, zone);
  });
  const { undated, overdue, ...days } = Object.fromEntries(byDay);
  return {
    days: Object.entries(days)
      .map(([day, some]) => ({ day, calls: sumOf(some) }))
      .sort((first, second) => (first.day < second.day ? -1 : 1)),
    overdue: sumOf(overdue),
    undated: sumOf(undated),
  };
}

/** Bars of the likely calls of each day; a series for each port. */
export function likelyCallsChart(
  days: readonly string[],
  ports: readonly { port: Locode; calls: readonly number[] }[],
  { zone, now }: { zone: string | undefined; now: Date },
): ChartSection {
  const [only, ...others] = ports;
  const at = only && others.length === 0 ? ` at ${clip(portName(only.port), 20)}` : '';
  return {
    kind: 'bars',
    title: `Likely calls per day${at}, vessels`,
    categories: days.map((day) => dayLabel(day, zone, now)),
    series: ports.map(({ port, calls }) => ({
      name: ports.length === 1 ? 'Likely calls' : portName(port),
      bars: calls.map((each) => ({ value: rounded(each), text: inWords(each) })),
    })),
  };
}

/** Tenths; finer below 0.05, because a call that is possible is not zero. */
const rounded = (calls: number): number =>
  calls > 0 && calls < 0.05 ? Math.max(0.01, Math.round(calls * 100) / 100) : Math.round(calls * 10) / 10;

export function inWords(calls: number): string {
  if (calls === 0) return '0';
  return calls < 0.05 ? 'under 0.1' : calls.toFixed(1);
}
