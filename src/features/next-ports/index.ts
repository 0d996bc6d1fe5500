import type { Feature } from '../feature.ts';
import type { NextPortsServices } from './answer.ts';
import { nextport } from './command.ts';

/** Where vessels will probably call next. */
export const createNextPorts = (services: NextPortsServices): Feature => ({ commands: [nextport(services)] });
