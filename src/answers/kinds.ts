import { carrierName, type Scac } from '../reference/carriers.ts';
import { hasValidCheckDigit, type Locode } from '../reference/codes.ts';
import { portName, portOf } from '../reference/ports.ts';
import { clockName, isoLocalTime, shortTime, untilEta } from './formatting/times.ts';
import {
  type KnownVessel,
  percent,
  share as shareInWords,
  vesselShort,
  wilsonInterval,
} from './formatting/words.ts';
import type { Reader } from './message.ts';
import type { Cell, CellValue, ColumnKind, Field, FieldType, FieldValue } from './table.ts';
import type { Text } from './text.ts';

/** Null as `header`: not shown. Null as `about`: only shown, not in files. */
type Header = string | null;
type About = string | null;

interface Options<Row> {
  /** Instead of the kind's own words. */
  words?: (row: Row, reader: Reader) => Text;
  /** See Column. Default: whether it is a figure. */
  isLabelled?: boolean;
  membersOnly?: boolean;
  /** All texts that it can hold. */
  values?: readonly string[];
  /** See Column. Undefined: the table has the references itself. */
  vesselOf?: ((row: Row) => KnownVessel | undefined) | undefined;
}

interface Definition<Row> extends Options<Row> {
  header: Header;
  isFigure?: boolean;
  cell: (row: Row, reader: Reader) => Cell;
  fields: (key: string) => readonly (Field<Row> | false)[];
}

const column =
  <Row>({
    header,
    isFigure = false,
    isLabelled = isFigure,
    cell,
    fields,
    words,
    membersOnly = false,
    vesselOf,
  }: Definition<Row>): ColumnKind<Row> =>
  (key) => ({
    ...(header !== null && { header }),
    cell: words ? (row, reader) => ({ ...cell(row, reader), text: words(row, reader) }) : cell,
    isFigure,
    isLabelled,
    fields: fields(key).filter((field) => field !== false),
    membersOnly,
    ...(vesselOf && { vesselOf }),
  });

/** A kind of one value in one field. */
const single =
  <Value>(
    type: FieldType,
    toCell: (value: Value, reader: Reader) => Cell,
    isFigure: boolean,
    isLabelled = isFigure,
  ) =>
  <Row>(
    header: Header,
    about: About,
    value: (row: Row) => Value | null | undefined,
    options: Options<Row> = {},
  ): ColumnKind<Row> =>
    column<Row>({
      ...{ header, isFigure, isLabelled },
      ...options,
      cell(row, reader) {
        const given = value(row);
        return given === null || given === undefined ? { text: '' } : toCell(given, reader);
      },
      // Values of these kinds are cell values as they are.
      fields: (key) => [
        about !== null && {
          ...{ key, about, type, values: options.values },
          value: value as (row: Row) => CellValue,
        },
      ],
    });

export const text = single<string>('text', (value) => ({ text: value }), false);

export const count = single<number>(
  'count',
  (value) => ({ sort: value, text: value.toLocaleString('en') }),
  true,
);

/** Any other figure. `words`: rounded as it is meant to be read. */
export const number = single<number>(
  'number',
  (value) => ({ sort: value, text: value.toLocaleString('en') }),
  true,
);

/** From 0 to 1, shown in percent, which says outside of a table what it is. */
export const probability = single<number>(
  'share',
  (value) => ({ sort: value, text: percent(value) }),
  true,
  false,
);

/** A share of something else, 0 to 1, that is no probability. */
export const portion = single<number>('share', (value) => ({ sort: value, text: percent(value) }), true);

export const flag = single<boolean>('boolean', (value) => ({ text: value ? 'yes' : 'no' }), false);

/** A moment, in files in UTC. */
export const instant = single<Date>(
  'instant',
  (value) => ({ sort: value.getTime(), text: { instant: value } }),
  false,
);

/** In files the code, and `…_name`: the carrier's name. */
export const carrier = <Row>(
  header: Header,
  about: string,
  scac: (row: Row) => Scac,
  options: Options<Row> = {},
): ColumnKind<Row> =>
  column<Row>({
    header,
    ...options,
    cell: (row) => ({ text: carrierLabel(scac(row)) }),
    fields: (key) => [
      { key, about: `SCAC of ${about}`, type: 'text', value: scac },
      { key: `${key}_name`, about: `name of ${about}`, type: 'text', value: (row) => carrierName(scac(row)) },
    ],
  });

/** `Maersk (MAEU)`, or the bare code. */
export function carrierLabel(scac: Scac): string {
  const name = carrierName(scac);
  return name === undefined ? scac : `${name} (${scac})`;
}

/** In files the code, and `…_name`: the port's name. */
export const port = <Row>(
  header: Header,
  about: string,
  locode: (row: Row) => Locode | undefined,
  options: Options<Row> = {},
): ColumnKind<Row> =>
  column<Row>({
    header,
    ...options,
    cell(row) {
      const code = locode(row);
      return { text: code === undefined ? '' : portName(code) };
    },
    fields: (key) => [
      { key, about: `${about}, as UN/LOCODE`, type: 'text', value: locode },
      {
        key: `${key}_name`,
        about: `name of the ${about}`,
        type: 'text',
        value(row) {
          const code = locode(row);
          return code && portOf(code) && portName(code);
        },
      },
    ],
  });

/** In files the name in this workspace, and before it `imo`. */
export const vessel = <Row>(
  header: Header,
  vesselIn: (row: Row) => KnownVessel | undefined,
  options: Options<Row> = {},
): ColumnKind<Row> =>
  column<Row>({
    header,
    vesselOf: vesselIn,
    ...options,
    cell(row) {
      const found = vesselIn(row);
      return { text: found ? vesselShort(found) : '' };
    },
    fields: (key) => [
      {
        key: key.replace(/vessel$/, 'imo'),
        about: 'IMO number',
        type: 'imo',
        value: (row) => vesselIn(row)?.imo,
      },
      { key, about: 'name in this workspace', type: 'text', value: (row) => vesselIn(row)?.name },
    ],
  });

interface ShareOptions<Row> extends Options<Row> {
  /** Of fewer cases a percentage says little: then only the counts are shown. */
  minimum?: number;
  /** Instead of `0 of 0`. */
  none?: string;
  /** What it is a share of. Then files also have `…_share`, and its 95% Wilson interval as `…_share_low` and `…_share_high`. */
  whole?: string;
}

/** `14% (5 of 37)`. In files the count. */
export const share = <Row>(
  header: Header,
  about: string,
  countOf: (row: Row) => readonly [count: number, of: number],
  { minimum = 1, none = '0 of 0', whole, ...options }: ShareOptions<Row> = {},
): ColumnKind<Row> =>
  column<Row>({
    header,
    isFigure: true,
    ...options,
    cell(row) {
      const [part, of] = countOf(row);
      const counts = of > 0 ? `${part} of ${of}` : none;
      const text = of < minimum ? counts : shareInWords(part, of);
      return { sort: of > 0 ? part / of : 0, text };
    },
    fields: (key) => [
      { key, about, type: 'count', value: (row) => countOf(row)[0] },
      whole !== undefined && {
        key: `${key}_share`,
        about: `of the ${whole}, from 0 to 1`,
        type: 'share',
        value(row) {
          const [part, of] = countOf(row);
          return of > 0 ? rounded(part / of) : undefined;
        },
      },
      whole !== undefined && {
        key: `${key}_share_low`,
        about: 'lower end of the 95% Wilson interval of that share',
        type: 'share',
        value: (row) => rounded(wilsonInterval(...countOf(row)).low),
      },
      whole !== undefined && {
        key: `${key}_share_high`,
        about: 'upper end of that interval',
        type: 'share',
        value: (row) => rounded(wilsonInterval(...countOf(row)).high),
      },
    ],
  });

/** More digits would suggest a precision that so few cases don't have. A faulty report may count more than all. */
const rounded = (ratio: number): number => Math.min(1, Math.round(ratio * 10_000) / 10_000);

/** For a table that has the vessel's name in another column. */
export const imo = <Row>(header: Header, vesselIn: (row: Row) => KnownVessel): ColumnKind<Row> =>
  column<Row>({
    header,
    vesselOf: vesselIn,
    cell(row) {
      const vessel = vesselIn(row);
      const note = hasValidCheckDigit(vessel.imo) ? '' : 'check digit wrong';
      // A vessel without a name is called by this number already.
      const number = vessel.name === undefined ? '' : `IMO ${vessel.imo}`;
      return {
        text: {
          inTable: `${vessel.imo}${note && ` (${note})`}`,
          inLine: number && note ? `${number} (${note})` : number || note,
        },
      };
    },
    fields: (key) => [{ key, about: 'IMO number', type: 'number', value: (row) => vesselIn(row).imo }],
  });

/** An IMO number in a table whose files have it in another column. */
export const imoShown = <Row>(header: string, vesselIn: (row: Row) => KnownVessel): ColumnKind<Row> => {
  const kind = imo<Row>(header, vesselIn);
  return (key) => {
    const { cell, ...column } = kind(key);
    return {
      ...column,
      fields: [],
      cell: (row, reader) => ({ ...cell(row, reader), sort: vesselIn(row).imo }),
    };
  };
};

interface Eta {
  port: Locode;
  eta?: Date | null | undefined;
  etaZone?: 'given' | 'assumed-utc';
  /** The rows are of several ports: the port's name follows, or has a column of its own. */
  isNamed?: boolean;
}

export interface EtaOptions<Row> extends Options<Row> {
  /** Which of several ETAs it is: `in the second forecast`. */
  about?: string;
  /** The table has another column with the time zone of this port. */
  hasZoneElsewhere?: boolean;
}

/**
 * In files `eta`, `eta_local` and `port_zone`: the port's clock is the one that people there go by. Without `words`, it
 * is shown for the days to come: `Sun 05:20`. The header says that this is LT.
 */
export const eta = <Row>(
  header: Header,
  callIn: (row: Row) => Eta | undefined,
  { about = '', hasZoneElsewhere = false, ...options }: EtaOptions<Row> = {},
): ColumnKind<Row> => {
  const which = about === '' ? '' : `, ${about}`;
  return column<Row>({
    header,
    ...options,
    cell(row, { now }) {
      const call = callIn(row);
      return { text: etaInWords(call, now), sort: call?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER };
    },
    fields: (key) => [
      { key, about: `ETA in UTC${which}`, type: 'instant', value: (row) => callIn(row)?.eta },
      {
        key: `${key}_local`,
        about: `ETA by the port's own clock; empty where its time zone is unknown${which}`,
        type: 'local time',
        value(row) {
          const { eta: time, port: at } = callIn(row) ?? {};
          const zone = at && portOf(at)?.zone;
          return time && zone && isoLocalTime(time, zone);
        },
      },
      !hasZoneElsewhere && {
        key: `${key.replace(/eta$/, '')}port_zone`,
        about: 'time zone of the port',
        type: 'text',
        value(row) {
          const at = callIn(row)?.port;
          return at && portOf(at)?.zone;
        },
      },
    ],
  });
};

function etaInWords(call: Eta | undefined, now: Date): Text {
  if (!call) return '';
  const { eta: time, etaZone, port: at, isNamed = false } = call;
  const place = isNamed ? portName(at) : '';
  if (!time) {
    const none = isNamed ? `not given, ${place}` : 'not given';
    return { inTable: none, inLine: `ETA ${none}` };
  }
  const zone = portOf(at)?.zone;
  const join = (clock: string) =>
    [
      shortTime(time, zone, now),
      clock,
      etaZone === 'assumed-utc' ? '(time zone not given, read as UTC)' : '',
      place,
    ].filter(Boolean);
  return {
    inTable: join(isNamed && zone === undefined ? clockName(zone) : '').join(' '),
    inLine: join(clockName(zone)).join(' '),
  };
}

/** What is left until the ETA: `in 19 h`, `2 h past ETA`. Files have the time itself. */
export const timeLeft = <Row>(
  header: string,
  etaOf: (row: Row) => Date | null | undefined,
): ColumnKind<Row> =>
  shown<Row>(header, (row, { now }) => {
    const time = etaOf(row);
    return time ? { sort: time.getTime() - now.getTime(), text: untilEta(time, now) } : '';
  });

/** A column that is only shown: its words, and the figure to sort by. */
export const shown = <Row>(
  header: string,
  cell: (row: Row, reader: Reader) => Cell | string,
  { isFigure = false, membersOnly = false }: { isFigure?: boolean; membersOnly?: boolean } = {},
): ColumnKind<Row> =>
  column<Row>({
    ...{ header, isFigure, membersOnly },
    cell(row, reader) {
      const given = cell(row, reader);
      return typeof given === 'string' ? { text: given } : given;
    },
    fields: () => [],
  });

/** A column of files alone. */
export const field = <Row>(
  type: FieldType,
  about: string,
  value: (row: Row) => FieldValue,
  { membersOnly = false, values }: Pick<Options<Row>, 'membersOnly' | 'values'> = {},
): ColumnKind<Row> =>
  column<Row>({
    ...{ header: null, membersOnly },
    cell: () => ({ text: '' }),
    fields: (key) => [{ key, about, type, values, value }],
  });
