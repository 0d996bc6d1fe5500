import type { AnalyticsClient, CallOptions } from '../analytics/answers.ts';
import type { RunContext } from './run-context.ts';

/** For what asks the service. */
export interface AnalyticsServices {
  analytics: AnalyticsClient;
}

export type AnalyticsContext = RunContext & AnalyticsServices;

export function callOptions({ actor, fresh, signal, priority = 'interactive' }: RunContext): CallOptions {
  return { askedBy: actor.userId, fresh, signal, priority };
}
