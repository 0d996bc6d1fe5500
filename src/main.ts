import { enableCompileCache } from 'node:module';

// @date-fns/tz is exact for other zones only if the process itself is in UTC.
process.env.TZ = 'UTC';
// Caches compiled code, for a quicker start and less memory. It has to come before the imports below.
enableCompileCache();
const { pino } = await import('pino');
const { configOrExit, envFileWarnings } = await import('./config/config.ts');
const { proxyHost } = await import('./config/proxy.ts');
const { messageOf } = await import('./errors.ts');
const { createApp } = await import('./app/app.ts');
const { createLogger } = await import('./app/logger.ts');
const { setProxy } = await import('./app/proxy.ts');
const { default: manifest } = await import('../package.json', { with: { type: 'json' } });

const stopWithinMs = 10_000;
const repeatedSignalMs = 1_000;

const config = configOrExit(process.env);
setProxy(config.proxy);
const logger = createLogger(config, {
  isTerminal: process.stdout.isTTY,
  // Lines are written together, at most 200 ms late, so neither a command nor a slow reader of the log waits.
  // pino writes the rest at exit and after a fatal line. What nobody reads is dropped beyond 1 MB.
  destination: pino.destination({ sync: false, minLength: 4_096, periodicFlush: 200, maxLength: 1_048_576 }),
});
for (const warning of [...config.warnings, ...envFileWarnings()]) logger.warn(warning);
if (config.proxy) logger.info({ proxy: proxyHost(config.proxy.https) }, 'connections go through a proxy');
const app = createApp({ config, logger, version: manifest.version });

let stoppingSince: number | undefined;
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('unhandledRejection', (reason) => {
  logger.fatal({ err: reason }, 'unhandled rejection');
  process.exit(1);
});

try {
  const { greeting } = await app.start();
  if (!logger.isLevelEnabled('info')) process.stdout.write(`${greeting}\n`);
} catch (error) {
  logger.debug({ err: error }, 'start failed');
  process.stderr.write(`Landfall could not start: ${messageOf(error)}\n`);
  await app.stop(2_000);
  process.exit(1);
}

function stop(signal: NodeJS.Signals): void {
  // npm repeats a Ctrl-C that the process has already received. A later signal stops the process at once.
  if (stoppingSince !== undefined) {
    if (performance.now() - stoppingSince > repeatedSignalMs) process.exit(1);
    return;
  }
  stoppingSince = performance.now();
  logger.info({ signal }, 'stopping');
  // In case the stop itself hangs.
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  app.stop(stopWithinMs - 500).then(
    ({ unfinished }) => {
      logger.info({ unfinished }, 'stopped');
      process.exit(0);
    },
    (error: unknown) => {
      logger.error({ err: error }, 'the stop failed');
      process.exit(1);
    },
  );
}
