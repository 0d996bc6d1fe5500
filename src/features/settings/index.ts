import { settingsCommand } from './command.ts';
import { channelSettingsForm } from './form.ts';

/** The settings of channels, and those of the whole workspace: guests, links to vessels. */
export const settings = { commands: [settingsCommand], forms: [channelSettingsForm] };
