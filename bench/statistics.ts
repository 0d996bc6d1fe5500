/** The percentile by nearest rank; `share` is from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export interface Percentiles {
  p50: number;
  p99: number;
}

export const percentiles = (values: readonly number[]): Percentiles => ({
  p50: median(values),
  p99: percentile(values, 0.99),
});
