import { sql } from 'kysely';
import { createCache, within } from '../cache.ts';
import { inBackground } from '../database/dialect.ts';
import { createRollbackCheck, type DueRows, dueWorkspaces, settleAll } from '../database/due.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import { messageOf, StoreUnavailable } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { Job } from '../features/feature.ts';
import { dueRows } from '../features/index.ts';
import { type Logger, underReference } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';
import { dueMessages } from '../outbox/outbox.ts';
import { forgetUnusedLogins } from '../workspaces/accounts.ts';
import { forgetExpiredTokens } from '../workspaces/assistant-tokens.ts';
import { forgetChanges } from '../workspaces/audit.ts';
import { type Activity, forgetCallCounts } from '../workspaces/call-counts.ts';
import { finishUninstalls } from '../workspaces/workspaces.ts';
import type { Store } from './store.ts';

export type Jobs = ReturnType<typeof createJobs>;

/** A round claims work for half a minute and then finishes what it has claimed. */
const maxSinceRoundMs = 2 * 60_000;

interface LoopOptions {
  /** The domain clock. */
  now: () => Date;
  monotonicNow: () => number;
  measure?: Measure;
  logger: Logger;
}

interface JobsOptions extends LoopOptions {
  /** The kinds of work that workspaces have; they take turns. */
  kinds: readonly DueWork[];
  /** Undefined if no work may be done for that workspace now. */
  openJob(workspaceId: string, kind: string): Promise<Job | undefined>;
  /** The jobs of this kind that may have begun something. */
  openedJobs(kind: string): Promise<readonly Job[]>;
  /** Work that is not of one workspace. */
  maintenance?: readonly Job[];
}

/** The due work of the process: one loop per kind of job, so one that hangs or fails holds up no other. */
export function createJobs(options: JobsOptions) {
  const { kinds, maintenance = [], ...common } = options;
  const turns = kinds.map((kind) => createTurns({ kind, ...common }));
  const loopsOfTurns = turns.map((job) => createJobLoop({ job, ...common }));
  const maintenanceLoops = maintenance.map((job) => createJobLoop({ job, ...common }));
  const loops = [...loopsOfTurns, ...maintenanceLoops];

  return {
    /** Does all that is due once, kind after kind, after the rounds under way. Throws the first error at the end. */
    runDue: () =>
      inOrder([
        ...turns.map((kind) => () => kind.runAll()),
        ...maintenanceLoops.map((loop) => () => loop.runOnce()),
      ]),
    /** The same for one workspace. */
    runDueOf: (workspaceId: string) => inOrder(turns.map((kind) => () => kind.runOne(workspaceId))),
    /** Runs the jobs at intervals from now on, each on its own. */
    start() {
      for (const kind of turns) kind.begin();
      for (const loop of loops) loop.start();
    },
    /** Which jobs failed or hang, in words; empty if all is well. */
    whyNotReady: (): string[] => [...new Set([...turns, ...loops].flatMap(problemsOf))],
    /** Starts no more work; resolves when none is under way, or after `deadlineMs`. */
    async stop(deadlineMs: number): Promise<void> {
      await within(Promise.all(loops.map((loop) => loop.stop())), deadlineMs, () => undefined);
    },
  };
}

async function inOrder(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const run of work) await run().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

const problemsOf = ({ name, failure, sinceRoundMs }: Pick<Turns, 'name' | 'failure' | 'sinceRoundMs'>) => [
  ...failed(name, failure()),
  ...late(name, sinceRoundMs()),
];

function failed(name: string, error: unknown): string[] {
  if (error === undefined) return [];
  const isStore = error instanceof StoreUnavailable;
  return [isStore ? 'the database does not answer' : `the last round of ${name} failed; the log says why`];
}

const late = (name: string, waitedMs: number): string[] =>
  waitedMs < maxSinceRoundMs
    ? []
    : [`${name} have not finished a round for ${Math.floor(waitedMs / 60_000)} minutes`];

/** The latest time that a Date can hold. */
const endOfTime = new Date(8.64e15);

/** By the name of the job: the work of the features, then the messages that it writes. */
export const rowsByJob: Record<string, DueRows> = { ...dueRows, messages: dueMessages };

/** The kinds of work that workspaces have. */
export const createDueWork = ({ db }: Pick<Store, 'db'>, realNow: () => number): DueWork[] =>
  Object.entries(rowsByJob).map(([name, rows]) => {
    const hasRolledBack = createRollbackCheck();
    return {
      name,
      async findDue(domainNow) {
        const now = rows.clock === 'real' ? new Date(realNow()) : domainNow;
        // Then each job looks whether its work is planned too late.
        return dueWorkspaces(db, { ...rows, now: hasRolledBack(now) ? endOfTime : now });
      },
    };
  });

/** One kind of work that is due at certain times, such as polls. */
interface DueWork {
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
function createTurns(options: Omit<JobsOptions, 'kinds' | 'maintenance'> & { kind: DueWork }) {
  const { kind, openJob, openedJobs, ...common } = options;
  const { now, monotonicNow } = common;
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

  function createLane(workspaceId: string): Lane {
    const job: Job = {
      name,
      async runDue(at, mayClaim) {
        lane.isCut = false;
        const opened = await openJob(workspaceId, name);
        const startedAt = monotonicNow();
        await opened?.runDue(at, () => {
          if (isStopped || !mayClaim()) return false;
          const isCrowded = places.waiting() > 0 || turnsUnderWay > maxPlaces;
          lane.isCut = isCrowded && monotonicNow() - startedAt >= maxTurnMs;
          return !lane.isCut;
        });
      },
    };
    const loop = createJobLoop({ ...common, job, fields: { workspace: workspaceId } });
    const lane: Lane = { active: 0, retryAt: 0, isCut: false, loop };
    return lane;
  }

  async function inLane(workspaceId: string, run: (lane: Lane) => Promise<void>): Promise<void> {
    const lane = lanes.get(workspaceId) ?? createLane(workspaceId);
    lanes.set(workspaceId, lane);
    lane.active += 1;
    try {
      await run(lane);
    } finally {
      lane.active -= 1;
      // A lane that failed remembers until when it waits.
      if (lane.active === 0 && lane.retryAt === 0) lanes.delete(workspaceId);
    }
  }

  /** One turn, after any that is under way. */
  const take = (workspaceId: string) =>
    inLane(workspaceId, async (lane) => {
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
      }
    });

  /** Takes turns until the workspace's work is done, waiting behind others for each. */
  const work = (workspaceId: string) =>
    inLane(workspaceId, async (lane) => {
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
    });

  function restartClock(): void {
    if (turnEndedAt !== undefined) turnEndedAt = monotonicNow();
  }

  const isWorking = () => [...lanes.values()].some(({ active }) => active > 0);

  return {
    name,
    /** From now on, `sinceRoundMs` counts. */
    begin() {
      turnEndedAt = monotonicNow();
    },
    /** Begins a turn for each workspace that has due work. */
    async runDue(at: Date): Promise<void> {
      for (const workspaceId of await kind.findDue(at)) {
        const lane = lanes.get(workspaceId);
        if (lane && (lane.active > 0 || monotonicNow() < lane.retryAt)) continue;
        // The lane's loop logs a failure, which is tried again at `retryAt`.
        work(workspaceId).catch(() => undefined);
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
    sinceRoundMs: () => (turnEndedAt === undefined ? 0 : monotonicNow() - turnEndedAt),
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

type JobLoop = ReturnType<typeof createJobLoop>;

/** From the end of one round to the start of the next. */
const intervalMs = 1_000;
/** The interval doubles with each failure, up to this. */
const maxIntervalMs = 30_000;
/** After this, a round claims no more work, so that the next one starts with the current time. */
const maxRoundMs = 30_000;

/** Runs one job in rounds that never overlap, and waits for no other job. */
function createJobLoop(
  options: LoopOptions & {
    job: Job;
    /** For the log. */
    fields?: Record<string, unknown>;
  },
) {
  const { job, now, monotonicNow, measure = measureNothing, logger, fields } = options;
  const { name } = job;
  const rounds = createFairQueue({ max: () => 1 });
  let waiting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let failures = 0;
  let failure: unknown;
  let finishedAt: number | undefined;

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
      return isStopped ? Promise.resolve() : underReference(tryRound);
    });
    return waiting;
  }

  const waitMs = () => Math.min(maxIntervalMs, intervalMs * 2 ** Math.min(failures, 10));

  function scheduleNext(): void {
    if (isStopped) return;
    // tryRound has logged the failure.
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
    /** Milliseconds since the last round, or since the start; 0 before either. */
    sinceRoundMs: () => (finishedAt === undefined ? 0 : monotonicNow() - finishedAt),
    /** Starts no more rounds; resolves when no work is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await rounds.run(async () => {});
      await job.finish?.();
    },
  };
}

type ForgetBefore = (db: AllWorkspaces, time: Date, mayGoOn: () => boolean, now: Date) => Promise<unknown>;

const dayMs = 24 * 3_600_000;

/**
 * At the start, then once a day: deletes audit rows, counts of calls and the features' history after `historyDays`, what
 * is left of workspaces that were uninstalled, logins of former accounts, and tokens that expired long ago. What a
 * round has no time for, the next one deletes.
 */
export function createRetentionJob(options: {
  db: AllWorkspaces;
  /** See the registry. */
  forgetBefore: readonly ForgetBefore[];
  historyDays: number;
  cleanUp(): Promise<void>;
  /** The login of the operator's account; '' for none. */
  operatorsLogin: string;
  realNow: () => number;
}): Job {
  const { db, forgetBefore, historyDays, cleanUp, operatorsLogin, realNow } = options;
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'clean-ups',
    async runDue(now, mayGoOn) {
      // The domain clock can jump in both directions.
      if (Math.abs(now.getTime() - doneAt) < dayMs) return;
      const before = new Date(now.getTime() - historyDays * dayMs);
      await cleanUp();
      await finishUninstalls(db, mayGoOn);
      await forgetUnusedLogins(db, sql`id <> ${operatorsLogin}`);
      await forgetExpiredTokens(db, new Date(realNow()), mayGoOn);
      await forgetChanges(db, before, mayGoOn);
      await forgetCallCounts(db, before, mayGoOn);
      for (const forget of forgetBefore) await forget(db, before, mayGoOn, now);
      if (mayGoOn()) doneAt = now.getTime();
    },
  };
}

const saveEveryMs = 60_000;

/** Saves what has been counted, once a minute: a process that is killed loses up to a minute of its statistics. */
export function createStatisticsJob({
  activity,
  monotonicNow,
}: {
  activity: Pick<Activity, 'save'>;
  monotonicNow: () => number;
}): Job {
  let savedAt = monotonicNow();
  return {
    name: 'statistics',
    async runDue() {
      if (monotonicNow() - savedAt < saveEveryMs) return;
      await activity.save();
      savedAt = monotonicNow();
    },
  };
}
