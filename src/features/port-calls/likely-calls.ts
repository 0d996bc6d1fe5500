import type { ChartSection } from '../../answers/answer.ts';
import { dayLabel } from '../../messages/formatting/times.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName } from '../../reference/ports.ts';

/** Bars of the likely calls of each day; a series for each port. */
export function likelyCallsChart(
  days: readonly string[],
  ports: readonly { port: Locode; calls: readonly number[] }[],
  { zone, now }: { zone: string | undefined; now: Date },
): ChartSection {
  return {
    kind: 'bars',
    title: 'Likely calls per day (sum of probabilities)',
    categories: days.map((day) => dayLabel(day, zone, now)),
    series: ports.map(({ port, calls }) => ({
      name: ports.length === 1 ? 'Likely calls' : portName(port),
      bars: calls.map((each) => ({ value: rounded(each), text: inWords(each) })),
    })),
  };
}

/** Tenths; finer below 0.05, because a call that is possible is not zero. */
const rounded = (calls: number): number =>
  calls > 0 && calls < 0.05 ? Math.max(0.01, Math.round(calls * 100) / 100) : Math.round(calls * 10) / 10;

export function inWords(calls: number): string {
  if (calls === 0) return '0';
  return calls < 0.05 ? 'under 0.1' : calls.toFixed(1);
}
