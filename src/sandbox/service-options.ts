import type { HttpBindings } from '@hono/node-server';
import type { Calls } from './calls.ts';
import type { RequestFaults } from './faults.ts';
import type { RequestCounter } from './request-counts.ts';
import type { SandboxAccount, Sessions } from './sessions.ts';
import type { UsageLedger } from './usage-ledger.ts';
import type { World } from './world/world.ts';

export interface ServiceOptions {
  world: World;
  sessions: Sessions;
  usage: UsageLedger;
  counter: RequestCounter;
  takeFaults: (path: string) => RequestFaults;
  /** Default: calls are not recorded. */
  record?: Calls['record'];
  now: () => Date;
  latencyMs: number;
  unknown: 'empty' | '404' | '422';
  probabilityScale: 'fraction' | 'percent';
  maxPageSize: number;
}

/** Hono's context for one request: its handlers and middleware share the account. */
export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { account?: SandboxAccount };
}
