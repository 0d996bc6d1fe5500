import { percent } from '../../messages/formatting/probability.ts';
import { roundedDuration } from '../../messages/formatting/times.ts';
import { wilsonInterval } from '../../messages/formatting/wilson-interval.ts';
import { counted } from '../../messages/formatting/words.ts';
import {
  type CalibrationBin,
  calibration,
  mainLead,
  type Spread,
  type Stability,
} from '../../predictions/stability.ts';

/** Without a full stop, not escaped: `the top port 48 h before stayed on top in 83% of calls (34 of 41)`. */
export function stayedInWords({ calls, onTop }: Stability): string {
  const { count, of } = onTop[mainLead];
  if (of === 0) return `${counted(calls, 'call')} ended while watched, none followed for ${mainLead} h`;
  const before = `the top port ${mainLead} h before stayed on top`;
  // A percentage of so few would look like more than it is.
  if (of < fewCalls) return `${before} in ${count} of ${counted(of, 'call')}`;
  return `${before} in ${percent(count / of)} of calls (${count} of ${of})`;
}

/** Below, there are no percentages. */
export const fewCalls = 5;

/** `ETA moved 5 h (median)`; nothing if no port stayed. */
export const movedInWords = ({ etaMoved }: Stability): string[] =>
  etaMoved ? [`ETA moved ${roundedDuration(etaMoved.median)}${etaMoved.of > 1 ? ' (median)' : ''}`] : [];

/** `5 h (2 h to 9 h)`: the median and the middle half. */
export function spreadInWords({ median, lower, upper, of }: Spread): string {
  const [shown, from, to] = [median, lower, upper].map(roundedDuration);
  return of < fewCalls || from === to ? `${shown}` : `${shown} (${from} to ${to})`;
}

/** `When the service said 80–90% 48 h before, the top port stayed in 83% of 41 calls (95%: 69–91%)`, the next ones shorter. */
export const calibrationLines = (bins: readonly CalibrationBin[]): string[] =>
  bins.map(({ from, to, count, of }, index) => {
    const said = `${Math.round(from * 100)}–${Math.round(to * 100)}%`;
    const { low, high } = wilsonInterval(count, of);
    const stayed = `${percent(count / of)} of ${of} calls (95%: ${percent(low).replace('%', '')}–${percent(high)})`;
    return index === 0
      ? `When the service said ${said} ${mainLead} h before, the top port stayed in ${stayed}`
      : `${said}: ${stayed}`;
  });

export const calibrationNote = `only where there are ${calibration.minPerBin} calls or more · 95%: Wilson interval`;
