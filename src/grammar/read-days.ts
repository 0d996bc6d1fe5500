import { UserError } from '../errors.ts';
import {
  calendarDay,
  type DayOfYear,
  dayAfter,
  dayOfMonth,
  daysAhead,
  formatDay,
  orderOf,
  type PeriodDay,
  readDay,
  weekdayOfNextWeek,
  weekdays,
} from './dates.ts';
import { type DateOrder, joinWords, type LineHelp, quote, wordsError } from './line.ts';
import { formatMoment } from './moment.ts';
import { badPeriod, dayOrYear, formatPeriod, type Period, type PeriodHelp } from './period.ts';
import { type Groups, namesBoth, splitDays, splitList, type Typed } from './period-shape.ts';
import { readTime } from './times.ts';

/** `mon/tue`: days that follow each other. */
export function readTwoDays(groups: Groups, { typed, help }: Typed): Period | undefined {
  const [from, to] = [readDay(groups.from ?? '', help), readDay(groups.to ?? '', help)];
  if (!from || !to) return undefined;
  const both = { kind: 'days', from, to } as const;
  if (!followsOn(both)) throw twoDays(typed, both, help);
  return both;
}

const followsOn = ({ from, to }: Days): boolean => {
  const [date, nextDate] = [dayOfMonth(from), dayOfMonth(to)];
  if (date !== undefined && nextDate !== undefined) return nextDate === date + 1;
  const next = dayAfter(from);
  return next !== undefined && formatDay(next) === formatDay(to);
};

type Days = Extract<Period, { kind: 'days' }>;

const twoDays = (typed: string, { from, to }: Days, help: LineHelp): UserError =>
  listedDays(typed, [from, to], help);

/** `24, 25 and 26 nov`. */
export function readDayList({ list = '' }: Groups, { typed, help }: Typed): Period | undefined {
  const days = (splitList(list) ?? []).flatMap((day) => readDay(day, help) ?? []);
  const [from, to] = [days[0], days.at(-1)];
  if (!from || !to) return undefined;
  const isSpan = days
    .slice(1)
    .every((day, at) => followsOn({ kind: 'days', from: days[at] ?? from, to: day }));
  if (!isSpan) throw listedDays(typed, days, help);
  return { kind: 'days', from, to };
}

/** Offers each, and all days from the first to the last. */
function listedDays(typed: string, days: readonly PeriodDay[], help: LineHelp): UserError {
  const [from, to] = [days[0], days.at(-1)];
  const isSpan = from !== undefined && to !== undefined && !isReversed(from, to);
  return wordsError(
    'bad-period',
    `${quote(typed)} isn't one period. Do you mean one of the days, or all from the first to the last?`,
    help,
    {
      fixes: [
        ...days.slice(0, 4).map(formatDay),
        ...(isSpan ? [formatPeriod({ kind: 'days', from, to })] : []),
      ],
    },
  );
}

export function readDays({ days = '', ...groups }: Groups, { typed, help }: Typed): Period | undefined {
  const { from: first = '', to: second = '', mark = '' } = { ...groups, ...splitDays(days) };
  const order = orderOfBoth(first, second);
  const from = readDay(first, help, {
    order,
    phrase: (fixed, like) => `${fixed}..${nearestValidDay(second, like)}`,
  });
  const to = readDay(second, help, {
    order,
    phrase: (fixed) => `${from && formatDay(from)}..${fixed}`,
  });
  if (!from || !to) return undefined;
  const both = { kind: 'days', from: inYearOf(to, from), to } as const;
  if (mayBeMonth(first, from, help) && mayBeMonth(second, to, help) && from.date === to.date)
    throw dayOrYear(typed, { days: both, months: [from, to] }, help);
  if (namesBoth(mark, typed) && !followsOn(both)) throw twoDays(typed, both, help);
  if (isReversed(from, to)) throw reversedPeriod(typed, { kind: 'days', from: to, to: from }, help);
  return both;
}

/** `24/11-28/11/2026`: the last day's year, or the one before if the period spans New Year. */
function inYearOf(to: PeriodDay, from: PeriodDay): PeriodDay {
  const year = Number(/^\d{4}(?=-)/.exec(formatDay(to))?.[0]);
  if (typeof from === 'string' || !year) return from;
  const dayIn = (each: number) => calendarDay({ year: each, month: from.month, day: from.date });
  const sameYear = dayIn(year);
  return (sameYear && formatDay(sameYear) <= formatDay(to) ? sameYear : dayIn(year - 1)) ?? from;
}

/** `fri 06:00-14:00`, `fri 22:00-06:00`, `from fri 06:00 to sat 14:00`, `6-14h`. */
export function readTimes(groups: Groups, { typed, help }: Typed): Period | undefined {
  const { from: first = '', to: second = '', day, ofDay = 'today', lastDay } = groups;
  const days = day === undefined ? daysOfDots(first, second) : undefined;
  if (days) throw timesOrDays(typed, days, help);
  const isHour = readTime(first) === undefined;
  const minutes = {
    from: isHour ? Number(first) * 60 : (readTime(first) ?? 0) % 1440,
    to: readTime(second) ?? 0,
  };
  // In `6-14h`, but not in `6-fri 14h`, the first number is an hour.
  if (isHour && lastDay !== undefined) return undefined;
  const order = orderOfBoth(day ?? ofDay, lastDay ?? '');
  const end = (like?: DateOrder) => joinWords(lastDay && nearestValidDay(lastDay, like), second);
  const begins = readDay(day ?? ofDay, help, {
    order,
    phrase: (fixed, like) => `${fixed} ${first}..${end(like)}`,
  });
  if (begins === undefined) return undefined;
  const from = { day: begins, minutes: minutes.from };
  if (lastDay === undefined) {
    const ends = minutes.to > minutes.from ? begins : dayAfter(begins);
    if (ends !== undefined) return { kind: 'times', from, to: { day: ends, minutes: minutes.to } };
    throw badPeriod(`${quote(typed)} ends on the next day: write that day too.`, help);
  }
  const phrase = (fixed: string) => `${formatMoment(from)}..${fixed} ${second}`;
  const ends = readDay(lastDay, help, { order, phrase });
  if (ends === undefined) return undefined;
  const to = { day: ends, minutes: minutes.to };
  const isOneDay = formatDay(begins) === formatDay(ends);
  if (isReversed(begins, ends) || (isOneDay && to.minutes <= from.minutes))
    throw reversedPeriod(typed, { kind: 'times', from: to, to: from }, help);
  return { kind: 'times', from, to };
}

/** `11.25 to 11.27`: rather two days, the month first, than two minutes of an hour. */
function daysOfDots(first: string, second: string): Period | undefined {
  const [from, to] = [first, second].map((typed) => /^(0?[1-9]|1[0-2])\.(1[3-9]|2\d|3[01])$/.exec(typed));
  if (!from || !to || from[1] !== to[1]) return undefined;
  const month = Number(from[1]);
  return {
    kind: 'days',
    from: { month, date: Number(from[2]) },
    to: { month, date: Number(to[2]) },
  };
}

const timesOrDays = (typed: string, days: Period, help: LineHelp): UserError =>
  wordsError('bad-period', `${quote(typed)} can be two times or two days. Which do you mean?`, help, {
    fixes: [formatPeriod(days), typed.replace(/(\d)\.(\d)/g, '$1:$2')],
  });

const isIso = (day: string): boolean => /^\d{4}-/.test(day);

/** That of one of the dates; `08/01/2027..03/02/2027` would end before it begins if the month came first. */
function orderOfBoth(first: string, second: string): DateOrder | undefined {
  const orders = [orderOf(first), orderOf(second)];
  const known = orders.find((order) => order !== undefined && order !== 'unclear');
  if (known || !orders.every((order) => order === 'unclear')) return known;
  const possible = (['day', 'month'] as const).filter((order) => {
    const [from, to] = [nearestValidDay(first, order), nearestValidDay(second, order)];
    // Without a year, either may come first.
    return !isIso(from) || !isIso(to) || from <= to;
  });
  return possible.length === 1 ? possible[0] : undefined;
}

export function readSingleDay({ day: typedDay = '' }: Groups, { help }: Typed): Period | undefined {
  const day = readDay(typedDay, help);
  if (day && mayBeMonth(typedDay, day, help)) return { kind: 'day-or-month', day };
  return day && { kind: 'day', day };
}

/** `oct 26`: the number can be a year. Predictions are of the next weeks, where it is rather a day. */
const mayBeMonth = (typed: string, day: PeriodDay, { direction }: PeriodHelp): day is DayOfYear =>
  direction === 'past' && typeof day === 'object' && /^\p{L}+\.? 2\d$/u.test(typed);

/** The day itself if it is valid, else the nearest valid day. */
function nearestValidDay(typed: string, order: DateOrder | undefined): string {
  try {
    const day = readDay(typed, { example: '', line: (fixed) => fixed }, { order });
    return day ? formatDay(day) : typed;
  } catch (error) {
    if (error instanceof UserError) return error.choices[0]?.label ?? typed;
    throw error;
  }
}

/** Covers the cases that need no clock; resolvePeriodWithin covers the others. */
function isReversed(from: PeriodDay, to: PeriodDay): boolean {
  const [fromWords, toWords] = [formatDay(from), formatDay(to)];
  const ofNextWeek = [from, to].map(weekdayOfNextWeek);
  const [first, last] = ofNextWeek.map((day) => day && (weekdays.indexOf(day) + 6) % 7);
  if (first !== undefined && last !== undefined) return last < first;
  const [fromAhead, toAhead] = [daysAhead(from), daysAhead(to)];
  if (fromAhead !== undefined && toAhead !== undefined) return toAhead < fromAhead;
  // 28 dec..2 jan spans New Year, 28 nov..25 nov would be nearly a whole year.
  if (typeof from !== 'string' && typeof to !== 'string')
    return from.month === to.month && to.date < from.date;
  return isIsoDate(fromWords) && isIsoDate(toWords) && toWords < fromWords;
}

const isIsoDate = (day: string): boolean => /^\d{4}-/.test(day);

export const reversedPeriod = (typed: string, fixed: Period, help: LineHelp): UserError =>
  wordsError('bad-period', `${quote(typed)} ends before it begins.`, help, { fixes: [formatPeriod(fixed)] });
