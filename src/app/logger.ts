import { inspect, styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Config } from '../config/config.ts';
import { referenceField } from '../log.ts';

/** In case anybody logs an object that holds secrets. */
const redact = {
  paths: ['*.token', '*.password', '*.apiKey', '*.authorization', 'headers'],
  censor: '[secret]',
};

/** The log of a process. Each line has the reference of the request under way. Pretty lines are for people. */
export function createLogger(
  { logLevel: level, logFormat: format }: Pick<Config, 'logLevel' | 'logFormat'>,
  { isTerminal, destination }: { isTerminal: boolean; destination: DestinationStream },
): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && isTerminal);
  return pino(
    { level, redact, mixin: referenceField },
    isPretty ? prettyTo(destination, isTerminal) : destination,
  );
}

function prettyTo(destination: DestinationStream, colorize: boolean): DestinationStream {
  // Fields are less than the message.
  const dim = (text: string) => (colorize ? styleText('dim', text, { validateStream: false }) : text);
  const prettify = prettyFactory({
    colorize,
    translateTime: 'UTC:HH:MM:ss',
    ignore: 'pid,hostname',
    hideObject: true,
    messageFormat: (fields) => messageWithFields(fields, dim),
  });
  return { write: (line) => destination.write(prettify(line)) };
}

/** In one line, `command line='nextport 9461477' outcome=answered ms=12`, with the stack of an error below it. */
function messageWithFields(line: Record<string, unknown>, dim: (text: string) => string): string {
  const { msg, level: _level, time: _time, pid: _pid, hostname: _hostname, err, ...fields } = line;
  const words = Object.entries(fields).map(([key, value]) => ` ${key}=${wordOf(value)}`);
  const stack = err instanceof Object && 'stack' in err ? `\n    ${err.stack}` : '';
  return `${msg}${dim(words.join('') + stack)}`;
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"']+$/.test(value) ? value : inspect(value, { breakLength: Infinity });
