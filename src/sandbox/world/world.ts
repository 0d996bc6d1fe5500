import { LRUCache } from 'lru-cache';
import { countJourneys, type LaneQuery, type WorldStatistics } from './count-journeys.ts';
import { createExperiences } from './experience.ts';
import { createFleet, type Vessel } from './fleet.ts';
import { createPredictor, type WorldPrediction } from './predictor.ts';
import { createSea } from './sea.ts';
import { createServices } from './services.ts';
import { createTimeline } from './timeline.ts';
import { createVoyages } from './voyages.ts';

/**
 * The invented world: a pure function of seed and time. Times are epoch milliseconds of the domain clock.
 * An unknown vessel or port gets undefined.
 */
export interface World {
  readonly vessels: readonly { imo: number; name: string; carrier: string }[];
  /** The IMO numbers of each list, by the list's name. */
  readonly shiplists: ReadonlyMap<string, readonly number[]>;
  /** Predictions change every 15 minutes for all vessels at once, so that vessel and port views agree. */
  vesselPredictions(imo: number, atMs: number): readonly WorldPrediction[] | undefined;
  portPredictions(port: string, atMs: number): readonly WorldPrediction[] | undefined;
  statistics(query: LaneQuery, atMs: number): readonly WorldStatistics[] | undefined;
}

const tickMs = 15 * 60_000;

/** It remembers the shortest routes of the chart, which never changes. */
const sea = createSea();

export function createWorld({ seed }: { seed: number }): World {
  const fleet = createFleet(createServices({ seed, sea }));
  const byImo = new Map(fleet.map((vessel) => [vessel.imo, vessel]));
  const voyages = createVoyages({ seed, sea });
  const timeline = createTimeline({ seed, sea, voyages });
  const experiences = createExperiences({ fleet, timeline, sea });
  const predict = createPredictor({ seed, sea, timeline, experiences });
  const memo = new LRUCache<string, readonly WorldPrediction[]>({ max: 1_000 });

  const predictions = (vessel: Vessel, atMs: number) => {
    const tick = Math.floor(atMs / tickMs);
    const key = `${vessel.index}@${tick}`;
    const found = memo.get(key) ?? predict(vessel, tick * tickMs);
    memo.set(key, found);
    return found;
  };

  return {
    vessels: fleet.map(({ imo, name, carrier }) => ({ imo, name, carrier })),
    shiplists: createShiplists(fleet),
    vesselPredictions(imo, atMs) {
      const vessel = byImo.get(imo);
      return vessel && predictions(vessel, atMs);
    },
    portPredictions(port, atMs) {
      if (!sea.has(port)) return undefined;
      const all = fleet.flatMap((vessel) => predictions(vessel, atMs));
      return all.filter((prediction) => prediction.port === port);
    },
    statistics(query, atMs) {
      if (!sea.has(query.origin) || !sea.has(query.destination)) return undefined;
      return countJourneys(query, { fleet, voyages, atMs });
    },
  };
}

/** The provider's lists. One has a name that must be encoded in a path. */
function createShiplists(fleet: readonly Vessel[]): ReadonlyMap<string, readonly number[]> {
  const imosOf = (services: readonly string[]) =>
    fleet.filter(({ service }) => services.includes(service.name)).map(({ imo }) => imo);
  return new Map([
    ['FEEDERS', imosOf(['BALTIC LOOP', 'GULF OF FINLAND', 'ADRIA', 'STRAITS'])],
    ['NORTH EUROPE', imosOf(['LION', 'TEMA', 'NORTH ATLANTIC'])],
    ['MÉD/ADRIA', imosOf(['MIDDLE SEA', 'ADRIA'])],
  ]);
}
