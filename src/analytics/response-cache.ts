import { createCache } from '../cache.ts';
import type { Provenance } from '../reference/prediction.ts';
import type { RequestOptions } from './answers.ts';
import { RateLimitedError, UnavailableError } from './errors.ts';
import type { ServiceHealth } from './http-transport.ts';
import type { Ticket } from './request-limiter.ts';

export interface RequestContext {
  ticket: Ticket;
  /** Aborted when no caller waits any more. */
  signal: AbortSignal;
}

/** `size`: the number of characters of the service's answer. */
interface Loaded<T> {
  answer: T;
  size: number;
}

export type ResponseCache<T extends Provenance> = ReturnType<typeof createResponseCache<T>>;

/** The characters of the service's answers, which take about as many bytes once they are read. */
const maxSize = 8_000_000;
/** What an entry takes besides, such as one without records. */
const entrySize = 500;
const maxStaleMs = 24 * 3_600_000;

/** A cache of answers of one kind. Callers who ask the same question at the same time share one request. */
export function createResponseCache<T extends Provenance>(options: {
  ttlMinutes: number;
  /** The domain clock. */
  now: () => Date;
  health: ServiceHealth;
  deadlineMs: number;
}) {
  const { ttlMinutes, now, health, deadlineMs } = options;
  // `sequence` is the number of the request: an older request that ends later must not replace a newer answer.
  const entries = createCache<Loaded<T> & { sequence: number }>({
    max: maxSize,
    sizeOf: ({ size }, key) => entrySize + key.length + size,
  });
  const inFlight = new Map<string, SharedRequest<T>>();
  let lastSequence = 0;

  function find(key: string, maxAgeMs: number): T | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const ageMs = now().getTime() - entry.answer.fetchedAt.getTime();
    // After a clock rollback the age may be negative, and then it is unknown.
    return ageMs >= 0 && ageMs < maxAgeMs ? { ...entry.answer, cached: true } : undefined;
  }

  function start(
    key: string,
    load: (context: RequestContext) => Promise<Loaded<T>>,
    ticket: Ticket,
  ): SharedRequest<T> {
    lastSequence += 1;
    const sequence = lastSequence;
    async function loadAndStore(context: RequestContext): Promise<T> {
      const loaded = await load(context);
      if ((entries.peek(key)?.sequence ?? 0) < sequence) entries.set(key, { ...loaded, sequence });
      return loaded.answer;
    }
    const request = startSharedRequest(ticket, loadAndStore, () => {
      if (inFlight.get(key) === request) inFlight.delete(key);
    });
    inFlight.set(key, request);
    return request;
  }

  return {
    async ask(
      key: string,
      load: (context: RequestContext) => Promise<Loaded<T>>,
      { fresh = false, priority = 'interactive', askedBy = '', signal }: RequestOptions = {},
    ): Promise<T> {
      signal?.throwIfAborted();
      const stored = fresh ? undefined : find(key, ttlMinutes * 60_000);
      if (stored) return stored;
      const isInteractive = priority === 'interactive';
      const people = isInteractive ? [askedBy] : [];
      const running = fresh ? undefined : inFlight.get(key);
      for (const person of people) running?.ticket.people.add(person);
      if (isInteractive) running?.ticket.onJoin?.();
      const request =
        running ?? start(key, load, { people: new Set(people), owner: askedBy, hasStarted: false });
      const lateError = () => {
        // Waiting in our own queue isn't a failure of the service.
        const since = request.ticket.hasStarted ? health.failed() : (health.status().failingSince ?? now());
        return new UnavailableError({ since });
      };
      try {
        return await request.join(signal, isInteractive ? deadlineMs : undefined, lateError);
      } catch (error) {
        const isThrottled = error instanceof RateLimitedError;
        const isDown = isThrottled || error instanceof UnavailableError;
        const stale = isDown && !fresh ? find(key, maxStaleMs) : undefined;
        if (!stale) throw error;
        const staleSince = health.status().failingSince ?? now();
        return { ...stale, staleSince, ...(isThrottled && { throttled: isThrottled }) };
      }
    },
    clear: () => entries.clear(),
  };
}

type SharedRequest<T> = ReturnType<typeof startSharedRequest<T>>;

/**
 * Starts one request that several callers wait for. It is aborted when the last of them stops waiting. `onEnd` is
 * called when the request ends or is aborted.
 */
function startSharedRequest<T>(
  ticket: Ticket,
  load: (context: RequestContext) => Promise<T>,
  onEnd: () => void,
) {
  const controller = new AbortController();
  let waitingCallers = 0;
  const result = load({ ticket, signal: controller.signal }).finally(onEnd);
  // After the last caller has left, a failure must not become an unhandled rejection.
  result.catch(() => {});

  return {
    ticket,
    /** Rejects early if the caller's signal fires, or with `lateError()` after `deadlineMs`. */
    join(
      signal: AbortSignal | undefined,
      deadlineMs: number | undefined,
      lateError: () => Error,
    ): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const onAbort = () => leave(signal?.reason);
      const timer = deadlineMs === undefined ? undefined : setTimeout(() => leave(lateError()), deadlineMs);
      function cleanUp(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
      function leave(reason: unknown): void {
        cleanUp();
        waitingCallers -= 1;
        reject(reason);
        if (waitingCallers > 0) return;
        onEnd();
        controller.abort(reason);
      }
      waitingCallers += 1;
      signal?.addEventListener('abort', onAbort, { once: true });
      result.finally(cleanUp).then(resolve, reject);
      return promise;
    },
  };
}
