import type { Prediction } from '../../analytics/answers.ts';
import { portByAnyCode } from '../../analytics/port-by-any-code.ts';
import { isoDay } from '../../messages/formatting/times.ts';
import type { Locode } from '../../reference/locode.ts';
import { canonicalPort, findPorts, portOf } from '../../reference/ports.ts';
import { type AnalyticsContext, callOptions, knownVessel } from '../run-context.ts';
import type { ListedCall, PortCall, PortCallsAnswer } from './view.ts';

interface PortCallsQuestion {
  port: Locode;
  /** Half-open. */
  period: { begin: Date; end: Date } | undefined;
  minProbability: number;
  by: 'eta' | 'probability';
}

interface Lines {
  /** As it is typed. */
  periodInWords?: string;
  line: string;
  otherOrderLine: string;
  showAllLine: string;
  allDatesLine: string;
  page: number;
}

/** The vessels that may call at a port, in the period and from the probability asked for. */
export async function askPortCalls(
  { port, period, minProbability, by }: PortCallsQuestion,
  lines: Lines,
  context: AnalyticsContext,
): Promise<PortCallsAnswer> {
  const now = context.now();
  const { asked, answer } = await portByAnyCode(context.analytics, port, callOptions(context));
  const { predictions, ...provenance } = answer;
  // The service reports no arrivals: a vessel that is listed may call from now on, however long its ETA has passed.
  const overdue = predictions.filter(({ eta }) => eta && eta < now);
  const dueWithin = predictions.filter(
    ({ eta }) => !period || (eta && eta >= now && eta >= period.begin && eta < period.end),
  );
  const countsOverdue = period !== undefined && period.begin <= now;
  const within = countsOverdue ? [...overdue, ...dueWithin] : dueWithin;
  const shown = new Set(within);
  const isLikely = ({ probability }: Prediction) => probability >= minProbability;
  const likely = within.filter(isLikely);
  return {
    kind: 'port-calls',
    ...lines,
    port: asked,
    ...(asked !== port && { insteadOf: port }),
    ...(period && { period }),
    overdueBefore: period && !countsOverdue ? overdue.filter(isLikely).length : 0,
    isUnknown: predictions.length === 0,
    minProbability,
    by,
    listed: predictions.map((prediction) => ({
      imo: prediction.imo,
      probability: prediction.probability,
      eta: prediction.eta ?? null,
      when: shown.has(prediction) ? 'within' : whenOf(prediction, period),
    })),
    calls: likely
      .toSorted(by === 'eta' ? byEta : byProbability)
      .map((prediction) => call(prediction, context)),
    hidden: within.length - likely.length,
    withoutEta: predictions.filter(({ eta }) => !eta).length,
    expected: expectedCalls(within, portOf(port)?.zone ?? 'UTC'),
    also: namesakes(port),
    ...provenance,
  };
}

/** Of one that is not within. */
function whenOf({ eta }: Prediction, period: PortCallsQuestion['period']): ListedCall['when'] {
  if (!eta || !period) return 'unknown';
  return eta >= period.end ? 'after' : 'before';
}

function call({ imo, probability, eta, etaZone }: Prediction, { vessels }: AnalyticsContext): PortCall {
  return { vessel: knownVessel(imo, vessels), probability, ...(eta && { eta }), etaZone };
}

/** Sums of probabilities per day of the port's calendar, those of vessels under the least probability included. */
function expectedCalls(predictions: readonly Prediction[], zone: string): PortCallsAnswer['expected'] {
  const sums = new Map<string, number>();
  let undated = 0;
  for (const { eta, probability } of predictions) {
    const day = eta && isoDay(eta, zone);
    if (day === undefined) undated += probability;
    else sums.set(day, (sums.get(day) ?? 0) + probability);
  }
  const days = [...sums].map(([day, calls]) => ({ day, calls }));
  return { days: days.sort((one, other) => (one.day < other.day ? -1 : 1)), undated };
}

/** Smaller ports of the same name, which the person who typed the name may want. */
function namesakes(port: Locode): Locode[] {
  const name = portOf(port)?.name;
  if (name === undefined) return [];
  const found = findPorts(name);
  if (found.kind !== 'one' || found.port.locode !== canonicalPort(port)) return [];
  return found.also.map(({ locode }) => locode);
}

function byEta(one: Prediction, other: Prediction): number {
  const time = ({ eta }: Prediction) => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return time(one) - time(other) || other.probability - one.probability || one.imo - other.imo;
}

function byProbability(one: Prediction, other: Prediction): number {
  return other.probability - one.probability || byEta(one, other);
}
