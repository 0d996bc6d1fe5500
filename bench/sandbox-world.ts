// The sandbox without a network, for `npm run noise` and `npm run score`.
import { createFaults } from '../src/sandbox/faults.ts';
import { createRequestCounter } from '../src/sandbox/request-counts.ts';
import { createServiceApp } from '../src/sandbox/service-app.ts';
import type { SandboxAccount, Sessions } from '../src/sandbox/sessions.ts';
import { createUsageLedger } from '../src/sandbox/usage-ledger.ts';
import { createWorld, type World } from '../src/sandbox/world/world.ts';

/** The world is a pure function of seed and time, so any start will do. */
export const start = new Date('2026-11-23T00:00:00Z');

/** The ships of the sandbox: the same for every seed. */
export const fleetSize = createWorld({ seed: 1 }).vessels.length;

/** Ships of all services: sorted by IMO number, which follows the services, every n-th one. */
export function chooseVessels(world: World, count: number): World['vessels'] {
  const sorted = world.vessels.toSorted((a, b) => a.imo - b.imo);
  return Array.from({ length: count }, (_, index) => {
    const vessel = sorted[Math.floor((index * sorted.length) / count)];
    if (!vessel) throw new Error('the sandbox has too few vessels');
    return vessel;
  });
}

const account: SandboxAccount = { apiKey: '', userId: '', password: '', beta: false };

/** Checking a token would take longer than all the rest. */
const openToAll: Sessions = {
  login: async () => ({ token: '', account }),
  authenticate: async () => account,
  revoke: () => {},
};

/** Asks the sandbox's real handlers at any time of its clock. The result is the JSON of the answer. */
export type Ask = (path: string, at: Date) => Promise<unknown>;

export function openService(world: World, seed: number): Ask {
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
  return async (path, at) => {
    now = at;
    const response = await app.request(path, { headers });
    if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${path}`);
    return response.json();
  };
}
