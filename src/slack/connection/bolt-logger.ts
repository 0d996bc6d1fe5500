import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Logger } from '../../log.ts';
import { hideAssistantTokens } from '../../workspaces/assistant-tokens.ts';

/**
 * One level lower: Bolt's debug lines hold whole payloads, and its info lines repeat ours. Lines with what somebody typed
 * into a form are left out: it may be the account of the analytics service.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const textOf = (part: unknown) => (part instanceof Error ? `${part.name}: ${part.message}` : String(part));
  const line = (parts: unknown[]) => hideSecrets(parts.map(textOf).join(' '));
  return {
    debug(...parts) {
      if (!logger.isLevelEnabled('trace')) return;
      const text = line(parts);
      // Slack calls it `values`, however the payload is encoded.
      logger.trace({}, text.includes('values') ? 'the payload of a form' : text);
    },
    info: (...parts) => logger.debug({}, line(parts)),
    warn: (...parts) => logger.warn({}, line(parts)),
    error: (...parts) => logger.error({}, line(parts)),
    setLevel: () => {},
    getLevel: () => (logger.isLevelEnabled('trace') ? LogLevel.DEBUG : LogLevel.INFO),
    setName: () => {},
  };
}

/** What opens something: tokens, such as that of a workflow's step, response URLs, and the ticket for a socket. */
const hideSecrets = (text: string): string =>
  hideAssistantTokens(text)
    .replaceAll(/("(?:\w*token|response_url)":")[^"]*/g, '$1…')
    .replaceAll(/\bticket=[^&"\s]+/g, 'ticket=…');
