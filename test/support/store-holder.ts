// A separate process that opens a store (a directory, or an address of PostgreSQL) like a bot, takes leases, and writes
// pairs of rows, each in one transaction, until it is killed. Reports each pair with a line.

import { setImmediate } from 'node:timers/promises';
import { connectDatabase } from '../../src/database/connect.ts';
import { claimDue, createLease } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createStoreLogger } from './store-logger.ts';

const place = process.argv[2] ?? '';
const location = place.startsWith('postgres:') ? { url: place } : { dataDir: place };
const { db } = await connectDatabase({ ...location, logger: createStoreLogger() });
const now = new Date();
const workspaceId = 'held';
const workspace = { id: workspaceId, name: 'Held', created_at: now };
await db
  .insertInto('workspaces')
  .values(workspace)
  .onConflict((conflict) => conflict.doNothing())
  .execute();
const leaseMs = 600_000;
await createLease(storeOf(db, workspaceId), { key: 'held', token: 'killed' }).acquire(leaseMs);
await claimDue({
  store: storeOf(db, workspaceId),
  table: 'outbox',
  now,
  limit: 100,
  leaseMs,
  leaseToken: 'killed',
});

for (let number = 1; ; number += 1) {
  const id = `${process.pid} ${number}`;
  await db.transaction().execute(async (transaction) => {
    const change = { id, workspace_id: workspaceId, at: now, actor_id: 'U1', action: 'pair', subject: '' };
    await transaction.insertInto('audit').values(change).execute();
    await setImmediate();
    const other = { workspace_id: workspaceId, channel_id: id, last: number };
    await transaction.insertInto('digest_numbers').values(other).execute();
  });
  process.stdout.write(`${number}\n`);
}
