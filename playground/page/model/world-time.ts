import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { PageClock } from '../../src/page-api/page-api.ts';

/** The time that messages show: the invented world's, or without one the real time. */
export interface WorldTime {
  /** Milliseconds. It keeps ticking between updates from the server. */
  now(): number;
  /** World seconds per real second. */
  speed: number;
}

/** `receivedAt`: the real time at which `clock` arrived. */
export const worldTimeFrom = (clock: PageClock | undefined, receivedAt: number): WorldTime => ({
  now: () => (clock ? Date.parse(clock.at) + Math.max(0, Date.now() - receivedAt) * clock.speed : Date.now()),
  speed: clock?.speed ?? 1,
});

export const WorldTimeContext = createContext<WorldTime>(worldTimeFrom(undefined, 0));

export const useWorldTime = (): WorldTime => useContext(WorldTimeContext);

/** Follows the clock. Renders again only when the result of `read` changes, so it should be coarse. */
export function useFromNow<T extends string | number>(read: (ms: number) => T): T {
  const { now, speed } = useWorldTime();
  const subscribe = useCallback(
    (onTick: () => void) => {
      const timer = setInterval(onTick, speed > 1 ? 250 : 1000);
      return () => clearInterval(timer);
    },
    [speed],
  );
  return useSyncExternalStore(subscribe, () => read(now()));
}

/** The minute that it is now, in milliseconds. */
export const useMinute = (): number => useFromNow((ms) => Math.floor(ms / 60_000) * 60_000);
