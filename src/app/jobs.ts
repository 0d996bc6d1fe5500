import { within } from '../cache.ts';
import { createRollbackCheck, type DueRows, dueWorkspaces } from '../database/due.ts';
import { StoreUnavailable } from '../errors.ts';
import type { Job } from '../features/feature.ts';
import { dueRows } from '../features/index.ts';
import type { Logger } from '../log.ts';
import type { Measure } from '../measure.ts';
import { dueMessages } from '../outbox/outbox.ts';
import type { Store } from './store.ts';
import { createJobLoop, createTurns, type DueWork, type JobLoop, type Turns } from './turns.ts';

export type Jobs = ReturnType<typeof createJobs>;

/** A round claims work for half a minute and then finishes what it has claimed. */
const maxSinceRoundMs = 2 * 60_000;

/** The due work of the process: one loop per kind of job, so one that hangs or fails holds up no other. */
export function createJobs(options: {
  /** The kinds of work that workspaces have, in which they take turns. */
  kinds: readonly DueWork[];
  /** Undefined if no work may be done for that workspace now. */
  openJob(workspaceId: string, kind: string): Promise<Job | undefined>;
  openedJobs(kind: string): Promise<readonly Job[]>;
  /** Work that is not of one workspace. */
  maintenance?: readonly Job[];
  /** The domain clock. */
  now: () => Date;
  monotonicNow: () => number;
  measure?: Measure;
  logger: Logger;
}) {
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
    whyNotReady: (): string[] => [
      ...new Set([...turns.flatMap(troublesOfTurns), ...loops.flatMap(troublesOf)]),
    ],
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

const troublesOf = ({ name, failure, sinceRoundMs }: JobLoop): string[] => [
  ...failed(name, failure()),
  ...late(name, sinceRoundMs() ?? 0),
];

const troublesOfTurns = ({ name, failure, sinceTurnMs }: Turns): string[] => [
  ...failed(name, failure()),
  ...late(name, sinceTurnMs()),
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
