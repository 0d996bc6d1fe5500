import type { Prediction } from '../../analytics/answers.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { portTime, untilEta } from '../../messages/formatting/times.ts';
import { type KnownVessel, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Locode } from '../../reference/locode.ts';
import { portOf, samePort } from '../../reference/ports.ts';

interface Asked {
  vessel: KnownVessel;
  /** The most probable first; at least one. */
  predictions: readonly Prediction[];
  at: Locode;
}

/**
 * The answer to `nextport 9755933 at Rotterdam`, escaped: whether the vessel is predicted there, and when. `rest` is the
 * time, and the most probable port if that is another.
 */
export function atPortVerdict(
  { vessel, predictions, at }: Asked,
  now: Date,
): { verdict: string; rest: string } {
  const name = escaped(vesselShort(vessel));
  const port = nameOf(at);
  const there = predictions.find((prediction) => samePort(prediction.port, at));
  const [first] = predictions;
  const next = first && first !== there ? [`next: ${inWords(first, now)}`] : [];
  if (!there) return { verdict: `${port} is not predicted for ${name}`, rest: next.join('') };
  return {
    verdict: `${name} → ${port}, ${percent(there.probability)}`,
    rest: [...timeOf(there, now), ...next].join(' · '),
  };
}

const inWords = (prediction: Prediction, now: Date): string =>
  [`${nameOf(prediction.port)} ${percent(prediction.probability)}`, ...timeOf(prediction, now)].join(', ');

const nameOf = (port: Locode): string => escaped(portOf(port)?.name ?? port);

const timeOf = ({ port, eta }: Prediction, now: Date): string[] =>
  eta ? [portTime(eta, portOf(port)?.zone, now), untilEta(eta, now)] : ['ETA not given'];
