import { dayLabel } from '../../messages/formatting/times.ts';
import type { Piece, Twinned } from '../../messages/message.ts';
import { barChart, groupedBarChart } from '../../messages/rich-blocks.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { PortCalls } from './answer.ts';
import { dayAfter, daysOf } from './by-day/calendar.ts';

const maxDays = 10;

type Expected = Pick<PortCalls, 'port' | 'expected' | 'hidden'>;

/** The likely calls of each local day as a chart, and in notes what has no day or no room in it. Escaped. */
export function likelyCalls(ports: readonly Expected[], now: Date): { chart: Piece[]; notes: string[] } {
  const zone = ports[0] && portOf(ports[0].port)?.zone;
  const listed = ports.flatMap(({ expected }) => expected.days);
  const [first] = listed.map(({ day }) => day).sort();
  // Days without calls stand between others, but not at the end.
  const candidates = first === undefined ? [] : daysOf(first, dayAfter(first, maxDays - 1));
  const last = candidates.findLast((day) => listed.some((each) => each.day === day && each.calls > 0)) ?? '';
  const days = candidates.filter((day) => day <= last);
  const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0);
  const later = sumOf(listed.flatMap(({ day, calls }) => (day > last ? calls : [])));
  const overdue = sumOf(ports.map(({ expected }) => expected.overdue));
  const undated = sumOf(ports.map(({ expected }) => expected.undated));
  const others = [
    ...(later > 0 ? [`${inWords(later)} after ${dayLabel(last, zone, now)}`] : []),
    ...(overdue > 0 ? [`${inWords(overdue)} past ETA`] : []),
    ...(undated > 0 ? [`${inWords(undated)} without ETA`] : []),
  ];
  const isChart = days.length > 1;
  const series = ports
    .filter(({ expected }) => expected.days.length > 0)
    .map(({ port, expected }) => ({
      port,
      calls: days.map((day) => expected.days.find((each) => each.day === day)?.calls ?? 0),
    }));
  return {
    chart: isChart ? dayChart(days, series, { zone, now }) : [],
    notes: [
      ...(days.length === 1
        ? [`likely calls ${inWords(sumOf(series.flatMap(({ calls }) => calls)))} (sum of probabilities)`]
        : []),
      ...(others.length > 0 ? [`further likely calls: ${others.join(', ')}`] : []),
      ...(ports.some(({ hidden }) => hidden > 0) && days.length > 0
        ? ['likely calls include the hidden vessels']
        : []),
    ],
  };
}

/** Bars of the likely calls of each day; a series for each port. */
function dayChart(
  days: readonly string[],
  ports: readonly { port: Locode; calls: readonly number[] }[],
  { zone, now }: { zone: string | undefined; now: Date },
): Twinned[] {
  const title = 'Likely calls per day (sum of probabilities)';
  const categories = days.map((day) => dayLabel(day, zone, now));
  const series = ports.map(({ port, calls }) => ({
    name: portName(port),
    bars: calls.map((each, index) => ({
      label: categories[index] ?? '',
      value: rounded(each),
      text: inWords(each),
    })),
  }));
  const [only, ...others] = series;
  if (only && others.length === 0) return barChart({ title, series: 'Likely calls', bars: only.bars });
  return groupedBarChart({ title, categories, series });
}

/** For a table that has the same figures: without newer blocks, its lines say them once. */
export const dayChartOfTable = (...chart: Parameters<typeof dayChart>): Piece[] =>
  dayChart(...chart).map(({ native }) => ({ native, twin: [] }));

/** Tenths; finer below 0.05, because a call that is possible is not zero. */
const rounded = (calls: number): number =>
  calls > 0 && calls < 0.05 ? Math.max(0.01, Math.round(calls * 100) / 100) : Math.round(calls * 10) / 10;

export function inWords(calls: number): string {
  if (calls === 0) return '0';
  return calls < 0.05 ? 'under 0.1' : calls.toFixed(1);
}
