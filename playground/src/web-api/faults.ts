import type { Images } from '../blocks/images.ts';

/** A failure to inject into the app's next API calls. */
export type Fault =
  /** Answers `{ ok: false, error }` without performing the call. */
  | { error: string }
  /** Answers 429 with this `Retry-After`, in seconds. */
  | { rateLimitedSeconds: number }
  /** Answers this HTTP status, with a body that isn't JSON. */
  | { status: number }
  /** Performs the call, then cuts the connection instead of answering. */
  | { cut: true }
  /** Performs the call, but answers only once this promise has resolved. */
  | { until: Promise<unknown> };

export interface Faults {
  /** Affects the next `times` calls (default 1) of a Web API method, of `response_url`, or of any (`*`). */
  next(method: string, fault: Fault, times?: number): void;
  /** Affects every call of these methods, unless `next` has a fault for it, until the returned function is called. */
  every(methods: readonly string[], fault: Fault): () => void;
  /** Cancels the faults of `next` that haven't happened yet. */
  clear(): void;
  /** From now on, blocks of these types are refused with `invalid_blocks`. An empty list ends this. */
  refuseBlocks(types: string[]): void;
  /** From now on, blocks with an image are refused with `invalid_blocks`, as if Slack couldn't download it. */
  refuseImages(refused: boolean): void;
  /** The fault for this call, if any. The server calls this before each call. */
  take(method: string): Fault | undefined;
}

export function createFaults({
  refusedTypes,
  images,
}: {
  refusedTypes: Set<string>;
  images: Pick<Images, 'refuseAll'>;
}): Faults {
  const planned: { method: string; fault: Fault; remaining: number }[] = [];
  const lasting = new Set<{ methods: readonly string[]; fault: Fault }>();
  const matches = (planned: string, method: string) => planned === method || planned === '*';
  return {
    next(method, fault, times = 1) {
      planned.push({ method, fault, remaining: times });
    },
    every(methods, fault) {
      const entry = { methods, fault };
      lasting.add(entry);
      return () => lasting.delete(entry);
    },
    clear() {
      planned.length = 0;
    },
    refuseBlocks(types) {
      refusedTypes.clear();
      for (const type of types) refusedTypes.add(type);
    },
    refuseImages: images.refuseAll,
    take(method) {
      const index = planned.findIndex((plan) => matches(plan.method, method));
      const plan = planned[index];
      if (!plan)
        return [...lasting].find(({ methods }) => methods.some((name) => matches(name, method)))?.fault;
      plan.remaining -= 1;
      if (plan.remaining <= 0) planned.splice(index, 1);
      return plan.fault;
    },
  };
}
