/** The methods of a pino logger that are used. */
export interface AnalyticsLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silentLogger: AnalyticsLogger = { info() {}, warn() {} };
