import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Prediction } from '../../../analytics/answers.ts';
import type { Schema } from '../../../database/schema.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { date, imo, locode } from '../../../reference/stored-values.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import type { Polled } from './polled.ts';

type Answered = Exclude<Snapshot, { kind: 'failed' }>;

/** One row per vessel or port and poll; a list's vessels as if they had been asked alone. */
export async function writeHistory(db: Kysely<Schema>, polls: readonly Polled[]): Promise<void> {
  const rows = polls.flatMap(({ row, snapshot }) =>
    snapshot.kind === 'failed'
      ? []
      : entriesOf(snapshot).map(({ kind, key, predictions }) => ({
          workspace_id: row.workspace_id,
          credential_id: row.credential_id,
          kind,
          key,
          polled_at: snapshot.at,
          predictions: { scale: snapshot.scale, records: predictions },
        })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into history (workspace_id, credential_id, kind, key, polled_at, predictions)
    select workspace_id, credential_id, kind, key, polled_at, predictions
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as polled (
      workspace_id text, credential_id text, kind text, key text, polled_at timestamptz, predictions jsonb
    ) on conflict (credential_id, kind, key, polled_at) do nothing`.execute(db);
}

function entriesOf(snapshot: Answered): { kind: string; key: string; predictions: readonly Prediction[] }[] {
  const { predictions } = snapshot;
  switch (snapshot.kind) {
    case 'vessel':
      return [{ kind: 'vessel', key: String(snapshot.imo), predictions }];
    case 'port':
      return [{ kind: 'port', key: snapshot.port, predictions }];
    case 'shiplist': {
      const byVessel = Map.groupBy(predictions, (prediction) => prediction.imo);
      return [...byVessel].map(([key, records]) => ({
        kind: 'vessel',
        key: String(key),
        predictions: records,
      }));
    }
  }
}

const storedHistory = z.object({
  scale: z.enum(['fraction', 'percent']),
  records: z.array(
    z.object({
      imo,
      port: locode,
      probability: z.number(),
      eta: z.exactOptional(date),
      etaZone: z.enum(['given', 'assumed-utc']),
    }),
  ),
});

/** What was predicted for the vessels of a port, oldest first, as polled from `from` on. */
export async function readPortHistory(
  db: Kysely<Schema>,
  { credentialId, port, from }: { credentialId: string; port: Locode; from: Date },
): Promise<Extract<Snapshot, { kind: 'port' }>[]> {
  const rows = await readRows(db, { credentialId, kind: 'port', key: port, from });
  return rows.map((row) => ({ kind: 'port', port, ...row }));
}

/** What was predicted for a vessel, oldest first, as polled from `from` on. */
export async function readVesselHistory(
  db: Kysely<Schema>,
  { credentialId, vessel, from }: { credentialId: string; vessel: Imo; from: Date },
): Promise<Extract<Snapshot, { kind: 'vessel' }>[]> {
  const rows = await readRows(db, { credentialId, kind: 'vessel', key: String(vessel), from });
  return rows.map((row) => ({ kind: 'vessel', imo: vessel, ...row }));
}

async function readRows(
  db: Kysely<Schema>,
  { credentialId, kind, key, from }: { credentialId: string; kind: string; key: string; from: Date },
) {
  const rows = await db
    .selectFrom('history')
    .select(['polled_at', 'predictions'])
    .where('credential_id', '=', credentialId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('polled_at', '>=', from)
    .orderBy('polled_at')
    .execute();
  return rows.map((row) => ({ at: row.polled_at, ...readKept(row.predictions) }));
}

/** What a row of the history holds. */
export function readKept(column: unknown) {
  const { scale, records } = storedHistory.parse(column);
  return { scale, predictions: records };
}

/** Takes out what is older than its time, and the outbox's finished rows with it; gives back how many. */
export async function forgetHistory(db: Kysely<Schema>, olderThan: Date): Promise<number> {
  const history = await db.deleteFrom('history').where('polled_at', '<', olderThan).executeTakeFirst();
  await db
    .deleteFrom('outbox')
    .where('created_at', '<', olderThan)
    .where('status', 'in', ['sent', 'merged', 'failed'])
    .execute();
  return Number(history.numDeletedRows);
}
