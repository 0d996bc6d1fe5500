import type { AnalyticsLogger } from './logger.ts';
import type { TokenStore } from './token-store.ts';

/**
 * `main` while it answers, `spare` while it does not: a store that is gone for a minute costs a login at
 * most. Both are written, so that the spare knows the last token.
 */
export function createFallbackTokenStore(options: {
  main: TokenStore;
  spare: TokenStore;
  logger: AnalyticsLogger;
}): TokenStore {
  const { main, spare, logger } = options;

  async function first<Value>(ask: (store: TokenStore) => Promise<Value>): Promise<Value> {
    try {
      return await ask(main);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason }, 'the store of tokens does not answer: going on from memory');
      return await ask(spare);
    }
  }

  async function both(change: (store: TokenStore) => Promise<void>): Promise<void> {
    await change(spare);
    await first(change);
  }

  return {
    read: () => first((store) => store.read()),
    write: (record) => both((store) => store.write(record)),
    discard: (token) => both((store) => store.discard(token)),
    acquireLease: (lease) => first((store) => store.acquireLease(lease)),
    releaseLease: (holder) => both((store) => store.releaseLease(holder)),
  };
}
