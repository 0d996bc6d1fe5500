/** When something runs, by the wall clock of a zone that is kept beside it. */
export interface Schedule {
  days: Days;
  /** Minutes after midnight, 0 to 1439, ascending, each once, at least one. */
  minutes: readonly number[];
}

/**
 * `week`: 1 is Monday, 7 is Sunday. `month`: dates from 1 to 31; one that a month lacks is its last day, so that
 * 31 is «last day». Both ascending, each once, at least one.
 */
export type Days =
  | { kind: 'week'; weekdays: readonly number[] }
  | { kind: 'month'; dates: readonly number[] };
