import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Feature, Job } from '../features/feature.ts';
import { forgetChanges } from '../workspaces/audit.ts';

const dayMs = 24 * 3_600_000;

/** Deletes audit rows and the features' history after `historyDays`: at the start, then once a day. */
export function createRetentionJob(options: {
  db: Kysely<Schema>;
  features: readonly Feature[];
  historyDays: number;
}): Job {
  const { db, features, historyDays } = options;
  return {
    name: 'retention',
    runDue: oncePerDay(async (now) => {
      const before = new Date(now.getTime() - historyDays * dayMs);
      await forgetChanges(db, before);
      for (const { forgetBefore } of features) await forgetBefore?.(before);
    }),
  };
}

/** By the domain clock, which can jump in both directions. */
function oncePerDay(job: (now: Date) => Promise<unknown>): (now: Date) => Promise<void> {
  let doneAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    if (Math.abs(now.getTime() - doneAt) < dayMs) return;
    await job(now);
    doneAt = now.getTime();
  };
}
