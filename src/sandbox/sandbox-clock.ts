/** The stored state of a clock, from which it continues after a restart. Times are epoch milliseconds. */
export interface SandboxClockState {
  /** The domain time at the moment of the snapshot. */
  domainMs: number;
  /** The real time at the moment of the snapshot. */
  realMs: number;
  speed: number;
}

/** The domain clock: it runs `speed` times as fast as the real time, and can be moved. */
export interface SandboxClock {
  now(): Date;
  /** Moves the domain time by this many milliseconds; a negative number moves it back. */
  advance(ms: number): void;
  /** At 60 an hour takes a minute; 0 stops the clock. The current domain time doesn't change. */
  setSpeed(speed: number): void;
  speed(): number;
  state(): SandboxClockState;
}

export interface SandboxClockOptions {
  realNow?: () => number;
  /** Overrides the speed of `state`. Default 1. */
  speed?: number;
  /** Where the domain time starts. Default: the real time. Ignored with `state`. */
  epoch?: Date;
  /** The state of an earlier clock, which this one continues. Ignored if out of range (from a damaged file). */
  state?: SandboxClockState;
}

export function createSandboxClock(options: SandboxClockOptions = {}): SandboxClock {
  const { realNow = Date.now, epoch } = options;
  const state = inRange(options.state);
  let speed = checkSpeed(options.speed ?? state?.speed ?? 1);
  let realBase = realNow();
  let domainBase = state?.domainMs ?? epoch?.getTime() ?? realBase;

  /** Adds the elapsed time to the base, so that a new speed applies only from now on. */
  const rebase = () => {
    const real = realNow();
    domainBase += (real - realBase) * speed;
    realBase = real;
  };

  return {
    now: () => new Date(domainBase + (realNow() - realBase) * speed),
    advance(ms) {
      if (!Number.isFinite(ms)) throw new RangeError('the milliseconds to advance must be a finite number');
      domainBase += ms;
    },
    setSpeed(next) {
      checkSpeed(next);
      rebase();
      speed = next;
    },
    speed: () => speed,
    state() {
      rebase();
      return { domainMs: domainBase, realMs: realBase, speed };
    },
  };
}

function inRange(state: SandboxClockState | undefined): SandboxClockState | undefined {
  return state && Math.abs(state.domainMs) <= farthestMs && isSpeed(state.speed) ? state : undefined;
}

/** 2100 in epoch milliseconds. With its negative, the start of 1840, it bounds the domain time. */
const farthestMs = 4_102_444_800_000;

const isSpeed = (speed: number) => speed >= 0 && speed <= 1_000_000;

function checkSpeed(speed: number): number {
  if (!isSpeed(speed)) throw new RangeError('the speed of the clock must be from 0 to 1,000,000');
  return speed;
}
