import type { Prediction } from '../../analytics/answers.ts';
import { likelihoodMarker, percent } from '../../messages/formatting/probability.ts';
import { type KnownVessel, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, samePort } from '../../reference/ports.ts';
import { portAndPercent, timeOf } from './call-words.ts';
import type { Verdict } from './verdict.ts';

interface Asked {
  vessel: KnownVessel;
  /** The most probable first; at least one. */
  predictions: readonly Prediction[];
  at: Locode;
}

/**
 * The answer to `nextport 9755933 at Rotterdam`: whether the vessel is predicted there, and when. `rest` is the most
 * probable port if that is another.
 */
export function atPortVerdict({ vessel, predictions, at }: Asked, now: Date): Verdict {
  const name = escaped(vesselShort(vessel));
  const port = escaped(portName(at));
  const there = predictions.find((prediction) => samePort(prediction.port, at));
  const [first] = predictions;
  const rest =
    first && first !== there ? [`next: ${[portAndPercent(first), ...timeOf(first, now)].join(', ')}`] : [];
  const said = [there ?? [], first ?? []].flat();
  if (!there) return { verdict: `${port} is not predicted for ${name}`, rest, said };
  const share = percent(there.probability);
  // An arrow would read like a forecast.
  const isUnlikely = there !== first && likelihoodMarker(there.probability) === '⚪';
  const verdict = isUnlikely ? `${name}: ${port} unlikely, ${share}` : `${name} → ${port}, ${share}`;
  return { verdict, called: there, rest, said };
}
