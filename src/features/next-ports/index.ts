import type { Feature } from '../feature.ts';
import { nextport } from './command.ts';
import type { NextPortsServices } from './services.ts';

/** Where vessels will probably call next. */
export const createNextPorts = (services: NextPortsServices): Feature => ({
  commands: [nextport(services)],
});
