import { parseNoWords } from '../../grammar/no-words.ts';
import { defineCommand } from '../command.ts';
import type { HelpServices } from './services.ts';
import { serviceState } from './status.ts';
import { type StatusAnswer, statusView } from './status-view.ts';

const line = 'landfall status';

export const status = defineCommand<object, StatusAnswer, HelpServices>({
  name: 'status',
  isUnderLandfall: true,
  summary: 'Health of Landfall and the analytics service',
  usage: '',
  examples: [line],
  repeatable: true,
  privacy: 'asked',
  parse: parseNoWords('status'),
  format: () => line,
  run: async (_, context) => ({ kind: 'status', line, ...serviceState(context) }),
  view: statusView,
});
