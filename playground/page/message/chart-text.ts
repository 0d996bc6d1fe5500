import type { DataVisualizationBlock } from '../../src/blocks/chart-schemas.ts';
import { shownNumber } from './chart-scale.ts';

export type Chart = DataVisualizationBlock['chart'];
export type SeriesChart = Exclude<Chart, { type: 'pie' }>;
export type PieChart = Extract<Chart, { type: 'pie' }>;

const NAMES = { bar: 'Bar chart', line: 'Line chart', area: 'Area chart', pie: 'Pie chart' };

/** A chart in words, for people who can't see it: every value that it shows. */
export function chartText(chart: Chart): string {
  const lines =
    chart.type === 'pie'
      ? segmentsOf(chart).map(({ label, shown }) => `${label} ${shown}`)
      : chart.series.map(
          ({ name, data }) =>
            `${name}: ${data.map(({ label, value }) => `${label} ${shownNumber(value)}`).join(', ')}`,
        );
  return `${NAMES[chart.type]}. ${lines.join('. ')}.`;
}

/** A chart as the rows of a table, of which the first is the header. */
export function chartRows(chart: Chart): string[][] {
  if (chart.type === 'pie')
    return [['', 'Value'], ...chart.segments.map(({ label, value }) => [label, shownNumber(value)])];
  const { x_label = '', categories } = chart.axis_config;
  return [
    [x_label, ...chart.series.map(({ name }) => name)],
    ...categories.map((category) => [
      category,
      ...chart.series.map((series) => shownNumber(valueAt(series, category))),
    ]),
  ];
}

/** A series names each category once, in any order. */
export const valueAt = ({ data }: SeriesChart['series'][number], category: string): number =>
  data.find(({ label }) => label === category)?.value ?? 0;

/** The segments of a pie with their shares, from 0 to 1. */
export function segmentsOf({ segments }: PieChart) {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  return segments.map(({ label, value }) => ({
    label,
    share: value / total,
    shown: `${Math.round((value / total) * 100)}%`,
  }));
}
