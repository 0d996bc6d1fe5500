import { scaleOf, shownNumber, ticksFor, uprightLabels } from './chart-scale.ts';
import { type SeriesChart, valueAt } from './chart-text.ts';

type Series = SeriesChart['series'][number];

interface DrawnProps {
  chart: SeriesChart;
  /** From a value to its height, 0 to 1. */
  scale: (value: number) => number;
}

/** Bars, lines or areas over named categories. The drawing stretches with the page, and its texts don't. */
export function Plot({ chart }: { chart: SeriesChart }) {
  const { categories, x_label, y_label } = chart.axis_config;
  const values = chart.series.flatMap(({ data }) => data.map(({ value }) => value));
  // A bar or an area without its zero would show a ratio that isn't there.
  const ticks = ticksFor(values, { withZero: chart.type !== 'line' });
  const scale = scaleOf(ticks);
  const Drawn = chart.type === 'bar' ? Bars : Lines;
  return (
    <div className="chart-plot">
      {y_label && <p className="chart-y-label">{y_label}</p>}
      <div className="chart-y-axis">
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: percent(scale(tick)) }}>
            {shownNumber(tick)}
          </span>
        ))}
        {/* As wide as the longest number. */}
        {ticks.map((tick) => (
          <span key={tick} className="chart-spacer">
            {shownNumber(tick)}
          </span>
        ))}
      </div>
      <div className="chart-area">
        {ticks.map((tick) => (
          <div
            key={tick}
            className={`chart-grid${tick === 0 ? ' zero' : ''}`}
            style={{ bottom: percent(scale(tick)) }}
          />
        ))}
        <Drawn chart={chart} scale={scale} />
      </div>
      <div className={`chart-x-axis upright-${uprightLabels(categories)}`}>
        {categories.map((category) => (
          <span key={category}>
            <span>{category}</span>
          </span>
        ))}
      </div>
      {x_label && <p className="chart-x-label">{x_label}</p>}
    </div>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** The bars of a category stand side by side; those below zero hang from it. */
function Bars({ chart, scale }: DrawnProps) {
  const zero = scale(0);
  return (
    <div className="chart-groups">
      {chart.axis_config.categories.map((category) => (
        <div key={category} className="chart-group">
          {chart.series.map((series, index) => {
            const end = scale(valueAt(series, category));
            return (
              <div key={series.name} className={`chart-slot series-${index}`}>
                <div
                  className="chart-bar"
                  title={titleOf(series, category)}
                  style={{ bottom: percent(Math.min(zero, end)), height: percent(Math.abs(end - zero)) }}
                />
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

const titleOf = (series: Series, category: string): string =>
  `${category}: ${series.name} ${shownNumber(valueAt(series, category))}`;

/** Straight lines: a curve would swing beyond the values. Slack layers areas in their order. */
function Lines({ chart, scale }: DrawnProps) {
  const { categories } = chart.axis_config;
  const x = (index: number) => ((index + 0.5) / categories.length) * 100;
  const y = (value: number) => (1 - scale(value)) * 100;
  return (
    <svg
      className="chart-lines"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {chart.series.map((series, index) => {
        const points = categories.map(
          (category, at) => `${x(at).toFixed(2)} ${y(valueAt(series, category)).toFixed(2)}`,
        );
        const line = `M${points.join('L')}`;
        const base = y(0).toFixed(2);
        return (
          <g key={series.name} className={`series-${index}`}>
            {chart.type === 'area' && (
              <path
                className="chart-fill"
                d={`${line}L${x(categories.length - 1).toFixed(2)} ${base}L${x(0).toFixed(2)} ${base}Z`}
              />
            )}
            <path className="chart-line" d={line} />
            {categories.map((category, at) => (
              // A line without length has round ends only: a dot that doesn't stretch with the drawing.
              <path key={category} className="chart-dot" d={`M${points[at]}h0`}>
                <title>{titleOf(series, category)}</title>
              </path>
            ))}
          </g>
        );
      })}
    </svg>
  );
}
