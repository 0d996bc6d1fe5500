import type { Feature } from '../feature.ts';
import { type PortCallsServices, portcalls } from './command.ts';

/** Which vessels may call at a port. */
export const createPortCalls = (services: PortCallsServices): Feature => ({
  commands: [portcalls(services)],
});
