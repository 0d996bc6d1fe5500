import { enableCompileCache } from 'node:module';

// By itself V8 gives 128 MB to what has just been made, and much to what was kept, and reads the first bound before
// the first line of a program: so the process begins again with both. A smaller first one costs time and memory.
const youngBound = '--max-semi-space-size';
const bounds = [`${youngBound}=8`, '--heap-growing-percent=40'];
const { execPath, execArgv, argv, env, platform } = process;
const isBound = [...execArgv, env.NODE_OPTIONS ?? ''].some((option) =>
  option.replaceAll('_', '-').includes(youngBound),
);
if (!isBound && platform !== 'win32')
  process.execve?.(execPath, [execPath, ...bounds, ...execArgv, ...argv.slice(1)], env);
// What is imported after this starts from compiled code: a quicker start, and less memory.
enableCompileCache();
const { pino } = await import('pino');
const { ConfigError, createConfig } = await import('./config.ts');
const { createApp, readVersion } = await import('./app/app.ts');

const stopWithinMs = 10_000;
const sameSignalMs = 1_000;

const config = readConfig();
const logger = pino({
  level: config.logLevel,
  redact: { paths: ['*.token', '*.password', '*.apiKey', '*.authorization', 'headers'], censor: '[secret]' },
});
const app = createApp({ config, logger, version: readVersion() });

let stoppingSince: number | undefined;
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('unhandledRejection', (reason) => {
  logger.fatal({ err: reason }, 'a failure that nobody caught');
  process.exit(1);
});

try {
  const { greeting } = await app.start();
  process.stdout.write(`${greeting}\n`);
} catch (error) {
  logger.debug({ err: error }, 'start failed');
  process.stderr.write(`Landfall could not start: ${error instanceof Error ? error.message : error}\n`);
  await app.stop(0);
  process.exit(1);
}

function stop(signal: NodeJS.Signals): void {
  // npm passes on a Ctrl-C that the process has had already. A later one is from somebody who won't wait.
  if (stoppingSince !== undefined) {
    if (performance.now() - stoppingSince > sameSignalMs) process.exit(1);
    return;
  }
  stoppingSince = performance.now();
  logger.info({ signal }, 'stopping');
  app.stop(stopWithinMs - 500).then(
    ({ unfinished }) => {
      logger.info({ unfinished }, 'stopped');
      process.exit(0);
    },
    (error: unknown) => {
      logger.error({ err: error }, 'stopped uncleanly');
      process.exit(1);
    },
  );
}

function readConfig() {
  try {
    return createConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
