import type { Prediction } from '../../../analytics/answers.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';

interface Answered {
  /** When the service was asked, on the domain clock. */
  at: Date;
  scale: 'fraction' | 'percent';
  predictions: readonly Prediction[];
}

/** What one poll of a subject gave: an answer, or a failure. */
export type Snapshot =
  | ({ kind: 'vessel'; imo: Imo } & Answered)
  | ({ kind: 'shiplist' } & Answered)
  | ({ kind: 'port'; port: Locode } & Answered)
  | { kind: 'failed'; of: 'vessels' | 'port'; at: Date; lastSuccessAt: Date; intervalMinutes: number };
