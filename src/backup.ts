// Writes the whole store to a file, also while the bot runs: npm run backup -- FILE [--overwrite]
import { pino } from 'pino';
import { configOrExit } from './config/config.ts';
import { backUp } from './database/backup-file.ts';
import { fullMessageOf } from './errors.ts';

const words = process.argv.slice(2);
const [file, ...others] = words.filter((word) => word !== '--overwrite');
const overwrite = words.includes('--overwrite');
process.exitCode = await run().catch((error: unknown) => complain(fullMessageOf(error), 1));

/** Exit statuses: 0; 1 for a failure; 2 for wrong arguments or settings. */
async function run(): Promise<number> {
  if (!file || others.length > 0) return complain('Name one file: npm run backup -- FILE [--overwrite]', 2);
  const { databaseUrl, storeDir } = configOrExit(process.env);
  const logger = pino({ level: 'warn' }, process.stderr);
  const count = await backUp(file, { url: databaseUrl, dataDir: storeDir, logger, overwrite });
  const wrote = `Wrote ${count === 1 ? '1 row' : `${count} rows`} to ${file}.`;
  const advice = 'Its secrets are sealed: store the encryption key too, in another place.';
  process.stdout.write(`${wrote} ${advice}\n`);
  return 0;
}

function complain(text: string, status: number): number {
  process.stderr.write(`${text}\n`);
  return status;
}
