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
  openSince,
  portBefore,
  prospectFor,
} from '../../predictions/promises.ts';
import type { Locode } from '../../reference/codes.ts';
import { canonicalPort, portName, portOf } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { dueInWords } from './due-words.ts';

/** 🔴 at risk, 🟠 late or early; empty if it is in time, or nothing is known. */
type DueMarker = '🔴' | '🟠' | '';

/** How a promise stands: `in time, 31 h to spare`. */
export interface Standing {
  marker: DueMarker;
  /** Begins with the marker. */
  words: string;
  /** What the words don't say of the call at its port: `ETA Wed 25 Nov 14:00, 88%`. */
  figures?: string;
  /** The forecast doesn't say whether it is met. */
  isUnknown?: true;
}

export interface Predicted {
  /** The likeliest port first; empty if nothing is predicted. */
  ranked: readonly Prospect[];
  /** The port is no longer predicted, and its last ETA was near. */
  wasProbablyCalled?: boolean;
}

/**
 * `Rotterdam by Sun 20 Dec 14:00 LT: 🔴 at risk, Le Havre is likelier (77%)`. `name`: its reference or vessel. `headline`:
 * the port whose ETA and probability stand above.
 */
export function standingLine(
  due: Due,
  standing: Standing,
  { name, headline, now }: { name?: string | undefined; headline?: Locode | undefined; now: Date },
): string {
  const where = `${portName(due.port)} ${dueInWords(due, now)}`;
  const isSaid = headline !== undefined && canonicalPort(headline) === canonicalPort(due.port);
  const words = isSaid ? standing.words : standingInWords(standing);
  return `${name === undefined ? where : `${name} at ${where}`}: ${words}`;
}

export const standingInWords = ({ words, figures }: Standing): string =>
  figures === undefined ? words : `${words}, ${figures}`;

/** One whose time has passed shows only if it is broken, for as long as it is open. */
export const isShown = ({ at }: Due, { marker }: Standing, now: Date): boolean =>
  at > (marker === '' ? now : openSince(now));

/** Never “in time” while the port is less likely than promised, or another one is likelier. */
export function standingOf(due: Due, { ranked, wasProbablyCalled = false }: Predicted, now: Date): Standing {
  if (ranked.length === 0) return unknown('no prediction now');
  const current = prospectFor(due, ranked);
  if (!current && wasProbablyCalled) return unknown('no longer predicted, at about its ETA');
  const before = portBefore(due, ranked);
  if (before) return standingAfter(before, due, current, now);
  const rival = rivalOf(ranked, due.port);
  const share = percentUnder(current?.probability ?? 0, minimumOf(due));
  if (!current || isTooUnlikely(due, current) || rival?.isLikelier) {
    const least = due.minimum === undefined ? '' : ` (${percent(due.minimum)} promised)`;
    const why = rival ? rivalInWords(rival) : `only ${share}${least}`;
    const risk = due.at > now ? 'at risk' : 'past due';
    return { words: `🔴 ${risk}, ${current ? '' : 'not predicted: '}${why}`, marker: '🔴' };
  }
  if (!current.eta) return unknown('ETA not given', share);
  const figures = `ETA ${zonedTimeAt(current.eta, due, now)}, ${share}`;
  if (isLate(due, current)) return late(current.eta, due, figures);
  if (due.at <= now) return { words: '🟠 past due, still forecast', figures, marker: '🟠' };
  if (due.earliest && isEarly(due, current))
    return { words: `🟠 ${apart(current.eta, due.earliest)} early`, figures, marker: '🟠' };
  if (current.eta < now) return unknown(`ETA passed ${apart(current.eta, now)} ago, still forecast`, share);
  const minutes = Math.abs(differenceInMinutes(current.eta, due.at));
  const spare = minutes > 0 ? `, ${duration(minutes)} to spare` : '';
  return { words: `in time${spare}`, figures: share, marker: '' };
}

const late = (eta: Date, due: Due, figures: string): Standing => ({
  ...{ words: `🟠 ${apart(eta, due.at)} late`, figures, marker: '🟠' },
});

/** `Singapore comes first (85%)`: too unlikely to be the next call says nothing against a later one. */
function standingAfter(before: Prospect, due: Due, current: Prospect | undefined, now: Date): Standing {
  const words = `${portName(before.port)} comes first (${percent(before.probability)})`;
  if (!current?.eta) return unknown(words);
  const figures = `ETA ${zonedTimeAt(current.eta, due, now)}`;
  return isLate(due, current) ? late(current.eta, due, `${figures}, ${words}`) : unknown(words, figures);
}

const unknown = (words: string, figures?: string): Standing => ({
  ...{ words, marker: '', isUnknown: true },
  ...(figures !== undefined && { figures }),
});

/** `9 h`, at least a minute. */
export const apart = (one: Date, other: Date): string =>
  duration(Math.max(1, Math.abs(differenceInMinutes(one, other))));

/** Beside the promised time, so without the name of the clock. */
function zonedTimeAt(eta: Date, { port }: Due, now: Date): string {
  const zone = portOf(port)?.zone;
  return zone === undefined ? `${zonedTime(eta, 'UTC', now)} UTC` : zonedTime(eta, zone, now);
}
