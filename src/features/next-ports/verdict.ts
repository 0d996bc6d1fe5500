import type { Prediction } from '../../analytics/answers.ts';
import type { Verdict } from '../../answers/answer.ts';
import { rivalInWords } from '../../messages/formatting/next-ports.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { type KnownVessel, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { nextPorts, rivalOf } from '../../predictions/next-port.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, samePort } from '../../reference/ports.ts';
import { after, etaInWords, inOwnZone, portAndPercent, timeOf } from './call-words.ts';

/** What is said about one vessel. */
export interface VesselVerdict {
  strong: string;
  /** The call whose time follows. */
  called?: Prediction | undefined;
  /** What follows the time. */
  rest: readonly string[];
  /** The predictions that the answer contains. */
  said: readonly Prediction[];
}

/** `predictions`: the most probable first, at least one. */
export function verdictOf(
  { vessel, predictions }: { vessel: KnownVessel; predictions: readonly Prediction[] },
  now: Date,
): VesselVerdict {
  const name = vesselShort(vessel);
  const either = nextPorts(predictions);
  const [first] = either;
  if (first && either.length === 1)
    return {
      strong: `${name} → ${portName(first.port)}, ${percent(first.probability)}`,
      called: first,
      rest: [],
      said: [first],
    };
  return {
    strong: `${name} · Undecided: ${either.map(portAndPercent).join(' or ')}`,
    rest: [[...new Set(either.map((prediction) => etaInWords(prediction, now)))].join(' or ')],
    said: either,
  };
}

/** Whether the vessel is predicted at a port, and when. `rest` is the port that may be next instead. */
export function atPortVerdict(
  { vessel, predictions, at }: { vessel: KnownVessel; predictions: readonly Prediction[]; at: Locode },
  now: Date,
): VesselVerdict {
  const name = vesselShort(vessel);
  const port = portName(at);
  const there = predictions.find((prediction) => samePort(prediction.port, at));
  const found = rivalOf(predictions, at);
  const rest = found ? [[rivalInWords(found), ...timeOf(found.rival, now)].join(', ')] : [];
  const said = [there ?? [], found?.rival ?? []].flat();
  if (!there) return { strong: `${port} is not predicted for ${name}`, rest, said };
  const share = percent(there.probability);
  // An arrow would read like a forecast.
  const strong = found
    ? `${name}: ${port} ${found.isLikelier ? 'unlikely' : 'undecided'}, ${share}`
    : `${name} → ${port}, ${share}`;
  return { strong, called: there, rest, said };
}

export const toVerdict = ({ strong, called, rest }: VesselVerdict, now: Date): Verdict => ({
  strong,
  rest: [...after(called ? timeOf(called, now) : []), inOwnZone(called), ...after(rest)],
});
