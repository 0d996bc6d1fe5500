import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorldStatistics } from '../../src/sandbox/world/count-journeys.ts';
import { createExperiences } from '../../src/sandbox/world/experience.ts';
import { createFleet } from '../../src/sandbox/world/fleet.ts';
import { createSea } from '../../src/sandbox/world/sea.ts';
import { createServices, dayMs, hourMs } from '../../src/sandbox/world/services.ts';
import { createTimeline } from '../../src/sandbox/world/timeline.ts';
import { createVoyages } from '../../src/sandbox/world/voyages.ts';
import { createWorld, type World } from '../../src/sandbox/world/world.ts';

const now = Date.parse('2026-11-21T09:05:00Z');
const seeds = [1, 2, 77, 4_294_967_295];
const worlds = new Map(seeds.map((seed) => [seed, createWorld({ seed })]));
const anySeed = fc.constantFrom(...seeds);
const anyTime = fc.integer({ min: now - 400 * dayMs, max: now + 400 * dayMs });
const { vessels } = createWorld({ seed: 1 });
const anyImo = fc.constantFrom(...vessels.map(({ imo }) => imo));
const anyLane = fc.constantFrom(
  ['SGSIN', 'CNXAM'],
  ['CNSHA', 'NLRTM'],
  ['NLRTM', 'DEHAM'],
  ['DEHAM', 'SGSIN'],
  ['CNYTN', 'SGSIN'],
  ['CNSHA', 'USLAX'],
  ['SEGOT', 'NLRTM'],
);

const worldOf = (seed: number): World => {
  const world = worlds.get(seed);
  if (!world) throw new Error(`no world of seed ${seed}`);
  return world;
};

test('the same seed and time give the same answer, whatever was asked before', () => {
  fc.assert(
    fc.property(anySeed, anyTime, anyImo, anyLane, (seed, at, imo, [origin = '', destination = '']) => {
      const fresh = createWorld({ seed });
      const lane = { origin, destination, beginMs: at - 90 * dayMs, endMs: at };
      expect(fresh.vesselPredictions(imo, at)).toEqual(worldOf(seed).vesselPredictions(imo, at));
      expect(fresh.statistics(lane, at)).toEqual(worldOf(seed).statistics(lane, at));
    }),
    { numRuns: 25 },
  );
  expect(worldOf(1).portPredictions('NLRTM', now)).not.toEqual(worldOf(2).portPredictions('NLRTM', now));
});

test('statistics for a period are the sum of those for its parts', () => {
  fc.assert(
    fc.property(
      anySeed,
      anyLane,
      anyTime,
      fc.array(fc.integer({ min: -420, max: 30 }), { minLength: 2, maxLength: 6 }),
      (seed, [origin = '', destination = ''], at, days) => {
        const cuts = days.toSorted((a, b) => a - b).map((day) => at + day * dayMs);
        const count = (beginMs: number, endMs: number) =>
          worldOf(seed).statistics({ origin, destination, beginMs, endMs }, at) ?? [];
        const parts = cuts.slice(1).flatMap((cut, index) => count(cuts[index] ?? cut, cut));
        expect(totals(parts)).toEqual(totals(count(cuts[0] ?? 0, cuts.at(-1) ?? 0)));
      },
    ),
    { numRuns: 150 },
  );
});

test('counts are consistent, and a lane with a service has journeys', () => {
  fc.assert(
    fc.property(anySeed, anyLane, anyTime, (seed, [origin = '', destination = ''], at) => {
      const rows =
        worldOf(seed).statistics({ origin, destination, beginMs: at - 120 * dayMs, endMs: at }, at) ?? [];
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const { journeys } = row;
        for (const part of [
          row.originDelayed,
          row.destinationDelayed,
          row.originOmissions,
          row.destinationOmissions,
        ])
          expect(part >= 0 && part <= journeys).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test('a vessel has different next ports, with probabilities and ETAs in range', () => {
  fc.assert(
    fc.property(anySeed, anyImo, anyTime, (seed, imo, at) => {
      const predictions = worldOf(seed).vesselPredictions(imo, at) ?? [];
      expect(predictions.length).toBeGreaterThan(0);
      expect(new Set(predictions.map(({ port }) => port)).size).toBe(predictions.length);
      for (const { probability, etaMs } of predictions) {
        expect(probability > 0 && probability <= 1).toBe(true);
        expect(etaMs).toBeGreaterThan(at - 4 * dayMs);
        expect(etaMs).toBeLessThan(at + 60 * dayMs);
      }
      expect(predictions.reduce((sum, { probability }) => sum + probability, 0)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 400 },
  );
});

test('predictions by vessel and by port never contradict each other', () => {
  fc.assert(
    fc.property(anySeed, anyTime, fc.constantFrom('NLRTM', 'SGSIN', 'USSAV', 'GRPIR'), (seed, at, port) => {
      const world = worldOf(seed);
      const byPort = world.portPredictions(port, at) ?? [];
      const byVessel = vessels.flatMap(({ imo }) => world.vesselPredictions(imo, at) ?? []);
      expect(byPort).toEqual(byVessel.filter((prediction) => prediction.port === port));
    }),
    { numRuns: 20 },
  );
});

test('Rotterdam always has calls within 14 days, and the four examples always have an answer', () => {
  fc.assert(
    fc.property(anySeed, anyTime, (seed, at) => {
      const expected = worldOf(seed).portPredictions('NLRTM', at) ?? [];
      const soon = expected.filter((call) => call.etaMs < at + 14 * dayMs && call.probability > 0.3);
      expect(soon.length).toBeGreaterThan(0);
      for (const imo of [9461477, 9755933, 9811000, 9839430])
        expect(worldOf(seed).vesselPredictions(imo, at)?.length).toBeGreaterThan(0);
    }),
    // At that time EVER GIVEN is at a place where no ship of its service has been before.
    { numRuns: 40, examples: [[2, Date.parse('2027-08-10T13:05:00Z')]] },
  );
});

test('ships sail at realistic speeds on every voyage', () => {
  const sea = createSea();
  const voyages = createVoyages({ seed: 5, sea });
  const fleet = createFleet(createServices({ seed: 5, sea }));
  fc.assert(
    fc.property(fc.constantFrom(...fleet), fc.integer({ min: -30, max: 60 }), (vessel, number) => {
      const next = voyages.get(vessel, number + 1).calls.slice(0, 1);
      const calls = [...voyages.get(vessel, number).calls, ...next];
      calls.slice(1).forEach((call, index) => {
        const last = calls[index];
        if (!last) return;
        expect(last.departureMs).toBeGreaterThan(last.arrivalMs);
        const knots = sea.distanceNm(last.port, call.port) / ((call.arrivalMs - last.departureMs) / hourMs);
        expect(knots, `${vessel.service.name} ${last.port} to ${call.port}`).toBeLessThan(25);
        expect(knots).toBeGreaterThan(0);
      });
    }),
    { numRuns: 250 },
  );
});

test('predictions depend on past calls only', () => {
  const sea = createSea();
  const fleet = createFleet(createServices({ seed: 5, sea }));
  const timeline = createTimeline({ seed: 5, sea, voyages: createVoyages({ seed: 5, sea }) });
  const readTimes: number[] = [];
  const recorded: typeof timeline = {
    ...timeline,
    callsBetween(vessel, beginMs, endMs) {
      const calls = timeline.callsBetween(vessel, beginMs, endMs);
      readTimes.push(endMs, ...calls.map((call) => call.arrivalMs));
      return calls;
    },
  };
  const experiences = createExperiences({ fleet, timeline: recorded, sea });
  const [first] = fleet;
  if (!first) throw new Error('no fleet');
  experiences(first.service, now).nextPorts('CNYTN', 'SGSIN');
  expect(readTimes.length).toBeGreaterThan(100);
  expect(Math.max(...readTimes)).toBeLessThanOrEqual(now);
  const { last, underWay } = timeline.sighting(first, now);
  expect(last.arrivalMs).toBeLessThanOrEqual(now);
  expect(underWay === undefined).toBe(last.departureMs === undefined);
});

function totals(rows: readonly WorldStatistics[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { carrier, ...counts } of rows)
    for (const [name, count] of Object.entries(counts))
      if (count > 0) sums[`${carrier} ${name}`] = (sums[`${carrier} ${name}`] ?? 0) + count;
  return sums;
}
