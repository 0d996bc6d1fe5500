import type { Prediction } from '../../analytics/answers.ts';
import type { LineFacts, NextCall } from '../../answers/answer.ts';
import { portTime, portTimeInColumn, untilEta, zonedTime } from '../../answers/formatting/times.ts';
import { type KnownVessel, percent } from '../../answers/formatting/words.ts';
import { field } from '../../answers/kinds.ts';
import { onlyInLine, type Text } from '../../answers/text.ts';
import { hasValidCheckDigit } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, portOf, samePort } from '../../reference/ports.ts';
import type { FleetVessel, VesselPredictions } from './predictions.ts';

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

/** For tables with ETAs of endpoints that give no UTC offset. */
export const etaZone = <Row>(predictionIn: (row: Row) => Pick<Prediction, 'eta' | 'etaZone'> | undefined) =>
  field<Row>(
    'text',
    '`given`, or `assumed-utc` where the service gave a time without a UTC offset',
    (row) => {
      const prediction = predictionIn(row);
      return prediction?.eta && prediction.etaZone;
    },
  );

export const view = <Row>(viewOf: (row: Row) => 'vessel' | 'ship' | 'list') =>
  field<Row>('text', 'the view of the service that was asked: `vessel`, `ship` or `list`', viewOf);

type Call = Pick<Prediction, 'port'> & { eta?: Date | null | undefined };

/** The first two columns are all that a phone shows, so the port and its ETA share one: `Rotterdam NLRTM · Mon 23 Nov 15:05`. */
export function portAndTime(ports: string, { port, eta }: Call, now: Date): Text {
  if (!eta) return `${ports} · ETA not given`;
  const zone = portOf(port)?.zone;
  return [`${ports} · ${portTimeInColumn(eta, zone, now)}`, zone === undefined ? '' : onlyInLine(' LT')];
}

/** Beside it, the ETA in UTC. */
export const utcTime = (eta: Date | null | undefined, now: Date): Text =>
  eta ? [zonedTime(eta, 'UTC', now), onlyInLine(' UTC')] : '';

export const percents = (predictions: readonly Pick<Prediction, 'probability'>[]): string =>
  predictions.map(({ probability }) => percent(probability)).join(' or ');

/** What digests compare: the most probable port of each vessel. */
export const factsOf = (vessels: readonly Pick<FleetVessel, 'vessel' | 'top' | 'failed'>[]): LineFacts => ({
  kind: 'next-ports',
  vessels: vessels.map(({ vessel, top: [first], failed }) => {
    const next = first && { port: first.port, probability: first.probability, eta: first.eta ?? null };
    return { imo: vessel.imo, next: next ?? null, isUnanswered: failed };
  }),
});

/** What every answer about one vessel's forecast has. */
export const forecastOf = (found: VesselPredictions) => ({
  provenance: found,
  isForecast: true,
  comparison: factsOf([{ vessel: found.vessel, top: found.predictions, failed: false }]),
});

/** The likeliest next call, or the one at the port that was asked about. Undefined if none is predicted. */
export function nextCall(predictions: readonly Prediction[], at?: Locode): NextCall | undefined {
  const found = predictions.find(({ port }) => at === undefined || samePort(port, at));
  if (!found) return undefined;
  const { port, probability, eta } = found;
  return { port: portName(port), locode: port, probability, ...(eta && { eta }) };
}
