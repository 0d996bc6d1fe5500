import type { HelpServices } from './services.ts';
import type { ServiceState } from './status-view.ts';

/** How the bot and the service are; asks nobody. */
export function serviceState({
  analytics,
  settings,
  realNow,
}: Pick<HelpServices, 'analytics' | 'settings' | 'realNow'>): ServiceState {
  const service = analytics.status();
  const { obtainedAt, expiresAt } = service.token;
  const minutes = (ms: number) => Math.max(0, Math.floor(ms / 60_000));
  return {
    version: settings.version,
    service,
    ...(obtainedAt && { tokenAgeMinutes: minutes(realNow() - obtainedAt.getTime()) }),
    ...(expiresAt && { tokenLeftMinutes: minutes(expiresAt.getTime() - realNow()) }),
  };
}
