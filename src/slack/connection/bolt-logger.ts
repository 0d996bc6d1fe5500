import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Logger } from '../../log.ts';

/**
 * Bolt's log lines as lines of ours. Its debug lines hold whole payloads, so they are at our `trace`;
 * its info lines say what our own lines say better, so they are at `debug`.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const line = (parts: unknown[]) => parts.map(wording).join(' ');
  return {
    debug: (...parts) => logger.trace({}, line(parts)),
    info: (...parts) => logger.debug({}, line(parts)),
    warn: (...parts) => logger.warn({}, line(parts)),
    error: (...parts) => logger.error({}, line(parts)),
    setLevel: () => {},
    getLevel: () => (logger.isLevelEnabled('trace') ? LogLevel.DEBUG : LogLevel.INFO),
    setName: () => {},
  };
}

function wording(part: unknown): string {
  return part instanceof Error ? `${part.name}: ${part.message}` : String(part);
}
