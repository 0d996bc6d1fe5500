import { TZDate } from '@date-fns/tz';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import { set } from 'date-fns/set';
import { setMilliseconds } from 'date-fns/setMilliseconds';
import { subDays } from 'date-fns/subDays';
import { UserError } from '../../errors.ts';
import { suffixesOf } from '../../grammar/carriers.ts';
import { daysAhead, formatDay, type PeriodDay } from '../../grammar/dates.ts';
import { joinWords, type LineHelp, type LineOption, quote, wordsError } from '../../grammar/line.ts';
import { isMoment, parseMoment, resolveDay } from '../../grammar/moment.ts';
import { parsePeriod } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { resolvePeriod } from '../../grammar/resolve-period.ts';
import { formatMinutes, readTime } from '../../grammar/times.ts';

/** A past moment as typed, which stays relative. */
export type Since =
  /** The beginning of the period: `last week`, `3 days`. */
  | { kind: 'period'; period: Period }
  /** Without `day`, the last time that the clock showed this; without `minutes` (after midnight), the day's beginning. */
  | { kind: 'time'; day?: PeriodDay; minutes?: number }
  /** In whichever zone it was typed. */
  | { kind: 'instant'; at: Date };

export const today: Since = { kind: 'time', day: 'today' };

export const isSinceMidnight = (since: Since): boolean => formatSince(since) === '';

/** The minute of that moment by the clock of `zone`. */
export function sinceMinute(at: Date, zone: string): Since {
  const local = new TZDate(at, zone);
  const day = { date: local.getDate(), month: local.getMonth() + 1 };
  return { kind: 'time', day, minutes: local.getHours() * 60 + local.getMinutes() };
}

export const sinceHelp = [
  {
    typed: 'since yesterday',
    help: 'from the beginning of that day; also “since monday”, “since 18 nov” or “since 18/11”',
  },
  {
    typed: 'since yesterday 18:00',
    help: 'from that time of your clock; “since 06:00”: the last time it was six',
  },
  { typed: 'last 3 days', help: 'from now back; also “12h”' },
  { typed: 'overnight', help: 'since yesterday 18:00' },
  { typed: 'since last week', help: 'from its Monday; also `week 47`, `this month` or `october`' },
] as const;

const hint = 'Write it like “since monday”, “since yesterday 18:00”, “since 06:00”, “3 days” or “12h”.';

const evening: Since = { kind: 'time', day: 'yesterday', minutes: 18 * 60 };

/**
 * `monday`, `since yesterday 18:00`, `06:00`, `3 days`, `12h`, `last week`, `2026-11-20T08:00:00Z`; nothing means today.
 * Throws UserError.
 */
export function parseSince(text: string, help: LineHelp): Since {
  const since = readSince(text, help);
  if (since) return since;
  throw badSince(withoutPreposition(text), "isn't a day, a time or a period", help);
}

/** Undefined for words that aren't a time. Throws UserError for a time that can't be one of the past. */
export function readSince(text: string, help: LineHelp): Since | undefined {
  const words = withoutPreposition(text);
  if (words === '') return today;
  if (overnight.test(words)) return evening;
  if (weekend.test(words)) return { kind: 'time', day: 'saturday' };
  if (isoInstant.test(words)) return instantOf(words, help);
  const typed = words.replace(isoLocalTime, '$1 $2');
  const minutes = countedHours.test(typed) || dottedDay.test(typed) ? undefined : readTime(typed);
  if (minutes !== undefined) return { kind: 'time', minutes };
  const period = isMoment(typed)
    ? ({ kind: 'since', ...parseMoment(typed, help) } as const)
    : readPast(typed, help);
  return period && sinceOf(period, typed, help);
}

/** Takes such a time off the end of a line. */
export const sinceOption: LineOption<Since> = (words, helpFor) => {
  for (const { rest, suffix } of suffixesOf(words, 8)) {
    // A number alone is that of a digest or a page.
    const since = /^\d*$/.test(suffix) ? undefined : readSince(suffix, helpFor(rest));
    if (since) return { rest, value: since };
  }
  return undefined;
};

const withoutPreposition = (text: string): string =>
  text.trim().replace(/^(?:since|from|in|on|for|over|during)\s+/i, '');

const overnight = /^(?:overnight|last night|(?:during )?the night)$/i;

/** The one that has begun last. */
const weekend = /^(?:this |the )?(?:weekend|wkend|wknd)$/i;

/** `12h` isn't noon here. */
const countedHours = /^\d+ ?h/i;

/** `20.11` is a day, and `18.30` a time. */
const dottedDay = /^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])$/;

/** RFC 3339; without an offset, by the clock of the person. */
const isoInstant = /^20\d{2}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/i;
const isoLocalTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/i;

function instantOf(typed: string, help: LineHelp): Since {
  const at = setMilliseconds(parseISO(typed), 0);
  if (!isValid(at)) throw badSince(typed, "isn't a valid time", help);
  return { kind: 'instant', at };
}

/** `3 days`, `a week ago` and `12h` mean the last ones. */
function readPast(typed: string, help: LineHelp): Period | undefined {
  const counted = typed.replace(/^(?:the )?an? /i, '1 ').replace(/ ago$/i, '');
  return tryPeriod(typed, help) ?? tryPeriod(`last ${counted}`, help);
}

function tryPeriod(words: string, help: LineHelp): Period | undefined {
  try {
    return parsePeriod(words, help);
  } catch (error) {
    if (error instanceof UserError && error.code === 'bad-period') return undefined;
    throw error;
  }
}

/** Changes are shown up to now, so only the beginning of a period counts. */
function sinceOf(period: Period, typed: string, help: LineHelp): Since {
  switch (period.kind) {
    case 'day':
    case 'day-or-month':
    case 'since':
      if ((daysAhead(period.day) ?? 0) > 0) throw badSince(typed, 'is in the future', help);
      return { ...period, kind: 'time' };
    case 'next':
    case 'until':
    case 'until-end':
      throw badSince(typed, 'is in the future', help);
    case 'months':
      if (period.from === period.to) return { kind: 'period', period };
      throw badSince(typed, hasEnd, help);
    case 'days':
      throw badSince(typed, hasEnd, help, [`since ${formatDay(period.from)}`]);
    case 'times':
      throw badSince(typed, hasEnd, help);
    case 'since-start':
      return sinceOf(period.of, typed, help);
    default:
      if ('last' in period) throw badSince(typed, hasEnd, help);
      return { kind: 'period', period };
  }
}

const hasEnd = 'has an end, but changes are shown up to now';

const badSince = (
  typed: string,
  fault: string,
  help: LineHelp,
  fixes: readonly string[] = ['since yesterday', 'last 3 days'],
): UserError => wordsError('bad-period', `${quote(typed)} ${fault}.`, help, { hint, fixes });

/** The canonical words: `since monday`, `since yesterday 18:00`, `last 3 days`, `since last week`; none for today. */
export function formatSince(since: Since): string {
  if (since.kind === 'period') {
    const words = formatPeriod(since.period);
    return since.period.kind === 'last' ? words : `since ${words}`;
  }
  if (since.kind === 'instant') return `since ${since.at.toISOString().replace('.000', '')}`;
  const { day, minutes } = since;
  if (day === 'today' && minutes === undefined) return '';
  const dayWords = day === undefined ? undefined : formatPeriod({ kind: 'day', day });
  return joinWords('since', dayWords, minutes === undefined ? undefined : formatMinutes(minutes));
}

/** Reads words by the clock of `zone`. Throws UserError for a moment in the future. */
export function resolveSince(
  since: Since,
  { now, zone, example = 'watch changes since yesterday' }: { now: Date; zone: string; example?: string },
): Date {
  const at = momentOf(since, { now, zone });
  if (at < now) return at;
  throw new UserError({
    code: 'bad-period',
    message: `${formatSince(since).replace(/^since /, '') || 'That'} is in the future.`,
    hint,
    example,
  });
}

function momentOf(since: Since, { now, zone }: { now: Date; zone: string }): Date {
  if (since.kind === 'period') return resolvePeriod(since.period, { now, zone, direction: 'past' }).begin;
  if (since.kind === 'instant') return since.at;
  const { day, minutes = 0 } = since;
  const begin = resolveDay(day ?? 'today', { now, zone, direction: 'past' });
  const time = at(begin, minutes);
  // A plain date: a TZDate prints and adds in its own zone, which callers don't expect.
  return new Date(+(day === undefined && time >= now ? at(subDays(begin, 1), minutes) : time));
}

const at = (day: TZDate, minutes: number): TZDate =>
  set(day, { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
