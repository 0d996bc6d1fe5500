import { createYieldToEventLoop } from '../../database/yield-to-event-loop.ts';
import type { DigestRuns } from '../scheduled-calls.ts';
import type { AskCtx } from '../variant.ts';
import { isPersonalDigest, readDigest } from './digest.ts';
import { requestsPerRun } from './requests.ts';
import { countRuns } from './schedule.ts';

/** Of all digests, also of those that can still be restored. */
export async function digestRuns(
  { from, now, until }: { from: Date; now: Date; until: Date },
  { services: { store } }: Pick<AskCtx, 'services'>,
): Promise<DigestRuns[]> {
  const rows = await store.selectFrom('digests').selectAll().orderBy('id').execute();
  const runs: DigestRuns[] = [];
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
}
