// A separate process that makes one call with the shared token: waits for a line on stdin, writes `asking`, then
// `answered` or the error.
import { once } from 'node:events';
import { connectDatabase } from '../../src/database/connect.ts';
import { createSecretBox } from '../../src/database/secrets.ts';
import type { Imo } from '../../src/reference/imo.ts';
import { createDatabaseTokenStore } from '../../src/workspaces/logins.ts';
import { createLoneClient } from './analytics-client.ts';
import { createStoreLogger } from './store-logger.ts';

const [url, baseUrl, loginId = ''] = process.argv.slice(2);
const database = await connectDatabase({ url, logger: createStoreLogger() });
const box = createSecretBox([Buffer.alloc(32, 7)]);
const client = createLoneClient({
  baseUrl: baseUrl ?? '',
  apiKey: 'key',
  credentials: { userId: 'u1', password: 'hunter2' },
  now: () => new Date(),
  tokenStore: createDatabaseTokenStore({ db: database.db, box, loginId }),
});
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdout.write('asking\n');
const outcome = await client.vesselPredictions(9461477 as Imo).then(
  () => 'answered',
  (error: unknown) => String(error),
);
process.stdout.write(`${outcome}\n`);
await database.close();
process.stdin.destroy();
