import { sections } from '../../messages/blocks.ts';
import type { Feature } from '../feature.ts';
import { createLandfall } from './command.ts';
import type { HelpServices } from './services.ts';
import { serviceState } from './status.ts';
import { status } from './status-command.ts';
import { stateLines } from './status-view.ts';

export { nearestCommands } from './nearest-commands.ts';

/** Help, and how Landfall is. */
export const createHelp = (services: HelpServices): Feature => ({
  commands: [createLandfall(services.commands), status(services)],
  homeFooter: (reader) => sections(stateLines(serviceState(services), reader)),
});
