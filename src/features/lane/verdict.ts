import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import { percent, share } from '../../messages/formatting/probability.ts';
import { joinWithin } from '../../messages/limits.ts';
import { portName } from '../../reference/ports.ts';
import type { LaneStatistics } from './answer.ts';
import { listed, shortName } from './carrier-words.ts';

export interface Verdict {
  bold: string;
  /** Follows the bold words: ` (18 and 13 journeys) · BETA`. */
  rest: string;
}

export const beta = ' · BETA';

/** Which carriers are delayed least at the destination. Not escaped. */
export function laneVerdict(answer: LaneStatistics): Verdict {
  const { origin, destination, ranked, unranked, missing } = answer;
  const lane = `${portName(origin)} → ${portName(destination)}`;
  const port = portName(destination);
  const [best] = ranked;
  if (!best) {
    const reason = unranked.length > 0 ? 'too few journeys to rank any carrier' : 'no journeys returned';
    return { bold: `${lane}: ${reason}`, rest: beta };
  }
  const { carrier, journeys, destinationDelayed } = best;
  const delayed = `${share(destinationDelayed, journeys)} delayed at ${port}`;
  if (ranked.length === 1 && unranked.length + missing.length > 0) {
    const only = `Only ${shortName(carrier)} has enough journeys to rank (${journeys.toLocaleString('en')})`;
    return { bold: `${only}: ${delayed}`, rest: ` · ${lane}${beta}` };
  }
  if (ranked.length === 1) return { bold: `${lane}: ${shortName(carrier)}, ${delayed}`, rest: beta };
  return among(
    lane,
    port,
    ranked.filter((other) => hasEqualShare(other, best)),
  );
}

/** For the carriers that share the first rank. */
function among(lane: string, port: string, group: readonly CarrierStatistics[]): Verdict {
  const names =
    group.length > 3 ? `${group.length} carriers` : listed(group.map(({ carrier }) => shortName(carrier)));
  const [{ journeys = 0, destinationDelayed = 0 } = {}] = group;
  const isPunctual = destinationDelayed === 0;
  const counts = group.map((each) => {
    const figure = isPunctual
      ? each.journeys.toLocaleString('en')
      : `${each.destinationDelayed} of ${each.journeys}`;
    return group.length > 3 ? `${shortName(each.carrier)} ${figure}` : figure;
  });
  const figures = group.length > 3 ? joinWithin(counts, ', ', 300) : listed(counts);
  return {
    bold: isPunctual
      ? `${lane}: ${names}, no delays at ${port}`
      : `${lane}: ${names} least delayed at ${port}, ${percent(destinationDelayed / Math.max(1, journeys))}`,
    rest: ` (${figures} journeys)${beta}`,
  };
}

/** Without the rounding of a division. */
const hasEqualShare = (one: CarrierStatistics, other: CarrierStatistics): boolean =>
  one.destinationDelayed * other.journeys === other.destinationDelayed * one.journeys;
