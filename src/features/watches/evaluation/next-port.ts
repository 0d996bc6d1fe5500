import { addHours } from 'date-fns/addHours';
import { subHours } from 'date-fns/subHours';
import { z } from 'zod';
import { imo, locode, type Prospect, prospect } from '../../../reference/stored-values.ts';
import { damping } from './damping.ts';
import { type Baseline, baseline, type VesselState } from './state.ts';

const change = {
  imo,
  was: baseline,
  next: prospect,
  /** The old port as it is predicted now; null if it no longer is. */
  old: prospect.nullable(),
};

export const nextPortChanged = z.object({
  kind: z.literal('next-port-changed'),
  ...change,
  settled: z.boolean(),
  /** The old port, if it isn't the baseline's. */
  rival: z.exactOptional(locode),
  /** The vessel has probably called at the old port, so the change was to be expected. */
  nextLeg: z.exactOptional(z.boolean()),
});

export const portsWaver = z.object({ kind: z.literal('wavering'), ...change });

export type NextPortChange = z.infer<typeof nextPortChanged> | z.infer<typeof portsWaver>;

interface PortChangeInput {
  imo: NextPortChange['imo'];
  baseline: Baseline;
  /** Likeliest first. */
  ranked: readonly [Prospect, ...Prospect[]];
  /** If the baseline's port is no longer predicted, the likeliest port replaces it at once. */
  replacesUnpredictedPort: boolean;
  now: Date;
}

/** Undefined until another port is confirmed as the next one, or one of two wavering ports has led for long enough. */
export function detectPortChange(
  state: VesselState,
  input: PortChangeInput,
): ({ change: NextPortChange } & Pick<VesselState, 'previous' | 'wavering'>) | undefined {
  const { imo, baseline, ranked, now } = input;
  const [next] = ranked;
  const expectedPorts = state.wavering?.ports ?? [baseline.port];
  const isUnexpected = !expectedPorts.includes(next.port);
  const hasSettled = state.wavering !== null && now >= addHours(state.wavering.since, damping.settledHours);
  if (isUnexpected ? !isConfirmed(state, input, expectedPorts) : !hasSettled) return undefined;
  const oldPort = (!isUnexpected && expectedPorts.find((port) => port !== next.port)) || baseline.port;
  const old = ranked.find(({ port }) => port === oldPort) ?? null;
  const facts = { imo, was: baseline, next, old };
  if (!state.wavering && isWavering(state, input)) {
    const wavering = { ports: [baseline.port, next.port], leader: next.port, since: now };
    return { change: { kind: 'wavering', ...facts }, previous: null, wavering };
  }
  return {
    change: {
      kind: 'next-port-changed',
      ...facts,
      settled: !isUnexpected,
      nextLeg: oldPort === baseline.port && isNextLeg(state, input, old),
      ...(oldPort !== baseline.port && { rival: oldPort }),
    },
    previous: isUnexpected ? { port: baseline.port, at: now } : null,
    wavering: null,
  };
}

/** The likeliest port leads by enough, or for enough polls, or it replaces a port that is no longer predicted. */
function isConfirmed(
  state: VesselState,
  { ranked, replacesUnpredictedPort }: PortChangeInput,
  expectedPorts: readonly string[],
): boolean {
  const [next] = ranked;
  const expected = ranked.find(({ port }) => expectedPorts.includes(port));
  if (!expected && replacesUnpredictedPort) return true;
  // In floating point, 0.5 - 0.4 is a hair less than 0.1.
  const lead = next.probability - (expected?.probability ?? 0) + 1e-9;
  return lead >= damping.leadToChange || state.challenged >= damping.consecutivePolls;
}

/** The next port has changed back within a day, and the vessel has probably not called at the port in between. */
function isWavering(state: VesselState, { baseline, ranked, now }: PortChangeInput): boolean {
  const { previous } = state;
  if (previous?.port !== ranked[0].port) return false;
  if (now > addHours(previous.at, damping.waveringHours)) return false;
  const isStillPredicted = ranked.some(({ port }) => port === baseline.port);
  return isStillPredicted || !isNearOrPast(state.lastEta ?? baseline.eta, now);
}

/**
 * True if another port becomes the likeliest about when the vessel was to reach the baseline's port. If that port is
 * still predicted with a near ETA, the vessel hasn't called there but goes elsewhere at the last moment.
 */
function isNextLeg(state: VesselState, { baseline, now }: PortChangeInput, old: Prospect | null): boolean {
  const eta = state.lastEta ?? baseline.eta;
  if (!eta || !isNearOrPast(eta, now)) return false;
  return old === null || eta <= now || (old.eta !== null && !isNearOrPast(old.eta, now));
}

/** At such an ETA, a port that is no longer predicted has probably been reached. */
export function isNearOrPast(eta: Date | null, now: Date): boolean {
  return eta !== null && now >= subHours(eta, damping.reachedHours);
}
