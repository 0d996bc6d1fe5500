/** The values that an axis names, evenly spaced and round, so that all data lie between the first and the last. */
export function ticksFor(values: readonly number[], { withZero }: { withZero: boolean }): number[] {
  const all = withZero ? [...values, 0] : values;
  const low = Math.min(...all);
  const high = Math.max(...all);
  const step = stepFor(high === low ? Math.abs(high) || 1 : high - low);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  // Multiplied rather than added up, and rounded, so that 3 × 0.1 is 0.3.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

const INTERVALS = 4;

/** 1, 2 or 5 times a power of ten, so that about four steps make up the range. */
function stepFor(range: number): number {
  const rough = range / INTERVALS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  return factor * power;
}

/** The place of a value between the first tick (0) and the last (1). */
export function scaleOf(ticks: readonly number[]): (value: number) => number {
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  return (value) => (value - low) / (high - low);
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export const shownNumber = (value: number): string => numbers.format(value);

/** Pixels of a chart on a phone and in a message, without its axis. */
const WIDTHS = { narrow: 255, wide: 500 };
const PX_PER_CHARACTER = 6.6;
const GAP_PX = 6;

/**
 * Where the labels below an axis stand upright, because their longest word doesn't fit into its share of the width:
 * nowhere, on a phone, or everywhere.
 */
export function uprightLabels(labels: readonly string[]): 'never' | 'narrow' | 'always' {
  const longest = Math.max(...labels.flatMap((label) => label.split(' ')).map(({ length }) => length));
  const needed = labels.length * (longest * PX_PER_CHARACTER + GAP_PX);
  if (needed <= WIDTHS.narrow) return 'never';
  return needed <= WIDTHS.wide ? 'narrow' : 'always';
}
