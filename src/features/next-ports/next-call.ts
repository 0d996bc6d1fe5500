import { portName, samePort } from '../../reference/ports.ts';
import type { NextCall } from '../command.ts';
import type { NextportAnswer } from './answer-view.ts';

/**
 * The likeliest next call, or the one at the port that was asked about. Undefined if none is predicted, and for several
 * vessels or both views, which have more than one.
 */
export function nextCall(answer: NextportAnswer): NextCall | undefined {
  if (answer.kind !== 'next-ports' && answer.kind !== 'next-ports-map') return undefined;
  const at = answer.kind === 'next-ports' ? answer.at : undefined;
  const found = answer.predictions.find(({ port }) => at === undefined || samePort(port, at));
  if (!found) return undefined;
  const { port, probability, eta } = found;
  return { port: portName(port), locode: port, probability, ...(eta && { eta }) };
}
