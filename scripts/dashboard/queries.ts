import type { Query } from './panel.ts';

/** The series of the chosen jobs and instances. */
export const of = (metric: string, matchers = ''): string =>
  `${metric}{job=~"$job", instance=~"$instance"${matchers && `, ${matchers}`}}`;

/** Of a counter, added up over the instances. */
export const perSecond = (metric: string, by: string, matchers = ''): string =>
  `sum by (${by}) (rate(${of(metric, matchers)}[$__rate_interval]))`;
export const perMinute = (metric: string, by: string, matchers = ''): string =>
  `60 * ${perSecond(metric, by, matchers)}`;

/** Of a gauge that is read from the database, which is the same in every instance. */
export const shared = (metric: string, by?: string): string =>
  `max${by ? ` by (${by})` : ''} (${of(metric)})`;

export const quantile = (share: number, metric: string, by?: string): string =>
  `histogram_quantile(${share}, ${perSecond(`${metric}_bucket`, by ? `le, ${by}` : 'le')})`;

export const percentiles = (metric: string): Query[] =>
  [0.5, 0.95, 0.99].map((share) => ({ expr: quantile(share, metric), legend: `p${share * 100}` }));
