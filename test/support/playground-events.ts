import type { App } from '@slack/bolt';

/** What an app hears of an event type, in order; `next` waits for one that has not been taken yet. */
export interface Heard {
  next(): Promise<Record<string, unknown>>;
}

/** Records every event of these types. */
export function hear(app: App, types: string[]): Heard {
  const came: Record<string, unknown>[] = [];
  const waiting: ((event: Record<string, unknown>) => void)[] = [];
  for (const type of types) {
    app.event(type, async ({ event }) => {
      const seen = { ...event };
      const waits = waiting.shift();
      if (waits) waits(seen);
      else came.push(seen);
    });
  }
  return {
    next() {
      const event = came.shift();
      return event ? Promise.resolve(event) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
