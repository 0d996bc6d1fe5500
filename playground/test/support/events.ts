import type { App } from '@slack/bolt';

/** The events that an app receives, in order. `next` waits if there is none left. */
export interface ReceivedEvents {
  next(): Promise<Record<string, unknown>>;
}

/** Records every event of these types. */
export function recordEvents(app: App, types: string[]): ReceivedEvents {
  const received: Record<string, unknown>[] = [];
  const waiting: ((event: Record<string, unknown>) => void)[] = [];
  for (const type of types) {
    app.event(type, async ({ event }) => {
      const copy = { ...event };
      const resolve = waiting.shift();
      if (resolve) resolve(copy);
      else received.push(copy);
    });
  }
  return {
    next() {
      const event = received.shift();
      return event ? Promise.resolve(event) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
