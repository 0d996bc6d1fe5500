import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Logger } from '../../log.ts';

/**
 * Passes Bolt's log lines to our logger, one level lower: its debug lines hold whole payloads, and its info lines
 * repeat what our own say better.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const line = (parts: unknown[]) => parts.map(textOf).join(' ');
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

function textOf(part: unknown): string {
  return part instanceof Error ? `${part.name}: ${part.message}` : String(part);
}
