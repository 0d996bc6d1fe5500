import { setTimeout as wait } from 'node:timers/promises';

/** A fault to inject. `latency` and `hold` delay the answer, the others replace it. */
export type Fault =
  | { kind: 'latency'; ms: number }
  /** Delays the answer until the fault is removed, so no clock is needed. */
  | { kind: 'hold' }
  | { kind: 'status'; status: number; headers: Readonly<Record<string, string>>; body?: unknown }
  /** Answers 200 with a web page, with half of the real body, or with half of it and then nothing more. */
  | { kind: 'malformed'; body: 'html' | 'truncated' | 'stalled' }
  /** Revokes the request's token: this request and all later ones with the token get 401. */
  | { kind: 'token-revoked' }
  /** Cuts the connection before the answer, or in the middle of it. */
  | { kind: 'cut'; when: 'before' | 'in-body' };

interface FaultTarget {
  /** A path in which `*` matches anything: `/nextport/ship/*`. Default: every endpoint of the contract. */
  endpoint?: string;
  /** How many requests it affects. Default: all until it is removed. */
  times?: number;
}

interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  readonly endpoint: string;
  readonly remaining: number | undefined;
  /** How many requests it has affected. */
  readonly hits: number;
  remove(): void;
}

/** The faults of a running sandbox. A request gets all delays that match, and the oldest replacement. */
export interface Faults {
  add(fault: Fault, target?: FaultTarget): ActiveFault;
  latency(ms: number, target?: FaultTarget): ActiveFault;
  hold(target?: FaultTarget): ActiveFault;
  status(status: number, target?: FaultTarget & { headers?: Record<string, string> }): ActiveFault;
  malformed(body: 'html' | 'truncated' | 'stalled', target?: FaultTarget): ActiveFault;
  cut(when: 'before' | 'in-body', target?: FaultTarget): ActiveFault;
  /** Revokes all tokens issued so far: they get 401 from now on. */
  revokeTokens(): void;
  list(): readonly ActiveFault[];
  remove(id: number): void;
  clear(): void;
}

/** The faults that match one request: delays to await, then perhaps a replacement for the real answer. */
export interface RequestFaults {
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
  /** Finds the faults for a request to this path, and counts it as one of their hits. */
  takeFaults(path: string): RequestFaults;
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
    takeFaults(path) {
      const delays: (() => Promise<void>)[] = [];
      let replacement: RequestFaults['replacement'];
      for (const entry of entries.values()) {
        const { fault } = entry;
        if (!entry.pattern.test(path) || entry.remaining === 0) continue;
        if (fault.kind !== 'latency' && fault.kind !== 'hold') {
          if (replacement) continue;
          replacement = fault;
        } else if (fault.kind === 'hold') delays.push(() => entry.removed);
        // Real milliseconds, which don't keep an otherwise idle process alive.
        else delays.push(() => Promise.race([wait(fault.ms, undefined, { ref: false }), entry.removed]));
        countHit(entry);
      }
      return { delays, replacement };
    },
  };
}

/** A used-up `hold` stays listed, since its requests are still waiting for its removal. */
function countHit(entry: Entry) {
  entry.hits += 1;
  if (entry.remaining === undefined) return;
  entry.remaining -= 1;
  if (entry.remaining === 0 && entry.fault.kind !== 'hold') entry.remove();
}

const toPattern = (glob: string) => new RegExp(`^${glob.split('*').map(escapePattern).join('.*')}$`);
const escapePattern = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
