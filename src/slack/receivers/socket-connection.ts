import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Logger as BoltLogger, SocketModeReceiver } from '@slack/bolt';
import { EnvHttpProxyAgent, getGlobalDispatcher } from 'undici';
import { networkReasonOf } from '../../errors.ts';
import { DeadlineError, withinDeadline } from '../../features/ctx.ts';
import type { Logger } from '../../log.ts';

/** Bolt's own reconnection is off: it ends the process if Slack can't be reached at that moment. */
export function createSocketConnection(options: {
  appToken: string;
  apiUrl: string;
  fetch: typeof globalThis.fetch;
  boltLogger: BoltLogger;
  logger: Logger;
  /** How long to wait for Slack's hello before the next attempt. */
  helloWithinMs?: number;
}) {
  const { appToken, apiUrl, fetch, boltLogger, logger, helloWithinMs = 30_000 } = options;
  const dispatcher = getGlobalDispatcher();
  const receiver = new SocketModeReceiver({
    appToken,
    // Left to itself, Bolt connects directly.
    ...(dispatcher instanceof EnvHttpProxyAgent && { dispatcher }),
    logger: boltLogger,
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl, fetch, timeout: 10_000, retryConfig: { retries: 2 } },
    },
  });
  surviveMalformedMessages(receiver, logger);
  let connected = false;
  let stopping = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let failures = 0;

  const connect = async () => {
    const connectErrors = collectConnectErrors();
    try {
      await withinDeadline(helloWithinMs, () => receiver.client.start());
    } catch (error) {
      // Otherwise Bolt would go on waiting for Slack's hello.
      if (error instanceof DeadlineError) await receiver.client.disconnect();
      // Bolt gives no reason if the WebSocket doesn't open.
      throw error ?? new Error(unopened(connectErrors.last()));
    } finally {
      connectErrors.stop();
    }
    connected = true;
    failures = 0;
  };
  const reconnect = () => {
    if (stopping || retryTimer) return;
    const delayMs = failures === 0 ? 0 : Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
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
    /** Resolves when connected for the first time; rejects if Slack refuses the token. */
    start: connect,
    connected: () => connected,
    async stop(): Promise<void> {
      stopping = true;
      clearTimeout(retryTimer);
      await receiver.stop();
    },
  };
}

const unopened = (error: unknown): string =>
  `Slack accepts the token, but its Socket Mode connection can't be opened${error === undefined ? '' : ` (${networkReasonOf(error)})`}.`;

/** Undici's WebSocket doesn't say why it could not connect, but a diagnostics channel of undici does. */
function collectConnectErrors() {
  const name = 'undici:client:connectError';
  let last: unknown;
  const listen = (message: unknown) => {
    last = typeof message === 'object' && message !== null && 'error' in message ? message.error : undefined;
  };
  subscribe(name, listen);
  return { last: () => last, stop: () => unsubscribe(name, listen) };
}

/** Without this a malformed message ends the process: Bolt does not catch the rejection. */
function surviveMalformedMessages({ client }: SocketModeReceiver, logger: Logger): void {
  const [read] = client.listeners('ws_message');
  if (!read) return;
  client.removeAllListeners('ws_message');
  client.on('ws_message', async (...message: unknown[]) => {
    try {
      await read.apply(client, message);
    } catch (error) {
      logger.error({ err: error }, 'a message from Slack could not be read');
    }
  });
}
