import { type Logger as BoltLogger, SocketModeReceiver } from '@slack/bolt';
import { DeadlineError, withinDeadline } from '../../features/deadline.ts';
import type { Logger } from '../../log.ts';

interface SocketConnection {
  receiver: SocketModeReceiver;
  /** Resolves when connected for the first time; rejects when Slack refuses the token. */
  start(): Promise<void>;
  stop(): Promise<void>;
  connected(): boolean;
}

/**
 * Socket Mode that comes back by itself. Bolt's own reconnection ends the process by an unhandled
 * rejection when Slack can't be reached at that moment, so it is off and done here.
 */
export function createSocketConnection(options: {
  appToken: string;
  apiUrl: string;
  fetch: typeof globalThis.fetch;
  boltLogger: BoltLogger;
  logger: Logger;
  /** Slack's hello comes within this, or the connection is tried again. */
  helloWithinMs?: number;
}): SocketConnection {
  const { appToken, apiUrl, fetch, boltLogger, logger, helloWithinMs = 30_000 } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    logger: boltLogger,
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl, fetch, timeout: 10_000, retryConfig: { retries: 2 } },
    },
  });
  surviveOddMessages(receiver, logger);
  let connected = false;
  let stopping = false;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;

  const connect = async () => {
    try {
      await withinDeadline(helloWithinMs, () => receiver.client.start());
    } catch (error) {
      // Bolt itself waits for ever; what it waited for is taken down.
      if (error instanceof DeadlineError) await receiver.client.disconnect();
      throw error;
    }
    connected = true;
    failures = 0;
  };
  const reconnect = () => {
    if (stopping || retry) return;
    const delayMs = failures === 0 ? 0 : Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
    retry = setTimeout(() => {
      retry = undefined;
      connect().catch((error: unknown) => {
        failures += 1;
        logger.warn({ failures, reason: error instanceof Error ? error.message : 'closed' }, 'not connected');
        reconnect();
      });
    }, delayMs);
  };
  receiver.client.on('disconnected', () => {
    if (connected) {
      connected = false;
      reconnect();
    }
  });

  return {
    receiver,
    start: connect,
    connected: () => connected,
    async stop() {
      stopping = true;
      clearTimeout(retry);
      await receiver.stop();
    },
  };
}

/** Bolt lets a message that is not of Slack's form end the process, by a rejection that nobody catches. */
function surviveOddMessages({ client }: SocketModeReceiver, logger: Logger): void {
  const [read] = client.listeners('ws_message');
  if (!read) return;
  client.removeAllListeners('ws_message');
  client.on('ws_message', async (...message: unknown[]) => {
    try {
      await read.apply(client, message);
    } catch (error) {
      logger.error({ err: error }, 'a message of Slack that is not understood');
    }
  });
}
