import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Calls, createCalls } from './calls.ts';
import { createControls } from './controls.ts';
import { createFaultSwitches, type FaultSwitch } from './fault-switches.ts';
import { createFaults, type Faults } from './faults.ts';
import { createRequestCounter, type RequestCounts } from './request-counts.ts';
import { createSandboxClock, type SandboxClock, type SandboxClockOptions } from './sandbox-clock.ts';
import { createServiceApp } from './service-app.ts';
import { createSessions, type SandboxAccount } from './sessions.ts';
import { createUsageLedger } from './usage-ledger.ts';
import { createWorld } from './world/world.ts';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** The random seed of the invented world. Default 1. */
  seed?: number;
  /** A clock, or options for one. Default: the real time. */
  clock?: SandboxClock | SandboxClockOptions;
  /** Opens `/_sandbox/`. Default false. */
  controls?: boolean;
  /** The minimum time of every answer, in milliseconds. Default 0. */
  latencyMs?: number;
  /** The answer for an unknown vessel, port or list. Default `empty`: status 200 without records. */
  unknown?: 'empty' | '404' | '422';
  probabilityScale?: 'fraction' | 'percent';
  /** Lifetime of a token on the real clock. Default 600. */
  tokenMinutes?: number;
  /** Maximum number of usage records per page. Default 50. */
  maxPageSize?: number;
  /** The real clock: for tokens, and as the base of the domain clock. */
  realNow?: () => number;
  /** Default: two accounts, one with and one without the trade lane beta. */
  accounts?: readonly SandboxAccount[];
}

export interface SandboxCredentials {
  apiKey: string;
  userId: string;
  password: string;
}

/** The embedded service while it runs. All its data is invented. */
export interface Sandbox {
  /** The base address, without a trailing slash. */
  readonly url: string;
  /** The first account with the trade lane beta. */
  readonly credentials: SandboxCredentials;
  readonly credentialsWithoutBeta: SandboxCredentials;
  readonly accounts: readonly SandboxAccount[];
  readonly clock: SandboxClock;
  readonly faults: Faults;
  /** The faults that a person can switch on and off. */
  readonly faultSwitches: readonly FaultSwitch[];
  readonly observe: Calls['observe'];
  readonly requests: RequestCounts;
  readonly vessels: readonly { imo: number; name: string }[];
  readonly shiplists: readonly string[];
  /** Also ends open connections. */
  close(): Promise<void>;
}

const defaultAccounts: readonly SandboxAccount[] = [
  { apiKey: 'sandbox-api-key', userId: 'u1', password: 'sandbox-password', beta: true },
  { apiKey: 'sandbox-api-key', userId: 'u2', password: 'sandbox-password-2', beta: false },
];

/** Starts the embedded service; rejects if the address is in use. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, seed = 1, realNow = Date.now, accounts = defaultAccounts } = options;
  const clock = toClock(options.clock, realNow);
  const world = createWorld({ seed });
  const sessions = createSessions({ accounts, tokenMinutes: options.tokenMinutes ?? 600, realNow });
  const { faults, takeFaults } = createFaults({ revokeTokens: () => sessions.revoke() });
  const counter = createRequestCounter();
  const { observe, record } = createCalls();
  const app = createServiceApp({
    world,
    sessions,
    counter,
    takeFaults,
    record,
    usage: createUsageLedger({ seed }),
    now: () => clock.now(),
    latencyMs: options.latencyMs ?? 0,
    unknown: options.unknown ?? 'empty',
    probabilityScale: options.probabilityScale ?? 'fraction',
    maxPageSize: options.maxPageSize ?? 50,
  });
  if (options.controls)
    app.route('/_sandbox', createControls({ clock, faults, requests: counter.counts, host }));
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  // With a shorter time, a client that pauses for some seconds may send into a connection that is being closed.
  const server = createServer({ keepAliveTimeout: 75_000 }, listener);
  await listen(server, { host, port });
  return {
    url: urlOf(server),
    credentials: credentialsOf(accounts, true),
    credentialsWithoutBeta: credentialsOf(accounts, false),
    accounts,
    clock,
    faults,
    faultSwitches: createFaultSwitches(faults),
    observe,
    requests: counter.counts,
    vessels: world.vessels,
    shiplists: [...world.shiplists.keys()],
    close: () => close(server, faults),
  };
}

function toClock(clock: SandboxOptions['clock'], realNow: () => number): SandboxClock {
  return clock && 'now' in clock ? clock : createSandboxClock({ realNow, ...clock });
}

function credentialsOf(accounts: readonly SandboxAccount[], beta: boolean): SandboxCredentials {
  const { apiKey = '', userId = '', password = '' } = accounts.find((account) => account.beta === beta) ?? {};
  return { apiKey, userId, password };
}

function listen(server: Server, address: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  // A server that listens on a host and port has an address of this type.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server, faults: Faults): Promise<void> {
  faults.clear();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
