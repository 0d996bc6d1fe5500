import { UserError } from '../../errors.ts';
import { type Command, defineCommand } from '../command.ts';
import type { WorkspaceServices } from '../feature.ts';
import type { AnalyticsServices } from '../run-context.ts';
import { type ServiceState, type StatusAnswer, statusView } from './status-view.ts';

export interface HelpServices extends AnalyticsServices {
  /** The registry; a function, since these commands are in it. */
  commands(): readonly Command[];
  settings: Pick<WorkspaceServices['settings'], 'version'>;
  realNow: () => number;
}

const line = 'landfall status';

export const status = defineCommand<object, StatusAnswer, HelpServices>({
  name: 'status',
  isUnderLandfall: true,
  summary: 'Health of Landfall and the analytics service',
  usage: '',
  examples: [line],
  repeatable: true,
  privacy: 'on-request',
  parse: (words) => {
    if (words.trim() === '') return {};
    throw new UserError({
      code: 'unexpected-words',
      message: 'Nothing follows the word status.',
      example: line,
    });
  },
  format: () => line,
  run: async (_, context) => ({ kind: 'status', line, ...serviceState(context) }),
  view: statusView,
});

/** The health of the service as last seen; makes no request. */
export function serviceState({ analytics, settings, realNow }: Omit<HelpServices, 'commands'>): ServiceState {
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
