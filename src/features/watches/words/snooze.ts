import type { UserError } from '../../../errors.ts';
import { dateShape, dayShape } from '../../../grammar/dates.ts';
import { type LineHelp, type LineOption, optionOf, quote, wordsError } from '../../../grammar/line.ts';
import { formatMoment, type Moment, momentShape, parseMoment } from '../../../grammar/moment.ts';
import { timeShape } from '../../../grammar/times.ts';
import type { Snooze } from '../../rules/index.ts';

/** How long a watch is snoozed, as typed. */
export type SnoozeWords =
  | { kind: 'for'; minutes: number }
  | { kind: 'until-moment'; moment: Moment }
  | Exclude<Snooze, { kind: 'until' }>;

const maxDays = 30;
const minutesByUnit: Record<string, number> = { m: 1, h: 60, d: 1440, w: 7 * 1440 };

/** With the name of a month, or a year. */
const clearDate = `(?!\\d{1,2}[/.-]\\d{1,2}\\.?$)${dateShape}`;

const spellings: readonly LineOption<SnoozeWords>[] = [
  optionOf(/(?:^|\s)(?:until |till )?(?:the )?next port(?: (?:has )?changed?s?)?$/i, () => ({
    kind: 'until-next-port',
  })),
  optionOf(
    /(?:^|\s)(?:until |till )?(\d{1,3}) ?(?:h|hrs?|hours?) before (?:the )?eta$/i,
    ([text, typed], help) => {
      const hours = Number(typed);
      if (hours >= 1 && hours <= 240) return { kind: 'until-eta', hours };
      throw badDuration(text, help);
    },
  ),
  optionOf(
    /(?:^|\s)(?:for )?(?:an? |(\d{1,4}) ?)(min(?:utes?)?|m|h|hrs?|hours?|d|days?|weeks?|w)$/i,
    ([text, count = 1, unit = ''], help) => {
      const minutes = Number(count) * (minutesByUnit[unit.charAt(0).toLowerCase()] ?? 0);
      if (minutes >= 5 && minutes <= maxDays * 1440) return { kind: 'for', minutes };
      throw badDuration(text, help);
    },
  ),
  // Without `until`, SUN may be a vessel's name and 12/11 a part of a reference.
  optionOf(
    new RegExp(
      `(?:^|\\s)(?:(?:until|till|to) (${momentShape})|(tomorrow|${clearDate}|${dayShape},? (?:at )?${timeShape}))$`,
      'i',
    ),
    ([, typed, alone = ''], help) => ({ kind: 'until-moment', moment: parseMoment(typed ?? alone, help) }),
  ),
];

/** Takes `1h`, `for 2 days`, `until 27 Nov 08:00`, `until 24h before eta` or `until next port` off a line's end. */
export const takeSnooze: LineOption<SnoozeWords> = (words, helpFor) => {
  for (const take of spellings) {
    const taken = take(words, helpFor);
    if (taken) return taken;
  }
  return undefined;
};

export function formatSnooze(words: SnoozeWords): string {
  switch (words.kind) {
    case 'for':
      return formatDuration(words.minutes);
    case 'until-eta':
      return `until ${words.hours}h before eta`;
    case 'until-next-port':
      return 'until next port';
    case 'until-moment':
      return `until ${formatMoment(words.moment)}`;
  }
}

function formatDuration(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

function badDuration(text: string, help: LineHelp): UserError {
  const message = `${quote(text.trim())} is too long or too short: a watch can be snoozed for 5 minutes to ${maxDays} days.`;
  return wordsError('bad-snooze', message, help, { fixes: ['1h'] });
}
