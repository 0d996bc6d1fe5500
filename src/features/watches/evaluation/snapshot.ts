import type { Prediction } from '../../../analytics/answers.ts';
import type { Subject } from '../store/subject.ts';

/** What the service answered about a subject. */
export interface Answer {
  /** When the service was asked, on the domain clock. */
  at: Date;
  scale: 'fraction' | 'percent';
  predictions: readonly Prediction[];
}

/** What one poll of a subject gave: an answer, or a failure. */
export type Snapshot =
  | (Subject & Answer)
  | { kind: 'failed'; of: 'vessels' | 'port'; at: Date; lastSuccessAt: Date; intervalMinutes: number };
