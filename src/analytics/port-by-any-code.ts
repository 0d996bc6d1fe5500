import type { Locode } from '../reference/locode.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { AnalyticsClient, CallOptions, PredictionsAnswer } from './answers.ts';

/**
 * The predictions of a port, and the code that gave them: one that the service gives nothing for may be one of several
 * of a port, and then that port's leading code is asked.
 */
export async function portByAnyCode(
  { portPredictions }: Pick<AnalyticsClient, 'portPredictions'>,
  port: Locode,
  options: CallOptions,
): Promise<{ asked: Locode; answer: PredictionsAnswer }> {
  const answer = await portPredictions(port, options);
  const leading = canonicalPort(port);
  if (answer.predictions.length > 0 || leading === port) return { asked: port, answer };
  const other = await portPredictions(leading, options);
  return other.predictions.length > 0 ? { asked: leading, answer: other } : { asked: port, answer };
}
