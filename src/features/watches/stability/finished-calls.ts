import { subDays } from 'date-fns/subDays';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { deleteInBatches } from '../../../database/delete-in-batches.ts';
import { inChunks } from '../../../database/in-chunks.ts';
import type { Schema } from '../../../database/schema.ts';
import { createYieldToEventLoop } from '../../../database/yield-to-event-loop.ts';
import type { Imo } from '../../../reference/imo.ts';
import { date, imo, locode } from '../../../reference/stored-values.ts';
import { type FinishedCall, readings } from './finished-call.ts';

/** More than a hundred busy vessels make in a year. */
const maxCalls = 10_000;

/** Of these vessels, the newest first: all, unless there are very many. */
export async function readFinishedCalls(
  db: Kysely<Schema>,
  { workspaceId, imos }: { workspaceId: string; imos: readonly Imo[] },
): Promise<FinishedCall[]> {
  const calls: FinishedCall[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (const chunk of inChunks(imos)) {
    const rows = await db
      .selectFrom('finished_calls')
      .select(['imo', 'previous_port', 'port', 'last_eta', 'ended_at', 'readings'])
      .where('workspace_id', '=', workspaceId)
      .where('imo', 'in', chunk)
      .orderBy('ended_at', 'desc')
      .orderBy('imo')
      .limit(maxCalls)
      .execute();
    for (const row of rows) {
      await yieldToEventLoop();
      // A newer version may have written readings that this one doesn't know.
      const { data } = storedCall.safeParse(row);
      if (data) calls.push(data);
    }
  }
  return calls.sort((one, other) => other.endedAt.getTime() - one.endedAt.getTime());
}

const storedCall = z
  .object({
    imo,
    previous_port: locode.nullable(),
    port: locode,
    last_eta: date,
    ended_at: date,
    readings,
  })
  .transform(
    ({ previous_port: previousPort, last_eta: lastEta, ended_at: endedAt, ...call }): FinishedCall => ({
      ...call,
      previousPort,
      lastEta,
      endedAt,
    }),
  );

const minDays = 365;

/** They are stored for a year, or as long as the history if that is longer. */
export async function forgetFinishedCalls(
  db: Kysely<Schema>,
  olderThan: Date,
  mayGoOn: () => boolean,
  now: Date,
): Promise<number> {
  const time = new Date(Math.min(olderThan.getTime(), subDays(now, minDays).getTime()));
  const isOlder = sql<SqlBool>`ended_at < ${time}`;
  return await deleteInBatches(db, { work: 'retention', mayGoOn, table: 'finished_calls', where: isOlder });
}
