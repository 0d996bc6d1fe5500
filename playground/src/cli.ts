#!/usr/bin/env node
import { readArguments, USAGE } from './cli/arguments.ts';
import { runPlayground } from './cli/run-playground.ts';
import { UsageError } from './cli/usage-error.ts';

try {
  const args = readArguments(process.argv.slice(2));
  if (args === 'help') process.stdout.write(USAGE);
  else process.exitCode = await runPlayground(args);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
