import type { Prediction } from '../../analytics/answers.ts';
import type { Text } from '../../answers/text.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { portTime, untilEta } from '../../messages/formatting/times.ts';
import type { KnownVessel } from '../../messages/formatting/vessel-label.ts';
import { hasValidCheckDigit } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, portOf } from '../../reference/ports.ts';

/** `Rotterdam 82%`. */
export const portAndPercent = ({ port, probability }: Prediction): string =>
  `${portName(port)} ${percent(probability)}`;

/** `Mon 23 Nov 15:05 LT (14:05 UTC)`. */
export const etaInWords = ({ port, eta }: Prediction, now: Date): string =>
  eta ? portTime(eta, portOf(port)?.zone, now) : 'ETA not given';

/** The ETA, and `in 2 d 5 h`. */
export const timeOf = (prediction: Prediction, now: Date): string[] => [
  etaInWords(prediction, now),
  ...(prediction.eta ? [untilEta(prediction.eta, now)] : []),
];

/** What follows a verdict. */
export const after = (words: readonly string[]): string[] => words.map((each) => ` · ${each}`);

/** The ETA in the reader's own zone. */
export const inOwnZone = (prediction: Prediction | undefined): Text =>
  prediction?.eta ? { moment: prediction.eta, portZone: portOf(prediction.port)?.zone } : '';

/** For the small print. The service's numbers may have a wrong check digit. */
export const imoNote = ({ imo }: KnownVessel): string =>
  `IMO ${imo}${hasValidCheckDigit(imo) ? '' : ', check digit wrong'}`;

/** Notes about times whose zone is unknown, each once: `zone assumed UTC`. */
export function zoneNotes(predictions: readonly Prediction[]): string[] {
  const dated = predictions.filter(({ eta }) => eta !== undefined);
  const unknown = new Set<Locode>(
    dated.filter(({ port }) => portOf(port)?.zone === undefined).map(({ port }) => port),
  );
  return [
    ...(dated.some(({ etaZone }) => etaZone === 'assumed-utc') ? ['zone assumed UTC'] : []),
    ...(unknown.size > 0 ? [`zone of ${[...unknown].slice(0, 3).join(', ')} not known here`] : []),
  ];
}
