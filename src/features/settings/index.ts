import type { Feature, WorkspaceServices } from '../feature.ts';
import { settings } from './command.ts';
import { channel } from './form.ts';
import { createChannelSettingsService } from './service.ts';

/** What people choose for a channel. */
export function createSettings(services: WorkspaceServices): Feature {
  const channels = createChannelSettingsService(services);
  const own = { channels, guests: services.guests };
  return { commands: [settings(own)], forms: [channel(own)] };
}
