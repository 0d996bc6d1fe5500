import { LRUCache } from 'lru-cache';
import type { Provenance, RequestOptions } from './answers.ts';
import { RateLimitedError, UnavailableError } from './errors.ts';
import type { Ticket } from './request-limiter.ts';
import type { ServiceHealth } from './service-health.ts';
import { type RequestContext, type SharedRequest, startSharedRequest } from './shared-request.ts';

interface ResponseCacheOptions<T> {
  ttlMinutes: number;
  /** The cache is bounded by the number of records in it. */
  recordsOf: (answer: T) => readonly unknown[];
  /** The domain clock. */
  now: () => Date;
  health: ServiceHealth;
  deadlineMs: number;
}

export type ResponseCache<T extends Provenance> = ReturnType<typeof createResponseCache<T>>;

interface Entry<T> {
  answer: T;
  /** The number of its request: an older request that ends later must not replace a newer answer. */
  sequence: number;
}

const maxRecords = 50_000;
const staleMs = 24 * 3_600_000;

/** A cache of answers of one kind. Callers who ask the same question at the same time share one request. */
export function createResponseCache<T extends Provenance>(options: ResponseCacheOptions<T>) {
  const { ttlMinutes, recordsOf, now, health, deadlineMs } = options;
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: maxRecords,
    sizeCalculation: ({ answer }) => 1 + recordsOf(answer).length,
  });
  const inFlight = new Map<string, SharedRequest<T>>();
  let sequence = 0;

  function cached(key: string, withinMs: number): T | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const ageMs = now().getTime() - entry.answer.fetchedAt.getTime();
    // A clock rollback makes the age negative: then it is unknown.
    return ageMs >= 0 && ageMs < withinMs ? { ...entry.answer, cached: true } : undefined;
  }

  function start(
    key: string,
    load: (context: RequestContext) => Promise<T>,
    ticket: Ticket,
  ): SharedRequest<T> {
    sequence += 1;
    const ownSequence = sequence;
    async function loadAndStore(context: RequestContext): Promise<T> {
      const answer = await load(context);
      if ((entries.peek(key)?.sequence ?? 0) < ownSequence)
        entries.set(key, { answer, sequence: ownSequence });
      return answer;
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
      load: (context: RequestContext) => Promise<T>,
      { fresh = false, priority = 'interactive', askedBy = '', signal }: RequestOptions = {},
    ): Promise<T> {
      signal?.throwIfAborted();
      const stored = fresh ? undefined : cached(key, ttlMinutes * 60_000);
      if (stored) return stored;
      const isInteractive = priority === 'interactive';
      const people = isInteractive ? [askedBy] : [];
      const running = fresh ? undefined : inFlight.get(key);
      for (const person of people) running?.ticket.people.add(person);
      const request = running ?? start(key, load, { people: new Set(people), begun: false });
      const late = () => {
        // Waiting in our own queue is no failure of the service.
        const since = request.ticket.begun ? health.failed() : (health.status().failingSince ?? now());
        return new UnavailableError({ since });
      };
      try {
        return await request.join(signal, isInteractive ? deadlineMs : undefined, late);
      } catch (error) {
        const throttled = error instanceof RateLimitedError;
        const stale =
          fresh || !(throttled || error instanceof UnavailableError) ? undefined : cached(key, staleMs);
        if (!stale) throw error;
        const staleSince = health.status().failingSince ?? now();
        return { ...stale, staleSince, ...(throttled && { throttled }) };
      }
    },
    clear: () => entries.clear(),
  };
}
