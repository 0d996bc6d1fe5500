// Fills an empty store from a backup: npm run restore -- FILE
import { pino } from 'pino';
import { configOrExit } from './config/config.ts';
import { restore } from './database/backup-file.ts';
import { keyPath } from './database/secrets.ts';
import { fullMessageOf } from './errors.ts';

const [file, ...others] = process.argv.slice(2);
process.exitCode = await run().catch((error: unknown) => complain(fullMessageOf(error), 1));

/** Exit statuses: 0; 1 for a failure; 2 for wrong arguments or settings. */
async function run(): Promise<number> {
  if (!file || others.length > 0) return complain('Name one file: npm run restore -- FILE', 2);
  const { databaseUrl, storeDir, encryptionKey } = configOrExit(process.env);
  const logger = pino({ level: 'warn' }, process.stderr);
  const { rows, hasSecrets } = await restore(file, { url: databaseUrl, dataDir: storeDir, logger });
  process.stdout.write(`Restored ${rows === 1 ? '1 row' : `${rows} rows`} from ${file}.\n`);
  if (hasSecrets) {
    const path = databaseUrl === undefined && storeDir !== undefined ? keyPath(storeDir) : undefined;
    process.stdout.write(`${keyNote({ path, isSet: encryptionKey !== undefined })}\n`);
  }
  return 0;
}

/** Landfall does not start without the key that sealed the secrets. */
function keyNote({ path, isSet }: { path: string | undefined; isSet: boolean }): string {
  const sealed = 'Its secrets open only with the key that sealed them.';
  if (isSet || path === undefined)
    return `${sealed} LANDFALL_ENCRYPTION_KEY has to hold that key when you start Landfall.`;
  return `${sealed} Before you start Landfall, copy the encryption.key of the store that was backed up to ${path}`;
}

function complain(text: string, status: number): number {
  process.stderr.write(`${text}\n`);
  return status;
}
