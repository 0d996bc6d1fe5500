/** What goes wrong with the next calls of the app. */
export type Fault =
  /** `{ ok: false, error }` without doing it. */
  | { error: string }
  /** 429 with this `Retry-After`, in seconds. */
  | { rateLimitedSeconds: number }
  /** This HTTP status, with a body that is no JSON. */
  | { status: number }
  /** Does it, and then cuts the connection instead of answering. */
  | { cut: true }
  /** Does it, and answers only once this has resolved. */
  | { until: Promise<unknown> };

export interface Faults {
  /** For the next `times` calls (default 1) of a Web API method, of `response_url`, or of `*`: any. */
  next(method: string, fault: Fault, times?: number): void;
  /** Forgets what was planned and has not happened. */
  clear(): void;
  /** Blocks of these types get `invalid_blocks` from now on; an empty list ends it. */
  refuseBlocks(types: string[]): void;
  /** What the server asks before each call. */
  take(method: string): Fault | undefined;
}

export function createFaults(refused: Set<string>): Faults {
  const planned: { method: string; fault: Fault; left: number }[] = [];
  return {
    next(method, fault, times = 1) {
      planned.push({ method, fault, left: times });
    },
    clear() {
      planned.length = 0;
    },
    refuseBlocks(types) {
      refused.clear();
      for (const type of types) refused.add(type);
    },
    take(method) {
      if (planned.length === 0) return undefined;
      const index = planned.findIndex((plan) => plan.method === method || plan.method === '*');
      const plan = planned[index];
      if (!plan) return undefined;
      plan.left -= 1;
      if (plan.left <= 0) planned.splice(index, 1);
      return plan.fault;
    },
  };
}
