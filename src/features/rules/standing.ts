import { differenceInMinutes } from 'date-fns/differenceInMinutes';
import { duration, zonedTime } from '../../answers/formatting/times.ts';
import { percent, percentUnder, rivalInWords } from '../../answers/formatting/words.ts';
import { rivalOf } from '../../predictions/next-port.ts';
import {
  type Due,
  isEarly,
  isLate,
  isTooUnlikely,
  minimumOf,
  prospectFor,
} from '../../predictions/promises.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { dueInWords } from './due-words.ts';

/** 🔴 at risk, 🟠 late or early; empty if it is in time, or nothing is known. */
type DueMarker = '🔴' | '🟠' | '';

/** How a promise stands: `in time, 31 h to spare, 88%`. */
export interface Standing {
  marker: DueMarker;
  /** Begins with the marker. */
  words: string;
  /** The forecast doesn't say whether it is met. */
  isUnknown?: true;
}

export interface Predicted {
  /** The likeliest port first; empty if nothing is predicted. */
  ranked: readonly Prospect[];
  /** The port is no longer predicted, and its last ETA was near. */
  wasProbablyCalled?: boolean;
}

/** `Rotterdam by Sun 20 Dec 14:00 LT: 🔴 at risk, Le Havre is likelier (77%)`. `name`: its reference or vessel. */
export function standingLine(
  due: Due,
  standing: Standing,
  { name, now }: { name?: string | undefined; now: Date },
): string {
  const where = `${portName(due.port)} ${dueInWords(due, now)}`;
  return `${name === undefined ? where : `${name} at ${where}`}: ${standing.words}`;
}

/** Never “in time” while the port is less likely than promised, or another one is likelier. */
export function standingOf(due: Due, { ranked, wasProbablyCalled = false }: Predicted, now: Date): Standing {
  if (ranked.length === 0) return unknown('no prediction now');
  const current = prospectFor(due, ranked);
  if (!current && wasProbablyCalled) return unknown('no longer predicted, at about its ETA');
  const rival = rivalOf(ranked, due.port);
  const share = percentUnder(current?.probability ?? 0, minimumOf(due));
  if (!current || isTooUnlikely(due, current) || rival?.isLikelier) {
    const least = due.minimum === undefined ? '' : ` (${percent(due.minimum)} promised)`;
    const why = rival ? rivalInWords(rival) : `only ${share}${least}`;
    return { words: `🔴 at risk, ${current ? '' : 'not predicted: '}${why}`, marker: '🔴' };
  }
  if (!current.eta) return unknown(`ETA not given, ${share}`);
  const eta = `ETA ${zonedTimeAt(current.eta, due, now)}, ${share}`;
  if (isLate(due, current)) return { words: `🟠 ${apart(current.eta, due.at)} late, ${eta}`, marker: '🟠' };
  if (due.earliest && isEarly(due, current))
    return { words: `🟠 ${apart(current.eta, due.earliest)} early, ${eta}`, marker: '🟠' };
  if (current.eta < now)
    return unknown(`ETA passed ${apart(current.eta, now)} ago, still forecast, ${share}`);
  const minutes = Math.abs(differenceInMinutes(current.eta, due.at));
  const spare = minutes > 0 ? `${duration(minutes)} to spare, ` : '';
  return { words: `in time, ${spare}${share}`, marker: '' };
}

const unknown = (words: string): Standing => ({ words, marker: '', isUnknown: true });

/** `9 h`, at least a minute. */
export const apart = (one: Date, other: Date): string =>
  duration(Math.max(1, Math.abs(differenceInMinutes(one, other))));

/** Beside the promised time, so without the name of the clock. */
function zonedTimeAt(eta: Date, { port }: Due, now: Date): string {
  const zone = portOf(port)?.zone;
  return zone === undefined ? `${zonedTime(eta, 'UTC', now)} UTC` : zonedTime(eta, zone, now);
}
