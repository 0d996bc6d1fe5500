import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import { share as shareInWords } from '../../answers/formatting/words.ts';
import { carrierLabel, shown } from '../../answers/kinds.ts';
import { paged } from '../../answers/message.ts';
import { type Cell, type TableSection, table } from '../../answers/table.ts';
import { joined, type Text } from '../../answers/text.ts';
import type { Scac } from '../../reference/carriers.ts';
import { carriersPerPage, missingSections, shortName, withOthers } from './answer.ts';
import { type Found, maxRequests } from './lanes.ts';
import { minJourneys } from './statistics.ts';

/** A carrier in one of the columns. */
export interface SideRow {
  carrier: Scac;
  /** The column: the name of a lane, or the beginning of a period. */
  on: string;
}

interface ShownRow {
  label: string;
  /** For a screen reader. */
  name: string;
  /** One for each column. */
  cells: readonly Cell[];
}

/** Only shown: files and assistants get a row for each carrier and column. */
const matrixTable = table<ShownRow>({
  name: 'lanes',
  about: 'A carrier on several lanes, or in several periods',
  columns: {
    carrier: shown('Carrier', ({ label }) => label),
    ...Object.fromEntries(
      Array.from({ length: maxRequests }, (_, at) => [
        `lane_${at}`,
        shown<ShownRow>(`{${at}}`, ({ cells }) => cells[at] ?? '', { isFigure: true }),
      ]),
    ),
  },
});

/** A table with a column for each lane or period, in pages. */
export function sideBySide<Row extends SideRow>(
  { answered, ...provenance }: Found<{ missing: readonly Scac[] }, unknown>,
  { page: asked }: { page: number },
  rows: {
    columns: readonly { on: string; header: string }[];
    ranked: readonly Row[];
    others: readonly Row[];
    caption: string;
    tableOf(rows: readonly Row[], shown: readonly Row[]): TableSection;
    othersTitle(count: number): string;
    cellOf(row: Row): Cell;
    /** The last row: all carriers. */
    total?: { label: string; cells: readonly Cell[] };
  },
) {
  const { columns, ranked, others, caption, tableOf, othersTitle, cellOf, total } = rows;
  const all = [...ranked, ...others];
  const first = new Set(ranked.map(({ carrier }) => carrier));
  const last = new Set(others.map(({ carrier }) => carrier).filter((carrier) => !first.has(carrier)));
  const { items, ...page } = paged([...first, ...last], asked, carriersPerPage);
  const byColumn = Map.groupBy(all, ({ carrier, on }) => `${carrier} ${on}`);
  const rowOf = (carrier: Scac): ShownRow => ({
    ...{ label: carrierLabel(carrier), name: shortName(carrier) },
    cells: columns.map(({ on }) => {
      const [row] = byColumn.get(`${carrier} ${on}`) ?? [];
      return row ? cellOf(row) : { text: '' };
    }),
  });
  const headers = Object.fromEntries(columns.map(({ header }, at) => [at, header]));
  const totals = total ? [{ ...total, name: total.label }] : [];
  const matrix = (carriers: ReadonlySet<Scac>, ending: readonly ShownRow[] = []) =>
    matrixTable.of({
      caption,
      rows: [...[...carriers].map(rowOf), ...ending],
      shown: [...items.filter((carrier) => carriers.has(carrier)).map(rowOf), ...ending],
      words: headers,
      // All that a screen reader may get.
      inWords: ({ name, cells }) => [
        `${name}: `,
        joined(
          cells.flatMap(({ text }, at): Text[] => (text === '' ? [] : [[`${headers[at]} `, text]])),
          ', ',
        ),
      ],
    });
  const data = tableOf(
    all,
    all.filter(({ carrier }) => items.includes(carrier)),
  );
  const [main, ...details] = withOthers([], matrix(first, totals), {
    ...{ others: matrix(last), title: othersTitle(last.size) },
  });
  // A carrier may have journeys in one column only.
  const missing = answered[0].missing.filter((scac) => answered.every((each) => each.missing.includes(scac)));
  return {
    sections: [
      ...(main?.kind === 'table' ? [{ ...main, data }] : []),
      ...details,
      ...missingSections(missing),
    ],
    provenance,
    page: { ...page, size: carriersPerPage },
  };
}

type Delays = Pick<CarrierStatistics, 'destinationDelayed' | 'journeys'>;

/** `12% (5 of 41)`, or `1 of 4` where a share would say little. */
export const shareCell = ({ destinationDelayed, journeys }: Delays): Cell => ({
  sort: shareOf(destinationDelayed, journeys),
  text:
    journeys < minJourneys
      ? `${destinationDelayed} of ${journeys}`
      : shareInWords(destinationDelayed, journeys),
});

/** A faulty report may count more delays than journeys. */
export const shareOf = (delayed: number, journeys: number): number =>
  journeys > 0 ? Math.min(1, delayed / journeys) : 0;
