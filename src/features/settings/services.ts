import type { RunContext } from '../run-context.ts';
import type { ChannelSettingsService } from './service.ts';

export interface SettingsServices {
  channels: ChannelSettingsService;
}

export type SettingsContext = RunContext & SettingsServices;
