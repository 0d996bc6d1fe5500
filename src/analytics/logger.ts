/** The few methods used of a pino logger. */
export interface AnalyticsLogger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silentLogger: AnalyticsLogger = { debug() {}, info() {}, warn() {} };
