import type { Prediction } from '../../../analytics/answers.ts';
import type { TimeSpan } from '../../../grammar/resolve-period.ts';
import { isoDay } from '../../../messages/formatting/times.ts';
import type { Locode } from '../../../reference/locode.ts';
import { canonicalPort, portOf } from '../../../reference/ports.ts';
import { portHistory } from '../../history/index.ts';
import type { AskCtx } from '../../variant.ts';
import { fetchPort } from '../ask.ts';
import { dayAfter, daysBetween, daysOf } from './calendar.ts';
import { isAboveNorm, type Norm, type NormOfDay, readNorm } from './norm.ts';
import { type LikelyCalls, likelyCallsOf } from './spread.ts';

/** Without a period. */
const defaultDays = 10;
/** All days of a shorter period are listed; a longer one ends with its last predicted call. */
const maxEmptyDays = 20;

export type PortDays = Awaited<ReturnType<typeof askPortDays>>;

export interface PortDay extends LikelyCalls {
  /** Of the port's calendar: `2026-11-23`. */
  day: string;
  /** If there is enough history. */
  norm?: NormOfDay;
  isAbove: boolean;
}

/**
 * The likely calls of each local day that the period touches, or of the next ten. Calls of any probability count. Vessels
 * whose ETA has passed or isn't given may call on any day, so they stand apart.
 */
export async function askPortDays(port: Locode, { period }: { period: TimeSpan | undefined }, ctx: AskCtx) {
  const now = ctx.now();
  const { predictions, scale, ...of } = await fetchPort(port, ctx);
  const zone = portOf(of.port)?.zone ?? 'UTC';
  const { first, listed, counted } = countByDay(predictions, { zone, now, period });
  // The terminal has no history. The author of a workflow may not learn what the person that it names watches.
  const norm =
    ctx.place && !ctx.place.isShared
      ? await readNorm(
          {
            codes: [...new Set([port, of.port, canonicalPort(port)])],
            leads: daysBetween(isoDay(now, zone), first) + counted.days.length,
            ...{ zone, now, scale },
          },
          portHistory(ctx),
        )
      : undefined;
  const days = counted.days.map((each): PortDay => {
    const ofLead = norm?.kind === 'known' ? norm.byLead[daysBetween(isoDay(now, zone), each.day)] : undefined;
    return { ...each, ...(ofLead && { norm: ofLead }), isAbove: isAboveNorm(each.likely, ofLead) };
  });
  return {
    ...of,
    ...counted,
    days,
    norm: norm && normState(norm),
    listed,
    /** The service has no predictions for this port. */
    isUnknown: predictions.length === 0,
  };
}

const normState = (norm: Norm) => (norm.kind === 'known' ? { kind: norm.kind, days: norm.days } : norm);

/** Pure. Each list is sorted by time. */
export function countByDay(
  predictions: readonly Prediction[],
  { zone, now, period }: { zone: string; now: Date; period: TimeSpan | undefined },
) {
  const today = isoDay(now, zone);
  const begin = period ? isoDay(period.begin, zone) : today;
  const first = begin > today ? begin : today;
  // A period ends before its last moment.
  const end = period ? isoDay(new Date(period.end.getTime() - 1), zone) : dayAfter(today, defaultDays - 1);
  const groupOf = ({ eta }: Prediction): string => {
    if (!eta) return 'undated';
    return eta < now ? 'overdue' : isoDay(eta, zone);
  };
  const groups = Map.groupBy(predictions, groupOf);
  const likelyOf = (of: readonly Prediction[] = []) =>
    likelyCallsOf(of.map(({ probability }) => probability));
  const lastPredicted = [...groups.keys()]
    .filter((day) => day >= first && day <= end && isDay(day))
    .sort()
    .at(-1);
  const lastShown = [dayAfter(first, maxEmptyDays - 1), lastPredicted ?? first].sort().at(-1) ?? end;
  const days = daysOf(first, lastShown < end ? lastShown : end);
  const isListed = (day: string) => isDay(day) && day >= first && day <= end;
  const whenOf = (group: string): 'before' | 'within' | 'after' | 'unknown' => {
    if (group === 'undated') return 'unknown';
    if (group === 'overdue') return first === today ? 'within' : 'before';
    if (isListed(group)) return 'within';
    return group < first ? 'before' : 'after';
  };
  return {
    first,
    listed: predictions.map((prediction) => {
      const { imo, probability, eta = null } = prediction;
      return { imo, probability, eta, when: whenOf(groupOf(prediction)) };
    }),
    counted: {
      days: days.map((day) => ({ day, ...likelyOf(groups.get(day)) })),
      total: likelyOf([...groups].flatMap(([group, of]) => (isListed(group) ? of : []))),
      overdue: likelyOf(groups.get('overdue')),
      undated: likelyOf(groups.get('undated')),
      /** After the last day. */
      later: likelyOf([...groups].flatMap(([group, of]) => (isDay(group) && group > end ? of : []))),
    },
  };
}

const isDay = (group: string): boolean => /^\d/.test(group);
