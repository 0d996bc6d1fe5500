// A separate process that opens the embedded store, writes a row, serves backups, reports that, and keeps running.
import { serveBackups } from '../../src/database/backup-socket.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { createStoreLogger } from './store-logger.ts';

const dataDir = process.argv[2] ?? '';
const logger = createStoreLogger();
const { db } = await connectDatabase({ dataDir, logger });
await db.insertInto('workspaces').values({ id: 'T2', name: 'Two', created_at: new Date() }).execute();
await serveBackups({ db, dataDir, logger });
process.stdout.write('ready\n');
setInterval(() => {}, 60_000);
