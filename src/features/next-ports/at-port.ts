import type { Prediction } from '../../analytics/answers.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { type KnownVessel, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, samePort } from '../../reference/ports.ts';
import { portAndPercent, timeOf } from './call-words.ts';

interface Asked {
  vessel: KnownVessel;
  /** The most probable first; at least one. */
  predictions: readonly Prediction[];
  at: Locode;
}

/**
 * The answer to `nextport 9755933 at Rotterdam`, escaped: whether the vessel is predicted there, and when. `rest` is the
 * time, and the most probable port if that is another; `said`: the predictions that both contain.
 */
export function atPortVerdict({ vessel, predictions, at }: Asked, now: Date) {
  const name = escaped(vesselShort(vessel));
  const port = escaped(portName(at));
  const there = predictions.find((prediction) => samePort(prediction.port, at));
  const [first] = predictions;
  const next =
    first && first !== there ? [`next: ${[portAndPercent(first), ...timeOf(first, now)].join(', ')}`] : [];
  if (!there)
    return { verdict: `${port} is not predicted for ${name}`, rest: next, said: first ? [first] : [] };
  return {
    verdict: `${name} → ${port}, ${percent(there.probability)}`,
    rest: [...timeOf(there, now), ...next],
    said: [there, ...(first ? [first] : [])],
  };
}
