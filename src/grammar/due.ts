import type { UserError } from '../errors.ts';
import type { Locode } from '../reference/codes.ts';
import {
  joinWords,
  type LineHelp,
  type LineOption,
  minimumOption,
  optionOf,
  quote,
  wordsError,
} from './line.ts';
import { formatMoment, type Moment, momentShape, parseMoment } from './moment.ts';
import { formatPort, parsePort } from './port.ts';
import { formatMinutes, readTime, timeShape } from './times.ts';
import { clockShape, formatZone, spelledOutIso, takeZoneOfTime, type Zone, zoneShape } from './zone.ts';

/** When a vessel has to be at a port, as typed: in that port's local time, unless it has a zone. */
export interface DueWords {
  port: Locode;
  by: Moment;
  zone?: Zone;
  /** Minutes after midnight: a window that ends at `by`, or on the day after if that is earlier. */
  from?: number;
  /** Minutes before and after `by`. */
  margin?: number;
  /** The least probability, in percent. */
  minimum?: number;
}

/** The same, but the port may be left out where it is known. */
export type DateWords = Omit<DueWords, 'port'> & Partial<Pick<DueWords, 'port'>>;

export const dueExample = 'due NLRTM friday 18:00';

const takeLast = <Words>(read: (match: RegExpExecArray, help: LineHelp) => Words) =>
  optionOf(
    /(?<=^|\s)(?:due|promised|needed|required|deadline)(?: (?:in|at|to|for))? ((?:(?!\sdue\s).)+)$/is,
    read,
  );

const takeAll =
  <Words>(takeOne: LineOption<Words>): LineOption<readonly Words[]> =>
  (words, helpFor) => {
    const dates: Words[] = [];
    let rest = words;
    for (let last = takeOne(rest, helpFor); last; last = takeOne(rest, helpFor)) {
      dates.unshift(last.value);
      rest = last.rest.trimEnd().replace(/[,;]$/, '');
    }
    return dates.length === 0 ? undefined : { rest, value: dates };
  };

/** Takes one or several due dates in a row. */
export const takeDue = takeAll<DueWords>(takeLast(readDue));

export const takeDates = takeAll<DateWords>(takeLast(readDate));

/** The canonical words: `due NLRTM 20 dec 06:00-14:00 min 80%`. */
export const formatDue = ({ port, by, zone, from, margin, minimum }: DateWords): string =>
  joinWords(
    'due',
    port && formatPort(port),
    from === undefined ? formatMoment(by) : formatWindow(by, from),
    zone === undefined ? '' : formatZone(zone),
    margin === undefined ? '' : formatMargin(margin),
    minimum === undefined ? '' : `min ${minimum}%`,
  );

/** The latest time of a call. */
export type Deadline = Pick<DueWords, 'by' | 'zone'>;

const deadlineShape = new RegExp(
  `(?:^|\\s)(by|(?:on or )?before|(?:no|not) later than) (${momentShape}(?:${zoneShape}|${clockShape})?)$`,
  'iu',
);
const momentAlone = new RegExp(`^${momentShape}$`, 'iu');

/** `by 12 dec 14:00`, `before friday`, `no later than 12 dec UTC`, `by friday 18:00 Singapore time`. */
export const takeDeadline: LineOption<Deadline> = (words, helpFor) => {
  const match = deadlineShape.exec(words);
  if (!match) return undefined;
  const [, word = '', typed = ''] = match;
  const before = words.slice(0, match.index);
  const help = helpFor(before);
  const line = (fixed: string) => help.line(joinWords(word, fixed));
  const zone = takeZoneOfTime(typed, (rest) => ({ ...help, line: (fixed) => line(joinWords(rest, fixed)) }));
  const rest = zone?.rest ?? typed;
  // `by friday in time` names no clock.
  if (!momentAlone.test(rest)) return undefined;
  const moment = parseMoment(rest, { ...help, line });
  return {
    rest: before,
    value: { by: /^before/i.test(word) ? startingAt(moment) : moment, ...zoneIn(zone) },
  };
};

export const formatDeadline = ({ by, zone }: Deadline): string =>
  joinWords('by', formatMoment(by), zone === undefined ? '' : formatZone(zone));

/** A promise without one is in the zone of its port. */
export const zoneIn = (taken: { value: Zone | 'local' } | undefined): { zone?: Zone } =>
  taken === undefined || taken.value === 'local' ? {} : { zone: taken.value };

/** A vessel that comes on that day has come too late. */
const startingAt = (moment: Moment): Moment => ({ minutes: 0, ...moment });

const formatWindow = ({ day, minutes = 0 }: Moment, from: number): string =>
  `${formatMoment({ day, minutes: from })}-${formatMinutes(minutes)}`;

/** `±6h`, `±90min` */
export const formatMargin = (minutes: number): string =>
  minutes % 60 === 0 ? `±${minutes / 60}h` : `±${minutes}min`;

const dateShape = `(?<by>${momentShape})(?: ?(?:-|–|to|until|till) ?(?<to>${timeShape}))?`;
const dueShape = new RegExp(`^(?<port>.+?)[ ,]+${dateShape}$`, 'i');
const dateAlone = new RegExp(
  `^(?<port>(?:by|on|(?:on or )?before|(?:no|not) later than) )?${dateShape}$`,
  'i',
);

/** Between the port and the date. */
const latest =
  /,? (?:(?:(?:and )?(?:no|not) later than|at the (?:very )?latest|latest)(?: (?:by|on))?|by|on|(?:on or )?before|until|till)$/i;

/** After the date. */
const atTheLatest = /,? (?:at (?:the )?(?:very )?)?latest\.?$/i;

const takeMargin: LineOption<number> = optionOf(
  /,?\s*(?:±|\+ ?\/? ?-|plus\/minus|(?:within|margin(?: of)?) (?=\d)) ?(\S+?) ?(h|hrs?|hours?|m|mins?|minutes?|d|days?)$/i,
  ([text, typed = '', unit = ''], help) => {
    const number = /^\d{1,3}(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;
    const minutes = number * (minutesByUnit[unit.charAt(0).toLowerCase()] ?? 60);
    if (Number.isInteger(minutes) && minutes >= 1 && minutes <= maxMarginMinutes) return minutes;
    const message = `${quote(text.trim())} isn't a valid margin: it goes from 1 minute to ${maxMarginMinutes / 1440} days.`;
    throw wordsError('bad-rule', message, help, { fixes: ['±6h'] });
  },
);

const minutesByUnit: Record<string, number> = { m: 1, h: 60, d: 24 * 60 };
const maxMarginMinutes = 7 * 24 * 60;

/** `80%` after the time, with or without `min`. */
const takeMinimum: LineOption<number> = (words, helpFor) =>
  minimumOption(words, helpFor) ??
  minimumOption(words.replace(/[\s,]+(\d{1,3} ?(?:%|percent))$/i, ' min $1'), helpFor);

function readDue(match: RegExpExecArray, help: LineHelp): DueWords {
  const { port, ...words } = readDate(match, help);
  if (port === undefined) throw missing(match, help);
  return { port, ...words };
}

const clockAfterDate = new RegExp(`${dateShape}(?<clock>${clockShape})$`, 'iu');

function missing([, words = '']: RegExpExecArray, help: LineHelp): UserError {
  const clock = clockAfterDate.exec(words)?.groups?.clock?.trim();
  if (clock !== undefined)
    return wordsError('bad-date', `${quote(clock)} isn't a time zone that I know.`, help, {
      hint: 'Write it like UTC+8, Asia/Singapore or “Singapore time”; without one, the time is local at the port.',
    });
  const message = `${quote(`due ${words}`)} is missing a port, or a date after it.`;
  const hint = `Write it like “${dueExample}”, in the local time of that port, or with UTC or “Singapore time” after it.`;
  return wordsError('bad-rule', message, help, { hint });
}

/** Reads `due [<port>] <day> <time> [±6h] [80%]`, or a window for the time. */
function readDate(match: RegExpExecArray, help: LineHelp): DateWords {
  const [, typedWords = ''] = match;
  const words = spelledOutIso(typedWords.trim());
  const helpFor =
    (terms = '') =>
    (rest: string): LineHelp => ({
      ...help,
      line: (fixed) => help.line(joinWords('due', rest, fixed, terms)),
    });
  const { rest: timed, margin, minimum } = takeTerms(words, helpFor());
  const zone = takeZoneOfTime(timed, helpFor(words.slice(timed.length).trim()));
  const rest = zone?.rest ?? timed;
  const terms = words.slice(rest.length).trim();
  const dated = rest.replace(atTheLatest, '');
  const alone = dateAlone.exec(dated)?.groups;
  const { port: portWords = '', by = '', to } = alone ?? dueShape.exec(dated)?.groups ?? {};
  if (by === '') throw missing(match, help);
  const after = words.slice(rest.indexOf(by));
  const portHelp = { ...help, line: (fixed: string) => help.line(`due ${fixed} ${after}`) };
  const port = alone
    ? undefined
    : parsePort(portWords.replace(latest, ''), portHelp, 'A promise needs one port, and ');
  const line = (fixed: string) =>
    help.line(joinWords('due', port && formatPort(port), fixed, to === undefined ? '' : `-${to}`, terms));
  const typed = parseMoment(by, { ...help, line });
  const isBefore = /(?<! or) before ?$/i.test(` ${portWords}`) && margin === undefined;
  const moment = isBefore ? startingAt(typed) : typed;
  const window = windowOf(moment, to, { ...help, line });
  if (margin !== undefined && moment.minutes === undefined)
    throw wordsError('bad-rule', 'A margin needs a time of day: at what time is it due?', help, {
      hint: 'Write it like “due NLRTM friday 18:00 ±6h”.',
    });
  if (window.from !== undefined && margin !== undefined)
    throw wordsError('bad-rule', 'A window of two times has no margin beside it.', help, {
      hint: 'Write the window alone, or one time and its margin.',
    });
  return {
    ...(port && { port }),
    ...window,
    ...zoneIn(zone),
    ...(margin !== undefined && { margin }),
    ...(minimum !== undefined && { minimum }),
  };
}

function takeTerms(words: string, helpFor: (rest: string) => LineHelp) {
  const found: { margin?: number; minimum?: number } = {};
  let rest = words.trim();
  for (;;) {
    const margin = found.margin === undefined ? takeMargin(rest, helpFor) : undefined;
    const minimum = found.minimum === undefined ? takeMinimum(rest, helpFor) : undefined;
    const taken = margin ?? minimum;
    if (!taken) return { rest, ...found };
    if (margin) found.margin = margin.value;
    else if (minimum) found.minimum = minimum.value;
    rest = taken.rest.trim().replace(/,$/, '');
  }
}

/** A window's end is on the next day if it is before its beginning. */
function windowOf(
  { day, minutes }: Moment,
  to: string | undefined,
  help: LineHelp,
): Pick<DueWords, 'by' | 'from'> {
  const end = to === undefined ? undefined : readTime(to);
  if (end === undefined) return { by: minutes === undefined ? { day } : { day, minutes } };
  if (minutes === undefined) {
    throw wordsError('bad-rule', 'When on that day does the window begin?', help, {
      hint: 'Write it like “due NLRTM friday 06:00-14:00”.',
    });
  }
  return { by: { day, minutes: end > minutes ? end : end + 24 * 60 }, from: minutes };
}
