// Pure functions from predicted calls to figures. Shares and probabilities are from 0 to 1.
import { percentile } from '../statistics.ts';
import { type Answer, type Lead, leads, type PredictedCall } from './answers.ts';
import { type Change, changes } from './calls.ts';

export interface Score {
  calls: number;
  leads: LeadScore[];
  reliability: ReliabilityBin[];
  /** Of all polls, the mean distance of said and came true, weighted by the polls of each bin. */
  calibrationError: number;
  changes: ChangeScore[];
}

export interface LeadScore {
  leadHours: Lead;
  /** Calls that were the next one already, this long before the arrival. */
  calls: number;
  /** Share of these calls whose port was the likeliest. */
  onTop: number;
  /** Share of these calls that were made as scheduled: what somebody who reads only the schedule gets right. */
  onSchedule: number;
  withoutPrediction: number;
  /** Calls with a prediction that did not list their port. */
  unlisted: number;
  /** Of the likeliest port: 0 is perfect, and saying 50% each time makes 0.25. */
  brier: number;
  /** Arrival minus ETA, of the calls whose port was listed: positive if the ship came later than predicted. */
  etaHours: Spread;
  /** The same without the sign. */
  absoluteEtaHours: Spread;
}

export interface Spread {
  mean: number;
  p10: number;
  p50: number;
  p90: number;
}

/** All polls that gave the likeliest port a probability in [from, to). */
export interface ReliabilityBin {
  from: number;
  to: number;
  polls: number;
  /** The calls that these polls are about. Polls of one call are not independent of each other. */
  calls: number;
  /** The mean probability. */
  said: number;
  cameTrue: number;
}

export interface ChangeScore {
  change: Change;
  calls: number;
  /** Share of all calls. */
  share: number;
  /** Share of these calls for which the likeliest port changed at least once while they were next. */
  changedMind: number;
  /** Share of these calls whose port was the likeliest at the last poll before the arrival. */
  onTopAtEnd: number;
  /** For these, the hours before the arrival in which every poll had the port on top. */
  onTopHours: Spread;
}

const hourMs = 3_600_000;

export function scoreOf(calls: readonly PredictedCall[]): Score {
  const reliability = reliabilityOf(calls);
  return {
    calls: calls.length,
    leads: leads.map((lead) => leadScore(lead, calls)),
    reliability,
    calibrationError: calibrationError(reliability),
    changes: changes.map((change) => changeScore(change, calls)),
  };
}

function leadScore(leadHours: Lead, calls: readonly PredictedCall[]): LeadScore {
  const asked = calls.flatMap((call) => {
    const answer = call.atLead.get(leadHours);
    return answer ? [{ call, answer }] : [];
  });
  const answered = asked.filter(({ answer }) => answer.candidates.length > 0);
  const errors = answered.flatMap(({ call: { port, arrivalMs }, answer }) => {
    const listed = answer.candidates.find((candidate) => candidate.port === port);
    return listed ? [(arrivalMs - listed.etaMs) / hourMs] : [];
  });
  return {
    leadHours,
    calls: asked.length,
    onTop: share(asked, ({ call, answer }) => isOnTop(call.port, answer)),
    onSchedule: share(asked, ({ call }) => call.change === 'on schedule'),
    withoutPrediction: asked.length - answered.length,
    unlisted: answered.length - errors.length,
    brier: brierScore(answered.flatMap(({ call, answer }) => forecastOf(call.port, answer))),
    etaHours: spreadOf(errors),
    absoluteEtaHours: spreadOf(errors.map(Math.abs)),
  };
}

interface Forecast {
  probability: number;
  cameTrue: boolean;
}

/** The likeliest port of an answer, as a forecast; none if nothing was predicted. */
function forecastOf(port: string, { candidates: [top] }: Answer): Forecast[] {
  return top ? [{ probability: top.probability, cameTrue: top.port === port }] : [];
}

const isOnTop = (port: string, { candidates: [top] }: Answer): boolean => top?.port === port;

/** The mean squared distance of probability and outcome (G. W. Brier, 1950), for one event: from 0 to 1. */
const brierScore = (forecasts: readonly Forecast[]): number =>
  mean(forecasts.map(({ probability, cameTrue }) => (probability - Number(cameTrue)) ** 2));

const binCount = 10;

/**
 * From polls at fixed times: a lead is counted back from an arrival that nobody knows yet, and choosing polls by it
 * would favour nearer ports.
 */
function reliabilityOf(calls: readonly PredictedCall[]): ReliabilityBin[] {
  const forecasts = calls.flatMap((call) =>
    call.polls.flatMap((poll) => forecastOf(call.port, poll).map((forecast) => ({ ...forecast, call }))),
  );
  const bins = Map.groupBy(forecasts, ({ probability }) =>
    Math.min(Math.floor(probability * binCount), binCount - 1),
  );
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([bin, found]) => ({
      from: bin / binCount,
      to: (bin + 1) / binCount,
      polls: found.length,
      calls: new Set(found.map(({ call }) => call)).size,
      said: mean(found.map(({ probability }) => probability)),
      cameTrue: share(found, ({ cameTrue }) => cameTrue),
    }));
}

function calibrationError(bins: readonly ReliabilityBin[]): number {
  const polls = bins.reduce((sum, bin) => sum + bin.polls, 0);
  return (
    bins.reduce((sum, { said, cameTrue, ...bin }) => sum + Math.abs(said - cameTrue) * bin.polls, 0) / polls
  );
}

function changeScore(change: Change, calls: readonly PredictedCall[]): ChangeScore {
  const found = calls.filter((call) => call.change === change);
  const hours = found.map(onTopHours).filter((value) => value > 0);
  return {
    change,
    calls: found.length,
    share: found.length / calls.length,
    changedMind: share(found, hasChangedMind),
    onTopAtEnd: hours.length / found.length,
    onTopHours: spreadOf(hours),
  };
}

const hasChangedMind = ({ polls }: PredictedCall): boolean =>
  new Set(polls.flatMap(({ candidates: [top] }) => top?.port ?? [])).size > 1;

/** How long before the arrival the port came on top for good, to the poll; 0 if it never did. */
export function onTopHours({ port, arrivalMs, polls }: PredictedCall): number {
  const lastOther = polls.findLastIndex((poll) => !isOnTop(port, poll));
  const since = polls[lastOther + 1];
  return since ? (arrivalMs - since.atMs) / hourMs : 0;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const share = <Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number =>
  items.filter(isCounted).length / items.length;

const spreadOf = (values: readonly number[]): Spread => ({
  mean: mean(values),
  p10: percentile(values, 0.1),
  p50: percentile(values, 0.5),
  p90: percentile(values, 0.9),
});
