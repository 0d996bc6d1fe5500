// Lists the workspaces, and pauses, resumes or removes one, also while the bot runs: npm run workspaces -- help
import { createInterface } from 'node:readline/promises';
import { pino } from 'pino';
import { operateWorkspaces, UsageError } from './app/operator/operate-workspaces.ts';
import { configOrExit } from './config/config.ts';
import { fullMessageOf } from './errors.ts';

// A reader that stops early (`| head`) is not an error.
process.stdout.on('error', () => {});
process.exitCode = await run().catch((error: unknown) => complain(error));

/** Exit statuses: 0; 1 for a failure, or if something was not done; 2 for wrong arguments or settings. */
async function run(): Promise<number> {
  const { text, isRefused } = await operateWorkspaces(process.argv.slice(2), {
    readConfig: () => configOrExit(process.env),
    ask,
    now: new Date(),
    logger: pino({ level: 'warn' }, process.stderr),
  });
  (isRefused ? process.stderr : process.stdout).write(`${text}\n`);
  return isRefused ? 1 : 0;
}

function complain(error: unknown): number {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${isUsage ? error.message : fullMessageOf(error)}\n`);
  return isUsage ? 2 : 1;
}

/** Undefined at the end of the input. */
async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  terminal.once('close', () => resolve(undefined));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
}
