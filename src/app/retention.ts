import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Feature, Job } from '../features/feature.ts';
import { forgetChanges } from '../workspaces/audit.ts';
import { finishUninstalls } from '../workspaces/workspaces.ts';

const dayMs = 24 * 3_600_000;

/**
 * At the start, then once a day: deletes audit rows and the features' history after `historyDays`, and what is left of
 * workspaces that were uninstalled. What a round has no time for, the next one deletes.
 */
export function createRetentionJob(options: {
  db: Kysely<Schema>;
  features: readonly Feature[];
  historyDays: number;
}): Job {
  const { db, features, historyDays } = options;
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'clean-ups',
    async runDue(now, mayGoOn) {
      // The domain clock can jump in both directions.
      if (Math.abs(now.getTime() - doneAt) < dayMs) return;
      const before = new Date(now.getTime() - historyDays * dayMs);
      await finishUninstalls(db, mayGoOn);
      await forgetChanges(db, before, mayGoOn);
      for (const { forgetBefore } of features) await forgetBefore?.(before, mayGoOn);
      if (mayGoOn()) doneAt = now.getTime();
    },
  };
}
