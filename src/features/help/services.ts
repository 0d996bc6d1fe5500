import type { Command } from '../command.ts';
import type { WorkspaceServices } from '../feature.ts';
import type { AnalyticsServices } from '../run-context.ts';

export interface HelpServices extends AnalyticsServices {
  /** The registry; a function, since these commands are in it. */
  commands(): readonly Command[];
  settings: Pick<WorkspaceServices['settings'], 'version'>;
  realNow: () => number;
}
