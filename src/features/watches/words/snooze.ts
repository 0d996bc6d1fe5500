import type { UserError } from '../../../errors.ts';
import { type LineHelp, quote, wordsError } from '../../../grammar/line-help.ts';
import { formatMoment, type Moment, momentShape, parseMoment } from '../../../grammar/moment.ts';
import type { Snooze } from '../evaluation/muting.ts';

/** How long a watch is snoozed, as typed. */
export type SnoozeWords =
  | { kind: 'for'; minutes: number }
  | { kind: 'until-moment'; moment: Moment }
  | Exclude<Snooze, { kind: 'until' }>;

const maxDays = 30;
const minutesByUnit: Record<string, number> = { m: 1, h: 60, d: 1440, w: 7 * 1440 };
const nextPortShape = /(?:^|\s)(?:until |till )?(?:the )?next port(?: (?:has )?changed?s?)?$/i;
const etaShape = /(?:^|\s)(?:until |till )?(\d{1,3}) ?(?:h|hrs?|hours?) before (?:the )?eta$/i;
const forShape = /(?:^|\s)(?:for )?(?:an? |(\d{1,4}) ?)(min(?:utes?)?|m|h|hrs?|hours?|d|days?|weeks?|w)$/i;
const untilShape = new RegExp(`(?:^|\\s)(?:until |till )?(${momentShape})$`, 'i');

/** Takes `1h`, `for 2 days`, `until 27 Nov 08:00`, `until 24h before eta` or `until next port` off the end of a line. */
export function takeSnooze(
  words: string,
  helpFor: (rest: string) => LineHelp,
): { rest: string; value: SnoozeWords } | undefined {
  const restBefore = ({ index }: RegExpExecArray) => words.slice(0, index);
  const nextPort = nextPortShape.exec(words);
  if (nextPort) return { rest: restBefore(nextPort), value: { kind: 'until-next-port' } };
  const beforeEta = etaShape.exec(words);
  if (beforeEta) {
    const hours = Number(beforeEta[1]);
    const rest = restBefore(beforeEta);
    if (hours >= 1 && hours <= 240) return { rest, value: { kind: 'until-eta', hours } };
    throw badDuration(beforeEta, helpFor(rest));
  }
  const duration = forShape.exec(words);
  if (duration) {
    const [, count = 1, unit = ''] = duration;
    const minutes = Number(count) * (minutesByUnit[unit.charAt(0).toLowerCase()] ?? 0);
    const rest = restBefore(duration);
    if (minutes >= 5 && minutes <= maxDays * 1440) return { rest, value: { kind: 'for', minutes } };
    throw badDuration(duration, helpFor(rest));
  }
  const until = untilShape.exec(words);
  if (!until) return undefined;
  const rest = restBefore(until);
  return { rest, value: { kind: 'until-moment', moment: parseMoment(until[1] ?? '', helpFor(rest)) } };
}

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

function badDuration([text = '']: RegExpExecArray, help: LineHelp): UserError {
  const message = `${quote(text.trim())} is too long or too short: a watch can be snoozed for 5 minutes to ${maxDays} days.`;
  return wordsError('bad-snooze', message, help, { fixes: ['1h'] });
}
