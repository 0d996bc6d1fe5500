import type { Locode } from '../reference/locode.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { PredictionsAnswer, RequestOptions } from './answers.ts';
import type { AnalyticsClient } from './client.ts';

/**
 * The predictions for a port, and the code that has them. A port may have several codes: if the service
 * knows nothing under the given one, the port's main code is tried.
 */
export async function portByAnyCode(
  { portPredictions }: Pick<AnalyticsClient, 'portPredictions'>,
  port: Locode,
  options: RequestOptions,
): Promise<{ asked: Locode; answer: PredictionsAnswer }> {
  const answer = await portPredictions(port, options);
  const main = canonicalPort(port);
  if (answer.predictions.length > 0 || main === port) return { asked: port, answer };
  const other = await portPredictions(main, options);
  return other.predictions.length > 0 ? { asked: main, answer: other } : { asked: port, answer };
}
