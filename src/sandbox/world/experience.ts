import { LRUCache } from 'lru-cache';
import type { Vessel } from './fleet.ts';
import type { Sea } from './sea.ts';
import { dayMs, hourMs, type LinerService } from './services.ts';
import type { Timeline } from './timeline.ts';

/** What the ships of a service did up to the beginning of a day: all that a prediction may learn from. */
export interface Experience {
  /** Shares of the ports called at next, from a port and the one before it; they add up to 1. */
  nextPorts(portBefore: string, port: string): ReadonlyMap<string, number>;
  stayHours(port: string): number;
  /** Hours for each mile on a leg, waiting for a berth included. */
  hoursPerMile(from: string, to: string): number;
}

export type Experiences = (service: LinerService, atMs: number) => Experience;

/** How far back is looked, and how much less a call weighs for each day of its age. */
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

class Mean {
  sum = 0;
  count = 0;
  add(value: number) {
    this.sum += value;
    this.count += 1;
  }
  orElse(other: number) {
    return this.count === 0 ? other : this.sum / this.count;
  }
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
  const allPaces = new Mean();
  const count = (context: string, port: string, weight: number) => {
    const next = getOr(counts, context, () => new Map<string, number>());
    next.set(port, (next.get(port) ?? 0) + weight);
  };

  for (const vessel of fleet) {
    if (vessel.service !== service) continue;
    const calls = timeline.callsBetween(vessel, untilMs - memoryDays * dayMs, untilMs);
    calls.forEach((call, at) => {
      if (call.departureMs < untilMs)
        getOr(stays, call.port, () => new Mean()).add((call.departureMs - call.arrivalMs) / hourMs);
      const [last, before] = [calls[at - 1], calls[at - 2]];
      if (!last || !before) return;
      const weight = 0.5 ** ((untilMs - call.arrivalMs) / dayMs / halfLifeDays);
      count(`${before.port}>${last.port}`, call.port, weight);
      count(last.port, call.port, weight * 0.1);
      // What followed one call later: where a ship may go if it leaves the next one out.
      count(before.port, call.port, weight * 0.004);
      count(`${calls[at - 3]?.port}>${before.port}`, call.port, weight * 0.04);
      const pace = (call.arrivalMs - last.departureMs) / hourMs / sea.distanceNm(last.port, call.port);
      getOr(paces, `${last.port}>${call.port}`, () => new Mean()).add(pace);
      allPaces.add(pace);
    });
  }

  return {
    nextPorts(portBefore, port) {
      const merged = new Map(counts.get(`${portBefore}>${port}`));
      for (const [next, weight] of counts.get(port) ?? []) merged.set(next, (merged.get(next) ?? 0) + weight);
      merged.delete(port);
      // Nobody went on from here before: any port of the schedule may be next.
      if (merged.size === 0) for (const stop of service.stops) merged.set(stop.port, 1);
      merged.delete(port);
      const total = merged.values().reduce((sum, weight) => sum + weight, 0);
      return new Map(merged.entries().map(([next, weight]) => [next, weight / total]));
    },
    stayHours: (port) => stays.get(port)?.orElse(26) ?? 26,
    hoursPerMile: (start, end) =>
      paces.get(`${start}>${end}`)?.orElse(0) ?? allPaces.orElse(1 / service.scheduleKnots),
  };
}

function getOr<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
