import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../config/config.ts';
import { commands } from '../features/index.ts';
import type { Logger } from '../log.ts';
import { createMcpServers } from '../mcp/server.ts';
import { startTerminalService } from './terminal.ts';

const deadlineMs = 15_000;

/**
 * Serves one desktop assistant over stdin and stdout, for the person at this computer. `zone` is their time zone (an IANA
 * name).
 */
export async function startMcpServer({
  config,
  zone,
  logger,
}: {
  config: Config;
  zone: string;
  logger: Logger;
}): Promise<{ close(): Promise<void> }> {
  const { ctx, close, ...service } = await startTerminalService({ config, logger });
  const serversFor = createMcpServers({
    ...service,
    ...{ commands, deadlineMs, logger },
    realNow: Date.now,
    hasWorkspace: false,
  });
  const factory = serversFor(() => ({
    ctx,
    actor: { userId: 'terminal', isAdmin: true, zone },
    audience: 'private',
    showsBlocks: false,
  }));
  const connection = serveStdio(factory, {
    onerror: (err) => logger.warn({ err }, 'the assistant sent something unreadable'),
  });
  return {
    async close() {
      await connection.close();
      await close();
    },
  };
}
