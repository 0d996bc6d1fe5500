import type { Prediction } from '../../analytics/answers.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { yourTime } from '../../messages/formatting/times.ts';
import { type KnownVessel, vesselShort } from '../../messages/formatting/vessel-label.ts';
import type { Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { nextPorts } from '../../predictions/next-port.ts';
import { portName, portOf } from '../../reference/ports.ts';
import { etaInWords, portAndPercent, timeOf } from './call-words.ts';

/** An answer about one vessel, escaped. */
export interface Verdict {
  verdict: string;
  /** The call whose time follows the verdict. */
  called?: Prediction;
  /** What follows the time. */
  rest: readonly string[];
  /** The predictions that the answer contains. */
  said: readonly Prediction[];
}

/** `first` and `second`: the most probable ports. */
export function verdictOf(
  vessel: KnownVessel,
  { first, second }: { first: Prediction; second: Prediction | undefined },
  now: Date,
): Verdict {
  const name = escaped(vesselShort(vessel));
  const either = nextPorts([first, ...(second ? [second] : [])]);
  if (either.length > 1) {
    return {
      verdict: `${name} · Undecided: ${either.map(portAndPercent).join(' or ')}`,
      rest: [[...new Set(either.map((prediction) => etaInWords(prediction, now)))].join(' or ')],
      said: either,
    };
  }
  const verdict = `${name} → ${escaped(portName(first.port))}, ${percent(first.probability)}`;
  return { verdict, called: first, rest: [], said: [first] };
}

/** The first line of the answer; in mrkdwn with the time in the reader's own zone. */
export function firstLine({ verdict, called, rest }: Verdict, reader: Reader) {
  const times = called ? timeOf(called, reader.now) : [];
  const yours = called?.eta ? yourTime(called.eta, portOf(called.port)?.zone, reader) : [];
  return {
    text: [verdict, ...times, ...rest].join(' · '),
    mrkdwn: [`*${verdict}*`, ...times, ...yours, ...rest].join(' · '),
  };
}
