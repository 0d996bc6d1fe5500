import { LRUCache } from 'lru-cache';
import type { Vessel } from './fleet.ts';
import { createRandom, type Random } from './random.ts';
import type { Sea } from './sea.ts';
import { hourMs, type Stop, weekMs } from './services.ts';

/** A call that a vessel makes. Times are epoch milliseconds. */
export interface Call {
  /** The voyage number and the index of the scheduled stop together identify a vessel's call. */
  voyage: number;
  stop: number;
  /** Differs from the stop's port if the ship was diverted. */
  port: string;
  /** The arrival at the anchorage, where the ship may wait for a berth. */
  anchorageMs: number;
  arrivalMs: number;
  departureMs: number;
}

interface Voyage {
  number: number;
  /** The start of the voyage by the long-term schedule. The times of its stops count from here. */
  baseMs: number;
  /** In order of arrival. A scheduled stop that is missing, or made at another port, is an omission. */
  calls: readonly Call[];
}

/** Every voyage of every vessel. Each depends on the seed alone, so earlier ones needn't be computed. */
export interface Voyages {
  get(vessel: Vessel, number: number): Voyage;
  /** The current voyage by the schedule. A late vessel may still be on the previous one. */
  numberAt(vessel: Vessel, atMs: number): number;
}

interface Visit {
  stop: number;
  port: string;
  /** The stop whose scheduled times the ship tries to keep: this stop, or the one it was swapped with. */
  window: Stop;
}

/** The first key of each random draw, by the draw's purpose. */
const draw = { begin: 10, omit: 11, divert: 17, swap: 12, stay: 13, weather: 14, storm: 15, wait: 16 };
const congestionDraw = 113;

export function createVoyages({ seed, sea }: { seed: number; sea: Sea }): Voyages {
  const random = createRandom(seed);
  const memo = new LRUCache<number, Voyage>({ max: 6_000 });
  return {
    get(vessel, number) {
      const key = vessel.index * 100_000 + number + 50_000;
      const voyage = memo.get(key) ?? sail({ vessel, number, random, sea });
      memo.set(key, voyage);
      return voyage;
    },
    numberAt: (vessel, atMs) => Math.floor((atMs - baseOf(vessel, 0)) / vessel.service.cycleMs),
  };
}

const baseOf = ({ service, slot }: Vessel, number: number) =>
  service.epochMs + slot * weekMs + number * service.cycleMs;

interface Sailing {
  vessel: Vessel;
  number: number;
  random: Random;
  sea: Sea;
}

/** Plans the calls, computes the latest possible times of each, and sails within these limits. */
function sail(sailing: Sailing): Voyage {
  const { vessel, number, random } = sailing;
  const { service } = vessel;
  const baseMs = baseOf(vessel, number);
  const beginMs = baseMs + lateness(sailing, number);
  const homeMs = baseMs + service.cycleMs + lateness(sailing, number + 1);

  const eventful = planVisits(sailing);
  const eventfulLatest = latestTimes(eventful, homeMs, sailing);
  const isFeasible = (eventfulLatest[0]?.arriveMs ?? 0) >= beginMs;
  const visits = isFeasible ? eventful : scheduledVisits(sailing);
  const latest = isFeasible ? eventfulLatest : latestTimes(visits, homeMs, sailing);

  const calls: Call[] = [];
  let arrivalMs = beginMs;
  let anchorageMs = beginMs - berthWait(sailing, 0);
  visits.forEach((visit, at) => {
    const drawFor = (purpose: number) => random(purpose, vessel.index, number, visit.stop);
    const stayMs = visit.window.departMs - visit.window.arriveMs;
    const congestionMs = drawFor(draw.stay) > 0.93 ? 20 * hourMs * drawFor(congestionDraw) : 0;
    const readyMs = arrivalMs + stayMs * (0.8 + 0.4 * drawFor(draw.stay)) + congestionMs;
    const preferredMs = Math.max(readyMs, baseMs + visit.window.departMs - 4 * hourMs);
    const departureMs = Math.min(preferredMs, latest[at]?.departMs ?? preferredMs);
    calls.push({ voyage: number, stop: visit.stop, port: visit.port, anchorageMs, arrivalMs, departureMs });
    const next = visits[at + 1];
    if (!next) return;
    const passage = sailTo({ next, from: visit, departureMs, baseMs, sailing });
    arrivalMs = Math.min(passage.arrivalMs, latest[at + 1]?.arriveMs ?? passage.arrivalMs);
    anchorageMs = Math.min(passage.anchorageMs, arrivalMs);
  });
  return { number, baseMs, calls };
}

/** How late a voyage begins. It is a draw of its own, so that voyages don't depend on each other. */
function lateness({ vessel, random }: Sailing, number: number): number {
  return vessel.service.ships * 3 * hourMs * random(draw.begin, vessel.index, number) ** 2;
}

/** Decides which scheduled calls are made, in which order, and at which port. The first is never omitted. */
function planVisits(sailing: Sailing): Visit[] {
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
    if (at === 0 || second?.stop !== first.stop + 1 || !stops[first.stop]?.maySwap) continue;
    if (random(draw.swap, vessel.index, number, first.stop) > 0.22) continue;
    visits[at] = { ...second, window: first.window };
    visits[at + 1] = { ...first, window: second.window };
  }
  return withoutRepeats(visits);
}

/** The port of a scheduled call or, sometimes, its alternate. */
function portOf({ vessel, random }: Sailing, number: number, index: number): string {
  const { stops } = vessel.service;
  const { port = '', alternate } = stops[index] ?? {};
  const isNeighbour =
    stops.at(index - 1)?.port === alternate || stops[(index + 1) % stops.length]?.port === alternate;
  if (!alternate || isNeighbour) return port;
  return random(draw.divert, vessel.index, number, index) < 0.09 ? alternate : port;
}

/** After a swap or a diversion, the same port may come twice in a row; that is one call. */
const withoutRepeats = (visits: readonly Visit[]) =>
  visits.filter((visit, at) => visit.port !== visits[at - 1]?.port);

/**
 * The schedule without events, for a ship that is too late for them. Only the first call may be diverted: the
 * previous voyage counts on that port.
 */
const scheduledVisits = (sailing: Sailing): Visit[] =>
  sailing.vessel.service.stops.map((stop, index) => ({
    stop: index,
    port: index === 0 ? portOf(sailing, sailing.number, 0) : stop.port,
    window: stop,
  }));

const maxKnotsOf = ({ vessel }: Sailing) => Math.min(vessel.service.scheduleKnots * 1.35, 23.5);

/** The latest times of each visit that still let the ship begin the next voyage in time, counted back from there. */
function latestTimes(visits: readonly Visit[], homeMs: number, sailing: Sailing) {
  const { sea } = sailing;
  const latest: { arriveMs: number; departMs: number }[] = [];
  let nextPort = portOf(sailing, sailing.number + 1, 0);
  let nextMs = homeMs;
  for (const visit of visits.toReversed()) {
    const departMs = nextMs - (sea.distanceNm(visit.port, nextPort) / maxKnotsOf(sailing)) * hourMs;
    nextMs = departMs - 0.6 * (visit.window.departMs - visit.window.arriveMs);
    nextPort = visit.port;
    latest.unshift({ arriveMs: nextMs, departMs });
  }
  return latest;
}

/** Sails at a plausible speed that meets the next window. Weather and the wait for a berth come on top. */
function sailTo(leg: { next: Visit; from: Visit; departureMs: number; baseMs: number; sailing: Sailing }): {
  anchorageMs: number;
  arrivalMs: number;
} {
  const { next, from, departureMs, baseMs, sailing } = leg;
  const { vessel, number, random, sea } = sailing;
  const miles = sea.distanceNm(from.port, next.port);
  const hoursAt = (knots: number) => (miles / knots) * hourMs;
  const { scheduleKnots } = vessel.service;
  const availableMs = baseMs + next.window.arriveMs - departureMs;
  const fastestMs = hoursAt(scheduleKnots * 1.25);
  const steadyMs = Math.min(Math.max(availableMs, fastestMs), hoursAt(scheduleKnots * 0.8));
  const weather = 0.97 + 0.06 * random(draw.weather, vessel.index, number, next.stop);
  const storm = random(draw.storm, vessel.index, number, next.stop);
  const stormMs = storm < 0.12 && miles > 900 ? (10 + storm * 250) * hourMs : 0;
  const anchorageMs = departureMs + steadyMs * weather + stormMs;
  return { anchorageMs, arrivalMs: anchorageMs + berthWait(sailing, next.stop) };
}

/** At about every sixth call no berth is free, and the ship waits at anchor for 3 to 33 hours. */
function berthWait({ vessel, number, random }: Sailing, stop: number): number {
  const wait = random(draw.wait, vessel.index, number, stop);
  return wait > 0.16 ? 0 : (3 + (wait / 0.16) * 30) * hourMs;
}
