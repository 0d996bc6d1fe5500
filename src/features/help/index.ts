import { context } from '../../answers/slack/blocks.ts';
import type { Feature } from '../feature.ts';
import { landfallCommand } from './command.ts';
import { healthLine, serviceState, statusCommand } from './status.ts';

export { nearestCommands } from './command.ts';

/** Help, and the health of Landfall and the service. */
export const help: Feature = {
  commands: [landfallCommand, statusCommand],
  prompts: [{ title: 'What can I ask?', line: 'help' }],
  homeFooter: (reader, ctx) => [context(healthLine(serviceState(ctx), reader))],
};
