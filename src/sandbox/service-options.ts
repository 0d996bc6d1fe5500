import type { HttpBindings } from '@hono/node-server';
import type { CallCounter } from './call-counts.ts';
import type { FaultsOfCall } from './faults.ts';
import type { SandboxAccount, Sessions } from './sessions.ts';
import type { UsageLedger } from './usage-ledger.ts';
import type { World } from './world/world.ts';

export interface ServiceOptions {
  world: World;
  sessions: Sessions;
  usage: UsageLedger;
  counter: CallCounter;
  faultsOf: (path: string) => FaultsOfCall;
  now: () => Date;
  latencyMs: number;
  unknown: 'empty' | '404' | '422';
  probabilityScale: 'fraction' | 'percent';
  maxPageSize: number;
}

/** What Hono's handlers and middleware share while they answer a call. */
export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { account?: SandboxAccount };
}
