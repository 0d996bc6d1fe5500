import type { Locode } from '../reference/locode.ts';
import { canonicalPort } from '../reference/ports.ts';
import type { PredictionsAnswer, RequestOptions } from './answers.ts';
import type { AnalyticsClient } from './client.ts';

/**
 * The predictions for a port, and the code that has them. A port may have several codes: if the service has nothing
 * for the given code, the port's main code is tried.
 */
export async function portPredictionsByAnyCode(
  { portPredictions }: Pick<AnalyticsClient, 'portPredictions'>,
  port: Locode,
  options: RequestOptions,
): Promise<{ code: Locode; answer: PredictionsAnswer }> {
  const answer = await portPredictions(port, options);
  const main = canonicalPort(port);
  if (answer.predictions.length > 0 || main === port) return { code: port, answer };
  const other = await portPredictions(main, options);
  return other.predictions.length > 0 ? { code: main, answer: other } : { code: port, answer };
}
