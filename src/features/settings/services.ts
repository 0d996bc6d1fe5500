import type { GuestSetting } from '../../workspaces/settings.ts';
import type { RunContext } from '../run-context.ts';
import type { ChannelSettingsService } from './service.ts';

export interface SettingsServices {
  channels: ChannelSettingsService;
  guests: GuestSetting;
}

export type SettingsContext = RunContext & SettingsServices;
