// Writes the whole store to a file, also while the bot runs: npm run backup -- FILE [--overwrite]
import { pino } from 'pino';
import { ConfigError, createConfig } from './config/config.ts';
import { backUp } from './database/backup-file.ts';
import { StoreError } from './database/store-error.ts';

const overwriteOption = '--overwrite';
const words = process.argv.slice(2);
const [file, ...others] = words.filter((word) => word !== overwriteOption);
const overwrite = words.includes(overwriteOption);
process.exitCode = await run();

/** Exit statuses: 0; 1 for a failure; 2 for wrong arguments or settings. */
async function run(): Promise<number> {
  if (!file || others.length > 0) return complain('Name one file: npm run backup -- FILE [--overwrite]', 2);
  try {
    const { databaseUrl, storeDir } = createConfig(process.env);
    const logger = pino({ level: 'warn' }, process.stderr);
    const count = await backUp(file, { url: databaseUrl, dataDir: storeDir, logger, overwrite });
    process.stdout.write(
      `${`Wrote ${rows(count)} to ${file}. Its secrets are sealed: store the encryption key too, in another place.`}\n`,
    );
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) return complain(error.message, 2);
    if (error instanceof StoreError) return complain(error.message, 1);
    return complain(error instanceof Error ? error.message : String(error), 1);
  }
}

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function complain(text: string, status: number): number {
  process.stderr.write(`${text}\n`);
  return status;
}
