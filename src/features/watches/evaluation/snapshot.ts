import type { Prediction } from '../../../analytics/answers.ts';
import { rankProspects } from '../../../analytics/rank-prospects.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { Subject } from '../store/subject.ts';

/** What the service answered about a subject. */
export interface Answer {
  /** When the service was asked, on the domain clock. */
  at: Date;
  scale: 'fraction' | 'percent';
  predictions: readonly Prediction[];
}

/** The result of one poll of a subject: an answer, or a failure. */
export type Snapshot =
  | (Subject & Answer)
  | { kind: 'failed'; isPort: boolean; at: Date; silentSince: Date; intervalMinutes: number };

/** The predictions for each vessel, likeliest port first. */
export function rankByVessel(predictions: readonly Prediction[]): Map<Imo, Prospect[]> {
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  return new Map([...byVessel].map(([imo, records]) => [imo, rankProspects(records)]));
}

export const likeliestEtas = (predictions: readonly Prediction[]): Date[] =>
  [...rankByVessel(predictions).values()].flatMap(([likeliest]) => likeliest?.eta ?? []);
