// The simulated truth: the calls that the ships of the invented world really make.
import { createFleet, type Vessel } from '../../src/sandbox/world/fleet.ts';
import { createSea } from '../../src/sandbox/world/sea.ts';
import { createServices } from '../../src/sandbox/world/services.ts';
import { createTimeline } from '../../src/sandbox/world/timeline.ts';
import { type Call, createVoyages, type Voyages } from '../../src/sandbox/world/voyages.ts';

/**
 * How a call differs from the long-term schedule. `diverted`: made at the alternate port. `swapped`: made before the
 * call ahead of it, or after the one behind it. `after an omission`: the call scheduled before it is not made.
 */
export const changes = ['on schedule', 'diverted', 'swapped', 'after an omission'] as const;
export type Change = (typeof changes)[number];

export interface TrueCall {
  imo: number;
  port: string;
  arrivalMs: number;
  /** The arrival at the port before it. From then on, this call is the next one. */
  nextSinceMs: number;
  change: Change;
}

/** The calls of these vessels with an arrival in [beginMs, endMs). Times are epoch milliseconds. */
export function callsOf(
  imos: ReadonlySet<number>,
  { seed, beginMs, endMs }: { seed: number; beginMs: number; endMs: number },
): TrueCall[] {
  const sea = createSea();
  const voyages = createVoyages({ seed, sea });
  const timeline = createTimeline({ seed, sea, voyages });
  const fleet = createFleet(createServices({ seed, sea }));
  return fleet
    .filter(({ imo }) => imos.has(imo))
    .flatMap((vessel) => {
      const made = timeline.callsBetween(vessel, beginMs - vessel.service.cycleMs, endMs);
      return made.flatMap((call, at): TrueCall[] => {
        const before = made[at - 1];
        if (!before || call.arrivalMs < beginMs) return [];
        const change = changeOf({ vessel, voyages, before, call });
        const { port, arrivalMs } = call;
        return [{ imo: vessel.imo, port, arrivalMs, nextSinceMs: before.arrivalMs, change }];
      });
    });
}

function changeOf(leg: { vessel: Vessel; voyages: Voyages; before: Call; call: Call }): Change {
  const { vessel, voyages, before, call } = leg;
  const { stops } = vessel.service;
  const madeIn = (voyage: number) => voyages.get(vessel, voyage).calls.map(({ stop }) => stop);
  const visits = madeIn(call.voyage);
  const at = visits.indexOf(call.stop);
  if (stops[call.stop]?.port !== call.port) return 'diverted';
  if ((visits[at - 1] ?? -1) > call.stop || (visits[at + 1] ?? stops.length) < call.stop) return 'swapped';
  const placeOf = ({ voyage, stop }: Call) => voyage * stops.length + stop;
  for (let place = placeOf(before) + 1; place < placeOf(call); place += 1)
    if (!madeIn(Math.floor(place / stops.length)).includes(place % stops.length)) return 'after an omission';
  return 'on schedule';
}
