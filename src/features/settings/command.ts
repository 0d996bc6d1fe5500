import { parseNoWords } from '../../grammar/no-words.ts';
import { defineCommand } from '../command.ts';
import { askSettings } from './answer.ts';
import type { SettingsServices } from './services.ts';
import { channelSettingsView, type SettingsAnswer } from './view.ts';

export const settings = defineCommand<object, SettingsAnswer, SettingsServices>({
  name: 'settings',
  isUnderLandfall: true,
  summary: 'The settings of the channel',
  usage: '',
  examples: ['landfall settings'],
  repeatable: false,
  inSlack: true,
  parse: parseNoWords('settings'),
  format: () => 'landfall settings',
  run: (_, context) => askSettings(context),
  view: channelSettingsView,
});
