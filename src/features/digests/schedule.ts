/** When something runs, by the wall clock of a zone that is stored beside it. */
export interface Schedule {
  days: Days;
  /** Minutes after midnight, 0 to 1439, ascending, each once, at least one. */
  minutes: readonly number[];
}

/**
 * `week`: 1 is Monday, 7 is Sunday. `month`: dates from 1 to 31; one beyond the end of a month is its last day, so
 * 31 is the last day of every month. Both ascending, each once, at least one.
 */
export type Days =
  | { kind: 'week'; weekdays: readonly number[] }
  | { kind: 'month'; dates: readonly number[] };
