import { millisecondsInDay } from 'date-fns/constants';
import type { Prediction } from '../../analytics/answers.ts';
import type { Verdict } from '../../answers/answer.ts';
import { untilEta } from '../../answers/formatting/times.ts';
import {
  counted,
  type KnownVessel,
  percent,
  rivalInWords,
  vesselShort,
} from '../../answers/formatting/words.ts';
import { clip } from '../../answers/limits.ts';
import { nextPorts, rivalOf } from '../../predictions/next-port.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, samePort } from '../../reference/ports.ts';
import { after, etaInWords, inOwnZone, portAndPercent, timeOf } from './call.ts';
import type { FleetPredictions, FleetVessel } from './predictions.ts';

/** What is said about one vessel. */
export interface VesselVerdict {
  strong: string;
  /** The call whose time follows. */
  called?: Prediction | undefined;
  /** What follows the time. */
  rest: readonly string[];
  /** The predictions that the answer contains. */
  said: readonly Prediction[];
}

/** `predictions`: the most probable first, at least one. */
export function verdictOf(
  { vessel, predictions }: { vessel: KnownVessel; predictions: readonly Prediction[] },
  now: Date,
): VesselVerdict {
  const name = vesselShort(vessel);
  const either = nextPorts(predictions);
  const [first] = either;
  if (first && either.length === 1)
    return {
      strong: `${name} → ${portName(first.port)}, ${percent(first.probability)}`,
      called: first,
      rest: [],
      said: [first],
    };
  return {
    strong: `${name} · Undecided: ${either.map(portAndPercent).join(' or ')}`,
    rest: [[...new Set(either.map((prediction) => etaInWords(prediction, now)))].join(' or ')],
    said: either,
  };
}

/** Whether the vessel is predicted at a port, and when. `rest` is the port that may be next instead. */
export function atPortVerdict(
  { vessel, predictions, at }: { vessel: KnownVessel; predictions: readonly Prediction[]; at: Locode },
  now: Date,
): VesselVerdict {
  const name = vesselShort(vessel);
  const port = portName(at);
  const there = predictions.find((prediction) => samePort(prediction.port, at));
  const found = rivalOf(predictions, at);
  const rest = found ? [[rivalInWords(found), ...timeOf(found.rival, now)].join(', ')] : [];
  const said = [there ?? [], found?.rival ?? []].flat();
  if (!there) return { strong: `${port} is not predicted for ${name}`, rest, said };
  const share = percent(there.probability);
  // An arrow would read like a forecast.
  const strong = found
    ? `${name}: ${port} ${found.isLikelier ? 'unlikely' : 'undecided'}, ${share}`
    : `${name} → ${port}, ${share}`;
  return { strong, called: there, rest, said };
}

export const toVerdict = ({ strong, called, rest }: VesselVerdict, now: Date): Verdict => ({
  strong,
  rest: [...after(called ? timeOf(called, now) : []), inOwnZone(called), ...after(rest)],
});

/** `Fleet NORTH, 20 vessels`, not escaped. */
export function fleetSubject({ list, group, vessels }: FleetPredictions): string {
  const name = group ?? (list === undefined ? undefined : `List ${list}`);
  return [...(name === undefined ? [] : [clip(name, 40)]), counted(vessels.length, 'vessel')].join(', ');
}

/** The next call of several vessels, how long until then, and how many need a look. Without a call, the counts alone. */
export function fleetVerdict(fleet: FleetPredictions, now: Date): Verdict {
  const subject = fleetSubject(fleet);
  const next = fleet.vessels.find(({ top: [first] }) => first?.eta && first.eta >= now);
  const counts = countsOf(fleet.vessels, now);
  const [first] = next?.top ?? [];
  if (!next || !first?.eta) return { strong: [subject, counts.join(', ')].filter(Boolean).join(': ') };
  return {
    strong: `${subject}: next ${callInWords(next, now)}`,
    rest: [...after([untilEta(first.eta, now)]), inOwnZone(first), ...after(counts)],
  };
}

/** `MSC DIANA → Singapore 48% or Port Klang 45%, Sun 22 Nov 09:00 LT (01:00 UTC)`. */
function callInWords({ vessel, top, failed }: FleetVessel, now: Date): string {
  const name = vesselShort(vessel);
  const [first] = top;
  if (!first) return `${name}: ${failed ? 'no answer' : 'no prediction'}`;
  return `${name} → ${nextPorts(top).map(portAndPercent).join(' or ')}, ${etaInWords(first, now)}`;
}

function countsOf(vessels: readonly FleetVessel[], now: Date): string[] {
  const count = (isCounted: (vessel: FleetVessel) => boolean, words: string) => {
    const found = vessels.filter(isCounted).length;
    return found === 0 ? [] : [`${found} ${words}`];
  };
  /** How long until the ETA. */
  const msUntil = ({ top: [first] }: FleetVessel) => first?.eta && first.eta.getTime() - now.getTime();
  return [
    ...count((vessel) => isBetween(msUntil(vessel), 0, millisecondsInDay), 'within 24 h'),
    ...count((vessel) => isBetween(msUntil(vessel), Number.NEGATIVE_INFINITY, -1), 'past ETA'),
    ...count(({ top }) => nextPorts(top).length > 1, 'undecided'),
    ...count(({ top: [first] }) => first !== undefined && first.eta === undefined, 'without an ETA'),
    ...count(({ top, failed }) => !failed && top.length === 0, 'without a prediction'),
    ...count(({ failed }) => failed, 'without an answer'),
  ];
}

const isBetween = (value: number | undefined, min: number, max: number): boolean =>
  value !== undefined && value >= min && value <= max;
