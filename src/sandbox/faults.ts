import { wait } from './wait.ts';

/** A fault to inject. `latency` and `hold` delay the answer, the others replace it. */
export type Fault =
  | { kind: 'latency'; ms: number }
  /** Delays the answer until the fault is removed, so no clock is needed. */
  | { kind: 'hold' }
  | { kind: 'status'; status: number; headers: Readonly<Record<string, string>>; body?: unknown }
  /** Status 200 with a web page, with half of the real answer, or with half of it and no end. */
  | { kind: 'malformed'; body: 'html' | 'truncated' | 'stalled' }
  /** Revokes the call's token: 401 for this call and for all others that use the token. */
  | { kind: 'token-revoked' }
  /** Cuts the connection before the answer, or in the middle of it. */
  | { kind: 'cut'; when: 'before' | 'in-body' };

interface FaultTarget {
  /** A path in which `*` matches anything: `/nextport/ship/*`. Default: every call of the contract. */
  endpoint?: string;
  /** How many calls it affects. Default: all until it is removed. */
  times?: number;
}

interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  readonly endpoint: string;
  readonly remaining: number | undefined;
  /** Calls affected so far. */
  readonly hits: number;
  remove(): void;
}

/** The faults of a running sandbox. A call gets all delays that match, and the oldest replacement. */
export interface Faults {
  add(fault: Fault, target?: FaultTarget): ActiveFault;
  latency(ms: number, target?: FaultTarget): ActiveFault;
  hold(target?: FaultTarget): ActiveFault;
  status(status: number, target?: FaultTarget & { headers?: Record<string, string> }): ActiveFault;
  malformed(body: 'html' | 'truncated' | 'stalled', target?: FaultTarget): ActiveFault;
  cut(when: 'before' | 'in-body', target?: FaultTarget): ActiveFault;
  /** All tokens issued so far get 401 from now on. */
  revokeTokens(): void;
  list(): readonly ActiveFault[];
  remove(id: number): void;
  clear(): void;
}

/** The faults that match one call: delays to await, then perhaps a replacement for the real answer. */
export interface FaultsOfCall {
  delays: readonly (() => Promise<void>)[];
  replacement: Exclude<Fault, { kind: 'latency' | 'hold' }> | undefined;
}

interface Entry extends ActiveFault {
  pattern: RegExp;
  remaining: number | undefined;
  hits: number;
  removed: Promise<void>;
}

export function createFaults({ revokeTokens }: { revokeTokens: () => void }): {
  faults: Faults;
  faultsOf(path: string): FaultsOfCall;
} {
  const entries = new Map<number, Entry>();
  let lastId = 0;

  const add: Faults['add'] = (fault, { endpoint = '*', times } = {}) => {
    lastId += 1;
    const id = lastId;
    const { promise: removed, resolve } = Promise.withResolvers<void>();
    const remove = () => {
      entries.delete(id);
      resolve();
    };
    const entry = {
      id,
      fault,
      endpoint,
      pattern: toPattern(endpoint),
      remaining: times,
      hits: 0,
      removed,
      remove,
    };
    entries.set(id, entry);
    return entry;
  };

  const faults: Faults = {
    add,
    latency: (ms, target) => add({ kind: 'latency', ms }, target),
    hold: (target) => add({ kind: 'hold' }, target),
    status: (status, { headers = {}, ...target } = {}) => add({ kind: 'status', status, headers }, target),
    malformed: (body, target) => add({ kind: 'malformed', body }, target),
    cut: (when, target) => add({ kind: 'cut', when }, target),
    revokeTokens,
    list: () => [...entries.values()],
    remove: (id) => entries.get(id)?.remove(),
    clear() {
      for (const entry of [...entries.values()]) entry.remove();
    },
  };

  return {
    faults,
    faultsOf(path) {
      const delays: (() => Promise<void>)[] = [];
      let replacement: FaultsOfCall['replacement'];
      for (const entry of entries.values()) {
        const { fault } = entry;
        if (!entry.pattern.test(path) || entry.remaining === 0) continue;
        if (fault.kind !== 'latency' && fault.kind !== 'hold') {
          if (replacement) continue;
          replacement = fault;
        } else delays.push(fault.kind === 'hold' ? () => entry.removed : () => wait(fault.ms));
        use(entry);
      }
      return { delays, replacement };
    },
  };
}

/** A used-up `hold` stays listed: its calls are still waiting for it to be removed. */
function use(entry: Entry) {
  entry.hits += 1;
  if (entry.remaining === undefined) return;
  entry.remaining -= 1;
  if (entry.remaining === 0 && entry.fault.kind !== 'hold') entry.remove();
}

const toPattern = (glob: string) => new RegExp(`^${glob.split('*').map(literal).join('.*')}$`);
const literal = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
