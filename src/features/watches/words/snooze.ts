import type { UserError } from '../../../errors.ts';
import { type LineHelp, type LineOption, optionOf, quote, wordsError } from '../../../grammar/line.ts';
import { formatUntil, takeUntil, type UntilWords } from '../../../grammar/until.ts';
import type { Snooze } from '../../rules/index.ts';

/** How long a watch is snoozed, as typed. */
export type SnoozeWords = UntilWords | Exclude<Snooze, { kind: 'until' }>;

const maxDays = 30;

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
  takeUntil({ maxDays, refuse: badDuration }),
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
    case 'until-moment':
      return formatUntil(words);
    case 'until-eta':
      return `until ${words.hours}h before eta`;
    case 'until-next-port':
      return 'until next port';
  }
}

function badDuration(text: string, help: LineHelp): UserError {
  const message = `${quote(text.trim())} is too long or too short: a watch can be snoozed for 5 minutes to ${maxDays} days.`;
  return wordsError('bad-snooze', message, help, { fixes: ['1h'] });
}
