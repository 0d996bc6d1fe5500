import { createCache } from '../cache.ts';
import { inBackground } from '../database/dialect.ts';
import { settleAll } from '../database/due.ts';
import { messageOf } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { Job } from '../features/feature.ts';
import { type Logger, underReference } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';

/** One kind of work that is due at certain times, such as polls. */
export interface DueWork {
  name: string;
  /** The workspaces that have work due at `now`, a time of the domain clock. */
  findDue(now: Date): Promise<readonly string[]>;
}

export type Turns = ReturnType<typeof createTurns>;

/** Turns that hold a place. */
const maxPlaces = 32;
/**
 * After this a turn gives up its place, since it probably waits for an account or for Slack, for up to a minute. If
 * there are many turns, it also claims no more work.
 */
const maxTurnMs = 500;
/** For `failure`: an older outcome says nothing about now. */
const outcomeAgeMs = 10 * 60_000;

/**
 * The workspaces take turns at one kind of work, so that one with thousands of due rows, or whose turns hang or fail,
 * holds up no other. A workspace has one turn at a time. `runDue` only begins turns; `finish` waits for them.
 */
export function createTurns(options: {
  kind: DueWork;
  openJob(workspaceId: string, kind: string): Promise<Job | undefined>;
  /** The jobs of this kind that may have begun something. */
  openedJobs(kind: string): Promise<readonly Job[]>;
  now: () => Date;
  monotonicNow: () => number;
  measure?: Measure;
  logger: Logger;
}) {
  const { kind, openJob, openedJobs, now, monotonicNow, measure = measureNothing, logger } = options;
  const { name } = kind;
  const lanes = new Map<string, Lane>();
  const places = createFairQueue({ max: () => maxPlaces });
  const outcomes = createCache<{ error: unknown }>({
    max: 1_000,
    ttlMs: outcomeAgeMs,
    realNow: monotonicNow,
  });
  let turnsUnderWay = 0;
  let isStopped = false;
  let turnEndedAt: number | undefined;

  const laneOf = (workspaceId: string): Lane => {
    const lane = lanes.get(workspaceId) ?? createLane(workspaceId);
    lanes.set(workspaceId, lane);
    return lane;
  };

  function createLane(workspaceId: string): Lane {
    const lane: Lane = { active: 0, retryAt: 0, isCut: false, loop: createLaneLoop() };
    return lane;

    function createLaneLoop(): JobLoop {
      const job: Job = {
        name,
        async runDue(at, mayClaim) {
          lane.isCut = false;
          const opened = await openJob(workspaceId, name);
          await opened?.runDue(at, turnFrom(monotonicNow(), mayClaim));
        },
      };
      return createJobLoop({ job, now, monotonicNow, measure, logger, fields: { workspace: workspaceId } });
    }

    function turnFrom(startedAt: number, mayClaim: () => boolean): () => boolean {
      return () => {
        if (isStopped || !mayClaim()) return false;
        const isCrowded = places.waiting() > 0 || turnsUnderWay > maxPlaces;
        lane.isCut = isCrowded && monotonicNow() - startedAt >= maxTurnMs;
        return !lane.isCut;
      };
    }
  }

  /** One turn, after any that is under way. */
  async function take(workspaceId: string): Promise<void> {
    const lane = laneOf(workspaceId);
    lane.active += 1;
    try {
      await lane.loop.runOnce();
      lane.retryAt = 0;
      outcomes.set(workspaceId, { error: undefined });
    } catch (error) {
      lane.retryAt = monotonicNow() + lane.loop.waitMs();
      outcomes.set(workspaceId, { error });
      throw error;
    } finally {
      restartClock();
      lane.active -= 1;
      // A lane that failed remembers until when it waits.
      if (lane.active === 0 && lane.retryAt === 0) lanes.delete(workspaceId);
    }
  }

  /** Takes turns until the workspace's work is done, waiting behind others for each. The lane's loop logs a failure. */
  async function work(workspaceId: string): Promise<void> {
    const lane = laneOf(workspaceId);
    lane.active += 1;
    try {
      do {
        const leave = await places.enter();
        const timer = setTimeout(leave, maxTurnMs);
        turnsUnderWay += 1;
        try {
          await take(workspaceId);
        } finally {
          turnsUnderWay -= 1;
          clearTimeout(timer);
          leave();
        }
      } while (lane.isCut && !isStopped);
    } catch {
      // Tried again at `retryAt`.
    } finally {
      lane.active -= 1;
      if (lane.active === 0 && lane.retryAt === 0) lanes.delete(workspaceId);
    }
  }

  function restartClock(): void {
    if (turnEndedAt !== undefined) turnEndedAt = monotonicNow();
  }

  const isWorking = () => [...lanes.values()].some(({ active }) => active > 0);

  return {
    name,
    /** From now on, `sinceTurnMs` counts. */
    begin() {
      turnEndedAt = monotonicNow();
    },
    /** Begins a turn for each workspace that has due work. */
    async runDue(at: Date): Promise<void> {
      for (const workspaceId of await kind.findDue(at)) {
        const lane = lanes.get(workspaceId);
        if (lane && (lane.active > 0 || monotonicNow() < lane.retryAt)) continue;
        void work(workspaceId);
      }
      if (!isWorking()) restartClock();
    },
    /** Does what is due in every workspace once, after the turns under way. Throws the first error at the end. */
    async runAll(): Promise<void> {
      const active = [...lanes].flatMap(([id, lane]) => (lane.active > 0 ? [id] : []));
      const ids = new Set([...active, ...(await kind.findDue(now()))]);
      await settleAll([...ids].map(take));
    },
    /** Does what is due in one workspace, after its turn under way. */
    runOne: take,
    /** Resolves when no turn is under way; begins no more. */
    async finish(): Promise<void> {
      isStopped = true;
      await Promise.all([...lanes.values()].map(({ loop }) => loop.stop()));
      for (const { finish } of await openedJobs(name)) await finish?.();
    },
    /** The error of a last turn, if the last turns of all workspaces failed. */
    failure(): unknown {
      const recent = [...outcomes.values()];
      return recent.every(({ error }) => error !== undefined) ? recent[0]?.error : undefined;
    },
    /** Milliseconds since a turn ended, or since there was nothing to do. */
    sinceTurnMs: () => (turnEndedAt === undefined ? 0 : monotonicNow() - turnEndedAt),
  };
}

interface Lane {
  loop: JobLoop;
  /** The turns under way and those that wait. */
  active: number;
  /** After a failure, no turn before this. */
  retryAt: number;
  /** The last turn ended early, since others waited. */
  isCut: boolean;
}

export type JobLoop = ReturnType<typeof createJobLoop>;

/** From the end of one round to the start of the next. */
const intervalMs = 1_000;
/** The interval doubles with each failure, up to this. */
const maxIntervalMs = 30_000;
/** After this, a round claims no more work, so that the next one starts with the current time. */
const maxRoundMs = 30_000;

/** Runs one job in rounds that never overlap, and waits for no other job. */
export function createJobLoop(options: {
  job: Job;
  /** The domain clock. */
  now: () => Date;
  monotonicNow: () => number;
  measure?: Measure;
  logger: Logger;
  /** For the log. */
  fields?: Record<string, unknown>;
}) {
  const { job, now, monotonicNow, measure = measureNothing, logger, fields } = options;
  const { name } = job;
  const rounds = createFairQueue({ max: () => 1 });
  let waiting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let failures = 0;
  let failure: unknown;
  let finishedAt: number | undefined;

  async function runRound(): Promise<void> {
    if (!isStopped) await underReference(tryRound);
  }

  async function tryRound(): Promise<void> {
    const endsAt = monotonicNow() + maxRoundMs;
    try {
      await inBackground(async () => job.runDue(now(), () => !isStopped && monotonicNow() < endsAt));
      if (failures > 0) logger.info({ job: name, ...fields, failures }, 'a job works again');
      failures = 0;
      failure = undefined;
    } catch (error) {
      failures += 1;
      failure = error;
      const reason = messageOf(error);
      logger.warn({ job: name, ...fields, failures, reason }, 'a job failed; it is tried again');
      measure({ kind: 'job-failure', job: name });
      throw error;
    } finally {
      finishedAt = monotonicNow();
    }
  }

  /** Requests that come while a round is under way share the next one. */
  function runOnce(): Promise<void> {
    waiting ??= rounds.run(() => {
      waiting = undefined;
      return runRound();
    });
    return waiting;
  }

  const waitMs = () => Math.min(maxIntervalMs, intervalMs * 2 ** Math.min(failures, 10));

  function scheduleNext(): void {
    if (isStopped) return;
    // runRound has logged the failure.
    timer = setTimeout(
      () =>
        void runOnce()
          .catch(() => {})
          .finally(scheduleNext),
      waitMs(),
    );
  }

  return {
    name,
    /** Runs one round, after any that is under way. Rejects if the job fails. */
    runOnce,
    /** Runs rounds at intervals from now on. */
    start() {
      finishedAt = monotonicNow();
      scheduleNext();
    },
    /** Milliseconds to wait before the next round. */
    waitMs,
    /** Why the last round failed; undefined if it succeeded. */
    failure: () => failure,
    /** Milliseconds since the last round, or since the start; undefined before either. */
    sinceRoundMs: () => (finishedAt === undefined ? undefined : monotonicNow() - finishedAt),
    /** Starts no more rounds; resolves when no work is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await rounds.run(async () => {});
      await job.finish?.();
    },
  };
}
