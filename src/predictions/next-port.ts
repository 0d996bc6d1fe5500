import { subHours } from 'date-fns/subHours';
import type { Imo, Locode } from '../reference/codes.ts';
import { canonicalPort, samePort } from '../reference/ports.ts';
import { byLikelihood, firstOfEachKey, type Prediction, type Prospect } from '../reference/prediction.ts';

interface Candidate {
  port: Locode;
  probability: number;
}

/** True if two ports are within 5 percentage points, so neither can be called the next port. Allows for rounding. */
export const isUndecided = (first: number, second: number | undefined): boolean =>
  second !== undefined && first - second <= 0.05 + 1e-9;

/**
 * What counts as a vessel's next port: the likeliest, or the first two if they are undecided. `ranked`: likeliest
 * first; `disputed`: two ports that stay undecided while the likeliest is one of them.
 */
export function nextPorts<Port extends Candidate>(
  [first, ...others]: readonly Port[],
  disputed: readonly Locode[] = [],
): readonly Port[] {
  if (!first) return [];
  const rival = disputed.includes(first.port)
    ? others.find(({ port }) => disputed.includes(port))
    : undefined;
  const [second] = others;
  const other = rival ?? (isUndecided(first.probability, second?.probability) ? second : undefined);
  return other ? [first, other] : [first];
}

interface Rival<Port extends Candidate> {
  rival: Port;
  /** It is the next port; otherwise the two are undecided. */
  isLikelier: boolean;
}

/** The port that may be next instead of these; undefined if one of these is clearly the next. `ranked`: likeliest first. */
export function rivalOf<Port extends Candidate>(
  ranked: readonly Port[],
  ...at: readonly Locode[]
): Rival<Port> | undefined {
  const next = nextPorts(ranked);
  const isAt = ({ port }: Port) => at.some((one) => samePort(port, one));
  const rival = next.find((candidate) => !isAt(candidate));
  return rival && { rival, isLikelier: !next.some(isAt) };
}

/** A port that is no longer predicted was probably called at, if its ETA is at most this far ahead. */
export const calledHours = 3;

/** Up to this long before its ETA it may have been called at. */
export const maybeCalledHours = 12;

/** Of a port that is no longer predicted: its ETA has passed, or is near. */
export const hasProbablyCalled = (eta: Date | null, now: Date): boolean => isWithin(calledHours, eta, now);

/** True if the ETA is at most this far ahead, or has passed. */
export const isWithin = (hours: number, eta: Date | null, now: Date): boolean =>
  eta !== null && now >= subHours(eta, hours);

/** How another port has become the likeliest. */
interface OtherPort {
  /** `undecided`: it leads by so little that neither can be called the next one. */
  kind: 'diverted' | 'undecided' | 'next-leg';
  next: Prospect;
  /** The old port as it is predicted now; null if it no longer is. */
  old: Prospect | null;
  /** It leads by at least `lead`, or the old one is gone. */
  isClear: boolean;
}

/** Undefined if the port that was the likeliest still is. `was.eta`: its last predicted ETA. */
export function comparePorts(
  was: Pick<Prospect, 'port' | 'eta'>,
  { at, ranked }: { at: Date; ranked: readonly Prospect[] },
  { lead }: { lead: number },
): OtherPort | undefined {
  const [next] = ranked;
  if (!next || next.port === was.port) return undefined;
  const old = ranked.find(({ port }) => port === was.port) ?? null;
  if (!old) {
    const kind = isWithin(calledHours, was.eta, at) ? 'next-leg' : 'diverted';
    return { kind, next, old, isClear: true };
  }
  const kind = isUndecided(next.probability, old.probability) ? 'undecided' : 'diverted';
  // In floating point, 0.5 - 0.4 is a hair less than 0.1.
  return { kind, next, old, isClear: next.probability - old.probability + 1e-9 >= lead };
}

/** What a watch follows. It is polled once, however many watches of the workspace follow it. */
export type Subject =
  | { kind: 'vessel'; imo: Imo }
  | { kind: 'shiplist'; name: string }
  | { kind: 'port'; port: Locode };

/** What the service answered in one poll. */
export interface Answer {
  /** When the service was asked, on the domain clock. */
  at: Date;
  scale: 'fraction' | 'percent';
  predictions: readonly Prediction[];
}

/** The predictions for one vessel, likeliest port first; empty if there were none. */
export interface Moment {
  at: Date;
  ranked: readonly Prospect[];
}

/**
 * The ports a vessel may call at, likeliest first. A group of aliases appears once, under its main code, with the
 * likeliest of its records. The order of the records makes no difference.
 */
export function rankProspects(predictions: readonly Prediction[]): Prospect[] {
  const prospects = predictions.map(({ port, probability, eta }) => ({
    port: canonicalPort(port),
    probability,
    eta: eta ?? null,
  }));
  return firstOfEachKey(prospects.sort(byLikelihood), ({ port }) => port);
}

/** The predictions for each vessel, likeliest port first. */
export function rankByVessel(predictions: readonly Prediction[]): Map<Imo, Prospect[]> {
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  return new Map([...byVessel].map(([imo, records]) => [imo, rankProspects(records)]));
}

export const likeliestEtas = (predictions: readonly Prediction[]): Date[] =>
  [...rankByVessel(predictions).values()].flatMap(([likeliest]) => likeliest?.eta ?? []);
