/** `82%`. Only certainty is shown as 100%, and only impossibility as 0%. */
export function percent(probability: number): string {
  if (probability > 0 && probability < 0.005) return 'under\u00a01%';
  if (probability >= 1) return '100%';
  return `${Math.min(99, Math.round(probability * 100))}%`;
}

/** A probability that has fallen under a threshold never reads like the threshold: `49.6%` under 50%. */
export function percentUnder(probability: number, threshold: number): string {
  const rounded = percent(probability);
  if (rounded !== percent(threshold) || probability >= threshold) return rounded;
  return `${(Math.floor(probability * 1000) / 10).toFixed(1)}%`;
}

/** `14% (5 of 37)`. */
export const share = (count: number, of: number): string =>
  of > 0 ? `${percent(count / of)} (${count} of ${of})` : `${count} of ${of}`;

/** Marks a row of a list: 🟠 from 30 to 69%, ⚪ below; empty from 70% on. */
export function likelihoodMarker(probability: number): '' | '🟠' | '⚪' {
  const shown = Math.round(probability * 100);
  if (shown >= 70) return '';
  return shown >= 30 ? '🟠' : '⚪';
}

/** Ten cells: `████████░░`. */
export function bar(probability: number): string {
  const cells = Math.min(10, Math.max(0, Math.round(probability * 10)));
  return '█'.repeat(cells) + '░'.repeat(10 - cells);
}

/** True if two ports are within 5 percentage points, so neither can be called the next port. Allows for rounding. */
export const isUndecided = (first: number, second: number | undefined): boolean =>
  second !== undefined && first - second <= 0.05 + 1e-9;
