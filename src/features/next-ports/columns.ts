import type { Prediction } from '../../analytics/answers.ts';
import { field } from '../../answers/kinds.ts';
import { onlyInLine, type Text } from '../../answers/text.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { portTimeInColumn, zonedTime } from '../../messages/formatting/times.ts';
import { portOf } from '../../reference/ports.ts';

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
