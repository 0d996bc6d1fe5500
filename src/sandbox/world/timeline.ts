import type { Vessel } from './fleet.ts';
import { createRandom } from './random.ts';
import type { Position, Sea } from './sea.ts';
import { hourMs } from './services.ts';
import type { Call, Voyages } from './voyages.ts';

/** What an observer knows of a vessel at one time: its past calls and its position, but not its future. */
export interface Sighting {
  /** Its latest call; `departureMs` is undefined while it is in port. */
  last: { voyage: number; stop: number; port: string; arrivalMs: number; departureMs: number | undefined };
  /** The port of the call before that. */
  portBefore: string;
  /** Undefined while it is in port. */
  underWay: { position: Position; travelledNm: number; waitingSinceMs: number | undefined } | undefined;
}

/** Where each vessel is at any time. */
export interface Timeline {
  sighting(vessel: Vessel, atMs: number): Sighting;
  /** The vessel's calls with an arrival in [beginMs, endMs), oldest first. */
  callsBetween(vessel: Vessel, beginMs: number, endMs: number): readonly Call[];
}

export function createTimeline(options: { seed: number; sea: Sea; voyages: Voyages }): Timeline {
  const { seed, sea, voyages } = options;
  const random = createRandom(seed);

  const callsBetween = (vessel: Vessel, beginMs: number, endMs: number): readonly Call[] => {
    const calls: Call[] = [];
    const last = voyages.numberAt(vessel, endMs);
    // A late vessel may still be on the voyage before the scheduled one.
    for (let number = voyages.numberAt(vessel, beginMs) - 1; number <= last; number += 1)
      for (const call of voyages.get(vessel, number).calls)
        if (call.arrivalMs >= beginMs && call.arrivalMs < endMs) calls.push(call);
    return calls;
  };

  /** The two calls before a time and the one after it. A voyage has at least two calls. */
  const callsAround = (vessel: Vessel, atMs: number): [Call, Call, Call] => {
    const current = voyages.numberAt(vessel, atMs);
    const calls = [current - 2, current - 1, current, current + 1].flatMap(
      (number) => voyages.get(vessel, number).calls,
    );
    const next = calls.findIndex((call) => call.arrivalMs > atMs);
    const [before, last, after] = calls.slice(next - 2, next + 1);
    if (!before || !last || !after) throw new Error(`No calls around ${atMs} for ${vessel.name}`);
    return [before, last, after];
  };

  return {
    callsBetween,
    sighting(vessel, atMs) {
      const [before, last, next] = callsAround(vessel, atMs);
      const inPort = atMs < last.departureMs;
      return {
        last: { ...last, departureMs: inPort ? undefined : last.departureMs },
        portBefore: before.port,
        underWay: inPort ? undefined : sail({ vessel, last, next, atMs }),
      };
    },
  };

  function sail(leg: { vessel: Vessel; last: Call; next: Call; atMs: number }): Sighting['underWay'] {
    const { vessel, last, next, atMs } = leg;
    const route = sea.route(last.port, next.port);
    // The ship keeps a plausible speed, even if it has far too much time or too little.
    const hoursAt = (knots: number) => (route.distanceNm / knots) * hourMs;
    const slowestMs = last.departureMs + hoursAt(vessel.service.scheduleKnots * 0.75);
    const fastestMs = last.departureMs + hoursAt(24);
    const anchorageMs = Math.min(Math.max(Math.min(next.anchorageMs, slowestMs), fastestMs), next.arrivalMs);
    const share = (atMs - last.departureMs) / (anchorageMs - last.departureMs);
    const pace = (segment: number) => 0.8 + 0.4 * random(20, vessel.index, last.voyage, last.stop, segment);
    const hours = (anchorageMs - last.departureMs) / hourMs;
    // Its pace changes about every 20 hours.
    const segments = Math.ceil(hours / 20);
    const travelledNm = route.distanceNm * (share >= 1 ? 1 : distanceShare(share, segments, pace));
    return {
      position: sea.positionOn(route, travelledNm),
      travelledNm,
      waitingSinceMs: share >= 1 ? anchorageMs : undefined,
    };
  }
}

/** The share of the distance sailed after a share of the time. Each segment of the time has its own pace. */
function distanceShare(timeShare: number, segments: number, pace: (segment: number) => number): number {
  let sailed = 0;
  let all = 0;
  for (let segment = 0; segment < segments; segment += 1) {
    const miles = pace(segment);
    sailed += miles * Math.min(Math.max(timeShare * segments - segment, 0), 1);
    all += miles;
  }
  return sailed / all;
}
