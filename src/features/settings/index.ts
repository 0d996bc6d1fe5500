import type { Feature, WorkspaceServices } from '../feature.ts';
import { settings } from './command.ts';
import { channel } from './form.ts';
import { createChannelSettingsService } from './service.ts';

/** The settings of channels, and what guests of the workspace may do. */
export function createSettings(services: WorkspaceServices): Feature {
  const channels = createChannelSettingsService(services);
  const settingsServices = { channels, guests: services.guests };
  return { commands: [settings(settingsServices)], forms: [channel(settingsServices)] };
}
