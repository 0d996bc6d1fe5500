import { z } from 'zod';
import type { Answer } from '../../../predictions/next-port.ts';
import type { Imo, Locode } from '../../../reference/codes.ts';
import { canonicalPort } from '../../../reference/ports.ts';
import { imo, locode, type Prediction } from '../../../reference/prediction.ts';
import type { Subject } from '../../history/index.ts';

/** The result of one poll of a subject: an answer, or a failure. */
export type Snapshot =
  | (Subject & Answer)
  | { kind: 'failed'; isPort: boolean; at: Date; silentSince: Date; intervalMinutes: number };

/** `fleet:NORTH at Rotterdam`: what a watch is limited to. `imos` is null for the vessels of the list that it follows. */
export const portCondition = z.object({ port: locode, imos: z.array(imo).nullable() });
export type PortCondition = z.infer<typeof portCondition>;

export type AnsweredSnapshot = Exclude<Snapshot, { kind: 'failed' }>;

/** Whether the condition is about this call. */
export const isMet = ({ port, imos }: PortCondition, call: { imo: Imo; port: Locode }): boolean =>
  canonicalPort(call.port) === canonicalPort(port) && (imos?.includes(call.imo) ?? true);

export const predictionsFor = (condition: PortCondition, predictions: readonly Prediction[]): Prediction[] =>
  predictions.filter((prediction) => isMet(condition, prediction));

/** An answer about a port, a list or a vessel as one about the port of the condition. */
export const narrow = (
  { at, scale, predictions }: AnsweredSnapshot,
  condition: PortCondition,
): Extract<Snapshot, { kind: 'port' }> => ({
  kind: 'port',
  port: condition.port,
  at,
  scale,
  predictions: predictionsFor(condition, predictions),
});
