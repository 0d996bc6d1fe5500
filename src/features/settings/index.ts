import type { Feature } from '../feature.ts';
import type { WorkspaceServices } from '../services.ts';
import { settings } from './command.ts';
import { channel } from './form.ts';
import { createChannelSettingsService } from './service.ts';

/** The settings of channels, and those of the whole workspace: guests, links to vessels. */
export function createSettings(services: WorkspaceServices): Feature {
  const channels = createChannelSettingsService(services);
  const settingsServices = { channels, guests: services.guests, links: services.links };
  return { commands: [settings(settingsServices)], forms: [channel(settingsServices)] };
}
