import { LRUCache } from 'lru-cache';
import type { Vessel } from './fleet.ts';
import type { Sea } from './sea.ts';
import { dayMs, hourMs, type LinerService, usualStayHours } from './services.ts';
import type { Timeline } from './timeline.ts';

/** What a service's ships did up to the start of a day. A prediction uses this and the ship's position only. */
interface Experience {
  /** The share with which each port came next after these two; the shares add up to 1. */
  nextPorts(portBefore: string, port: string): ReadonlyMap<string, number>;
  stayHours(port: string): number;
  /** Hours per mile on a leg, including the wait for a berth. */
  hoursPerMile(from: string, to: string): number;
}

export type Experiences = (service: LinerService, atMs: number) => Experience;

/** Calls older than `memoryDays` don't count; after each `halfLifeDays` a call counts half as much. */
const memoryDays = 400;
const halfLifeDays = 120;

export function createExperiences(options: {
  fleet: readonly Vessel[];
  timeline: Timeline;
  sea: Sea;
}): Experiences {
  const { fleet, timeline, sea } = options;
  const memo = new LRUCache<number, Experience>({ max: 128 });
  return (service, atMs) => {
    const day = Math.floor(atMs / dayMs);
    const key = service.index * 1_000_000 + day;
    const found = memo.get(key) ?? learn({ service, untilMs: day * dayMs, fleet, timeline, sea });
    memo.set(key, found);
    return found;
  };
}

function learn(from: {
  service: LinerService;
  untilMs: number;
  fleet: readonly Vessel[];
  timeline: Timeline;
  sea: Sea;
}): Experience {
  const { service, untilMs, fleet, timeline, sea } = from;
  const counts = new Map<string, Map<string, number>>();
  const stays = new Map<string, Mean>();
  const paces = new Map<string, Mean>();
  const allPaces = createMean();
  const count = (context: string, port: string, weight: number) => {
    const next = getOrCreate(counts, context, () => new Map<string, number>());
    next.set(port, (next.get(port) ?? 0) + weight);
  };

  for (const vessel of fleet) {
    if (vessel.service !== service) continue;
    const calls = timeline.callsBetween(vessel, untilMs - memoryDays * dayMs, untilMs);
    calls.forEach((call, at) => {
      if (call.departureMs < untilMs)
        getOrCreate(stays, call.port, createMean).add((call.departureMs - call.arrivalMs) / hourMs);
      const [last, before] = [calls[at - 1], calls[at - 2]];
      if (!last || !before) return;
      const weight = 0.5 ** ((untilMs - call.arrivalMs) / dayMs / halfLifeDays);
      count(`${before.port}>${last.port}`, call.port, weight);
      // Counts a little for ships that came here from any other port.
      count(last.port, call.port, weight * 0.1);
      // A ship that omits the next call goes to the one after it.
      count(before.port, call.port, weight * 0.004);
      count(`${calls[at - 3]?.port}>${before.port}`, call.port, weight * 0.04);
      const pace = (call.arrivalMs - last.departureMs) / hourMs / sea.distanceNm(last.port, call.port);
      getOrCreate(paces, `${last.port}>${call.port}`, createMean).add(pace);
      allPaces.add(pace);
    });
  }

  return {
    nextPorts(portBefore, port) {
      const merged = new Map(counts.get(`${portBefore}>${port}`));
      for (const [next, weight] of counts.get(port) ?? []) merged.set(next, (merged.get(next) ?? 0) + weight);
      merged.delete(port);
      // If no ship has left from here before, any port of the schedule may be next.
      if (merged.size === 0) for (const stop of service.stops) merged.set(stop.port, 1);
      merged.delete(port);
      const total = merged.values().reduce((sum, weight) => sum + weight, 0);
      return new Map(merged.entries().map(([next, weight]) => [next, weight / total]));
    },
    stayHours: (port) => stays.get(port)?.value() ?? usualStayHours,
    hoursPerMile: (start, end) =>
      paces.get(`${start}>${end}`)?.value() ?? allPaces.value() ?? 1 / service.scheduleKnots,
  };
}

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

interface Mean {
  add(value: number): void;
  /** Undefined if there are no values. */
  value(): number | undefined;
}

function createMean(): Mean {
  let sum = 0;
  let count = 0;
  return {
    add(value) {
      sum += value;
      count += 1;
    },
    value: () => (count === 0 ? undefined : sum / count),
  };
}
