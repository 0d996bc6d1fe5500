import { TZDate } from '@date-fns/tz';
import { addMonths } from 'date-fns/addMonths';
import { differenceInDays } from 'date-fns/differenceInDays';
import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { dateRange, isoDay, shortMonth } from '../../answers/formatting/times.ts';
import { counted } from '../../answers/formatting/words.ts';
import { type Choice, UserError } from '../../errors.ts';
import { namesOf } from '../../grammar/lanes.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { resolvePeriod, type TimeSpan } from '../../grammar/resolve-period.ts';
import { maxRequests } from './lanes.ts';
import { type By, format, type LaneValues } from './words.ts';

/** A month or quarter in UTC, or the part of one that is in the line's period and isn't in the future. */
export interface Part extends TimeSpan {
  /** `Oct 2026`, `Q3 2026`; with its days if it isn't whole. */
  name: string;
  /** It goes on. */
  isCurrent: boolean;
}

type Unit = Exclude<By, 'whole'>;

/** The months or quarters of a span, the oldest first. */
export function partsOf({ begin, end }: TimeSpan, unit: Unit, now: Date): Part[] {
  const until = min([end, now]);
  const parts: Part[] = [];
  const startOf = unit === 'month' ? startOfMonth : startOfQuarter;
  for (let start = startOf(new TZDate(begin, 'UTC')); +start < +until; ) {
    const next = addMonths(start, unit === 'month' ? 1 : 3);
    const whole = { begin: new Date(+start), end: new Date(+next) };
    const part = { begin: max([whole.begin, begin]), end: min([whole.end, until]) };
    parts.push({
      ...part,
      name: nameOf(part, { whole, unit }),
      isCurrent: +next > +now && +part.end === +until,
    });
    start = next;
  }
  return parts;
}

function nameOf(part: TimeSpan, { whole, unit }: { whole: TimeSpan; unit: Unit }): string {
  const isWhole = +part.begin === +whole.begin && +part.end === +whole.end;
  if (!isWhole) return dateRange(part.begin, new Date(+part.end - 1), 'UTC');
  const [year, month] = [whole.begin.getUTCFullYear(), whole.begin.getUTCMonth()];
  return unit === 'month' ? `${shortMonth(month + 1)} ${year}` : `Q${month / 3 + 1} ${year}`;
}

/** `Dec 2025`, `Q3 2026`, `1 Jul – 31 Aug 2026`. */
export function spanName(span: TimeSpan): string {
  const units = (['month', 'quarter'] as const).map((unit) => partsOf(span, unit, span.end));
  const [part] = units.find(({ length }) => length === 1) ?? [];
  return part?.name ?? dateRange(span.begin, new Date(Math.max(+span.begin, +span.end - 1)), 'UTC');
}

/** The parts that are known without a clock: none of a period that grows. */
function partsKnown({ period, by }: LaneValues): Part[] {
  const isFixed = period?.kind === 'months' || period?.kind === 'last-full';
  if (!isFixed || by === 'whole') return [];
  const now = new Date(Date.UTC(2100, 11, 31));
  return partsOf(resolvePeriod(period, { now, zone: 'UTC', direction: 'past' }), by, now);
}

/** The most requests, where the number depends on the time. */
export function requestsFor(values: LaneValues): number {
  const periods = values.versus ? 2 : values.by === 'whole' ? 1 : partsKnown(values).length || maxRequests;
  return values.lanes.length * periods;
}

/** Throws UserError for what doesn't go with `by month`, as far as the line alone shows it. */
export function checkParts(values: LaneValues): void {
  if (values.by === 'whole') return;
  const { lanes, versus, by } = values;
  const doesNotFit = (message: string, others: readonly (Partial<LaneValues> & { label: string })[]) =>
    new UserError({
      code: 'unexpected-words',
      message,
      choices: others.map(({ label, ...other }) => ({
        label,
        line: format({ ...values, ...other, page: 1 }),
      })),
    });
  if (versus) {
    throw doesNotFit(`“by ${by}” and “versus” are two questions. Ask one at a time.`, [
      { label: `by ${by}`, versus: undefined },
      { label: 'versus', by: 'whole' },
    ]);
  }
  if (lanes.length > 1) {
    throw doesNotFit(`“by ${by}” works for one lane, not for ${lanes.length}.`, [
      ...lanes.slice(0, 4).map((lane) => ({ label: namesOf([lane]), lanes: [lane] as const })),
      { label: `Without “by ${by}”`, by: 'whole' },
    ]);
  }
  const known = partsKnown(values);
  if (known.length > maxRequests) throw tooManyParts(known, values);
}

const minDays = 59;

/** The button that puts the months of the answer side by side: of two whole ones, or more, as many as are asked at once. */
export function byMonthChoices(span: TimeSpan | undefined, values: LaneValues, now: Date): Choice[] {
  if (span) {
    const { length } = partsOf(span, 'month', now);
    const days = differenceInDays(min([span.end, now]), span.begin);
    if (days < minDays || length > maxRequests) return [];
  }
  const period = values.period ?? { kind: 'last-full', amount: 6, unit: 'month' };
  return [{ label: 'By month', line: format({ ...values, period, by: 'month', page: 1 }) }];
}

/**
 * Offers the last ones, those before, and quarters. Throws if there is only one, or more than the calls allow; `keepsLast`:
 * then the last ones, since a digest can't ask when its period has grown.
 */
export function checkedParts(
  span: TimeSpan,
  values: LaneValues & { by: Unit },
  { now, keepsLast }: { now: Date; keepsLast: boolean },
): [Part, ...Part[]] {
  const all = partsOf(span, values.by, now);
  if (all.length > maxRequests && !keepsLast) throw tooManyParts(all, values);
  const [first, ...others] = all.slice(-maxRequests);
  if (first && others.length > 0) return [first, ...others];
  const amount = values.by === 'month' ? 6 : 4;
  const lastFull: Period = { kind: 'last-full', amount, unit: values.by };
  throw new UserError({
    code: 'bad-period',
    message: `That period has one ${values.by} only: there is nothing to put side by side.`,
    choices: [
      {
        label: `${formatPeriod(lastFull)} by ${values.by}`,
        line: format({ ...values, period: lastFull, page: 1 }),
      },
      { label: `Without “by ${values.by}”`, line: format({ ...values, by: 'whole', page: 1 }) },
    ],
  });
}

function tooManyParts(parts: readonly Part[], values: LaneValues): UserError {
  const { by } = values;
  const choiceOf = (of: readonly Part[]): Choice[] => {
    const [first, last] = [of[0], of.at(-1)];
    if (!first || !last) return [];
    const period: Period = { kind: 'days', from: isoDay(first.begin, 'UTC'), to: lastDayOf(last) };
    return [{ label: `${first.name} to ${last.name}`, line: format({ ...values, period, page: 1 }) }];
  };
  const lastFull: Period | undefined =
    values.period?.kind === 'last-full' ? { ...values.period, amount: maxRequests } : undefined;
  const latest = lastFull
    ? [{ label: formatPeriod(lastFull), line: format({ ...values, period: lastFull, page: 1 }) }]
    : [...choiceOf(parts.slice(-maxRequests)), ...choiceOf(parts.slice(-2 * maxRequests, -maxRequests))];
  const isShortEnough = by === 'month' && parts.length <= 3 * (maxRequests - 1);
  return new UserError({
    code: 'bad-period',
    message: `${counted(parts.length, by)} are too many side by side: at most ${maxRequests}, and each is an API call.`,
    choices: [
      ...latest,
      ...(isShortEnough
        ? [{ label: 'By quarter', line: format({ ...values, by: 'quarter', page: 1 }) }]
        : []),
    ],
  });
}

const lastDayOf = ({ end }: TimeSpan) => isoDay(new Date(+end - 1), 'UTC');
