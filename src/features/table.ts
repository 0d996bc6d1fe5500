import type { Prediction } from '../analytics/answers.ts';
import type { ExportTable } from '../answers/export-table.ts';
import type { CellValue } from '../answers/table.ts';
import type { TimeSpan } from '../grammar/resolve-period.ts';
import { isoDay, isoLocalTime } from '../messages/formatting/times.ts';
import type { KnownVessel } from '../messages/formatting/vessel-label.ts';
import type { Reader } from '../messages/message.ts';
import type { Locode } from '../reference/locode.ts';
import { portName, portOf } from '../reference/ports.ts';

/** The key is the column's heading in CSV and the name of the field in JSON. People's spreadsheets rely on it. */
export interface Column<Row> {
  /** In snake_case, units last: `eta`, `eta_local`, `moved_minutes`. */
  key: string;
  /** What it holds, for the docs: a phrase without a full stop. */
  about: string;
  value: (row: Row) => CellValue;
}

interface TableDefinition<Row> {
  /** The beginning of the file's name, in kebab-case: `port-calls`. */
  name: string;
  /** What a row is, for the docs: `A vessel that may call at the port`. */
  about: string;
  columns: readonly Column<Row>[];
}

/** What the docs say about a table. */
export interface TableShape {
  name: string;
  about: string;
  columns: readonly Pick<Column<never>, 'key' | 'about'>[];
}

interface TableContent<Row> {
  rows: readonly Row[];
  /** What the answer is about, such as `NLRTM` or a fleet's name. */
  subject?: readonly string[];
  /** See ExportTable. */
  period?: string | undefined;
  /** The number of rows that there are, if `rows` are only the first of them. */
  total?: number;
}

export interface Table<Row, Content = TableContent<Row>> extends TableShape {
  of(content: Content): ExportTable;
}

/** A table of what the workspace itself has stored. */
export function defineTable<Row>({ name, about, columns }: TableDefinition<Row>): Table<Row> {
  return {
    ...{ name, about, columns },
    of: ({ rows, subject = [], period, total = rows.length }) => ({
      nameParts: [name, ...subject],
      ...(period !== undefined && { period }),
      columns: columns.map(({ key }) => key),
      rowCount: rows.length,
      ...(total > rows.length && { total }),
      *rows() {
        for (const row of rows) yield columns.map(({ value }) => value(row));
      },
    }),
  };
}

/** The days of a half-open period, for the name of a file. */
export const periodName = ({ begin, end }: TimeSpan, zone: string): string =>
  dayNames(isoDay(begin, zone), isoDay(new Date(Math.max(begin.getTime(), end.getTime() - 1)), zone));

export const dayNames = (first: string, last: string): string =>
  first === last ? first : `${first}-to-${last}`;

type ServiceContent<Row> = TableContent<Row> & {
  /** When the service gave the rows, or a row. */
  fetchedAt: Date | ((row: Row) => Date | undefined);
  reader: Pick<Reader, 'source'>;
};

/** A table of data of the service. It also says in each row how old the data is, and whether it is invented. */
export function defineServiceTable<Row>({
  name,
  about,
  columns,
}: TableDefinition<Row>): Table<Row, ServiceContent<Row>> {
  const { of, ...shape } = defineTable<{ row: Row; fetchedAt: Date | undefined; isInvented: boolean }>({
    name,
    about,
    columns: [
      ...columns.map(({ value, ...column }) => ({
        ...column,
        value: ({ row }: { row: Row }) => value(row),
      })),
      {
        key: 'fetched_at',
        about: 'when the analytics service gave this row, in UTC',
        value: ({ fetchedAt }) => fetchedAt,
      },
      {
        key: 'source',
        about: '`service`; `invented data` from the sandbox',
        value: ({ isInvented }) => (isInvented ? 'invented data' : 'service'),
      },
    ],
  });
  return {
    ...shape,
    of: ({ rows, fetchedAt, reader, ...content }) =>
      of({
        ...content,
        rows: rows.map((row) => ({
          row,
          fetchedAt: typeof fetchedAt === 'function' ? fetchedAt(row) : fetchedAt,
          isInvented: reader.source === 'sandbox',
        })),
      }),
  };
}

/** `imo` and `vessel`. */
export const vesselColumns = <Row>(vesselOf: (row: Row) => KnownVessel | undefined): Column<Row>[] => [
  { key: 'imo', about: 'IMO number', value: (row) => vesselOf(row)?.imo },
  { key: 'vessel', about: 'name in this workspace', value: (row) => vesselOf(row)?.name },
];

/** `port` and `port_name`; with a prefix, such as `other_`, `other_port` and `other_port_name`. */
export const portColumns = <Row>(
  portIn: (row: Row) => Locode | undefined,
  { prefix = '', about = 'port' } = {},
): Column<Row>[] => [
  { key: `${prefix}port`, about: `${about}, as UN/LOCODE`, value: portIn },
  {
    key: `${prefix}port_name`,
    about: `name of the ${about}`,
    value: (row) => {
      const port = portIn(row);
      return port && portOf(port) && portName(port);
    },
  },
];

/** `eta`, `eta_local`, `port_zone`; the port's clock is the one that people there go by. */
export const etaColumns = <Row>(
  callIn: (row: Row) => { eta?: Date | null | undefined; port: Locode } | undefined,
): Column<Row>[] => [
  { key: 'eta', about: 'ETA in UTC', value: (row) => callIn(row)?.eta },
  {
    key: 'eta_local',
    about: "ETA by the port's own clock; empty where its time zone is unknown",
    value(row) {
      const { eta, port } = callIn(row) ?? {};
      const zone = port && portOf(port)?.zone;
      return eta && zone && isoLocalTime(eta, zone);
    },
  },
  {
    key: 'port_zone',
    about: 'time zone of the port',
    value(row) {
      const port = callIn(row)?.port;
      return port && portOf(port)?.zone;
    },
  },
];

/** `eta_zone`, for tables with ETAs of endpoints that give no UTC offset. */
export const etaZoneColumn = <Row>(
  predictionIn: (row: Row) => Pick<Prediction, 'eta' | 'etaZone'> | undefined,
): Column<Row> => ({
  key: 'eta_zone',
  about: '`given`, or `assumed-utc` where the service gave a time without a UTC offset',
  value(row) {
    const prediction = predictionIn(row);
    return prediction?.eta && prediction.etaZone;
  },
});
