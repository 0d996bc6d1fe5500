import { UserError } from '../errors.ts';
import { suffixesOf } from './carriers.ts';
import {
  daysOfMonthShape,
  formatDay,
  monthShape,
  type PeriodDay,
  periodDayShape,
  readDay,
  readMonth,
  readMonthName,
  readPeriodDay,
} from './dates.ts';
import { type LineHelp, quote } from './line-help.ts';
import { type Direction, directionOf, formatPeriod, type Period } from './period.ts';
import { badPeriod, reversedPeriod, wrongDirection } from './period-errors.ts';

interface PeriodHelp extends LineHelp {
  direction?: Direction;
}

const maxAmount = { hours: 9_600, days: 400, months: 24 };
const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const rangeMark = '(?:\\s*(?:\\.{2,3}|→|-)\\s*|\\s+(?:to|until|till|and)\\s+)';

const countedShape =
  /^(?:in |for |within )?(?:the )?(next|coming|last|past|previous)(?: (\S+))? (hours?|h|days?|d|weeks?|months?)$/i;
const joinedShape = /^(next|last|past) ?(\d+) ?(h|d)$/i;
const calendarShape = /^(?:in )?(this|next|last|previous|current) (week|month)$/i;
const openShape = new RegExp(`^(since|from|after|until|till|to|before|by) (${periodDayShape})$`, 'i');
const daysShape = new RegExp(`^(?:from |between )?(${periodDayShape})${rangeMark}(${periodDayShape})$`, 'i');
const sharedMonthShape = new RegExp(`^(?:from |between )?${daysOfMonthShape}$`, 'i');
const monthsShape = new RegExp(
  `^(?:in |from |between )?(${monthShape})(?:${rangeMark}(${monthShape}))?$`,
  'i',
);
const dayAloneShape = new RegExp(`^(?:on )?(${periodDayShape})$`, 'i');
const sinceMonthShape = new RegExp(`^(?:since|from) (${monthShape})$`, 'i');
const shapes = [
  countedShape,
  joinedShape,
  calendarShape,
  openShape,
  daysShape,
  sharedMonthShape,
  monthsShape,
  sinceMonthShape,
  dayAloneShape,
];

/** Throws UserError bad-period, bad-date or bad-month. */
export function parsePeriod(text: string, help: PeriodHelp): Period {
  const period = read(text.trim(), help);
  if (!period) throw badPeriod(`${quote(text)} isn't a valid period.`, help);
  return inDirection(period, text, help);
}

/** Takes the longest period off the end of a line; undefined where there is none. */
export function takePeriod(
  words: string,
  helpFor: (rest: string) => LineHelp,
  direction?: Direction,
): { rest: string; value: Period } | undefined {
  const match = suffixesOf(words, 10).find(
    ({ rest, suffix }) =>
      shapes.some((shape) => shape.test(suffix)) ||
      // JULY may be a carrier's code.
      (direction !== 'future' && namedMonth(suffix) !== undefined && !/(?:^|\s)carriers?:?$/i.test(rest)),
  );
  if (!match) return undefined;
  const help = { ...helpFor(match.rest), ...(direction && { direction }) };
  return { rest: match.rest, value: parsePeriod(match.suffix, help) };
}

function read(typed: string, help: PeriodHelp): Period | undefined {
  const calendar = calendarShape.exec(typed);
  if (calendar) return readCalendar(calendar);
  const counted = countedShape.exec(typed) ?? joinedShape.exec(typed);
  if (counted) return readCounted(typed, counted, help);
  const open = openShape.exec(typed);
  if (open) return readOpen(open, help);
  const months = monthsShape.exec(typed);
  if (months) return readMonths(months, help);
  const sinceMonth = sinceMonthShape.exec(typed);
  if (sinceMonth) {
    const month = readMonth(sinceMonth[1] ?? '', help);
    const day = month && readDay(`${month}-01`, help);
    return day && { kind: 'since', day };
  }
  const [, first, last, rest] = sharedMonthShape.exec(typed) ?? [];
  if (rest !== undefined) return read(`${first} ${rest}..${last} ${rest}`, help);
  const days = daysShape.exec(typed);
  if (days) return readDays(days, help);
  const month = help.direction === 'future' ? undefined : namedMonth(typed);
  if (month !== undefined) return { kind: 'named', month };
  const [, alone] = dayAloneShape.exec(typed) ?? [];
  const day = alone === undefined ? undefined : readPeriodDay(alone, help);
  return day && { kind: 'day', day };
}

/** `october`, `in oct`. */
const namedMonth = (typed: string): number | undefined => readMonthName(typed.replace(/^in /i, ''));

function readCalendar([, which = '', unit = '']: RegExpExecArray): Period {
  const offset = /next/i.test(which) ? 1 : /this|current/i.test(which) ? 0 : -1;
  return { kind: unit.toLowerCase() === 'week' ? 'week' : 'month', offset };
}

function readCounted(
  typed: string,
  [, which = '', count = '1', word = '']: RegExpExecArray,
  help: PeriodHelp,
): Period {
  const kind = /next|coming/i.test(which) ? 'next' : 'last';
  const letter = word[0]?.toLowerCase();
  const unit = letter === 'h' ? 'hours' : letter === 'm' ? 'months' : 'days';
  const number = /^\d+$/.test(count) ? Number(count) : numberWords.indexOf(count.toLowerCase()) + 1;
  const amount = letter === 'w' ? number * 7 : number;
  if (amount >= 1 && amount <= maxAmount[unit]) return { kind, amount, unit };
  throw badPeriod(
    `${quote(typed)} isn't a valid period: the number of ${unit} goes from 1 to ${maxAmount[unit]}.`,
    {
      ...help,
      fixed: `${kind} 3 ${unit}`,
    },
  );
}

function readOpen([, word = '', typed = '']: RegExpExecArray, help: PeriodHelp): Period | undefined {
  const kind = /since|from|after/i.test(word) ? 'since' : 'until';
  const day = readPeriodDay(typed, help, (fixed) => `${kind} ${fixed}`);
  return day && { kind, day };
}

function readMonths([typed = '', first = '', second]: RegExpExecArray, help: PeriodHelp): Period | undefined {
  const from = readMonth(first, help);
  const to = second === undefined ? from : readMonth(second, help);
  if (!from || !to) return undefined;
  if (to < from) throw reversedPeriod(typed, formatPeriod({ kind: 'months', from: to, to: from }), help);
  return { kind: 'months', from, to };
}

function readDays(
  [typed = '', first = '', second = '']: RegExpExecArray,
  help: PeriodHelp,
): Period | undefined {
  const from = readPeriodDay(first, help, (fixed) => `${fixed}..${corrected(second)}`);
  const to = readPeriodDay(second, help, (fixed) => `${first}..${fixed}`);
  if (!from || !to) return undefined;
  if (isReversed(from, to))
    throw reversedPeriod(typed, formatPeriod({ kind: 'days', from: to, to: from }), help);
  return { kind: 'days', from, to };
}

/** The other end of a range, which may be invalid too. */
function corrected(day: string): string {
  let phrase = day;
  try {
    readPeriodDay(day, { example: '', line: (fixed) => fixed }, (fixed) => {
      phrase = fixed;
      return fixed;
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  return phrase;
}

/** As far as it is known without a clock; resolvePeriod sees the rest. */
function isReversed(from: PeriodDay, to: PeriodDay): boolean {
  const relative = ['yesterday', 'today', 'tomorrow'];
  const [one, other] = [formatDay(from), formatDay(to)];
  const [first, second] = [relative.indexOf(one), relative.indexOf(other)];
  if (first >= 0 && second >= 0) return second < first;
  // 28 dec..2 jan spans New Year, 28 nov..25 nov would be nearly a whole year.
  if (typeof from !== 'string' && typeof to !== 'string')
    return from.month === to.month && to.date < from.date;
  return isIso(one) && isIso(other) && other < one;
}

const isIso = (day: string): boolean => /^\d{4}-/.test(day);

function inDirection(period: Period, typed: string, help: PeriodHelp): Period {
  if (help.direction && formatPeriod(period) === never[help.direction])
    throw wrongDirection(typed, help.direction, help);
  if (!help.direction || directionOf(period) !== opposite[help.direction]) return period;
  if (period.kind !== 'since' && period.kind !== 'until') throw wrongDirection(typed, help.direction, help);
  const open = period.kind === 'since' ? 'has no end: say until when' : 'has no beginning: say since when';
  throw badPeriod(`${quote(typed)} ${open}.`, help);
}

const never = { past: 'since tomorrow', future: 'until yesterday' };
const opposite = { past: 'future', future: 'past' } as const;
