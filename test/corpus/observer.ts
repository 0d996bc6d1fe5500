import type { Playground } from 'bolt-playground';
import { type Change, changesBetween, look } from './changes.ts';

/** Something that somebody did, or time that passed, and what people saw then. */
export interface Step {
  heading: string;
  changes: Change[];
  /** What Slack showed beside the messages, such as the error under a field. */
  notes: string[];
}

/** An act may return notes. */
export type Act = () => Promise<string[] | undefined>;

/** Does something, and says what people see of it. */
export type Observe = (heading: string, act: Act) => Promise<Step>;

export function createObserver(bot: { playground: Playground; settled(): Promise<void> }): Observe {
  let seen = look(bot.playground);
  return async (heading, act) => {
    const notes = (await act()) ?? [];
    // Twice: a delivery may lead to another, such as the event of a posted message.
    await bot.settled();
    await bot.settled();
    const now = look(bot.playground);
    const changes = changesBetween(seen, now);
    seen = now;
    return { heading, changes, notes };
  };
}
