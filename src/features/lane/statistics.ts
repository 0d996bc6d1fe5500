import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { CarrierStatistics, Lane } from '../../analytics/journey-statistics.ts';
import { canonicalPort } from '../../reference/ports.ts';
import { requestOptions } from '../run-context.ts';
import type { AskCtx } from '../variant.ts';

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

function byDelayedShare(first: CarrierStatistics, second: CarrierStatistics): number {
  const share = ({ destinationDelayed, journeys }: CarrierStatistics) => destinationDelayed / journeys;
  return share(first) - share(second) || byJourneys(first, second);
}

function byJourneys(first: CarrierStatistics, second: CarrierStatistics): number {
  return second.journeys - first.journeys || (first.carrier < second.carrier ? -1 : 1);
}
