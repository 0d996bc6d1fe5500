import { LRUCache } from 'lru-cache';
import type { Vessel } from './fleet.ts';
import { createRandom, type Random } from './random.ts';
import type { Sea } from './sea.ts';
import { hourMs, type Stop, weekMs } from './services.ts';

/** A call that a vessel makes. Times are epoch milliseconds. */
export interface Call {
  /** The voyage number and the index of the scheduled stop identify a call of a vessel. */
  voyage: number;
  stop: number;
  /** Differs from the stop's port if the ship was diverted. */
  port: string;
  /** When it reaches the roads, where it may wait for a berth. */
  roadsMs: number;
  arrivalMs: number;
  departureMs: number;
}

interface Voyage {
  number: number;
  /** When the long-term schedule begins; the offsets of its stops count from here. */
  baseMs: number;
  /** In the order of arrival; a scheduled stop that is missing or made elsewhere is an omission. */
  calls: readonly Call[];
}

/** Every voyage of every vessel, each drawn from the seed alone, without computing earlier ones. */
export interface Voyages {
  of(vessel: Vessel, number: number): Voyage;
  /** The current voyage by the schedule; a late vessel may still be on the one before. */
  numberAt(vessel: Vessel, atMs: number): number;
}

interface Visit {
  stop: number;
  port: string;
  /** The scheduled times that the ship tries to keep: of this stop, or of the one it swapped with. */
  window: Stop;
}

/** The first key of each random draw: its purpose. */
const draw = { begin: 10, omit: 11, divert: 17, swap: 12, stay: 13, weather: 14, storm: 15, wait: 16 };

export function createVoyages({ seed, sea }: { seed: number; sea: Sea }): Voyages {
  const random = createRandom(seed);
  const memo = new LRUCache<number, Voyage>({ max: 6_000 });
  return {
    of(vessel, number) {
      const key = vessel.index * 100_000 + number + 50_000;
      const voyage = memo.get(key) ?? sail({ vessel, number, random, sea });
      memo.set(key, voyage);
      return voyage;
    },
    numberAt: (vessel, atMs) => Math.floor((atMs - baseOf(vessel, 0)) / vessel.service.cycleMs),
  };
}

const baseOf = ({ service, slot }: Vessel, number: number) =>
  service.anchorMs + slot * weekMs + number * service.cycleMs;

interface Sailing {
  vessel: Vessel;
  number: number;
  random: Random;
  sea: Sea;
}

/** Plans the calls, computes the latest possible time of each, and sails within these limits. */
function sail(sailing: Sailing): Voyage {
  const { vessel, number, random } = sailing;
  const { service } = vessel;
  const baseMs = baseOf(vessel, number);
  const beginMs = baseMs + lateness(sailing, number);
  const homeMs = baseMs + service.cycleMs + lateness(sailing, number + 1);

  const eventful = plan(sailing);
  const limits = latestTimes(eventful, homeMs, sailing);
  const feasible = (limits[0]?.arriveMs ?? 0) >= beginMs;
  const visits = feasible ? eventful : plainPlan(sailing);
  const latest = feasible ? limits : latestTimes(visits, homeMs, sailing);

  const calls: Call[] = [];
  let arrivalMs = beginMs;
  let roadsMs = beginMs - waitBefore(sailing, 0);
  visits.forEach((visit, at) => {
    const draws = (what: number) => random(what, vessel.index, number, visit.stop);
    const stayMs = visit.window.departMs - visit.window.arriveMs;
    const congestedMs = draws(draw.stay) > 0.93 ? 20 * hourMs * draws(draw.stay + 100) : 0;
    const workedMs = arrivalMs + stayMs * (0.8 + 0.4 * draws(draw.stay)) + congestedMs;
    const wantedMs = Math.max(workedMs, baseMs + visit.window.departMs - 4 * hourMs);
    const departureMs = Math.min(wantedMs, latest[at]?.departMs ?? wantedMs);
    calls.push({ voyage: number, stop: visit.stop, port: visit.port, roadsMs, arrivalMs, departureMs });
    const next = visits[at + 1];
    if (!next) return;
    const passage = sailTo({ next, from: visit, departureMs, baseMs, sailing });
    arrivalMs = Math.min(passage.arrivalMs, latest[at + 1]?.arriveMs ?? passage.arrivalMs);
    roadsMs = Math.min(passage.roadsMs, arrivalMs);
  });
  return { number, baseMs, calls };
}

/** How late a voyage begins: a separate draw, so that voyages don't depend on each other. */
function lateness({ vessel, random }: Sailing, number: number): number {
  return vessel.service.ships * 3 * hourMs * random(draw.begin, vessel.index, number) ** 2;
}

/** Which scheduled calls are made, in which order, and at which port. The first is never omitted. */
function plan(sailing: Sailing): Visit[] {
  const { vessel, number, random } = sailing;
  const { stops } = vessel.service;
  const visits: Visit[] = [];
  let omittedBefore = false;
  stops.forEach((stop, index) => {
    const omitted = index > 0 && !omittedBefore && random(draw.omit, vessel.index, number, index) < 0.03;
    omittedBefore = omitted;
    if (!omitted) visits.push({ stop: index, port: portOf(sailing, number, index), window: stop });
  });
  for (const [at, first] of visits.entries()) {
    const second = visits[at + 1];
    if (at === 0 || second?.stop !== first.stop + 1 || !stops[first.stop]?.swaps) continue;
    if (random(draw.swap, vessel.index, number, first.stop) > 0.22) continue;
    visits[at] = { ...second, window: first.window };
    visits[at + 1] = { ...first, window: second.window };
  }
  return withoutRepeats(visits);
}

/** The port of a scheduled call, or sometimes the one to which the ship is diverted. */
function portOf({ vessel, random }: Sailing, number: number, index: number): string {
  const { stops } = vessel.service;
  const { port = '', alternate } = stops[index] ?? {};
  const isNeighbour =
    stops.at(index - 1)?.port === alternate || stops[(index + 1) % stops.length]?.port === alternate;
  if (!alternate || isNeighbour) return port;
  return random(draw.divert, vessel.index, number, index) < 0.09 ? alternate : port;
}

/** After a swap or diversion the same port may come twice in a row, which is one call. */
const withoutRepeats = (visits: readonly Visit[]) =>
  visits.filter((visit, at) => visit.port !== visits[at - 1]?.port);

/** The schedule without events, for a ship that is too late for them; the voyage before expects its first port. */
const plainPlan = (sailing: Sailing): Visit[] =>
  sailing.vessel.service.stops.map((stop, index) => ({
    stop: index,
    port: index === 0 ? portOf(sailing, sailing.number, 0) : stop.port,
    window: stop,
  }));

const fastestOf = ({ vessel }: Sailing) => Math.min(vessel.service.scheduleKnots * 1.35, 23.5);

/** Counted back from the next voyage's first call: the latest times that leave enough for the rest. */
function latestTimes(visits: readonly Visit[], homeMs: number, sailing: Sailing) {
  const { sea } = sailing;
  const latest: { arriveMs: number; departMs: number }[] = [];
  let nextPort = portOf(sailing, sailing.number + 1, 0);
  let nextMs = homeMs;
  for (const visit of visits.toReversed()) {
    const departMs = nextMs - (sea.distanceNm(visit.port, nextPort) / fastestOf(sailing)) * hourMs;
    nextMs = departMs - 0.6 * (visit.window.departMs - visit.window.arriveMs);
    nextPort = visit.port;
    latest.unshift({ arriveMs: nextMs, departMs });
  }
  return latest;
}

/** Sails to meet the next window at a plausible speed; weather and waiting for a berth add to that. */
function sailTo(leg: { next: Visit; from: Visit; departureMs: number; baseMs: number; sailing: Sailing }): {
  roadsMs: number;
  arrivalMs: number;
} {
  const { next, from, departureMs, baseMs, sailing } = leg;
  const { vessel, number, random, sea } = sailing;
  const miles = sea.distanceNm(from.port, next.port);
  const hoursAt = (knots: number) => (miles / knots) * hourMs;
  const { scheduleKnots } = vessel.service;
  const wantedMs = baseMs + next.window.arriveMs - departureMs;
  const steadyMs = Math.min(Math.max(wantedMs, hoursAt(scheduleKnots * 1.25)), hoursAt(scheduleKnots * 0.8));
  const weather = 0.97 + 0.06 * random(draw.weather, vessel.index, number, next.stop);
  const storm = random(draw.storm, vessel.index, number, next.stop);
  const stormMs = storm < 0.12 && miles > 900 ? (10 + storm * 250) * hourMs : 0;
  const roadsMs = departureMs + steadyMs * weather + stormMs;
  return { roadsMs, arrivalMs: roadsMs + waitBefore(sailing, next.stop) };
}

/** At about every sixth call no berth is free: the ship waits from 3 to 33 hours in the roads. */
function waitBefore({ vessel, number, random }: Sailing, stop: number): number {
  const wait = random(draw.wait, vessel.index, number, stop);
  return wait > 0.16 ? 0 : (3 + (wait / 0.16) * 30) * hourMs;
}
