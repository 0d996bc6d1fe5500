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

/** For pino: what a log never shows. */
export const redacted = {
  paths: ['*.token', '*.password', '*.apiKey', '*.authorization', 'headers'],
  censor: '[secret]',
};
