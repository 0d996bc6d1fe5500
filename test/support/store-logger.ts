import { type Logger, silentLogger } from '../../src/log.ts';

/** A logger that records its lines. */
export function createStoreLogger(): Logger & {
  lines: { level: string; fields: object; message: string }[];
} {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    ...silentLogger,
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}
