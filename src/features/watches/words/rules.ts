import { UserError } from '../../../errors.ts';
import { type LineHelp, quote } from '../../../grammar/line-help.ts';
import {
  formatMinutes,
  formatMoment,
  type Moment,
  momentShape,
  parseMoment,
} from '../../../grammar/moment.ts';
import { joinWords, type Option, wordOption } from '../../../grammar/options.ts';
import { formatPort, parsePort } from '../../../grammar/port.ts';
import { takeZone } from '../../../grammar/zone.ts';
import type { Locode } from '../../../reference/locode.ts';

export interface DueWords {
  port: Locode;
  /** By the wall clock of that port. */
  by: Moment;
}

/** `HH:MM`; without a zone, in that of the person who types it. */
export interface QuietWords {
  from: string;
  to: string;
  zone?: string;
}

/** Events without a figure: all of them alert, or with `only` those named. */
export const plainEvents = ['next port', 'unlisted', 'lost', 'stale', 'expected'] as const;
export type PlainEvent = (typeof plainEvents)[number];

/** The rules of a watch as typed. What is omitted has its default, or with `only` doesn't alert. */
export interface RuleWords {
  only?: true;
  events?: readonly PlainEvent[];
  etaHours?: number;
  belowPercent?: number;
  /** In descending order. */
  arrivingHours?: readonly number[];
  overdueHours?: number;
  due?: readonly DueWords[];
  untilNextPort?: true;
  quiet?: QuietWords;
}

/** `eta 6h below 40% arriving 72h,24h due NLRTM 27 Nov 18:00 until next port quiet 22:00-06:00`, in any order. */
export const ruleOptions = {
  only: wordOption('only'),
  untilNextPort: {
    take: (words) =>
      cut(words, /(?:^|\s)until (?:the )?next port(?: has)?(?: changed?s?)?$/i, () => true as const),
  } satisfies Option<true>,
  quiet: { take: takeQuiet } satisfies Option<QuietWords>,
  etaHours: hoursOption(/(?:^|\s)eta(?: moves)?(?: by)? (\S+?) ?(h|hrs?|hours?|d|days?)?$/i, 'eta 6h'),
  belowPercent: { take: takeBelow } satisfies Option<number>,
  overdueHours: hoursOption(
    /(?:^|\s)overdue(?: by| after)? (\S+?) ?(h|hrs?|hours?|d|days?)?$/i,
    'overdue 6h',
  ),
  arrivingHours: { take: takeArriving } satisfies Option<readonly number[]>,
  events: { take: takeEvents } satisfies Option<readonly PlainEvent[]>,
  // The last one: a port's name can have many words, and none of them is an option.
  due: { take: takeDue } satisfies Option<readonly DueWords[]>,
};

/** Every rule as it is typed, with what it notifies of. */
export const ruleHelp: readonly { typed: string; notifiesOf: string }[] = [
  { typed: 'next port', notifiesOf: 'another port is on top' },
  { typed: 'unlisted', notifiesOf: 'the port of the last alert is no longer predicted' },
  { typed: 'eta 6h', notifiesOf: 'the ETA has moved by this much since the last alert' },
  { typed: 'below 40%', notifiesOf: 'the probability has fallen under this' },
  { typed: 'arriving 72h,24h', notifiesOf: 'this long before the ETA, once each' },
  { typed: 'overdue 6h', notifiesOf: 'the ETA has passed by this much, and the port is still predicted' },
  {
    typed: 'due NLRTM 27 Nov 18:00',
    notifiesOf: 'the ETA there becomes later than this, or the port unlikely',
  },
  { typed: 'lost', notifiesOf: 'there are no predictions any more, or there are again' },
  { typed: 'stale', notifiesOf: "the service doesn't answer" },
  { typed: 'expected', notifiesOf: 'for a port: a vessel is newly expected there, or no longer' },
  { typed: 'only', notifiesOf: 'only the rules that are typed; without it the others have their defaults' },
  { typed: 'until next port', notifiesOf: 'the watch ends when the next port has changed' },
  { typed: 'quiet 22:00-06:00', notifiesOf: 'no alerts in these hours; afterwards what has changed' },
];

type Taken = { [Name in keyof typeof ruleOptions]?: unknown };

/** The rules among what scanOptions took. */
export function pickRules<Values extends Taken & RuleWords>(values: Values): RuleWords {
  const { only, events, etaHours, belowPercent, arrivingHours, overdueHours, due, untilNextPort, quiet } =
    values;
  return {
    ...(only && { only }),
    ...(events && { events }),
    ...(etaHours !== undefined && { etaHours }),
    ...(belowPercent !== undefined && { belowPercent }),
    ...(arrivingHours && { arrivingHours }),
    ...(overdueHours !== undefined && { overdueHours }),
    ...(due && { due }),
    ...(untilNextPort && { untilNextPort }),
    ...(quiet && { quiet }),
  };
}

/** The canonical words. */
export function formatRules(rules: RuleWords): string {
  const { only, events = [], etaHours, belowPercent, arrivingHours, overdueHours, due = [] } = rules;
  const { untilNextPort, quiet } = rules;
  return joinWords(
    only && 'only',
    events.join(' '),
    etaHours === undefined ? '' : `eta ${etaHours}h`,
    belowPercent === undefined ? '' : `below ${belowPercent}%`,
    arrivingHours && `arriving ${arrivingHours.map((hours) => `${hours}h`).join(',')}`,
    overdueHours === undefined ? '' : `overdue ${overdueHours}h`,
    ...due.map(({ port, by }) => `due ${formatPort(port)} ${formatMoment(by)}`),
    untilNextPort && 'until next port',
    quiet && joinWords(`quiet ${quiet.from}-${quiet.to}`, quiet.zone),
  );
}

const maxHours = 240;
const maxThresholds = 5;

/** Hours of any rule go from 1 to `maxHours`; `arriving` has up to `maxThresholds` of them. */
export const ruleBounds = { maxHours, maxThresholds } as const;

type HelpFor = (rest: string) => LineHelp;

function hoursOption(shape: RegExp, fixed: string): Option<number> {
  return {
    take: (words, helpFor) => {
      const [text = '', typed = '', unit = 'h'] = shape.exec(words) ?? [];
      if (text === '') return undefined;
      const rest = words.slice(0, -text.length);
      const hours = readNumber(typed) * (/^d/i.test(unit) ? 24 : 1);
      if (hours >= 1 && hours <= maxHours) return { rest, value: hours };
      throw badRule(
        `${quote(text.trim())} isn't a valid rule: it takes a number of hours from 1 to ${maxHours}.`,
        fixed,
        helpFor(rest),
      );
    },
  };
}

function takeBelow(words: string, helpFor: HelpFor) {
  const [text = '', typed = ''] =
    /(?:^|\s)(?:(?:probability )?(?:below|under|less than)|<) ?(\S+?) ?(?:%|percent)?$/i.exec(words) ?? [];
  if (text === '') return undefined;
  const rest = words.slice(0, -text.length);
  const percent = readNumber(typed);
  if (Number.isInteger(percent) && percent >= 1 && percent <= 99) return { rest, value: percent };
  throw badRule(
    `${quote(text.trim())} isn't a valid rule: the probability is a whole percentage from 1% to 99%.`,
    'below 40%',
    helpFor(rest),
  );
}

function takeArriving(words: string, helpFor: HelpFor) {
  const [text = '', typed = ''] =
    /(?:^|\s)arriving(?: in| within)? ((?:\d|[\s,/.]|h(?:rs?|ours?)?|and|before|eta)+)$/i.exec(words) ?? [];
  if (text === '') return undefined;
  const rest = words.slice(0, -text.length);
  const pieces = typed
    .split(/[\s,/]+|\band\b/i)
    .filter((piece) => !/^(?:|h|hrs?|hours?|before|eta)$/i.test(piece));
  const hours = pieces.map((piece) => readNumber(piece.replace(/(?:h|hrs?|hours?)$/i, '')));
  const isValid = hours.every((hour) => Number.isInteger(hour) && hour >= 1 && hour <= maxHours);
  const thresholds = [...new Set(hours)].sort((one, other) => other - one);
  if (isValid && thresholds.length >= 1 && thresholds.length <= maxThresholds)
    return { rest, value: thresholds };
  throw badRule(
    `${quote(text.trim())} isn't a valid rule: it takes one to ${maxThresholds} numbers of hours before the ETA, each from 1 to ${maxHours}.`,
    'arriving 72h,24h',
    helpFor(rest),
  );
}

/** Only after `only`: without it they alert anyway, and could be part of a vessel's name. */
function takeEvents(words: string) {
  const [text = '', typed = ''] =
    /(?<=\bonly\b.*)((?:[\s,]+(?:and )?(?:the )?(?:next port(?: changes?)?|port changes?|no longer listed|unlisted|lost|stale|expected))+)$/i.exec(
      words,
    ) ?? [];
  if (text === '') return undefined;
  const named = typed.toLowerCase();
  const isNamed: Record<PlainEvent, boolean> = {
    'next port': /next port|port change/.test(named),
    unlisted: /listed/.test(named),
    lost: /lost/.test(named),
    stale: /stale/.test(named),
    expected: /expected/.test(named),
  };
  return { rest: words.slice(0, -text.length), value: plainEvents.filter((event) => isNamed[event]) };
}

const timeOfDay = '(\\d{1,2})(?:[:.]?(\\d{2}))?';
const quietShape = new RegExp(
  `(?:^|\\s)quiet(?: hours)?(?: from)? ${timeOfDay} ?(?:-|to|until|till) ?${timeOfDay}$`,
  'i',
);

function takeQuiet(words: string, helpFor: HelpFor) {
  const zoned = /(?:^|\s)quiet\b/i.test(words) && !/\d$/.test(words) ? takeZone(words) : undefined;
  const match = quietShape.exec(zoned?.rest ?? words);
  if (!match) return undefined;
  const rest = words.slice(0, match.index);
  const [, fromHour, fromMinute = '0', toHour, toMinute = '0'] = match;
  const from = clockOf(Number(fromHour), Number(fromMinute));
  const to = clockOf(Number(toHour), Number(toMinute));
  if (from && to && from !== to) {
    return { rest, value: { from, to, ...(zoned && { zone: zoned.zone }) } };
  }
  throw badRule(
    `${quote(match[0].trim())} isn't a valid rule: quiet hours go from one time of the day to another.`,
    'quiet 22:00-06:00',
    helpFor(rest),
  );
}

const clockOf = (hours: number, minutes: number): string | undefined =>
  hours <= 23 && minutes <= 59 ? formatMinutes(hours * 60 + minutes) : undefined;

/** One or several in a row, each `due <port> <day> <time>`. */
function takeDue(words: string, helpFor: HelpFor) {
  const found: DueWords[] = [];
  let rest = words;
  for (let piece = lastDue(rest); piece; piece = lastDue(rest)) {
    const help = helpFor(piece.before);
    const [, place = '', by = ''] = dueShape.exec(piece.typed) ?? [];
    if (by === '') {
      throw new UserError({
        code: 'bad-rule',
        message: `${quote(`due ${piece.typed}`)} is missing a port, or a date after it.`,
        hint: 'Write it like “due NLRTM 27 Nov 18:00”, in the local time of that port.',
        example: help.example,
      });
    }
    const { port } = parsePort(place.replace(/ (?:by|on|before|until)$/i, ''), {
      ...help,
      line: (fixed) => help.line(`due ${fixed} ${by}`),
    });
    const moment = parseMoment(by, {
      ...help,
      line: (fixed) => help.line(`due ${formatPort(port)} ${fixed}`),
    });
    found.unshift({ port, by: moment });
    rest = piece.before.trimEnd().replace(/[,;]$/, '');
  }
  return found.length === 0 ? undefined : { rest, value: found };
}

const dueShape = new RegExp(`^(.+?)[ ,]+(${momentShape})$`, 'i');

function lastDue(words: string): { before: string; typed: string } | undefined {
  const [, before, typed = ''] = /^((?:.*\s)?)due(?: (?:in|at|to))? (.+)$/is.exec(words) ?? [];
  return before === undefined ? undefined : { before, typed };
}

function cut<Value>(words: string, ending: RegExp, value: (match: RegExpExecArray) => Value) {
  const match = ending.exec(words);
  return match ? { rest: words.slice(0, match.index), value: value(match) } : undefined;
}

const readNumber = (typed: string): number =>
  /^\d{1,4}(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;

function badRule(message: string, fixed: string, { line, example }: LineHelp): UserError {
  return new UserError({
    code: 'bad-rule',
    message,
    choices: [{ label: fixed, line: line(fixed) }],
    example,
  });
}
