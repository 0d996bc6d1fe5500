import type { WorkspaceServices } from '../feature.ts';
import type { AnalyticsServices, RunContext } from '../run-context.ts';

export interface UsageServices extends AnalyticsServices {
  settings: Pick<WorkspaceServices['settings'], 'usageVisibleTo'>;
}

export type UsageContext = RunContext & UsageServices;
