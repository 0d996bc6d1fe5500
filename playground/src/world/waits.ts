import type { PageMessage } from '../page-api/page-api.ts';
import { pageMessage } from './render.ts';
import type { Store, StoreEvent } from './store.ts';

export interface Waits {
  /** Resolves with the first message that matches: a stored one, or else the next one posted or edited. */
  forMessage(match: (message: PageMessage) => boolean, timeoutMs?: number): Promise<PageMessage>;
  close(): void;
}

/** Promises that wait for events of the stores. They reject after the timeout (30 s) or on `close`. */
export function createWaits(stores: readonly Store[]): Waits {
  const pending = new Set<(error: Error) => void>();
  return {
    forMessage(match, timeoutMs = 30_000) {
      const found = allMessages(stores).find(match);
      if (found) return Promise.resolve(found);
      return new Promise((resolve, reject) => {
        const end = () => {
          for (const unsubscribe of unsubscribes) unsubscribe();
          clearTimeout(timer);
          pending.delete(fail);
        };
        const fail = (error: Error) => {
          end();
          reject(error);
        };
        const onEvent = (event: StoreEvent) => {
          if (event.type === 'deleted') return;
          const message = pageMessage(event.message);
          if (!match(message)) return;
          end();
          resolve(message);
        };
        const unsubscribes = stores.map((store) => store.subscribe(onEvent));
        const timer = setTimeout(() => fail(new Error(describeMissing(stores, timeoutMs))), timeoutMs);
        pending.add(fail);
      });
    },
    close() {
      for (const fail of pending) fail(new Error('The playground was closed during a wait for a message.'));
    },
  };
}

const allMessages = (stores: readonly Store[]): PageMessage[] =>
  stores.flatMap((store) => [...store.channels()].flatMap(({ id }) => store.messages(id).map(pageMessage)));

function describeMissing(stores: readonly Store[], timeoutMs: number): string {
  const newest = stores
    .flatMap((store) => [...store.channels()].flatMap((channel) => store.messages(channel.id).slice(-3)))
    .map((message) => `  ${message.channelId} ${message.userId}: ${message.text.slice(0, 100)}`);
  return `No matching message within ${timeoutMs} ms. The newest messages:\n${newest.join('\n') || '  (none)'}`;
}
