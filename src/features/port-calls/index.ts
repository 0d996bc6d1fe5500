import type { AnalyticsServices } from '../call-options.ts';
import type { Feature } from '../feature.ts';
import { portcalls } from './command.ts';

/** Which vessels may call at a port. */
export const createPortCalls = (services: AnalyticsServices): Feature => ({
  commands: [portcalls(services)],
});
