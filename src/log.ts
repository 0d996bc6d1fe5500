import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';

/** The part of pino that this project uses. Tests pass a logger of a few lines. */
export interface Logger {
  trace(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  isLevelEnabled(level: 'trace'): boolean;
}

export const silentLogger: Logger = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  isLevelEnabled: () => false,
};

/** Each line of the log has these fields too. */
export const withFields = (logger: Logger, common: object): Logger => ({
  trace: (fields, message) => logger.trace({ ...common, ...fields }, message),
  debug: (fields, message) => logger.debug({ ...common, ...fields }, message),
  info: (fields, message) => logger.info({ ...common, ...fields }, message),
  warn: (fields, message) => logger.warn({ ...common, ...fields }, message),
  error: (fields, message) => logger.error({ ...common, ...fields }, message),
  isLevelEnabled: (level) => logger.isLevelEnabled(level),
});

/** The reference of the request or the round of a job that is under way. */
const underWay = new AsyncLocalStorage<string>();

/**
 * Runs work under a reference of its own, which every line of the log under it has, every request to the analytics
 * service, and every failure that a person is shown.
 */
export const underReference = <T>(work: () => T): T => underWay.run(newReference(), work);

/** Undefined outside of `underReference`. */
export const currentReference = (): string | undefined => underWay.getStore();

/** For pino: the field of each line under a reference. */
export function referenceField(): { ref?: string } {
  const ref = currentReference();
  return ref === undefined ? {} : { ref };
}

/** Short enough to read out, without characters that look alike. */
function newReference(): string {
  const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
}

/** For a failure that a person is shown. */
export const referenceToShow = (): string => currentReference() ?? newReference();
