import type { Prediction } from '../../analytics/answers.ts';
import type { ExportTable } from '../../answers/export-table.ts';
import type { KnownVessel } from '../../messages/formatting/vessel-label.ts';
import type { Reader } from '../../messages/message.ts';
import type { Locode } from '../../reference/locode.ts';
import {
  type Column,
  defineServiceTable,
  etaColumns,
  etaZoneColumn,
  portColumns,
  vesselColumns,
} from '../table.ts';
import type { ComparedPort, FleetVessel } from './answer.ts';
import type { NextportAnswer } from './answer-view.ts';
import type { VesselHistoryAnswer } from './history-view.ts';

export function nextPortsTable(answer: NextportAnswer, reader: Reader): ExportTable {
  switch (answer.kind) {
    case 'next-ports':
    case 'next-ports-map':
      return candidates.of({
        rows: answer.predictions.map((prediction) => ({ ...answer, prediction })),
        subject: [String(answer.vessel.imo)],
        fetchedAt: answer.fetchedAt,
        reader,
      });
    case 'next-ports-comparison':
      return comparison.of({
        rows: answer.ports.map((port) => ({ ...port, vessel: answer.vessel })),
        subject: [String(answer.vessel.imo)],
        fetchedAt: answer.fetchedAt,
        reader,
      });
    case 'fleet-next-ports':
      return vessels.of({
        rows: answer.vessels.map((one) => ({
          ...one,
          ...(answer.list !== undefined && { endpoint: 'list' }),
        })),
        subject: [answer.list ?? answer.group ?? ''],
        fetchedAt: answer.fetchedAt,
        reader,
      });
    case 'vessel-history':
      return history.of({
        rows: historyRows(answer),
        subject: [String(answer.vessel.imo)],
        fetchedAt: ({ at }) => at,
        reader,
      });
  }
}

interface Candidate {
  vessel: KnownVessel;
  prediction: Prediction;
  endpoint: 'vessel' | 'ship';
}

const viewColumn: Column<{ endpoint: string }> = {
  key: 'view',
  about: 'the view of the service that was asked: `vessel`, `ship` or `list`',
  value: ({ endpoint }) => endpoint,
};

const probability = <Row>(value: (row: Row) => number | undefined): Column<Row> => ({
  key: 'probability',
  about: 'from 0 to 1',
  value,
});

const candidates = defineServiceTable<Candidate>({
  name: 'next-ports',
  about: 'A port that may be the next one of the vessel, the most probable first',
  columns: [
    ...vesselColumns<Candidate>(({ vessel }) => vessel),
    ...portColumns<Candidate>(({ prediction }) => prediction.port),
    probability(({ prediction }) => prediction.probability),
    ...etaColumns<Candidate>(({ prediction }) => prediction),
    etaZoneColumn<Candidate>(({ prediction }) => prediction),
    viewColumn,
  ],
});

type Member = Omit<FleetVessel, 'endpoint'> & { endpoint: string };

const vessels = defineServiceTable<Member>({
  name: 'next-ports-of-vessels',
  about: 'A vessel with its most probable next port, by ETA',
  columns: [
    ...vesselColumns<Member>(({ vessel }) => vessel),
    ...portColumns<Member>(({ top: [first] }) => first?.port),
    probability(({ top: [first] }) => first?.probability),
    ...etaColumns<Member>(({ top: [first] }) => first),
    etaZoneColumn<Member>(({ top: [first] }) => first),
    ...portColumns<Member>(({ top: [, second] }) => second?.port, {
      prefix: 'second_',
      about: 'second port',
    }),
    {
      key: 'second_probability',
      about: 'of the second port, from 0 to 1',
      value: ({ top: [, second] }) => second?.probability,
    },
    viewColumn,
    {
      key: 'is_answered',
      about: '`false` if the service did not answer for the vessel',
      value: ({ failed }) => !failed,
    },
  ],
});

type Compared = ComparedPort & { vessel: KnownVessel };

const comparison = defineServiceTable<Compared>({
  name: 'next-ports-compared',
  about: "A port with the prediction of each of the service's two views",
  columns: [
    ...vesselColumns<Compared>(({ vessel }) => vessel),
    ...portColumns<Compared>(({ port }) => port),
    ...viewColumns('vessel', ({ vesselView }) => vesselView),
    ...viewColumns('ship', ({ shipView }) => shipView),
  ],
});

function viewColumns(
  name: string,
  predictionIn: (row: Compared) => Prediction | undefined,
): Column<Compared>[] {
  return [
    {
      key: `${name}_view_probability`,
      about: `in the ${name} view, from 0 to 1`,
      value: (row) => predictionIn(row)?.probability,
    },
    ...etaColumns<Compared>(predictionIn)
      .slice(0, 2)
      .map(({ key, about, value }) => ({
        key: `${name}_view_${key}`,
        about: `${about}, in the ${name} view`,
        value,
      })),
    {
      key: `${name}_view_eta_zone`,
      about: '`given`, or `assumed-utc` where the service gave a time without a UTC offset',
      value: (row) => (predictionIn(row)?.eta ? predictionIn(row)?.etaZone : undefined),
    },
  ];
}

interface HistoryRow {
  vessel: KnownVessel;
  at: Date;
  /** Null if nothing was predicted. */
  call: { port: Locode; eta: Date | null; probability: number } | null;
}

const history = defineServiceTable<HistoryRow>({
  name: 'next-port-history',
  about:
    'A poll that changed the most probable port, moved its ETA by an hour or its probability by ten points; the newest first',
  columns: [
    ...vesselColumns<HistoryRow>(({ vessel }) => vessel),
    ...portColumns<HistoryRow>(({ call }) => call?.port),
    probability(({ call }) => call?.probability),
    ...etaColumns<HistoryRow>(({ call }) => call ?? undefined),
  ],
});

const historyRows = ({ vessel, spells }: VesselHistoryAnswer): HistoryRow[] =>
  spells
    .flatMap(({ port, from, points }): HistoryRow[] =>
      port === null
        ? [{ vessel, at: from, call: null }]
        : points.map(({ at, eta, probability: share }) => ({
            vessel,
            at,
            call: { port, eta, probability: share },
          })),
    )
    .reverse();

export const nextPortsTables = [candidates, vessels, comparison, history];
