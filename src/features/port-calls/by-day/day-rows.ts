import { dayRange } from '../../../messages/formatting/times.ts';
import { counted } from '../../../messages/formatting/words.ts';
import type { Cell } from '../../../messages/rich-blocks.ts';
import { inWords } from '../likely-calls.ts';
import type { PortDay, PortDays } from './days.ts';
import { minDays } from './norm.ts';
import type { LikelyCalls } from './spread.ts';

/** `Wed 25 Nov`. */
export const dayName = (day: string, now: Date): string => dayRange(new Date(day), new Date(day), 'UTC', now);

/** `21–30 Nov`. */
export function daysInWords(days: readonly { day: string }[], now: Date): string {
  const [first, last] = [days[0], days.at(-1)];
  return first && last ? dayRange(new Date(first.day), new Date(last.day), 'UTC', now) : '';
}

/** `4.2 (3–6)`; `0` if no vessel may call. */
export const withRange = (calls: LikelyCalls): string =>
  calls.vessels === 0 ? '0' : `${inWords(calls.likely)} (${rangeOf(calls)})`;

/** `4.2 likely calls (3–6)`. */
export const likelyInWords = (calls: LikelyCalls): string =>
  `${inWords(calls.likely)} likely calls${calls.vessels === 0 ? '' : ` (${rangeOf(calls)})`}`;

const rangeOf = ({ low, high }: LikelyCalls): string => (low === high ? `${low}` : `${low}–${high}`);

/** Sortable by the sum. */
export const likelyCell = (calls: LikelyCalls, marker = ''): Cell => ({
  value: Math.round(calls.likely * 100) / 100,
  text: `${marker}${withRange(calls)}`,
});

/** The day with the most likely calls, the first of equal ones; undefined if no day has any. */
export const busiestOf = <Day extends Pick<PortDay, 'likely'>>(days: readonly Day[]): Day | undefined =>
  days.reduce<Day | undefined>((best, day) => (day.likely > (best?.likely ?? 0) ? day : best), undefined);

/** `above the norm: Wed 25 Nov, Thu 26 Nov`. */
export function aboveNorm(days: readonly PortDay[], now: Date): string[] {
  const above = days.filter(({ isAbove }) => isAbove);
  if (above.length === 0) return [];
  const named = above.slice(0, 4).map(({ day }) => dayName(day, now));
  const more = above.length > named.length ? [`${above.length - named.length} more`] : [];
  return [`🟠 above the norm: ${[...named, ...more].join(', ')}`];
}

/** How the figures of all answers by day are meant. */
export const methodNotes: readonly string[] = [
  'likely calls: sums of probabilities, today from now on',
  'in brackets: 8 of 10 cases, if vessels call independently',
  "later days are incomplete: only each vessel's next port is predicted",
];

/** What has no day, or no room. */
export function furtherNotes(ports: readonly Pick<PortDays, 'later' | 'days'>[], now: Date): string[] {
  const later = ports.filter(({ later }) => later.vessels > 0);
  if (later.length === 0) return [];
  const likely = later.reduce((sum, port) => sum + port.later.likely, 0);
  const vessels = later.reduce((sum, port) => sum + port.later.vessels, 0);
  const last = ports
    .flatMap(({ days }) => days.at(-1)?.day ?? [])
    .sort()
    .at(-1);
  return last === undefined
    ? []
    : [`${inWords(likely)} more likely calls after ${dayName(last, now)} (${counted(vessels, 'vessel')})`];
}

/** What the norms of these ports are, or why there are none; the ports may have different histories. */
export function normNotes(ports: readonly Pick<PortDays, 'port' | 'norm'>[]): string[] {
  const byNorm = Map.groupBy(ports, ({ norm }) => JSON.stringify(norm));
  return [...byNorm.values()].flatMap((alike) => {
    const codes = alike.map(({ port }) => port).join(', ');
    return normNote(
      alike[0]?.norm,
      byNorm.size > 1 ? { of: ` of ${codes}`, port: codes } : { of: '', port: 'the port' },
    );
  });
}

function normNote(norm: PortDays['norm'], { of, port }: { of: string; port: string }): string[] {
  switch (norm?.kind) {
    case undefined:
      return [];
    case 'known':
      return [`norm${of}: median of ${norm.days} past days at the same notice; 🟠 above 9 in 10 of them`];
    case 'unavailable':
      return [`the norm${of} can't be read at the moment`];
    case 'too-few': {
      const progress = `no norm${of} yet: ${norm.days} of ${minDays} days of history`;
      if (norm.isWatched) return [progress];
      return [
        norm.days > 0
          ? `${progress}; watch ${port} for more`
          : `watch ${port} to learn the norm in ${minDays} days`,
      ];
    }
  }
}
