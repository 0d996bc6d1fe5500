import { type CSSProperties, type ReactNode, useState } from 'react';
import { Icon } from '../chrome/icons.tsx';
import { LibraryBlock } from './library-block.tsx';
import {
  alignOf,
  type Cell,
  cellText,
  columnWidths,
  nextOrder,
  type Order,
  type Row,
  sortedRows,
  type Table,
} from './table-order.ts';

type PlainTable = Extract<Table, { type: 'table' }>;
type DataTable = Extract<Table, { type: 'data_table' }>;

/** Slack's default. */
const DEFAULT_PAGE_SIZE = 5;

/** Renders `table`. Its first row is the header, which slack-blocks-to-jsx shows like any other. */
export function BlockTable({ block: { rows, column_settings } }: { block: PlainTable }) {
  const [header = [], ...body] = rows;
  return (
    <Frame label="Table" rows={rows} pages={null}>
      <thead>
        <tr>
          {header.map((cell, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position.
            <th key={column} scope="col" className={classOf(column)}>
              <CellText cell={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position.
          <BodyRow key={index} row={row} classOf={classOf} />
        ))}
      </tbody>
    </Frame>
  );

  function classOf(column: number): string {
    const settings = column_settings?.[column];
    return `cell-${settings?.align ?? 'left'}${settings?.is_wrapped ? '' : ' cell-one-line'}`;
  }
}

/** Renders `data_table`, which slack-blocks-to-jsx doesn't support: pages, and headers that sort. */
export function BlockDataTable({ block }: { block: DataTable }) {
  const [page, setPage] = useState(0);
  const [order, setOrder] = useState<Order>();
  const [header = [], ...body] = block.rows;
  const size = block.page_size ?? DEFAULT_PAGE_SIZE;
  const pages = Math.max(1, Math.ceil(body.length / size));
  // The app may have replaced the table by a shorter one.
  const from = Math.min(page, pages - 1) * size;
  const to = Math.min(from + size, body.length);
  const classOf = (column: number) => `cell-${alignOf(body[0]?.[column] ?? header[column] ?? EMPTY)}`;
  const sort = (column: number) => {
    setOrder(nextOrder(order, column));
    setPage(0);
  };
  return (
    <Frame
      label={block.caption}
      rows={block.rows}
      pages={
        pages > 1 && (
          <p className="block-table-pages">
            <PageButton name="Previous" isOff={from === 0} onPress={() => setPage(from / size - 1)} />
            <output>
              {from + 1}–{to} of {body.length}
            </output>
            <PageButton name="Next" isOff={to === body.length} onPress={() => setPage(from / size + 1)} />
          </p>
        )
      }
    >
      <caption>
        <span>{block.caption}</span>
      </caption>
      <thead>
        <tr>
          {header.map((cell, column) => (
            <SortHeader
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position.
              key={column}
              className={classOf(column)}
              direction={order?.column === column ? direction(order) : undefined}
              onSort={() => sort(column)}
            >
              <CellText cell={cell} />
            </SortHeader>
          ))}
        </tr>
      </thead>
      <tbody>
        {sortedRows(body, order)
          .slice(from, to)
          .map((row, index) => (
            <BodyRow
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position.
              key={from + index}
              row={row}
              classOf={classOf}
              headerColumn={block.row_header_column_index ?? 0}
            />
          ))}
      </tbody>
    </Frame>
  );
}

const EMPTY: Cell = { type: 'raw_text', text: '' };

const direction = ({ descending }: Order) => (descending ? 'descending' : 'ascending');

interface FrameProps {
  label: string;
  rows: readonly Row[];
  pages: ReactNode;
  children: ReactNode;
}

function Frame({ label, rows, pages, children }: FrameProps) {
  const { first, second, others } = columnWidths(rows);
  // React's type knows no custom properties.
  const widths = {
    '--first-column': first,
    '--second-column': second,
    '--other-columns': others,
  } as CSSProperties;
  return (
    <div className="block-table" style={widths}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <section className="block-table-scroll" tabIndex={0} aria-label={label}>
        <table>{children}</table>
      </section>
      {pages}
    </div>
  );
}

interface SortHeaderProps {
  className: string;
  direction: 'ascending' | 'descending' | undefined;
  onSort: () => void;
  children: ReactNode;
}

function SortHeader({ className, direction, onSort, children }: SortHeaderProps) {
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className={`sort-button ${direction ?? ''}`} onClick={onSort}>
        {children}
        <Icon name="down" />
      </button>
    </th>
  );
}

interface BodyRowProps {
  row: Row;
  classOf: (column: number) => string;
  headerColumn?: number;
}

function BodyRow({ row, classOf, headerColumn }: BodyRowProps) {
  return (
    <tr>
      {row.map((cell, column) => {
        const Tag = column === headerColumn ? 'th' : 'td';
        return (
          <Tag
            // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position.
            key={column}
            className={classOf(column)}
            scope={Tag === 'th' ? 'row' : undefined}
          >
            <CellText cell={cell} />
          </Tag>
        );
      })}
    </tr>
  );
}

function PageButton({ name, isOff, onPress }: { name: string; isOff: boolean; onPress: () => void }) {
  return (
    <button type="button" className="text-button" disabled={isOff} onClick={onPress}>
      {name}
    </button>
  );
}

function CellText({ cell }: { cell: Cell }) {
  return cell.type === 'rich_text' ? <LibraryBlock block={cell} /> : cellText(cell);
}
