/** `82%`. Only certainty is shown as 100%, and only impossibility as 0%. */
export function percent(probability: number): string {
  if (probability > 0 && probability < 0.005) return 'under\u00a01%';
  if (probability >= 1) return '100%';
  return `${Math.min(99, Math.round(probability * 100))}%`;
}

/** A probability under a threshold never reads like the threshold: `49.6%` under 50%. */
export const percentUnder = (probability: number, threshold: number): string =>
  isHidden(probability, threshold) ? tenths(probability, threshold) : percent(probability);

/**
 * Two probabilities that stand side by side. They have a decimal where whole percents would hide that they differ, or
 * that one is under the threshold (a whole percentage): `50.2%` and `49.6%`.
 */
export function percentPair(was: number, now: number, threshold = 0): { was: string; now: string } {
  const whole = { was: percentUnder(was, threshold), now: percentUnder(now, threshold) };
  if (was === now || percent(was) !== percent(now)) return whole;
  const precise = { was: tenths(was, threshold), now: tenths(now, threshold) };
  return precise.was === precise.now ? whole : precise;
}

/** Whole percents show it at or above the threshold, although it is below. */
const isHidden = (probability: number, threshold: number): boolean =>
  probability < threshold && Math.max(1, Math.round(probability * 100)) >= Math.round(threshold * 100);

/** Rounded down, so that it stays under the threshold. */
function tenths(probability: number, threshold: number): string {
  if (probability <= 0 || probability >= 1) return percent(probability);
  // In floating point, 0.57 * 1000 is a hair less than 570.
  const floor = Math.floor(probability * 1000 + 1e-9);
  const shown = probability < threshold ? Math.min(floor, Math.round(threshold * 1000) - 1) : floor;
  return shown < 1 ? 'under\u00a00.1%' : `${(shown / 10).toFixed(1)}%`;
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
