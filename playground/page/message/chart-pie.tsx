import { type PieChart, segmentsOf } from './chart-text.ts';

/** A pie that starts at the top and goes clockwise. */
export function Pie({ chart }: { chart: PieChart }) {
  const segments = segmentsOf(chart);
  return (
    <svg className="chart-pie" viewBox="-1 -1 2 2" aria-hidden="true" focusable="false">
      {segments.map(({ label, share, shown }, index) => {
        const start = segments.slice(0, index).reduce((sum, before) => sum + before.share, 0);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two segments may have one label.
          <path key={index} className={`series-${index}`} d={sector(start, start + share)}>
            <title>{`${label}: ${shown}`}</title>
          </path>
        );
      })}
    </svg>
  );
}

/** The path of a sector of the unit circle, from and to as shares of a turn. */
function sector(from: number, to: number): string {
  // An arc can't end where it starts, so a full circle is two halves.
  const middle = (from + to) / 2;
  return `M0 0L${point(from)}A1 1 0 0 1 ${point(middle)}A1 1 0 0 1 ${point(to)}Z`;
}

function point(share: number): string {
  const angle = share * 2 * Math.PI;
  return `${Math.sin(angle).toFixed(4)} ${(-Math.cos(angle)).toFixed(4)}`;
}
