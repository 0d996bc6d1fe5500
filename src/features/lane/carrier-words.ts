import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import { share } from '../../messages/formatting/probability.ts';
import { wilsonInterval } from '../../messages/formatting/wilson-interval.ts';
import type { Cell } from '../../messages/rich-blocks.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';

/** `Maersk (MAEU)`, or the bare code. */
export function carrierLabel(scac: Scac): string {
  const name = carrierName(scac);
  return name === undefined ? scac : `${name} (${scac})`;
}

export const shareCell = (count: number, of: number): Cell => ({
  value: ratio(count, of),
  text: share(count, of),
});

export const ratio = (count: number, of: number): number => (of > 0 ? count / of : 0);

export const countCell = (count: number): Cell => ({ value: count, text: count.toLocaleString('en') });

/** Of the delayed share at the destination: `6–28%`. */
export function interval({ destinationDelayed, journeys }: CarrierStatistics): string {
  const { low, high } = wilsonInterval(destinationDelayed, journeys);
  return `${Math.round(low * 100)}–${Math.round(high * 100)}%`;
}

/** An em space, since Slack and browsers drop plain spaces at the beginning of a line. */
export const indent = '\u2003';

/** `Maersk`, or the bare code. */
export const shortName = (scac: Scac): string => carrierName(scac) ?? scac;

/** `MSC, Maersk and ONE`. */
export const listed = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);
