import type { PageMessage } from '../page-api/page-api.ts';
import { pageMessage } from './render.ts';
import type { Store } from './store.ts';

export interface Waits {
  /** Resolves with the first message that matches: a stored one, or else the next one posted or edited. */
  forMessage(match: (message: PageMessage) => boolean, timeoutMs?: number): Promise<PageMessage>;
  close(): void;
}

/** Promises that wait for events of the store. They reject after the timeout (30 s) or on `close`. */
export function createWaits(store: Store): Waits {
  const pending = new Set<(error: Error) => void>();
  return {
    forMessage(match, timeoutMs = 30_000) {
      for (const channel of store.channels()) {
        const found = store.messages(channel.id).map(pageMessage).find(match);
        if (found) return Promise.resolve(found);
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          unsubscribe();
          clearTimeout(timer);
          pending.delete(fail);
        };
        const fail = (error: Error) => {
          end();
          reject(error);
        };
        const unsubscribe = store.subscribe((event) => {
          if (event.type === 'deleted') return;
          const message = pageMessage(event.message);
          if (!match(message)) return;
          end();
          resolve(message);
        });
        const timer = setTimeout(() => fail(new Error(describeMissing(store, timeoutMs))), timeoutMs);
        pending.add(fail);
      });
    },
    close() {
      for (const fail of pending) fail(new Error('The playground was closed during a wait for a message.'));
    },
  };
}

function describeMissing(store: Store, timeoutMs: number): string {
  const newest = [...store.channels()]
    .flatMap((channel) => store.messages(channel.id).slice(-3))
    .map((message) => `  ${message.channelId} ${message.userId}: ${message.text.slice(0, 100)}`);
  return `No matching message within ${timeoutMs} ms. The newest messages:\n${newest.join('\n') || '  (none)'}`;
}
