import type { Prediction } from '../../analytics/answers.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Groups } from '../feature.ts';
import type { AnalyticsServices, RunContext } from '../run-context.ts';

/** What one poll of a watched vessel said. */
export interface PolledPredictions {
  at: Date;
  predictions: readonly Prediction[];
}

export interface NextPortsServices extends AnalyticsServices {
  groups: Groups;
  /** What was predicted for a vessel while it was watched, oldest first. */
  history(imo: Imo, from: Date): Promise<readonly PolledPredictions[]>;
}

export type NextPortsContext = RunContext & NextPortsServices;
