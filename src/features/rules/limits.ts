import { z } from 'zod';
import { joinWords, type LineHelp, wordOption } from '../../grammar/line.ts';
import { takeZone } from '../../grammar/moment.ts';
import { formatMinutes } from '../../grammar/times.ts';
import { zoneHelp, zoneToSave } from '../ctx.ts';
import { type QuietHours, quietHours } from './evaluation/muting.ts';
import { badRule, type Setting } from './rule.ts';

/** The watch ends when the next port has changed. */
const untilNextPort: Setting<'untilNextPort', boolean, true> = {
  key: 'untilNextPort',
  schema: z.boolean(),
  defaultValue: false,
  typed: 'until next port',
  help: 'the watch ends when the next port has changed',
  take: wordOption('until (?:the )?next port(?: has)?(?: changed?s?)?'),
  format: () => 'until next port',
  resolve: () => true,
  words: () => 'ends when the next port has changed',
};

/** Times are `HH:mm`. The default zone is the person's own. */
interface QuietWords {
  from: string;
  to: string;
  zone?: string;
}

const quiet: Setting<'quiet', QuietHours | null, QuietWords> = {
  key: 'quiet',
  schema: quietHours.nullable(),
  defaultValue: null,
  typed: 'quiet 22:00-06:00',
  help: 'no alerts in these hours; afterwards what has changed',
  take: takeQuiet,
  question: {
    words: 'quiet(?: hours)?(?: from)?',
    asks: 'from when to when?',
    fixes: ['quiet 22:00-06:00', 'quiet 20:00-08:00'],
  },
  format: ({ from, to, zone }) => joinWords(`quiet ${from}-${to}`, zone),
  // Throws UserError if no zone is typed and Slack doesn't know the person's.
  resolve: (typed, { zone, example }) => ({
    ...typed,
    zone: typed.zone ?? zoneToSave(zone, zoneHelp(example?.('quiet 22:00-06:00 Europe/Berlin'))),
  }),
  field: {
    id: 'quiet',
    label: 'Quiet hours',
    placeholder: '22:00-06:00',
    text: ({ from, to, zone }, reader) => joinWords(`${from}-${to}`, zone === reader.zone ? '' : zone),
  },
  words: ({ from, to, zone }) => `quiet ${from}–${to} (${zone})`,
};

/** Settings that limit the whole watch, in their canonical order. */
export const limits = [untilNextPort, quiet] as const;

const timeOfDay = '(\\d{1,2})(?:[:.]?(\\d{2}))?';
const quietShape = new RegExp(
  `(?:^|\\s)quiet(?: hours)?(?: from)? ${timeOfDay} ?(?:-|to|until|till) ?${timeOfDay}$`,
  'i',
);

function takeQuiet(words: string, helpFor: (rest: string) => LineHelp) {
  // A zone, if there is one, is the last word.
  const zoned = /(?:^|\s)quiet\b/i.test(words) && !/\d$/.test(words) ? takeZone(words) : undefined;
  const match = quietShape.exec(zoned?.rest ?? words);
  if (!match) return undefined;
  const rest = words.slice(0, match.index);
  const [text, fromHour, fromMinute = '0', toHour, toMinute = '0'] = match;
  const from = toTimeOfDay(Number(fromHour), Number(fromMinute));
  const to = toTimeOfDay(Number(toHour), Number(toMinute));
  if (from && to && from !== to) {
    return { rest, value: { from, to, ...(zoned && { zone: zoned.zone }) } };
  }
  const expected = 'quiet hours go from one time of the day to another';
  throw badRule({ text, expected, fix: 'quiet 22:00-06:00' }, helpFor(rest));
}

const toTimeOfDay = (hours: number, minutes: number): string | undefined =>
  hours <= 23 && minutes <= 59 ? formatMinutes(hours * 60 + minutes) : undefined;
