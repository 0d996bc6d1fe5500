import { type Selectable, type SqlBool, sql } from 'kysely';
import { claimDue, type DueTable } from '../../src/database/due.ts';
import type { Schema } from '../../src/database/schema.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createFleets } from '../../src/features/vessels/fleets.ts';
import { createVesselNames } from '../../src/features/vessels/vessel-names.ts';
import { createWaitsForNone } from '../../src/outbox/order.ts';
import { createOutbox, dueMessages } from '../../src/outbox/outbox.ts';
import { createKinds, type OutboxRow } from '../../src/outbox/outgoing-message.ts';
import { createRowStates } from '../../src/outbox/row-states.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { createDigestFixture } from './digest-fixture.ts';
import { pausingOf } from './pausing.ts';
import { direct } from './statements/direct.ts';
import { databaseNow, seedWorkspace, type TestStore, workspaceId } from './store-engines.ts';
import { createStoreLogger } from './store-logger.ts';
import { createWatchFixture } from './watch-fixture.ts';
import { createWatchSlack, outgoingOf } from './watch-slack.ts';
import { hour } from './watch-story.ts';

export type StoreWorld = Awaited<ReturnType<typeof createStoreWorld>>;

export const dueTables = ['subjects', 'digests', 'outbox'] as const satisfies readonly DueTable[];

interface Claim {
  table: DueTable;
  leaseToken: string;
  row: Selectable<Schema[DueTable]>;
}

/** An empty workspace with everything that writes to its store. In two worlds, the same actions make the same ids. */
export async function createStoreWorld({ database }: TestStore) {
  const { db } = database;
  await db.deleteFrom('workspaces').execute();
  await seedWorkspace(database);
  const ids = { next: 0 };
  const watches = createWatchFixture(database, ids);
  const digests = createDigestFixture(database, ids);
  const slack = createWatchSlack();
  const { newId, followFleets } = watches;
  const realNow = () => watches.clock.realMs;
  const outgoing = outgoingOf(db, newId);
  const kinds = createKinds(outgoing);
  const store = storeOf(db, workspaceId);
  const poster = { store, poster: slack, realNow, newId, logger: createStoreLogger(), outgoing };
  const world = {
    database,
    watches: watches.store,
    digests: digests.store,
    vessels: watches.vessels,
    slack,
    newId,
    realNow,
    now: () => hour(watches.clock.hours),
    by: watches.by,
    // One worker and one message at a time: the same order on both engines.
    poller: watches.openPoller({ workers: 1 }),
    outbox: createOutbox({ ctx: undefined, ...poster, concurrency: 1 }),
    rows: createRowStates({ ctx: undefined, store, kinds, realNow }),
    pausing: pausingOf(db, newId),
    names: createVesselNames({ store, newId, realNow, followFleets }),
    fleets: createFleets({ store, newId, followFleets }),
    audit: createAuditLog(storeOf(db, workspaceId)),
    claims: [] as Claim[],
    pass(hours: number) {
      watches.clock.hours += hours;
      watches.clock.realMs += hours * 3_600_000;
      digests.clock.now = world.now();
    },
    /** As jobs claim; `claims` collects the rows. */
    async claim(table: DueTable, options: { limit: number; leaseMs: number }) {
      const leaseToken = newId();
      const isOutbox = table === 'outbox';
      const now = isOutbox ? new Date(realNow()) : world.now();
      const where = isOutbox
        ? { where: sql<SqlBool>`${dueMessages.where} and ${createWaitsForNone(kinds, store)}` }
        : {};
      const rows = await claimDue({
        store,
        table,
        now,
        leaseToken,
        ...options,
        ...where,
      });
      world.claims.push(...rows.map((row) => ({ table, leaseToken, row })));
      return rows.map(({ id, attempts }) => [id, attempts]);
    },
    outboxRow: ({ table, row }: Claim): OutboxRow | undefined =>
      // The rows of each claim are of its table.
      table === 'outbox' ? (row as OutboxRow) : undefined,
  };
  world.pass(0);
  return world;
}

/** The contents of all tables that actions change, as far as they can be the same in two stores. */
export async function contentsOf({ database }: StoreWorld): Promise<unknown> {
  const now = await databaseNow(database);
  const tables = [
    ...dueTables,
    ...(['watches', 'followings', 'history', 'audit', 'channels', 'leases'] as const),
    ...([
      'digest_numbers',
      'vessel_names',
      'vessel_references',
      'fleets',
      'fleet_vessels',
      'workspaces',
    ] as const),
  ];
  const contents: Record<string, unknown> = {};
  for (const table of tables) {
    // Any of these tables.
    const rows: object[] = await direct(database.db)
      .selectFrom(table as 'watches')
      .selectAll()
      .execute();
    contents[table] = inOrder(rows, now);
  }
  return contents;
}

function inOrder(rows: readonly object[], now: number): unknown[] {
  const sequences = rows.map(sequenceOf).sort((a, b) => a - b);
  const comparable = rows.map((row) => ({
    ...row,
    ...('sequence' in row && { sequence: sequences.indexOf(sequenceOf(row)) }),
    ...('lease_until' in row && { lease_until: minutesLeft(row.lease_until, now) }),
  }));
  return comparable
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
}

const sequenceOf = (row: object): number => ('sequence' in row ? Number(row.sequence) : 0);

/** In whole minutes, because the two stores were not written at the same moment. */
const minutesLeft = (until: unknown, now: number): number | null =>
  until instanceof Date ? Math.max(0, Math.ceil((until.getTime() - now) / 60_000)) : null;
