import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { createYieldToEventLoop } from '../../database/yield-to-event-loop.ts';
import type { ReadDigestRuns } from '../scheduled-calls.ts';
import { isPersonalDigest, readDigest } from './digest.ts';
import { requestsPerRun } from './requests.ts';
import { countRuns } from './schedule.ts';

export function createReadDigestRuns({ store }: { store: WorkspaceStore }): ReadDigestRuns {
  return async ({ from, now, until }) => {
    const rows = await store.selectFrom('digests').selectAll().orderBy('id').execute();
    const runs: Awaited<ReturnType<ReadDigestRuns>> = [];
    const yieldToEventLoop = createYieldToEventLoop();
    for (const row of rows) {
      await yieldToEventLoop();
      const digest = readDigest(row);
      const { id, title, schedule, zone, status, lines } = digest;
      const isRunning = status === 'active' && row.removed_at === null;
      const begin = row.created_at > from ? row.created_at : from;
      runs.push({
        id,
        title,
        channelId: isPersonalDigest(digest) ? null : digest.channelId,
        past: countRuns(schedule, zone, { from: begin, until: now }),
        left: isRunning ? countRuns(schedule, zone, { from: now, until }) : 0,
        callsPerRun: requestsPerRun(lines),
      });
    }
    return runs;
  };
}
