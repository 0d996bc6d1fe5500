import { LRUCache } from 'lru-cache';
import type { CallOptions, Provenance } from './answers.ts';
import type { Ticket } from './call-limiter.ts';
import { RateLimitedError, UnavailableError } from './errors.ts';
import type { ServiceHealth } from './service-health.ts';
import { type CallContext, type SharedCall, startSharedCall } from './shared-call.ts';

interface ResponseCacheOptions<T> {
  ttlMinutes: number;
  /** The cache is bounded by the number of records in it. */
  recordsOf: (answer: T) => readonly unknown[];
  /** The domain clock. */
  now: () => Date;
  health: ServiceHealth;
  deadlineMs: number;
}

/** Answers of one kind, and the calls in flight for them. */
interface ResponseCache<T> {
  ask(key: string, load: (context: CallContext) => Promise<T>, options?: CallOptions): Promise<T>;
  clear(): void;
}

interface Entry<T> {
  answer: T;
  /** Which call gave it: an older call that ends later must not replace a newer answer. */
  sequence: number;
}

const maxRecords = 50_000;
const staleMs = 24 * 3_600_000;

/** A cache with single flight: one call per question, however many callers ask it at the same time. */
export function createResponseCache<T extends Provenance>(
  options: ResponseCacheOptions<T>,
): ResponseCache<T> {
  const { ttlMinutes, recordsOf, now, health, deadlineMs } = options;
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: maxRecords,
    sizeCalculation: ({ answer }) => 1 + recordsOf(answer).length,
  });
  const calls = new Map<string, SharedCall<T>>();
  let sequence = 0;

  function cached(key: string, withinMs: number): T | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const ageMs = now().getTime() - entry.answer.fetchedAt.getTime();
    // A clock rollback makes the age negative: then it is unknown.
    return ageMs >= 0 && ageMs < withinMs ? { ...entry.answer, cached: true } : undefined;
  }

  function start(key: string, load: (context: CallContext) => Promise<T>, ticket: Ticket): SharedCall<T> {
    sequence += 1;
    const own = sequence;
    async function loadAndStore(context: CallContext): Promise<T> {
      const answer = await load(context);
      if ((entries.peek(key)?.sequence ?? 0) < own) entries.set(key, { answer, sequence: own });
      return answer;
    }
    const call = startSharedCall(ticket, loadAndStore, () => {
      if (calls.get(key) === call) calls.delete(key);
    });
    calls.set(key, call);
    return call;
  }

  function deadlineError(begun: boolean): Error {
    // Waiting in our own queue is no failure of the service.
    return new UnavailableError({ since: begun ? health.failed() : (health.status().failingSince ?? now()) });
  }

  return {
    async ask(key, load, { fresh = false, priority = 'interactive', askedBy = '', signal } = {}) {
      signal?.throwIfAborted();
      const known = fresh ? undefined : cached(key, ttlMinutes * 60_000);
      if (known) return known;
      const running = fresh ? undefined : calls.get(key);
      const isInteractive = priority === 'interactive';
      const people = new Set(isInteractive ? [askedBy] : []);
      for (const person of people) running?.ticket.people.add(person);
      const call = running ?? start(key, load, { people, begun: false });
      const deadline = isInteractive ? { afterMs: deadlineMs, error: deadlineError } : undefined;
      try {
        return await call.join({ signal, deadline });
      } catch (error) {
        const down = error instanceof UnavailableError || error instanceof RateLimitedError;
        const stale = down && !fresh ? cached(key, staleMs) : undefined;
        if (!stale) throw error;
        const throttled = error instanceof RateLimitedError;
        return {
          ...stale,
          staleSince: health.status().failingSince ?? now(),
          ...(throttled && { throttled }),
        };
      }
    },
    clear: () => entries.clear(),
  };
}
