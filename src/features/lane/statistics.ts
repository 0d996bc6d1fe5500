import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { CarrierStatistics, Lane } from '../../analytics/journey-statistics.ts';
import { wilsonInterval } from '../../answers/formatting/words.ts';
import type { Scac } from '../../reference/carriers.ts';
import { canonicalPort } from '../../reference/ports.ts';
import { type AskCtx, requestOptions } from '../ctx.ts';

/** With fewer journeys the delayed share says little. */
export const minJourneys = 10;

export type LaneStatistics = Awaited<ReturnType<typeof askLane>>;

/** How the carriers of a lane performed. */
export async function askLane(lane: Lane, ctx: AskCtx) {
  const { answeredLane, statistics, ...provenance } = await statisticsOf(lane, ctx);
  const { origin, destination } = answeredLane;
  const { ranked = [], unranked = [] } = Object.groupBy(statistics, ({ journeys }) =>
    journeys >= minJourneys ? 'ranked' : 'unranked',
  );
  const period = periodOf(statistics) ?? (lane.begin && lane.end && { begin: lane.begin, end: lane.end });
  return {
    origin,
    destination,
    /** Typed codes without an answer of the service; `origin` or `destination` is another code of the same port. */
    insteadOf: [lane.origin, lane.destination].filter((port) => port !== origin && port !== destination),
    /** The lowest delayed share at the destination comes first. */
    ranked: ranked.toSorted(byDelayedShare),
    /** Carriers with too few journeys. The most journeys come first. */
    unranked: unranked.toSorted(byJourneys),
    /** Carriers in the line without an answer of the service. */
    missing: (lane.carriers ?? []).filter((scac) => !statistics.some(({ carrier }) => carrier === scac)),
    /** Half-open. From the service; if it gives none, from the line. */
    ...(period && { period }),
    /** True if carriers have different periods; then `period` spans them all. */
    periodsDiffer: new Set(statistics.map(({ beginsAt, endsAt }) => `${+beginsAt} ${+endsAt}`)).size > 1,
    ...provenance,
  };
}

/** A port may have several codes. If the service has nothing for those in the line, asks for the ports' main codes. */
async function statisticsOf(lane: Lane, ctx: AskCtx) {
  const ask = async (answeredLane: Lane) => ({
    answeredLane,
    ...(await ctx.services.analytics.journeyStatistics(answeredLane, requestOptions(ctx))),
  });
  const answer = await ask(lane);
  const main = { origin: canonicalPort(lane.origin), destination: canonicalPort(lane.destination) };
  const isMain = main.origin === lane.origin && main.destination === lane.destination;
  if (answer.statistics.length > 0 || isMain) return answer;
  const other = await ask({ ...lane, ...main });
  return other.statistics.length > 0 ? other : answer;
}

function periodOf(statistics: readonly CarrierStatistics[]): { begin: Date; end: Date } | undefined {
  if (statistics.length === 0) return undefined;
  return {
    begin: min(statistics.map(({ beginsAt }) => beginsAt)),
    end: max(statistics.map(({ endsAt }) => endsAt)),
  };
}

export function byDelayedShare(first: CarrierStatistics, second: CarrierStatistics): number {
  const share = ({ destinationDelayed, journeys }: CarrierStatistics) => destinationDelayed / journeys;
  return share(first) - share(second) || byJourneys(first, second);
}

export function byJourneys(first: CarrierStatistics, second: CarrierStatistics): number {
  return second.journeys - first.journeys || (first.carrier < second.carrier ? -1 : 1);
}

/** `more`, `fewer`: the 95% intervals of the delayed shares at the destination don't overlap, so chance is unlikely. */
export type Change = 'more' | 'fewer' | 'unclear';

/** A carrier with enough journeys in both periods. */
export interface ComparedCarrier {
  carrier: Scac;
  later: CarrierStatistics;
  earlier: CarrierStatistics;
  change: Change;
  /** The difference of the delayed shares at the destination, -1 to 1; above 0 if there are more delays later. */
  difference: number;
}

/** A carrier with too few journeys in one of the periods, or without any there. */
export interface UncomparedCarrier {
  carrier: Scac;
  later: CarrierStatistics | undefined;
  earlier: CarrierStatistics | undefined;
}

/**
 * Compares the delayed shares at the destination in two periods, from 10 journeys on in each. Clear changes come first:
 * more delays, then fewer, the largest difference first.
 */
export function compareCarriers({
  earlier,
  later,
}: {
  earlier: readonly CarrierStatistics[];
  later: readonly CarrierStatistics[];
}): { compared: ComparedCarrier[]; uncompared: UncomparedCarrier[] } {
  const [before, after] = [totals(earlier), totals(later)];
  const pairs = [...new Set([...after.keys(), ...before.keys()])].map((carrier) => ({
    carrier,
    later: after.get(carrier),
    earlier: before.get(carrier),
  }));
  const compared = pairs.flatMap((pair) => comparedOf(pair));
  const isCompared = new Set(compared.map(({ carrier }) => carrier));
  return {
    compared: compared.sort(byChange),
    uncompared: pairs.filter(({ carrier }) => !isCompared.has(carrier)).sort(byAllJourneys),
  };
}

/** By carrier. The service may have several records of one, such as a record for each code of a port. */
export function totals(statistics: readonly CarrierStatistics[]): Map<Scac, CarrierStatistics> {
  const byCarrier = new Map<Scac, CarrierStatistics>();
  for (const record of statistics) {
    const total = byCarrier.get(record.carrier);
    byCarrier.set(record.carrier, total ? sum(total, record) : record);
  }
  return byCarrier;
}

const sum = (one: CarrierStatistics, other: CarrierStatistics): CarrierStatistics => ({
  ...one,
  beginsAt: min([one.beginsAt, other.beginsAt]),
  endsAt: max([one.endsAt, other.endsAt]),
  journeys: one.journeys + other.journeys,
  originDelayed: one.originDelayed + other.originDelayed,
  destinationDelayed: one.destinationDelayed + other.destinationDelayed,
  originOmissions: one.originOmissions + other.originOmissions,
  destinationOmissions: one.destinationOmissions + other.destinationOmissions,
});

function comparedOf({ carrier, later, earlier }: UncomparedCarrier): ComparedCarrier[] {
  if (!hasEnough(later) || !hasEnough(earlier)) return [];
  return [
    {
      carrier,
      later,
      earlier,
      change: changeOf(later, earlier) ?? 'unclear',
      difference: share(later) - share(earlier),
    },
  ];
}

const hasEnough = (statistics: CarrierStatistics | undefined): statistics is CarrierStatistics =>
  statistics !== undefined && statistics.journeys >= minJourneys;

type Delays = Pick<CarrierStatistics, 'destinationDelayed' | 'journeys'>;

/** All carriers together. */
export function sumOf({ ranked, unranked }: Pick<LaneStatistics, 'ranked' | 'unranked'>): Delays {
  const total = { destinationDelayed: 0, journeys: 0 };
  for (const { destinationDelayed, journeys } of [...ranked, ...unranked]) {
    total.destinationDelayed += destinationDelayed;
    total.journeys += journeys;
  }
  return total;
}

/** Undefined with too few journeys in either. */
export function changeOf(later: Delays, earlier: Delays): Change | undefined {
  if (later.journeys < minJourneys || earlier.journeys < minJourneys) return undefined;
  const [after, before] = [later, earlier].map((each) =>
    wilsonInterval(each.destinationDelayed, each.journeys),
  );
  if (!after || !before) return 'unclear';
  if (after.low > before.high) return 'more';
  return after.high < before.low ? 'fewer' : 'unclear';
}

/** A faulty report may count more delays than journeys. */
const share = ({ destinationDelayed, journeys }: CarrierStatistics): number =>
  Math.min(1, destinationDelayed / journeys);

const order: readonly Change[] = ['more', 'fewer', 'unclear'];

export function byChange(first: ComparedCarrier, second: ComparedCarrier): number {
  return (
    order.indexOf(first.change) - order.indexOf(second.change) ||
    Math.abs(second.difference) - Math.abs(first.difference) ||
    byAllJourneys(first, second)
  );
}

export function byAllJourneys(first: UncomparedCarrier, second: UncomparedCarrier): number {
  const journeys = ({ later, earlier }: UncomparedCarrier) =>
    (later?.journeys ?? 0) + (earlier?.journeys ?? 0);
  return journeys(second) - journeys(first) || (first.carrier < second.carrier ? -1 : 1);
}
