import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { damping } from './damping.ts';
import type { VesselState } from './state.ts';
import { type Baseline, hourMs, type Prospect } from './values.ts';

interface PollWithBaseline {
  imo: Imo;
  baseline: Baseline;
  /** Likeliest first; at least one. */
  ranked: readonly [Prospect, ...Prospect[]];
  /** That the baseline's port is no longer predicted is news: another is the next port at once. */
  replacesLostPort: boolean;
  now: Date;
}

interface Change {
  imo: Imo;
  was: Baseline;
  next: Prospect;
  /** The old port as it is now; null when it is no longer predicted. */
  old: Prospect | null;
}

export type NextPortChange =
  | (Change & { kind: 'wavering' })
  | (Change & {
      kind: 'next-port-changed';
      /** It ends a wavering. */
      settled: boolean;
      /** The port that `old` is about, where it is not the baseline's. */
      rival?: Locode;
      /** The port before was left about when it was to be reached: that another comes next is no surprise. */
      nextLeg: boolean;
    });

/** What a change of the next port does to the memory; the caller takes `ranked[0]` as the baseline. */
interface DetectedChange {
  change: NextPortChange;
  previous: VesselState['previous'];
  wavering: VesselState['wavering'];
}

/** Undefined while the baseline's port stands, or while its challenger is not yet sure. */
export function detectPortChange(state: VesselState, standing: PollWithBaseline): DetectedChange | undefined {
  if (state.wavering) return detectSettling(state, state.wavering, standing);
  const { imo, baseline, ranked, now } = standing;
  const [next] = ranked;
  if (next.port === baseline.port || !isConfirmed(state, standing, [baseline.port])) return undefined;
  const old = ranked.find(({ port }) => port === baseline.port) ?? null;
  const facts = { imo, was: baseline, next, old };
  const nextLeg = isNextLeg(state, standing, old);
  if (isWavering(state, standing)) {
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

/** While two waver nobody is notified, until one has led long enough or a third overtakes both. */
function detectSettling(
  state: VesselState,
  wavering: NonNullable<VesselState['wavering']>,
  standing: PollWithBaseline,
): DetectedChange | undefined {
  const { imo, baseline, ranked, now } = standing;
  const [next] = ranked;
  const isThird = !wavering.ports.includes(next.port);
  const isSettled = now.getTime() - wavering.since.getTime() >= damping.settledHours * hourMs;
  if (isThird ? !isConfirmed(state, standing, wavering.ports) : !isSettled) return undefined;
  const rival = (!isThird && wavering.ports.find((port) => port !== next.port)) || baseline.port;
  const old = ranked.find(({ port }) => port === rival) ?? null;
  const change = {
    kind: 'next-port-changed' as const,
    imo,
    was: baseline,
    next,
    old,
    settled: !isThird,
    nextLeg: rival === baseline.port && isNextLeg(state, standing, old),
    ...(rival !== baseline.port && { rival }),
  };
  return { change, previous: isThird ? { port: baseline.port, at: now } : null, wavering: null };
}

/** It leads by enough, has led long enough, or the baseline's port is gone and that is news. */
function isConfirmed(
  state: VesselState,
  { ranked, replacesLostPort }: PollWithBaseline,
  ports: readonly string[],
): boolean {
  const [next] = ranked;
  const rival = ranked.find(({ port }) => ports.includes(port));
  if (!rival && replacesLostPort) return true;
  // Figures such as 0.5 and 0.4 are a hair less than 0.1 apart.
  const lead = next.probability - (rival?.probability ?? 0) + 1e-9;
  return lead >= damping.lead || state.challenged >= damping.polls;
}

/** Back to the port before, within a day; but a port that left the list near its ETA was no whim. */
function isWavering(state: VesselState, { baseline, ranked, now }: PollWithBaseline): boolean {
  const { previous } = state;
  if (previous?.port !== ranked[0].port) return false;
  if (now.getTime() - previous.at.getTime() > damping.waveringHours * hourMs) return false;
  const isListed = ranked.some(({ port }) => port === baseline.port);
  return isListed || !isNear(lastEtaOf(state, baseline), now);
}

/**
 * The baseline's port left the top about when it was to be reached. Still predicted for these very hours it was
 * not: then the vessel goes elsewhere at the last moment.
 */
function isNextLeg(state: VesselState, { baseline, now }: PollWithBaseline, old: Prospect | null): boolean {
  const eta = lastEtaOf(state, baseline);
  if (!eta || !isNear(eta, now)) return false;
  return old === null || eta <= now || (old.eta !== null && !isNear(old.eta, now));
}

const lastEtaOf = ({ lastEta }: VesselState, baseline: Baseline): Date | null => lastEta ?? baseline.eta;

/** So near its ETA, or past it, that a port which is no longer predicted was probably reached. */
export function isNear(eta: Date | null, now: Date): boolean {
  return eta !== null && eta.getTime() - now.getTime() <= damping.reachedHours * hourMs;
}
