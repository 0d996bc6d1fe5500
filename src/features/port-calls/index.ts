import type { Feature } from '../feature.ts';
import type { AnalyticsServices } from '../run-context.ts';
import { portcalls } from './command.ts';

/** Which vessels may call at a port. */
export const createPortCalls = (services: AnalyticsServices): Feature => ({
  commands: [portcalls(services)],
});
