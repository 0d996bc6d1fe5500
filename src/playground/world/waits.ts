import type { PageMessage } from '../page-api/page-api.ts';
import { pageMessage } from './render.ts';
import type { Store } from './store.ts';

export interface Waits {
  /** The first message, kept or to come, that this is true of: new ones and edited ones. */
  forMessage(match: (message: PageMessage) => boolean, limitMs?: number): Promise<PageMessage>;
  close(): void;
}

/** Promises that follow the store's events. They reject at the limit (30 s), or when all is closed. */
export function createWaits(store: Store): Waits {
  const open = new Set<(error: Error) => void>();
  return {
    forMessage(match, limitMs = 30_000) {
      for (const channel of store.channels()) {
        const found = store.messages(channel.id).map(pageMessage).find(match);
        if (found) return Promise.resolve(found);
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          unsubscribe();
          clearTimeout(timer);
          open.delete(fail);
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
        const timer = setTimeout(() => fail(new Error(missing(store, limitMs))), limitMs);
        open.add(fail);
      });
    },
    close() {
      for (const fail of open)
        fail(new Error('The playground was closed while somebody waited for a message.'));
    },
  };
}

function missing(store: Store, limitMs: number): string {
  const last = [...store.channels()]
    .flatMap((channel) => store.messages(channel.id).slice(-3))
    .map((message) => `  ${message.channelId} ${message.userId}: ${message.text.slice(0, 100)}`);
  return `No such message within ${limitMs} ms. The newest ones:\n${last.join('\n') || '  (none)'}`;
}
