import {
  type AnalyticsClient,
  type AnalyticsClientOptions,
  createAnalyticsClient,
} from '../../src/analytics/client.ts';
import { createLogin, type LoginOptions } from '../../src/analytics/login.ts';

export type LoneClientOptions = LoginOptions & Omit<AnalyticsClientOptions, 'login'>;

/** A client with a login of its own. */
export const createLoneClient = (options: LoneClientOptions): AnalyticsClient =>
  createAnalyticsClient({ ...options, login: createLogin(options) });
