import type { PageClock, PageReply } from '../page-api/page-api.ts';

/** The clock of the invented data. It can jump, also back, so it isn't that of `ts`: messages only show it. */
export interface WorldClock {
  now(): Date;
  /** World seconds per real second. */
  speed(): number;
  /** Resolves once all work that became due in between is done. */
  advance(hours: number): Promise<void>;
  setSpeed(speed: number): void;
}

/** The page's controls of the clock. Only one step forward runs at a time. */
export interface ClockControl {
  show(): PageClock;
  forward(hours: number): Promise<PageReply>;
  setSpeed(speed: number): PageReply;
}

export function createClockControl(clock: WorldClock, onChange: (clock: PageClock) => void): ClockControl {
  let isBusy = false;
  const show = (): PageClock => ({ at: clock.now().toISOString(), speed: clock.speed(), isBusy });
  return {
    show,
    async forward(hours) {
      if (isBusy) return { ok: false, error: 'The clock is already moving forward.' };
      isBusy = true;
      onChange(show());
      try {
        await clock.advance(hours);
        return { ok: true };
      } catch (error) {
        return { ok: false, error: `The clock stopped: ${error instanceof Error ? error.message : error}` };
      } finally {
        isBusy = false;
        onChange(show());
      }
    },
    setSpeed(speed) {
      clock.setSpeed(speed);
      onChange(show());
      return { ok: true };
    },
  };
}
