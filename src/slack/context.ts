import type { Context } from '@slack/bolt';
import { createCache, within } from '../cache.ts';
import type { Command, ParseLine } from '../features/command.ts';
import type { WorkCtx } from '../features/ctx.ts';
import type { Feature } from '../features/feature.ts';
import type { Logger } from '../log.ts';
import type { Measure } from '../measure.ts';
import type { SlackConnection } from './connection/connect.ts';

export interface Timing {
  /** When “Working on it …” is shown. */
  workingMs: number;
  /** For a whole command. */
  deadlineMs: number;
}

/** What the workspaces of a process share at the edge. */
export interface SharedSlack {
  fetch: typeof globalThis.fetch;
  realNow: () => number;
  /** Slack treats direct messages with the app as those with an agent (SLACK_AGENT). */
  isAgent: boolean;
  measure: Measure;
  logger: Logger;
  timing: Timing;
  inFlight: InFlight;
}

export const createSharedSlack = ({
  timing,
  ...options
}: Omit<SharedSlack, 'timing' | 'inFlight'> & { timing?: Partial<Timing> }): SharedSlack => ({
  ...options,
  timing: { workingMs: 2_000, deadlineMs: 15_000, ...timing },
  inFlight: createInFlight(options),
});

/** A workspace at the edge: what answers a delivery for it. */
export interface SlackContext extends SharedSlack, SlackConnection {
  ctx: WorkCtx;
  features: readonly Feature[];
  commands: readonly Command[];
  parseLine: ParseLine;
  workspaceId: string;
  /** By the operator; at most a second old. */
  isPaused(): Promise<boolean>;
  /** Called when a person asks something that may be answered. */
  recordUse(): void;
  /** Does the workspace's due work without waiting for the timer. */
  runDue(): Promise<void>;
}

/** The key in Bolt's context under which edge.ts stores the workspace of a delivery, or `unavailable`. */
export const slackKey = 'landfall';

/** The workspace that a delivery is for. A delivery without one reaches no listener: see edge.ts. */
export const slackFor = (context: Context): SlackContext =>
  // Bolt's context holds what `authorize` in edge.ts returns, as `any`.
  context[slackKey] as SlackContext;

/** Runs the work of one delivery once, however often Slack repeats it. A stop waits for it. */
export const runOnce = (
  key: string,
  work: () => Promise<void>,
  { inFlight, workspaceId }: Pick<SlackContext, 'inFlight' | 'workspaceId'>,
): Promise<void> => inFlight.runOnce(`${workspaceId} ${key}`, work);

export type InFlight = ReturnType<typeof createInFlight>;

/** Work that is acknowledged but not yet answered. Slack repeats a delivery for up to 6 minutes. */
export function createInFlight({ realNow, max = 20_000 }: { realNow?: () => number; max?: number } = {}) {
  const running = new Set<Promise<unknown>>();
  const runs = createCache<Promise<void>>({ ttlMs: 15 * 60_000, max, ...(realNow && { realNow }) });

  /** Lets a stop wait for this work. */
  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
    return work;
  }

  async function unlessDone(key: string, work: () => Promise<void>): Promise<void> {
    for (let earlier = runs.get(key); earlier; earlier = runs.get(key)) {
      const [result] = await Promise.allSettled([earlier]);
      if (result.status === 'fulfilled') return;
    }
    const run = work();
    runs.set(key, run);
    try {
      await run;
    } catch (error) {
      if (runs.peek(key) === run) runs.delete(key);
      throw error;
    }
  }

  return {
    track,
    /** Does the work of a delivery once. After a failure a repeat does it again. */
    runOnce: (key: string, work: () => Promise<void>): Promise<void> => track(unlessDone(key, work)),
    count: () => running.size,
    /** Resolves when all work has finished (true), or after `deadlineMs` (false). */
    async drained(deadlineMs: number): Promise<boolean> {
      const settle = async () => {
        while (running.size > 0) await Promise.allSettled(running);
      };
      await within(settle(), deadlineMs, () => undefined);
      return running.size === 0;
    },
  };
}
