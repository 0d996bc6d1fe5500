import type { Job } from '../features/feature.ts';
import type { Activity } from '../workspaces/activity.ts';

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
