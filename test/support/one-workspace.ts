import type { createJobs } from '../../src/app/jobs.ts';
import type { Job } from '../../src/features/feature.ts';

/** For createJobs: one workspace, which always has work due, with these jobs. */
export const oneWorkspace = (
  ...jobs: readonly Job[]
): Pick<Parameters<typeof createJobs>[0], 'kinds' | 'openJob' | 'openedJobs'> => ({
  kinds: jobs.map(({ name }) => ({ name, findDue: async () => ['T1'] })),
  openJob: async (_, kind) => jobs.find(({ name }) => name === kind),
  openedJobs: async (kind) => jobs.filter(({ name }) => name === kind),
});
