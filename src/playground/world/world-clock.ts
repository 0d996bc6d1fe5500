import type { PageClock, PageReply } from '../page-api/page-api.ts';

/** The time of the data where it is not the real one. Messages keep the real time, as Slack's do. */
export interface WorldClock {
  now(): Date;
  /** How many of its seconds pass in a real one. */
  speed(): number;
  /** Resolves once all that became due on the way is done. */
  advance(hours: number): Promise<void>;
  setSpeed(speed: number): void;
}

/** The page's hand on the clock. One step forward at a time. */
export interface ClockControl {
  show(): PageClock;
  forward(hours: number): Promise<PageReply>;
  setSpeed(speed: number): PageReply;
}

export function createClockControl(clock: WorldClock, changed: (clock: PageClock) => void): ClockControl {
  let isBusy = false;
  const show = (): PageClock => ({ at: clock.now().toISOString(), speed: clock.speed(), isBusy });
  return {
    show,
    async forward(hours) {
      if (isBusy) return { ok: false, error: 'The clock is going forward already.' };
      isBusy = true;
      changed(show());
      try {
        await clock.advance(hours);
        return { ok: true };
      } catch (error) {
        return { ok: false, error: `The clock stopped: ${error instanceof Error ? error.message : error}` };
      } finally {
        isBusy = false;
        changed(show());
      }
    },
    setSpeed(speed) {
      clock.setSpeed(speed);
      changed(show());
      return { ok: true };
    },
  };
}
