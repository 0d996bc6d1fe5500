import type { Imo } from '../../../reference/imo.ts';
import type { WatchEvent } from './events.ts';
import { type ActiveRules, damping } from './rules.ts';
import type { VesselState } from './state.ts';
import { hourMs, type Prospect, type Told } from './values.ts';

export interface Standing {
  imo: Imo;
  told: Told;
  /** Likeliest first; at least one. */
  ranked: readonly [Prospect, ...Prospect[]];
  rules: ActiveRules;
  now: Date;
}

/** What a change of the next port does to the memory; the caller takes `ranked[0]` as told. */
export interface PortChange {
  event: WatchEvent;
  previous: VesselState['previous'];
  wavering: VesselState['wavering'];
}

/** Undefined while the port that was told stands, or while its challenger is not yet sure. */
export function detectPortChange(state: VesselState, standing: Standing): PortChange | undefined {
  if (state.wavering) return detectSettling(state, state.wavering, standing);
  const { imo, told, ranked, now } = standing;
  const [next] = ranked;
  if (next.port === told.port || !isConfirmed(state, standing, [told.port])) return undefined;
  const old = ranked.find(({ port }) => port === told.port) ?? null;
  const facts = { imo, was: told, next, old };
  const nextLeg = isNextLeg(state, standing, old);
  if (isWavering(state, standing)) {
    const wavering = { ports: [told.port, next.port], leader: next.port, since: now };
    return { event: { kind: 'wavering', ...facts }, previous: null, wavering };
  }
  const previous = { port: told.port, at: now };
  return {
    event: { kind: 'next-port-changed', ...facts, settled: false, nextLeg },
    previous,
    wavering: null,
  };
}

/** While two waver nothing is told, until one has led long enough or a third overtakes both. */
function detectSettling(
  state: VesselState,
  wavering: NonNullable<VesselState['wavering']>,
  standing: Standing,
): PortChange | undefined {
  const { imo, told, ranked, now } = standing;
  const [next] = ranked;
  const isThird = !wavering.ports.includes(next.port);
  const isSettled = now.getTime() - wavering.since.getTime() >= damping.settledHours * hourMs;
  if (isThird ? !isConfirmed(state, standing, wavering.ports) : !isSettled) return undefined;
  const rival = (!isThird && wavering.ports.find((port) => port !== next.port)) || told.port;
  const old = ranked.find(({ port }) => port === rival) ?? null;
  const event = {
    kind: 'next-port-changed' as const,
    imo,
    was: told,
    next,
    old,
    settled: !isThird,
    nextLeg: rival === told.port && isNextLeg(state, standing, old),
    ...(rival !== told.port && { rival }),
  };
  return { event, previous: isThird ? { port: told.port, at: now } : null, wavering: null };
}

/** It leads by enough, has led long enough, or what was told is gone and that is to be told. */
function isConfirmed(state: VesselState, { ranked, rules }: Standing, ports: readonly string[]): boolean {
  const [next] = ranked;
  const rival = ranked.find(({ port }) => ports.includes(port));
  if (!rival && rules.noLongerListed) return true;
  // Figures such as 0.5 and 0.4 are a hair less than 0.1 apart.
  const lead = next.probability - (rival?.probability ?? 0) + 1e-9;
  return lead >= damping.lead || state.challenged >= damping.polls;
}

/** Back to the port before, within a day; but a port that left the list near its ETA was no whim. */
function isWavering(state: VesselState, { told, ranked, now }: Standing): boolean {
  const { previous } = state;
  if (previous?.port !== ranked[0].port) return false;
  if (now.getTime() - previous.at.getTime() > damping.waveringHours * hourMs) return false;
  const isListed = ranked.some(({ port }) => port === told.port);
  return isListed || !isNear(lastEtaOf(state, told), now);
}

/**
 * The port that was told left the top about when it was to be reached. Still listed for these very hours it was
 * not: then the vessel goes elsewhere at the last moment.
 */
function isNextLeg(state: VesselState, { told, now }: Standing, old: Prospect | null): boolean {
  const eta = lastEtaOf(state, told);
  if (!eta || !isNear(eta, now)) return false;
  return old === null || eta <= now || (old.eta !== null && !isNear(old.eta, now));
}

const lastEtaOf = ({ lastEta }: VesselState, told: Told): Date | null => lastEta ?? told.eta;

/** So near its ETA, or past it, that a port which is no longer listed was probably reached. */
export function isNear(eta: Date | null, now: Date): boolean {
  return eta !== null && eta.getTime() - now.getTime() <= damping.reachedHours * hourMs;
}
