import { enableCompileCache } from 'node:module';

// For a quicker start. It has to come before the imports below.
enableCompileCache();
const { createLogger } = await import('./app/logger.ts');
const { startMcpServer } = await import('./app/mcp.ts');
const { setProxy } = await import('./app/proxy.ts');
const { configOrExit } = await import('./config/config.ts');

const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
// @date-fns/tz is exact for other zones only if the process itself is in UTC.
process.env.TZ = 'UTC';
const config = configOrExit(process.env);
setProxy(config.proxy);
// stdout belongs to the protocol.
const logger = createLogger(config, { isTerminal: process.stderr.isTTY, destination: process.stderr });
// The assistant may close both ends at any time.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const server = await startMcpServer({ config, zone, logger });
let isStopping = false;
// A pipe ends, then closes; a file only ends.
process.stdin.on('end', stop);
process.stdin.on('close', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await server.close();
  process.exit(0);
}
