/** What is stored of a clock so that it can continue after a restart; milliseconds. */
export interface SandboxClockState {
  /** The domain time at the moment of the snapshot. */
  domainMs: number;
  /** The real time at the moment of the snapshot. */
  realMs: number;
  speed: number;
}

/** The domain clock: real time passes `speed` times as fast, and can be moved forward. */
export interface SandboxClock {
  now(): Date;
  /** Moves the domain time by this many of its milliseconds (negative: back). */
  advance(ms: number): void;
  /** 60 turns an hour into a minute; 0 stops the clock. The time that has passed stays as it is. */
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
  /** Of an earlier clock, which this one continues; ignored if it is out of range, as a damaged file may be. */
  state?: SandboxClockState;
}

export function createSandboxClock(options: SandboxClockOptions = {}): SandboxClock {
  const { realNow = Date.now, epoch } = options;
  const state = inRange(options.state);
  let speed = checkSpeed(options.speed ?? state?.speed ?? 1);
  let realBase = realNow();
  let domainBase = state?.domainMs ?? epoch?.getTime() ?? realBase;

  /** Adds the time that has passed to the base, so that a change applies only from now on. */
  const rebase = () => {
    const real = realNow();
    domainBase += (real - realBase) * speed;
    realBase = real;
  };

  return {
    now: () => new Date(domainBase + (realNow() - realBase) * speed),
    advance(ms) {
      if (!Number.isFinite(ms)) throw new RangeError('a clock advances by a number of milliseconds');
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

/** The years 1840 to 2100, for which Date and the world's voyages hold. */
const farthestMs = 4_102_444_800_000;

const isSpeed = (speed: number) => speed >= 0 && speed <= 1_000_000;

function checkSpeed(speed: number): number {
  if (!isSpeed(speed)) throw new RangeError('a clock has a speed from 0 to 1,000,000');
  return speed;
}
