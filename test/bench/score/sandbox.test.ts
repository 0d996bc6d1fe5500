import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseVessels, openService, start } from '../../../bench/sandbox-world.ts';
import { predictedCall } from '../../../bench/score/answers.ts';
import { callsOf } from '../../../bench/score/calls.ts';
import { readOptions } from '../../../bench/score/options.ts';
import { scoreOf } from '../../../bench/score/score.ts';
import { compareViews } from '../../../bench/score/views.ts';
import { contractRoutes } from '../../../src/sandbox/routes.ts';
import { createSea } from '../../../src/sandbox/world/sea.ts';
import { ports, waypoints } from '../../../src/sandbox/world/sea-chart.ts';
import { createServices } from '../../../src/sandbox/world/services.ts';
import { createWorld } from '../../../src/sandbox/world/world.ts';

const seed = 4;
const dayMs = 86_400_000;
const tickMs = 15 * 60_000;
const beginMs = start.getTime();
const world = createWorld({ seed });
const vessels = chooseVessels(world, 40);
const imos = new Set(vessels.map(({ imo }) => imo));
const calls = callsOf(imos, { seed, beginMs, endMs: beginMs + 28 * dayMs });

const listed = (imo: number, atMs: number) =>
  (world.vesselPredictions(imo, atMs) ?? []).map(({ port }) => port);

describe('the simulated calls', () => {
  test("are those of the service's world: after a call, its port is no longer the next one", () => {
    expect(calls.length).toBeGreaterThan(100);
    for (const { imo, port, arrivalMs } of calls) expect(listed(imo, arrivalMs + tickMs)).not.toContain(port);
    const shown = calls.filter(({ imo, port, arrivalMs }) => listed(imo, arrivalMs - tickMs).includes(port));
    expect(shown.length / calls.length).toBeGreaterThan(0.97);
  });

  test('follow each other without a gap, and the first ones begin before the period', () => {
    for (const imo of imos) {
      const ofVessel = calls.filter((call) => call.imo === imo);
      for (const [at, { nextSinceMs, arrivalMs }] of ofVessel.entries()) {
        expect(nextSinceMs).toBeLessThan(arrivalMs);
        const before = ofVessel[at - 1];
        if (before) expect(nextSinceMs).toBe(before.arrivalMs);
        else expect(nextSinceMs).toBeLessThan(beginMs);
      }
    }
  });

  test('are diverted to alternate ports only, and each kind of change happens', () => {
    const services = createServices({ seed, sea: createSea() });
    const alternates = new Set(services.flatMap(({ stops }) => stops.map(({ alternate }) => alternate)));
    const kinds = Map.groupBy(calls, ({ change }) => change);
    for (const { port } of kinds.get('diverted') ?? []) expect(alternates).toContain(port);
    expect([...kinds.keys()].toSorted()).toEqual(['after an omission', 'diverted', 'on schedule', 'swapped']);
    expect((kinds.get('on schedule')?.length ?? 0) / calls.length).toBeGreaterThan(0.7);
  });

  test('a call on schedule follows the port that the rotation has before it, or an event there', () => {
    const services = createServices({ seed, sea: createSea() });
    const legs = new Set(
      services.flatMap(({ stops }) => stops.map(({ port }, at) => `${stops.at(at - 1)?.port} ${port}`)),
    );
    const consecutive = calls.flatMap((call, at) => {
      const before = calls[at - 1];
      return before?.imo === call.imo ? [{ before, call }] : [];
    });
    const ordinary = consecutive.filter(({ before, call }) =>
      [before.change, call.change].every((change) => change === 'on schedule'),
    );
    expect(ordinary.length).toBeGreaterThan(50);
    for (const { before, call } of ordinary) expect(legs).toContain(`${before.port} ${call.port}`);
  });
});

test('the same seed makes the same score, and another seed another one', () => {
  const few = new Set([...imos].slice(0, 16));
  const score = (world: number) => {
    const made = callsOf(few, { seed: world, beginMs, endMs: beginMs + 7 * dayMs });
    const fresh = createWorld({ seed: world });
    return scoreOf(made.map((call) => predictedCall(fresh, call)));
  };
  const first = score(seed);
  expect(score(seed)).toEqual(first);
  expect(score(seed + 1)).not.toEqual(first);
  expect(first.leads.find(({ leadHours }) => leadHours === 6)?.onTop).toBeGreaterThan(0.8);
});

test('vessel view and port view agree on every record; the ship view lacks some ETAs', async () => {
  const times = [new Date(beginMs + 0.4 * dayMs)];
  const views = await compareViews(openService(world, seed), { vessels, times });
  expect(views).toMatchObject({ different: 0, ships: vessels.length });
  expect(views.records).toBeGreaterThan(vessels.length);
  expect(views.withoutEta).toBeGreaterThan(0);
  expect(views.withoutEta).toBeLessThan(views.shipRecords / 3);
});

test('docs/sandbox.md counts what is there', () => {
  const page = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
  const sea = createSea();
  const services = createServices({ seed, sea });
  const carriers = new Set(world.vessels.map(({ carrier }) => carrier));
  for (const text of [
    `${ports.length} real ports and ${waypoints.length} points at sea`,
    `Shanghai–Rotterdam is ${Math.round(sea.distanceNm('CNSHA', 'NLRTM')).toLocaleString('en')} nm`,
    `${services.length} weekly liner services`,
    `${world.vessels.length} ships of ${carriers.size} carriers`,
    ...[...world.shiplists.keys()].map((name) => `\`${name}\``),
    ...contractRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{.*/, '…')}`),
  ])
    expect(page).toContain(text);
});

test('options: a seed or seeds, not both', () => {
  expect(readOptions(['--seed', '3', '--json'])).toMatchObject({ seeds: [3], json: true, isDefault: false });
  expect(readOptions(['--json']).isDefault).toBe(true);
  expect(() => readOptions(['--seed', '1', '--seeds', '2'])).toThrow(
    '--seed and --seeds mean the same: write one of them, such as --seeds 1-5.',
  );
});
