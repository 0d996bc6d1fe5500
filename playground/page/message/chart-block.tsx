import { useState } from 'react';
import type { DataVisualizationBlock } from '../../src/blocks/chart-schemas.ts';
import { Icon } from '../chrome/icons.tsx';
import { Pie } from './chart-pie.tsx';
import { Plot } from './chart-plot.tsx';
import { type Chart, chartRows, chartText, segmentsOf } from './chart-text.ts';

/**
 * Draws `data_visualization`. slack-blocks-to-jsx draws it too, but its labels shrink with the chart, until on a phone
 * nobody can read them, and its lines swing beyond the values.
 */
export function ChartBlock({ block: { title, chart } }: { block: DataVisualizationBlock }) {
  const [isTable, setTable] = useState(false);
  return (
    <figure className="block-chart">
      <figcaption>
        <strong>{title}</strong>
        <button
          type="button"
          className="icon-button"
          aria-label="Show as table"
          aria-pressed={isTable}
          title="Show as table"
          onClick={() => setTable(!isTable)}
        >
          <Icon name="table" />
        </button>
      </figcaption>
      {isTable ? <ChartTable chart={chart} /> : <Drawing chart={chart} />}
    </figure>
  );
}

function Drawing({ chart }: { chart: Chart }) {
  return (
    <>
      <div role="img" aria-label={chartText(chart)}>
        {chart.type === 'pie' ? <Pie chart={chart} /> : <Plot chart={chart} />}
      </div>
      <ul className="chart-legend">
        {legendOf(chart).map((name, index) => (
          <li key={name}>
            <svg
              className={`legend-${chart.type} series-${index}`}
              viewBox="0 0 24 12"
              aria-hidden="true"
              focusable="false"
            >
              <rect width="24" height="12" rx="2" />
              <path d="M1 6h22" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

const legendOf = (chart: Chart): string[] =>
  chart.type === 'pie'
    ? segmentsOf(chart).map(({ label, shown }) => `${label} · ${shown}`)
    : chart.series.map(({ name }) => name);

function ChartTable({ chart }: { chart: Chart }) {
  const [header = [], ...rows] = chartRows(chart);
  return (
    <table>
      <thead>
        <tr>
          {header.map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, ...values]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {values.map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position.
              <td key={index}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
