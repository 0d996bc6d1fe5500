import { portTime, untilEta, zonedTime } from '../../answers/formatting/times.ts';
import { percent } from '../../answers/formatting/words.ts';
import type { Locode } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';

/** An event in words. It doesn't name its vessel. */
export interface EventText {
  /** The verdict: `Southampton → Rotterdam 57%, Southampton 39%`. */
  headline: string;
  /** Stands in parentheses after it: `since Sat 21 Nov 09:05 UTC`. */
  aside?: string;
  /** The second line, its parts joined by ` · `: `Sat 28 Nov 17:53 LT`, `in 2 d 6 h`, `was Tue 24 Nov 20:34`. */
  figures?: readonly string[];
  /** The figures are those of two ports, which stand one below the other. */
  isLinePerFigure?: boolean;
  /** The headline of a table's row, as short as possible: `ETA 16 h later`. */
  what: string;
  /** `Southampton 50% → Rotterdam 86%`. */
  change?: string;
  /** The current ETA, as in a table. */
  eta?: string;
  /** Nobody needs to do anything. An event that is neither routine nor critical is to be checked. */
  isRoutine?: boolean;
}

export const portChance = ({ port, probability }: Prospect): string =>
  `${portName(port)} ${percent(probability)}`;

/** `Sun 22 Nov 08:05 LT (07:05 UTC)`. */
export const timeAt = (port: Locode, at: Date, now: Date): string => portTime(at, portOf(port)?.zone, now);

export const etaInWords = ({ port, eta }: Pick<Prospect, 'port' | 'eta'>, now: Date): string =>
  eta ? timeAt(port, eta, now) : 'ETA not given';

/** `Sun 22 Nov 08:05`, in the port's time; for a time beside one that says so. */
export function shortTimeAt(port: Locode, at: Date, now: Date): string {
  const zone = portOf(port)?.zone;
  return zone === undefined ? `${zonedTime(at, 'UTC', now)} UTC` : zonedTime(at, zone, now);
}

/** `Sun 22 Nov 08:05 LT (07:05 UTC)` and `in 22 h`, or `3 h past ETA`. */
export const etaFigures = ({ port, eta }: Prospect, now: Date): string[] =>
  eta ? [timeAt(port, eta, now), untilEta(eta, now)] : ['ETA not given'];

/** `was Tue 24 Nov 20:34`, or `Rotterdam was …` of another port; nothing for the same minute of the same port. */
export function formerEta(was: Prospect, current: Prospect, now: Date): string[] {
  if (!was.eta) return [];
  const before = shortTimeAt(was.port, was.eta, now);
  if (was.port !== current.port) return [`${portName(was.port)} was ${before}`];
  return current.eta && before === shortTimeAt(was.port, current.eta, now) ? [] : [`was ${before}`];
}

/** `Sat 21 Nov 09:05 UTC`. It names the day even for today, because messages are read on later days too. */
export const stamp = (time: Date, now: Date): string => portTime(time, undefined, now);
