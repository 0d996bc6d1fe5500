import type { Job } from '../features/feature.ts';
import type { Activity } from '../workspaces/activity.ts';

const intervalMs = 60_000;

/** Saves what has been counted, once a minute: a process that is killed loses up to a minute of its statistics. */
export function createStatisticsJob({
  activity,
  realNow,
}: {
  activity: Pick<Activity, 'save'>;
  realNow: () => number;
}): Job {
  let savedAt = realNow();
  return {
    name: 'statistics',
    async runDue() {
      // After a clock rollback the difference is negative.
      if (Math.abs(realNow() - savedAt) < intervalMs) return;
      await activity.save();
      savedAt = realNow();
    },
  };
}
