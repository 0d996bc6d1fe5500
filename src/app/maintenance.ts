import { sql } from 'kysely';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import type { Job } from '../features/feature.ts';
import { forgetUnusedLogins } from '../workspaces/accounts.ts';
import type { Activity } from '../workspaces/activity.ts';
import { forgetExpiredTokens } from '../workspaces/assistant-tokens.ts';
import { forgetChanges } from '../workspaces/audit.ts';
import { forgetCallCounts } from '../workspaces/call-counts.ts';
import { finishUninstalls } from '../workspaces/workspaces.ts';

type ForgetBefore = (db: AllWorkspaces, time: Date, mayGoOn: () => boolean, now: Date) => Promise<unknown>;

const dayMs = 24 * 3_600_000;

/**
 * At the start, then once a day: deletes audit rows, counts of calls and the features' history after `historyDays`, what
 * is left of workspaces that were uninstalled, logins of former accounts, and tokens that expired long ago. What a round has no time for, the next one
 * deletes.
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

const intervalMs = 60_000;

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
      if (monotonicNow() - savedAt < intervalMs) return;
      await activity.save();
      savedAt = monotonicNow();
    },
  };
}
