import { millisecondsInDay } from 'date-fns/constants';
import { dayLabel } from '../../messages/formatting/times.ts';
import type { Piece } from '../../messages/message.ts';
import { barChart } from '../../messages/rich-blocks.ts';
import { portOf } from '../../reference/ports.ts';
import type { PortCalls } from './answer.ts';

const maxDays = 10;

/** The likely calls of each local day as a chart, and in notes what has no day or no room in it. Escaped. */
export function likelyCalls(
  { port, expected: { days, overdue, undated }, hidden }: Pick<PortCalls, 'port' | 'expected' | 'hidden'>,
  now: Date,
): { chart: Piece[]; notes: string[] } {
  const zone = portOf(port)?.zone;
  const shown = daysFrom(days[0]?.day).map((day) => ({
    day,
    calls: days.find((each) => each.day === day)?.calls ?? 0,
  }));
  // Days without calls stand between others, but not at the end.
  const last = shown.findLastIndex(({ calls }) => calls > 0);
  const bars = shown.slice(0, last + 1);
  const end = bars.at(-1)?.day ?? '';
  const later = days.filter(({ day }) => day > end).reduce((sum, { calls }) => sum + calls, 0);
  const others = [
    ...(later > 0 ? [`${inWords(later)} after ${dayLabel(end, zone, now)}`] : []),
    ...(overdue > 0 ? [`${inWords(overdue)} past ETA`] : []),
    ...(undated > 0 ? [`${inWords(undated)} without ETA`] : []),
  ];
  const isChart = bars.length > 1;
  const [only] = bars;
  return {
    chart: isChart
      ? barChart({
          title: 'Likely calls per day (sum of probabilities)',
          series: 'Likely calls',
          bars: bars.map(({ day, calls }) => ({
            label: dayLabel(day, zone, now),
            value: rounded(calls),
            text: inWords(calls),
          })),
        })
      : [],
    notes: [
      ...(only && !isChart ? [`likely calls ${inWords(only.calls)} (sum of probabilities)`] : []),
      ...(others.length > 0 ? [`further likely calls: ${others.join(', ')}`] : []),
      ...(hidden > 0 && only ? ['likely calls include the hidden vessels'] : []),
    ],
  };
}

/** Ten days of the calendar. */
function daysFrom(first: string | undefined): string[] {
  if (first === undefined) return [];
  const midnight = Date.parse(first);
  return Array.from({ length: maxDays }, (_, index) =>
    new Date(midnight + index * millisecondsInDay).toISOString().slice(0, 10),
  );
}

/** Tenths; finer below 0.05, because a call that is possible is not zero. */
const rounded = (calls: number): number =>
  calls > 0 && calls < 0.05 ? Math.max(0.01, Math.round(calls * 100) / 100) : Math.round(calls * 10) / 10;

function inWords(calls: number): string {
  if (calls === 0) return '0';
  return calls < 0.05 ? 'under 0.1' : calls.toFixed(1);
}
