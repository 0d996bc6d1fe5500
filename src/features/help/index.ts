import { context } from '../../messages/blocks.ts';
import type { Feature } from '../feature.ts';
import { createLandfall } from './command.ts';
import { type HelpServices, healthLine, serviceState, status } from './status.ts';

export { nearestCommands } from './command.ts';

/** Help, and the health of Landfall and the service. */
export const createHelp = (services: HelpServices): Feature => ({
  commands: [createLandfall(services.commands), status(services)],
  prompts: [{ title: 'What can I ask?', line: 'help' }],
  homeFooter: (reader) => [context(healthLine(serviceState(services), reader))],
});
