import type { Vessel } from './fleet.ts';
import { dayMs, type LinerService } from './services.ts';
import type { Voyages } from './voyages.ts';

/** One carrier's journeys on a lane. Delays and omissions are measured against the original schedule. */
export interface WorldStatistics {
  /** SCAC. */
  carrier: string;
  journeys: number;
  originDelayed: number;
  destinationDelayed: number;
  originOmissions: number;
  destinationOmissions: number;
}

export interface LaneQuery {
  origin: string;
  destination: string;
  /** Only journeys that left the origin in [beginMs, endMs) count, and none that leaves after the question. */
  beginMs: number;
  endMs: number;
}

/** A journey counts as delayed if it is this late. The contract doesn't define it. */
const delayedAfterMs = dayMs;

/** Older journeys are not counted, so that a long period does not take long to answer. */
const memoryDays = 760;

interface Journey {
  /** The departure from the origin, or the scheduled departure if that call was omitted. */
  beginsMs: number;
  originOmitted: boolean;
  originLateMs: number;
  destinationOmitted: boolean;
  destinationLateMs: number;
}

/** Counts the simulated journeys of one lane as of `atMs`. Returns one row per carrier. */
export function countJourneys(
  query: LaneQuery,
  from: { fleet: readonly Vessel[]; voyages: Voyages; atMs: number },
): WorldStatistics[] {
  const { fleet, voyages, atMs } = from;
  const endMs = Math.min(query.endMs, atMs);
  const beginMs = Math.max(query.beginMs, atMs - memoryDays * dayMs);
  const rows = new Map<string, WorldStatistics>();
  for (const vessel of fleet) {
    const legs = lanesOf(vessel.service, query);
    if (legs.length === 0) continue;
    // A swap or a delay moves a departure by less than a voyage.
    const last = voyages.numberAt(vessel, endMs) + 1;
    for (let number = voyages.numberAt(vessel, beginMs) - 1; number <= last; number += 1) {
      for (const leg of legs) {
        const journey = toJourney({ vessel, voyages, number, leg, atMs });
        if (journey.beginsMs < beginMs || journey.beginsMs >= endMs) continue;
        const row = rows.get(vessel.carrier) ?? emptyRow(vessel.carrier);
        rows.set(vessel.carrier, addJourney(row, journey));
      }
    }
  }
  return [...rows.values()];
}

/** Indexes of two stops. */
interface Lane {
  from: number;
  to: number;
  /** True if the call at the destination belongs to the next round voyage. */
  isNextVoyage: boolean;
}

/** Pairs each stop at the origin with the next stop at the destination, unless the origin comes again first. */
function lanesOf({ stops }: LinerService, { origin, destination }: LaneQuery): Lane[] {
  return stops.flatMap((stop, from) => {
    if (stop.port !== origin) return [];
    for (let ahead = 1; ahead < stops.length; ahead += 1) {
      const to = (from + ahead) % stops.length;
      const port = stops[to]?.port;
      if (port === destination) return [{ from, to, isNextVoyage: to < from }];
      if (port === origin) return [];
    }
    return [];
  });
}

function toJourney(of: {
  vessel: Vessel;
  voyages: Voyages;
  number: number;
  leg: Lane;
  atMs: number;
}): Journey {
  const { vessel, voyages, number, leg, atMs } = of;
  const origin = stopTimes(vessel, voyages, number, leg.from);
  const destination = stopTimes(vessel, voyages, leg.isNextVoyage ? number + 1 : number, leg.to);
  const arrivalMs = Math.min(destination.arrivalMs ?? destination.scheduled.arriveMs, atMs);
  return {
    beginsMs: origin.departureMs ?? origin.scheduled.departMs,
    originOmitted: origin.departureMs === undefined,
    originLateMs:
      (origin.departureMs ?? 0) - (origin.departureMs === undefined ? 0 : origin.scheduled.departMs),
    // An omission is known only after the scheduled arrival.
    destinationOmitted: destination.arrivalMs === undefined && destination.scheduled.arriveMs < atMs,
    destinationLateMs: arrivalMs - destination.scheduled.arriveMs,
  };
}

/** The scheduled and the actual times of one stop. The actual ones are undefined if it was omitted. */
function stopTimes(vessel: Vessel, voyages: Voyages, number: number, index: number) {
  const { baseMs, calls } = voyages.get(vessel, number);
  const stop = vessel.service.stops[index];
  const actual = calls.find((call) => call.stop === index && call.port === stop?.port);
  return {
    scheduled: { arriveMs: baseMs + (stop?.arriveMs ?? 0), departMs: baseMs + (stop?.departMs ?? 0) },
    arrivalMs: actual?.arrivalMs,
    departureMs: actual?.departureMs,
  };
}

const emptyRow = (carrier: string): WorldStatistics => ({
  carrier,
  journeys: 0,
  originDelayed: 0,
  destinationDelayed: 0,
  originOmissions: 0,
  destinationOmissions: 0,
});

const addJourney = (row: WorldStatistics, journey: Journey): WorldStatistics => ({
  carrier: row.carrier,
  journeys: row.journeys + 1,
  originDelayed: row.originDelayed + Number(journey.originLateMs > delayedAfterMs),
  destinationDelayed: row.destinationDelayed + Number(journey.destinationLateMs > delayedAfterMs),
  originOmissions: row.originOmissions + Number(journey.originOmitted),
  destinationOmissions: row.destinationOmissions + Number(journey.destinationOmitted),
});
