import type { Prediction } from '../../analytics/answers.ts';
import { rivalInWords } from '../../messages/formatting/next-ports.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { type KnownVessel, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { rivalOf } from '../../predictions/next-port.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, samePort } from '../../reference/ports.ts';
import { timeOf } from './call-words.ts';
import type { Verdict } from './verdict.ts';

interface Asked {
  vessel: KnownVessel;
  /** The most probable first; at least one. */
  predictions: readonly Prediction[];
  at: Locode;
}

/**
 * The answer to `nextport 9755933 at Rotterdam`: whether the vessel is predicted there, and when. `rest` is the port that
 * may be next instead.
 */
export function atPortVerdict({ vessel, predictions, at }: Asked, now: Date): Verdict {
  const name = escaped(vesselShort(vessel));
  const port = escaped(portName(at));
  const there = predictions.find((prediction) => samePort(prediction.port, at));
  const found = rivalOf(predictions, at);
  const rest = found ? [[escaped(rivalInWords(found)), ...timeOf(found.rival, now)].join(', ')] : [];
  const said = [there ?? [], found?.rival ?? []].flat();
  if (!there) return { verdict: `${port} is not predicted for ${name}`, rest, said };
  const share = percent(there.probability);
  // An arrow would read like a forecast.
  const verdict = found
    ? `${name}: ${port} ${found.isLikelier ? 'unlikely' : 'undecided'}, ${share}`
    : `${name} → ${port}, ${share}`;
  return { verdict, called: there, rest, said };
}
