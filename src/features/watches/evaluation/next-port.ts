import { millisecondsInHour } from 'date-fns/constants';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { damping } from './damping.ts';
import type { Baseline, VesselState } from './state.ts';

interface PortChangeInput {
  imo: Imo;
  baseline: Baseline;
  /** Likeliest first. */
  ranked: readonly [Prospect, ...Prospect[]];
  /** If the baseline's port is no longer predicted, the likeliest one replaces it at once. */
  replacesLostPort: boolean;
  now: Date;
}

interface Change {
  imo: Imo;
  was: Baseline;
  next: Prospect;
  /** The old port as it is predicted now; null if it no longer is. */
  old: Prospect | null;
}

export type NextPortChange =
  | (Change & { kind: 'wavering' })
  | (Change & {
      kind: 'next-port-changed';
      settled: boolean;
      /** The port of `old`, if that isn't the baseline's. */
      rival?: Locode;
      /** The vessel has probably called at the old port, so that another one was to be expected. */
      nextLeg: boolean;
    });

/** The caller makes `ranked[0]` the baseline, and stores `previous` and `wavering`. */
interface DetectedChange {
  change: NextPortChange;
  previous: VesselState['previous'];
  wavering: VesselState['wavering'];
}

/** Undefined while the baseline's port is the likeliest, or until another one is confirmed. */
export function detectPortChange(state: VesselState, input: PortChangeInput): DetectedChange | undefined {
  if (state.wavering) return detectSettling(state, state.wavering, input);
  const { imo, baseline, ranked, now } = input;
  const [next] = ranked;
  if (next.port === baseline.port || !isConfirmed(state, input, [baseline.port])) return undefined;
  const old = ranked.find(({ port }) => port === baseline.port) ?? null;
  const facts = { imo, was: baseline, next, old };
  const nextLeg = isNextLeg(state, input, old);
  if (isWavering(state, input)) {
    const wavering = { ports: [baseline.port, next.port], leader: next.port, since: now };
    return { change: { kind: 'wavering', ...facts }, previous: null, wavering };
  }
  const previous = { port: baseline.port, at: now };
  return {
    change: { kind: 'next-port-changed', ...facts, settled: false, nextLeg },
    previous,
    wavering: null,
  };
}

/** While two ports waver nobody is notified, until one has led for long enough or a third overtakes both. */
function detectSettling(
  state: VesselState,
  wavering: NonNullable<VesselState['wavering']>,
  input: PortChangeInput,
): DetectedChange | undefined {
  const { imo, baseline, ranked, now } = input;
  const [next] = ranked;
  const isThird = !wavering.ports.includes(next.port);
  const isSettled = now.getTime() - wavering.since.getTime() >= damping.settledHours * millisecondsInHour;
  if (isThird ? !isConfirmed(state, input, wavering.ports) : !isSettled) return undefined;
  const rival = (!isThird && wavering.ports.find((port) => port !== next.port)) || baseline.port;
  const old = ranked.find(({ port }) => port === rival) ?? null;
  const change = {
    kind: 'next-port-changed' as const,
    imo,
    was: baseline,
    next,
    old,
    settled: !isThird,
    nextLeg: rival === baseline.port && isNextLeg(state, input, old),
    ...(rival !== baseline.port && { rival }),
  };
  return { change, previous: isThird ? { port: baseline.port, at: now } : null, wavering: null };
}

/** The likeliest port leads by enough, or for enough polls, or it replaces a port that is no longer predicted. */
function isConfirmed(
  state: VesselState,
  { ranked, replacesLostPort }: PortChangeInput,
  ports: readonly string[],
): boolean {
  const [next] = ranked;
  const rival = ranked.find(({ port }) => ports.includes(port));
  if (!rival && replacesLostPort) return true;
  // In floating point, 0.5 - 0.4 is a hair less than 0.1.
  const lead = next.probability - (rival?.probability ?? 0) + 1e-9;
  return lead >= damping.lead || state.challenged >= damping.polls;
}

/** The next port is again the one before, within a day. A port that was probably reached doesn't count. */
function isWavering(state: VesselState, { baseline, ranked, now }: PortChangeInput): boolean {
  const { previous } = state;
  if (previous?.port !== ranked[0].port) return false;
  if (now.getTime() - previous.at.getTime() > damping.waveringHours * millisecondsInHour) return false;
  const isListed = ranked.some(({ port }) => port === baseline.port);
  return isListed || !isNear(lastEtaOf(state, baseline), now);
}

/**
 * Another port is the likeliest about when the baseline's port was to be reached. If that is still predicted for
 * these very hours, the vessel hasn't called there but goes elsewhere at the last moment.
 */
function isNextLeg(state: VesselState, { baseline, now }: PortChangeInput, old: Prospect | null): boolean {
  const eta = lastEtaOf(state, baseline);
  if (!eta || !isNear(eta, now)) return false;
  return old === null || eta <= now || (old.eta !== null && !isNear(old.eta, now));
}

const lastEtaOf = ({ lastEta }: VesselState, baseline: Baseline): Date | null => lastEta ?? baseline.eta;

/** So near its ETA, or past it, that a port has probably been reached if it is no longer predicted. */
export function isNear(eta: Date | null, now: Date): boolean {
  return eta !== null && eta.getTime() - now.getTime() <= damping.reachedHours * millisecondsInHour;
}
