import { addHours } from 'date-fns/addHours';
import { max } from 'date-fns/max';
import { subHours } from 'date-fns/subHours';
import { type Kysely, sql } from 'kysely';
import { firstOfEachKey, rankProspects } from '../../../analytics/rank-prospects.ts';
import type { Schema } from '../../../database/schema.ts';
import { valuesList } from '../../../database/values-list.ts';
import type { Imo } from '../../../reference/imo.ts';
import { readPredictions } from '../polling/history.ts';
import type { EndedCall, Lead, Readings } from './finished-call.ts';
import { leads } from './finished-call.ts';

/** A reading is the last poll at or before its time, at most this much older: the longest interval between two polls. */
const maxReadingAgeHours = 6;

/** Another subject with the same vessel finds the same end at its next poll, which is at most a day later. */
const sameEndHours = 48;

/**
 * Stores the calls that ended in these polls, whose history must be written. A vessel that several subjects poll counts
 * once: whoever comes second finds the call as the vessel's last one, or its number taken.
 */
export async function writeFinishedCalls(
  db: Kysely<Schema>,
  ended: readonly EndedCall[],
  { workspaceId }: { workspaceId: string },
): Promise<void> {
  if (ended.length === 0) return;
  // In one order, so that two transactions don't wait for each other.
  const sorted = ended.toSorted(
    (one, other) => one.imo - other.imo || one.since.getTime() - other.since.getTime(),
  );
  const imos = [...new Set(sorted.map(({ imo }) => imo))];
  const recent = await readRecent(db, { workspaceId, imos });
  const lastNumber = (imo: Imo) => recent.get(imo)?.[0]?.number ?? 0;
  // An earlier call is the same if this one was under way at its end; otherwise the vessel has come back.
  const isStored = ({ imo, port, since, endedAt }: EndedCall) =>
    (recent.get(imo) ?? []).some(
      (call, index) =>
        call.port === port &&
        endedAt < addHours(call.ended_at, sameEndHours) &&
        (index === 0 || since < call.ended_at),
    );
  const calls = firstOfEachKey(
    sorted.filter((call) => !isStored(call)),
    ({ imo }) => String(imo),
  );
  if (calls.length === 0) return;
  const readings = await readReadings(db, { workspaceId, calls });
  await db
    .insertInto('finished_calls')
    .values(
      calls.map((call) => ({
        workspace_id: workspaceId,
        imo: call.imo,
        number: lastNumber(call.imo) + 1,
        previous_port: call.previousPort,
        port: call.port,
        last_eta: call.lastEta,
        ended_at: call.endedAt,
        readings: JSON.stringify(readings.get(call.imo) ?? noReadings),
      })),
    )
    .onConflict((conflict) => conflict.columns(['workspace_id', 'imo', 'number']).doNothing())
    .execute();
}

/** More calls don't end within the time that another subject may be late. */
const recentCalls = 4;

/** The last calls of each vessel, the newest first. */
async function readRecent(
  db: Kysely<Schema>,
  { workspaceId, imos }: { workspaceId: string; imos: readonly Imo[] },
) {
  const { rows } = await sql<{ imo: number; number: number; port: string; ended_at: Date }>`
    select imo, number, port, ended_at
    from (${valuesList(
      imos.map((imo) => [imo]),
      ['integer'],
    )}) as wanted cross join finished_calls
    where workspace_id = ${workspaceId} and imo = column1 and number > (
      select max(number) from finished_calls where workspace_id = ${workspaceId} and imo = column1
    ) - ${recentCalls}
    order by imo, number desc`.execute(db);
  return Map.groupBy(rows, ({ imo }) => imo);
}

const noReadings: Readings = { 72: null, 48: null, 24: null };

async function readReadings(
  db: Kysely<Schema>,
  { workspaceId, calls }: { workspaceId: string; calls: readonly EndedCall[] },
): Promise<Map<number, Readings>> {
  const wanted = calls.flatMap(({ imo, lastEta, since }) =>
    leads.map((lead) => {
      const at = subHours(lastEta, lead);
      return [String(imo), lead, at, max([since, subHours(at, maxReadingAgeHours)])] as const;
    }),
  );
  const ofVessel = sql`workspace_id = ${workspaceId} and kind = 'vessel' and key = column1`;
  const { rows } = await sql<{ key: string; lead: Lead; predictions: unknown }>`
    select key, column2 as lead, predictions
    from (${valuesList(wanted, ['text', 'integer', 'bigint', 'bigint'])}) as wanted cross join history
    where ${ofVessel} and polled_at = (
      select max(polled_at) from history where ${ofVessel} and polled_at <= column3 and polled_at >= column4
    )`.execute(db);
  const readings = new Map<number, Readings>();
  for (const { key, lead, predictions } of rows) {
    const [top = null] = rankProspects(readPredictions(predictions).predictions);
    const imo = Number(key);
    readings.set(imo, { ...(readings.get(imo) ?? noReadings), [lead]: top });
  }
  return readings;
}
