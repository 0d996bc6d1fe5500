import type { Prediction } from '../../analytics/answers.ts';
import { portPredictionsByAnyCode } from '../../analytics/port-predictions-by-any-code.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { isoDay } from '../../messages/formatting/times.ts';
import type { Locode } from '../../reference/locode.ts';
import { canonicalPort, findPorts, portOf } from '../../reference/ports.ts';
import { type AnalyticsContext, knownVessel, requestOptions } from '../run-context.ts';

interface Question {
  port: Locode;
  period: TimeSpan | undefined;
  /** 0..1. */
  minProbability: number;
  by: 'eta' | 'probability';
}

export type PortCalls = Awaited<ReturnType<typeof askPortCalls>>;
export type PortCall = PortCalls['calls'][number];

/** The vessels that may call at a port. */
export async function askPortCalls(
  { port, period, minProbability, by }: Question,
  context: AnalyticsContext,
) {
  const now = context.now();
  const { predictions, ...of } = await fetchPort(port, context);
  // The service reports no arrivals, so a vessel on its list may still call long after its ETA.
  const isOverdue = ({ eta }: Prediction) => eta !== undefined && eta < now;
  const countsOverdue = !period || period.begin <= now;
  const whenOf = (prediction: Prediction): 'before' | 'within' | 'after' | 'unknown' => {
    const { eta } = prediction;
    if (!period) return 'within';
    if (!eta) return 'unknown';
    if (isOverdue(prediction)) return countsOverdue ? 'within' : 'before';
    if (eta < period.begin) return 'before';
    return eta < period.end ? 'within' : 'after';
  };
  const isLikely = ({ probability }: Prediction) => probability >= minProbability;
  const within = predictions.filter((prediction) => whenOf(prediction) === 'within');
  const likely = within.filter(isLikely);
  return {
    ...of,
    ...(period && { period }),
    minProbability,
    by,
    // The service sorts by probability. All calls are at `port`, so they don't repeat it.
    calls: (by === 'eta' ? likely.toSorted(byEta) : likely).map(({ imo, port: _, ...prediction }) => ({
      vessel: knownVessel(imo, context.vessels),
      ...prediction,
    })),
    /** All predictions of the service, for any day and of any probability. */
    listed: predictions.map((prediction) => {
      const { imo, probability, eta = null } = prediction;
      return { imo, probability, eta, when: whenOf(prediction) };
    }),
    /** The number of calls in the period below the minimum probability. */
    hidden: within.length - likely.length,
    /** If the period begins later than now, the number of vessels whose ETA has passed. `calls` leaves them out. */
    overdueBefore: countsOverdue ? 0 : predictions.filter(isOverdue).filter(isLikely).length,
    /** The service has no predictions for this port. */
    isUnknown: predictions.length === 0,
    /** The number of vessels without an ETA. If there is a period, `calls` leaves them out. */
    withoutEta: predictions.filter(({ eta }) => !eta).length,
    expected: expectedCalls(within, { zone: portOf(port)?.zone ?? 'UTC', isOverdue }),
    also: portsOfSameName(port),
  };
}

/** All that the service predicts for a port. */
export async function fetchPort(port: Locode, context: AnalyticsContext) {
  const { code, answer } = await portPredictionsByAnyCode(context.analytics, port, requestOptions(context));
  return {
    port: code,
    /** The typed code, if the service has nothing for it; then `port` is another code of the same port. */
    ...(code !== port && { insteadOf: port }),
    ...answer,
  };
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

/** Smaller ports that the person may have meant. */
export function portsOfSameName(port: Locode): Locode[] {
  const found = findPorts(portOf(port)?.name ?? '');
  if (found.kind !== 'one' || found.port.locode !== canonicalPort(port)) return [];
  return found.also.map(({ locode }) => locode);
}

export function byEta<Call extends Pick<Prediction, 'eta' | 'probability'>>(
  first: Call,
  second: Call,
): number {
  const time = ({ eta }: Call) => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return time(first) - time(second) || second.probability - first.probability;
}
