import { UserError } from '../errors.ts';
import { suffixesOf } from './carriers.ts';
import {
  daysOfMonthShape,
  formatDay,
  type IsoMonth,
  monthShape,
  type PeriodDay,
  periodDayShape,
  readDay,
  readMonth,
  readMonthName,
  readPeriodDay,
} from './dates.ts';
import { type LineHelp, quote } from './line-help.ts';
import { formatMonth } from './month.ts';

/** A stretch of time as typed: what is relative stays relative until resolve-period.ts sees a clock. */
export type Period =
  /** `hours` and `days` of 24 hours from now; `months` of the calendar. */
  | { kind: 'last' | 'next'; amount: number; unit: 'hours' | 'days' | 'months' }
  /** A calendar week (from Monday) or month: the last, this, or the next one. */
  | { kind: 'week' | 'month'; offset: -1 | 0 | 1 }
  | { kind: 'day'; day: PeriodDay }
  /** Both days are part of it. */
  | { kind: 'days'; from: PeriodDay; to: PeriodDay }
  /** Both months are part of it. */
  | { kind: 'months'; from: IsoMonth; to: IsoMonth }
  /** 1 to 12: the newest of that name that has begun. Only where one looks back. */
  | { kind: 'named'; month: number }
  /** From the beginning of that day until now. */
  | { kind: 'since'; day: PeriodDay }
  /** From now to the end of that day. */
  | { kind: 'until'; day: PeriodDay };

/** `future` refuses what can only lie behind (`last 30 days`, `yesterday`), `past` what can only lie ahead. */
export type Direction = 'past' | 'future';

export interface PeriodHelp extends LineHelp {
  direction?: Direction;
}

const most = { hours: 9_600, days: 400, months: 24 };
const numberWords = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
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
  if (!period) {
    throw new UserError({
      code: 'bad-period',
      message: `${quote(text)} is no period.`,
      hint: hintOf(help.direction),
      example: help.example,
    });
  }
  return inDirection(period, text, help);
}

/** The longest ending of a line that has the shape of a period; undefined where there is none. */
export function takePeriod(
  words: string,
  helpFor: (rest: string) => LineHelp,
  direction?: Direction,
): { rest: string; value: Period } | undefined {
  const hit = suffixesOf(words, 10).find(
    ({ rest, suffix }) =>
      shapes.some((shape) => shape.test(suffix)) ||
      // JULY may be a carrier's code.
      (direction !== 'future' && namedMonth(suffix) !== undefined && !/(?:^|\s)carriers?:?$/i.test(rest)),
  );
  if (!hit) return undefined;
  const help = { ...helpFor(hit.rest), ...(direction && { direction }) };
  return { rest: hit.rest, value: parsePeriod(hit.suffix, help) };
}

/** The canonical words: `next 3 days`, `2026-01..2026-03`, `since 2026-08-01`. */
export function formatPeriod(period: Period): string {
  switch (period.kind) {
    case 'last':
    case 'next':
      return `${period.kind} ${period.amount} ${period.amount === 1 ? period.unit.slice(0, -1) : period.unit}`;
    case 'week':
    case 'month':
      return `${{ [-1]: 'last', 0: 'this', 1: 'next' }[period.offset]} ${period.kind}`;
    case 'day':
      return formatDay(period.day);
    case 'days':
      return `${formatDay(period.from)}..${formatDay(period.to)}`;
    case 'months':
      return period.from === period.to ? period.from : `${period.from}..${period.to}`;
    case 'named':
      return formatMonth(period);
    case 'since':
    case 'until':
      return `${period.kind} ${formatDay(period.day)}`;
  }
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
  if (amount >= 1 && amount <= most[unit]) return { kind, amount, unit };
  throw new UserError({
    code: 'bad-period',
    message: `${quote(typed)} is no period: the number of ${unit} goes from 1 to ${most[unit]}.`,
    hint: hintOf(help.direction),
    choices: [choice(`${kind} 3 ${unit}`, help)],
    example: help.example,
  });
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
  if (to < from) throw reversed(typed, { kind: 'months', from: to, to: from }, help);
  return { kind: 'months', from, to };
}

function readDays(
  [typed = '', first = '', second = '']: RegExpExecArray,
  help: PeriodHelp,
): Period | undefined {
  const from = readPeriodDay(first, help, (fixed) => `${fixed}..${mended(second)}`);
  const to = readPeriodDay(second, help, (fixed) => `${first}..${fixed}`);
  if (!from || !to) return undefined;
  if (isReversed(from, to)) throw reversed(typed, { kind: 'days', from: to, to: from }, help);
  return { kind: 'days', from, to };
}

/** The other end of a range, which may be wrong in the same way. */
function mended(day: string): string {
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

/** As far as it can be told without a clock; resolvePeriod sees the rest. */
function isReversed(from: PeriodDay, to: PeriodDay): boolean {
  const relative = ['yesterday', 'today', 'tomorrow'];
  const [one, other] = [formatDay(from), formatDay(to)];
  const [first, second] = [relative.indexOf(one), relative.indexOf(other)];
  if (first >= 0 && second >= 0) return second < first;
  // 28 dec..2 jan goes over a year's end, 28 nov..25 nov would be all of a year.
  if (typeof from !== 'string' && typeof to !== 'string')
    return from.month === to.month && to.date < from.date;
  return isIso(one) && isIso(other) && other < one;
}

const isIso = (day: string): boolean => /^\d{4}-/.test(day);

const choice = (fixed: string, { line }: LineHelp) => ({ label: fixed, line: line(fixed) });

function reversed(typed: string, right: Period, help: LineHelp): UserError {
  return new UserError({
    code: 'bad-period',
    message: `${quote(typed)} ends before it begins.`,
    choices: [choice(formatPeriod(right), help)],
    example: help.example,
  });
}

function hintOf(direction: Direction | undefined): string {
  const past = '“last 30 days”, “since 2026-08-01” or “2026-01..2026-03”';
  const future = '“next 3 days”, “tomorrow” or “2026-11-24..2026-11-30”';
  if (direction === 'past') return `A period is written like ${past}.`;
  if (direction === 'future') return `A period is written like ${future}.`;
  return `A period is written like ${future}, or like ${past}.`;
}

function inDirection(period: Period, typed: string, help: PeriodHelp): Period {
  if (help.direction && formatPeriod(period) === never[help.direction])
    throw wrongDirection(typed, help.direction, help);
  if (!help.direction || directionOf(period) !== opposite[help.direction]) return period;
  if (period.kind !== 'since' && period.kind !== 'until') throw wrongDirection(typed, help.direction, help);
  const open = period.kind === 'since' ? 'has no end: say until when' : 'has no beginning: say since when';
  throw new UserError({
    code: 'bad-period',
    message: `${quote(typed)} ${open}.`,
    hint: hintOf(help.direction),
    example: help.example,
  });
}

const never = { past: 'since tomorrow', future: 'until yesterday' };
const opposite = { past: 'future', future: 'past' } as const;

export function wrongDirection(typed: string, direction: Direction, help: LineHelp): UserError {
  const future = direction === 'future';
  return new UserError({
    code: 'bad-period',
    message: future
      ? `${quote(typed)} is over: predictions lie ahead.`
      : `${quote(typed)} lies ahead: statistics look back.`,
    hint: hintOf(direction),
    choices: [choice(future ? 'next 3 days' : 'last 30 days', help)],
    example: help.example,
  });
}

function directionOf(period: Period): Direction | undefined {
  switch (period.kind) {
    case 'last':
    case 'since':
    case 'named':
      return 'past';
    case 'next':
    case 'until':
      return 'future';
    case 'week':
    case 'month':
      return period.offset === 0 ? undefined : period.offset < 0 ? 'past' : 'future';
    case 'day':
      return period.day === 'yesterday' ? 'past' : period.day === 'tomorrow' ? 'future' : undefined;
    case 'days':
      return period.to === 'yesterday' ? 'past' : period.from === 'tomorrow' ? 'future' : undefined;
    case 'months':
      return undefined;
  }
}
