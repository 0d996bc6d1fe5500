import { addHours } from 'date-fns/addHours';
import { differenceInHours } from 'date-fns/differenceInHours';
import { subHours } from 'date-fns/subHours';
import type { Imo, Locode } from '../reference/codes.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { Prospect } from '../reference/prediction.ts';
import { thresholds } from './thresholds.ts';

/** When a vessel has to be at a port. */
export interface Due {
  port: Locode;
  /** The latest time. */
  at: Date;
  /** The beginning of a window, such as that of a berth. */
  earliest?: Date;
  /** The least probability, from 0 to 1; left out, the one below which every port counts as unlikely. */
  minimum?: number;
  /** The booking or the like that depends on it. */
  reference?: string;
}

/** A promise that breaks at the last moment still alerts, and a broken one shows for this long. */
const endsAfterHours = 24;

/** The promises of later times count. */
export const openSince = (now: Date): Date => subHours(now, endsAfterHours);

/** A promise is about one vessel. */
export interface VesselDue {
  imo: Imo;
  due: Due;
}

/** Equal for the same promise of a vessel, also in another order of its fields. */
export const dueKey = ({ port, at, earliest, minimum, reference }: Due): string =>
  [port, at.toISOString(), earliest?.toISOString(), minimum, reference]
    .filter((part) => part !== undefined)
    .join(' ');

export const hasDate = (dates: readonly Due[], date: Due): boolean =>
  dates.some((each) => dueKey(each) === dueKey(date));

/** Another date for the same port takes the place of the older one. */
export function replaceDates(older: readonly Due[], newer: readonly Due[]): Due[] {
  const isReplaced = ({ port }: Due) =>
    newer.some((other) => canonicalPort(other.port) === canonicalPort(port));
  const stay = older.filter((date) => hasDate(newer, date) || !isReplaced(date));
  return [...stay, ...newer.filter((date) => !hasDate(stay, date))];
}

/** The prediction for its port. */
export const prospectFor = ({ port }: Due, ranked: readonly Prospect[]): Prospect | undefined =>
  ranked.find((prospect) => prospect.port === canonicalPort(port));

export const isLate = ({ at }: Due, { eta }: Pick<Prospect, 'eta'>): boolean => eta !== null && eta > at;

/** Before the window begins. */
export const isEarly = ({ earliest }: Due, { eta }: Pick<Prospect, 'eta'>): boolean =>
  earliest !== undefined && eta !== null && eta < earliest;

export const minimumOf = ({ minimum = thresholds.alert.likely }: Due): number => minimum;

/** Ports nearer to each other in time are alternatives, not calls in a row. */
const callsApartHours = 72;

/** The likeliest port, if the vessel can call there and still be in time: the service predicts only the next call. */
export function portBefore(due: Due, ranked: readonly Prospect[]): Prospect | undefined {
  const [first] = ranked;
  if (!first?.eta || first.port === canonicalPort(due.port)) return undefined;
  const then = prospectFor(due, ranked)?.eta ?? due.at;
  return addHours(first.eta, callsApartHours) < then ? first : undefined;
}

/** Also if the port isn't predicted at all. */
export const isTooUnlikely = (due: Due, current: Prospect | undefined): boolean =>
  !current || current.probability < minimumOf(due);

/** Whether the ETA lies so many hours within the promised time; in a short window, a quarter of it. */
export function isWithinBy({ at, earliest }: Due, eta: Date, hours: number): boolean {
  const least = earliest ? Math.min(hours, differenceInHours(at, earliest) / 4) : hours;
  return addHours(eta, least) <= at && (earliest === undefined || subHours(eta, least) >= earliest);
}
