// What the sandbox answers about a fleet, polled at the times at which the bot would poll it.

import { UnreadableResponseError } from '../../src/analytics/errors.ts';
import { normalisePredictions, readPredictions } from '../../src/analytics/predictions.ts';
import { createScaleDetector } from '../../src/analytics/probability-scale.ts';
import type { Snapshot } from '../../src/features/watches/evaluation/snapshot.ts';
import { nextPollColumns } from '../../src/features/watches/polling/next-poll.ts';
import { silentLogger } from '../../src/log.ts';
import { type Imo, isImo } from '../../src/reference/imo.ts';
import { createFaults } from '../../src/sandbox/faults.ts';
import { createRequestCounter } from '../../src/sandbox/request-counts.ts';
import { createServiceApp } from '../../src/sandbox/service-app.ts';
import type { SandboxAccount, Sessions } from '../../src/sandbox/sessions.ts';
import { createUsageLedger } from '../../src/sandbox/usage-ledger.ts';
import { createWorld, type World } from '../../src/sandbox/world/world.ts';
import { subjectRow } from '../watch-fleet.ts';

export type VesselSnapshot = Extract<Snapshot, { kind: 'vessel' }>;

export interface PolledVessel {
  imo: Imo;
  name: string;
  /** Oldest first. */
  snapshots: readonly VesselSnapshot[];
}

export interface FleetOptions {
  seed: number;
  vessels: number;
  days: number;
}

/** The world is a pure function of seed and time, so any start will do. */
export const start = new Date('2026-11-23T00:00:00Z');

/** The ships of the sandbox: the same for every seed. */
export const fleetSize = createWorld({ seed: 1 }).vessels.length;

/**
 * Polls ships of all services: sorted by IMO number, which follows the services, every n-th one. Each is polled alone,
 * as in a watch of a fleet, from the same minute on.
 */
export async function pollFleet({ seed, vessels, days }: FleetOptions): Promise<PolledVessel[]> {
  const world = createWorld({ seed });
  const sorted = world.vessels.toSorted((a, b) => a.imo - b.imo);
  const chosen = Array.from({ length: vessels }, (_, index) =>
    sorted.at(Math.floor((index * sorted.length) / vessels)),
  );
  const ask = openService(world, seed);
  const polled: PolledVessel[] = [];
  for (const vessel of chosen) {
    if (!vessel || !isImo(vessel.imo)) throw new Error('the sandbox has too few vessels');
    polled.push({ imo: vessel.imo, name: vessel.name, snapshots: await pollVessel(vessel.imo, days, ask) });
  }
  return polled;
}

type Ask = (imo: Imo, at: Date) => Promise<VesselSnapshot>;

/** By the bot's own schedule, without a budget of calls, as by default. */
async function pollVessel(imo: Imo, days: number, ask: Ask): Promise<VesselSnapshot[]> {
  const end = new Date(start.getTime() + days * 86_400_000);
  const row = { ...subjectRow({ workspaceId: 'T1', kind: 'vessel', key: String(imo), at: start }) };
  const snapshots: VesselSnapshot[] = [];
  for (let now = start; now < end; ) {
    const snapshot = await ask(imo, now);
    snapshots.push(snapshot);
    const schedule = { watches: [], isFollowed: true, now, fixedMinutes: undefined };
    const next = nextPollColumns({ row, snapshot, retryMs: 0, stretch: 1 }, schedule);
    if (!(next.due_at instanceof Date) || next.due_at <= now) throw new Error('no next poll');
    now = next.due_at;
  }
  return snapshots;
}

const account: SandboxAccount = { apiKey: '', userId: '', password: '', beta: false };

/** Checking a token would take longer than all the rest. */
const openToAll: Sessions = {
  login: async () => ({ token: '', account }),
  authenticate: async () => account,
  revoke: () => {},
};

/** The sandbox without a network: its real handlers answer, and the client's own parser reads what they say. */
function openService(world: World, seed: number): Ask {
  let now = start;
  const app = createServiceApp({
    world,
    sessions: openToAll,
    counter: createRequestCounter(),
    takeFaults: createFaults({ revokeTokens: () => {} }).takeFaults,
    usage: createUsageLedger({ seed }),
    now: () => now,
    latencyMs: 0,
    unknown: 'empty',
    probabilityScale: 'fraction',
    maxPageSize: 50,
  });
  const headers = { 'content-type': 'application/json' };
  const { of: scaleOf } = createScaleDetector({ setting: 'auto', memory: undefined });
  const unreadable = (reason: string) =>
    new UnreadableResponseError({ status: 200, contentType: 'application/json', excerpt: '', reason });
  return async (imo, at) => {
    now = at;
    const response = await app.request(`/nextport/vessel/${imo}/predictions`, { headers });
    if (!response.ok) throw new Error(`the sandbox answered ${response.status}`);
    const raw = readPredictions({ json: await response.json(), unreadable });
    const { predictions, scale } = normalisePredictions(raw, { imo }, { scaleOf, logger: silentLogger });
    return { kind: 'vessel', imo, at, scale, predictions };
  };
}
