import type { UserError } from '../errors.ts';
import { dateShape, dayShape } from './dates.ts';
import { type LineHelp, type LineOption, optionOf } from './line.ts';
import { formatMoment, type Moment, momentShape, parseMoment } from './moment.ts';
import { numberWords, readCount } from './number-words.ts';
import { readTime, timeShape } from './times.ts';

/** How long something rests, as typed. */
export type UntilWords = { kind: 'for'; minutes: number } | { kind: 'until-moment'; moment: Moment };

const minutesByUnit: Record<string, number> = { m: 1, h: 60, d: 1440, w: 7 * 1440 };

/** Has the name of a month, or a year. */
const clearDate = `(?!\\d{1,2}[/.-]\\d{1,2}\\.?$)${dateShape}`;

/** `6` alone may be a day. */
const clockTime = `(?=\\d{1,2}[:.h]\\d|\\d{1,2} ?[ap]\\.?m|noon|midnight)${timeShape}|(?:[01]?\\d|2[0-4]) ?(?:h|hrs|uhr|uur)`;
const bareHour = /^(\d{1,2}) ?(?:h|hrs|uhr|uur)$/i;

/**
 * Takes `1h`, `for 2 days`, `until 6am` or `until 27 Nov 08:00` off a line's end. `refuse`: for a time that is shorter than
 * 5 minutes, or longer than `maxDays`.
 */
export const takeUntil = ({
  maxDays,
  refuse,
}: {
  maxDays: number;
  refuse: (text: string, help: LineHelp) => UserError;
}): LineOption<UntilWords> => {
  const spellings: readonly LineOption<UntilWords>[] = [
    // Before lengths: `until 15h` isn't for 15 hours.
    optionOf(new RegExp(`(?:^|\\s)(?:until|till?) (${clockTime})$`, 'i'), ([, typed = '']) => ({
      kind: 'until-moment',
      moment: { day: 'soonest', minutes: readTime(typed.replace(bareHour, '$1:00')) ?? 0 },
    })),
    optionOf(
      new RegExp(
        `(?:^|\\s)(?:for )?(?:(an?|${numberWords.join('|')}) |(\\d{1,4}) ?)(min(?:utes?)?|m|h|hrs?|hours?|d|days?|weeks?|w)$`,
        'i',
      ),
      ([text, word, count = word ?? '', unit = ''], help) => {
        const minutes = readCount(count) * (minutesByUnit[unit.charAt(0).toLowerCase()] ?? 0);
        if (minutes >= 5 && minutes <= maxDays * 1440) return { kind: 'for', minutes };
        throw refuse(text, help);
      },
    ),
    // Without `until`, SUN may be a vessel's name and 12/11 a part of a reference.
    optionOf(
      new RegExp(
        `(?:^|\\s)(?:(?:until|till?|to) (${momentShape})|(tomorrow|${clearDate}|${dayShape},? (?:at )?${timeShape}))$`,
        'i',
      ),
      ([, typed, alone = ''], help) => ({ kind: 'until-moment', moment: parseMoment(typed ?? alone, help) }),
    ),
  ];
  return (words, helpFor) => {
    for (const take of spellings) {
      const taken = take(words, helpFor);
      if (taken) return taken;
    }
    return undefined;
  };
};

export const formatUntil = (words: UntilWords): string =>
  words.kind === 'for' ? formatDuration(words.minutes) : `until ${formatMoment(words.moment)}`;

function formatDuration(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}
