import { formatPort } from '../../grammar/port.ts';
import type { Feature } from '../feature.ts';
import { type PortCallsServices, portcalls } from './command.ts';

/** Which vessels may call at a port. */
export const createPortCalls = (services: PortCallsServices): Feature => ({
  commands: [portcalls(services)],
  fulfils: { 'calls-at': ({ port }) => `portcalls ${formatPort(port)}` },
  prompts: [{ title: 'Who is coming to Rotterdam tomorrow?', line: 'portcalls Rotterdam tomorrow' }],
});
