import type { Logger } from '../log.ts';
import type { TokenStore } from './token-store.ts';

/**
 * Uses `main` while it answers and `spare` while it does not: an outage of the store costs one login at
 * most. Changes are written to both, so that the spare has the last token.
 */
export function createFallbackTokenStore(options: {
  main: TokenStore;
  spare: TokenStore;
  logger: Logger;
}): TokenStore {
  const { main, spare, logger } = options;

  async function first<Value>(ask: (store: TokenStore) => Promise<Value>): Promise<Value> {
    try {
      return await ask(main);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason }, 'the token store does not answer: continuing from memory');
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
