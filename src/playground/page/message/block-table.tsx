import type { KnownBlock } from '@slack/types';
import { useState } from 'react';
import { LibraryBlock } from './library-block.tsx';

type Tables = Extract<KnownBlock, { type: 'table' | 'data_table' }>;
type Cell = Tables['rows'][number][number];

const DEFAULT_PAGE_SIZE = 5;

/**
 * Renders `table` and `data_table`, whose first row is the header. slack-blocks-to-jsx renders the first
 * without header cells and doesn't support the second. A `data_table` has pages, as in Slack.
 */
export function BlockTable({ block }: { block: Tables }) {
  const [page, setPage] = useState(0);
  const [header = [], ...rows] = block.rows;
  const size = block.type === 'data_table' ? (block.page_size ?? DEFAULT_PAGE_SIZE) : rows.length || 1;
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const from = Math.min(page, pages - 1) * size;
  const headerColumn = block.type === 'data_table' ? (block.row_header_column_index ?? 0) : undefined;
  const classOf = (cell: Cell, column: number) => {
    const settings = block.type === 'table' ? block.column_settings?.[column] : undefined;
    const align = settings?.align ?? (cell.type === 'raw_number' ? 'right' : 'left');
    return `cell-${align}${settings?.is_wrapped === false ? ' cell-one-line' : ''}`;
  };
  return (
    <div className="block-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <section className="block-table-scroll" tabIndex={0} aria-label="Table">
        <table>
          {block.type === 'data_table' && <caption>{block.caption}</caption>}
          <thead>
            <tr>
              {header.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position.
                <th key={column} scope="col" className={classOf(rows[0]?.[column] ?? cell, column)}>
                  <CellText cell={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(from, from + size).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position.
              <tr key={from + index}>
                {row.map((cell, column) => {
                  const Tag = column === headerColumn ? 'th' : 'td';
                  return (
                    <Tag
                      // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position.
                      key={column}
                      className={classOf(cell, column)}
                      scope={Tag === 'th' ? 'row' : undefined}
                    >
                      <CellText cell={cell} />
                    </Tag>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {pages > 1 && (
        <p className="block-table-pages">
          <button
            type="button"
            className="text-button"
            disabled={from === 0}
            onClick={() => setPage(page - 1)}
          >
            Previous
          </button>
          <span>
            {from + 1}–{Math.min(from + size, rows.length)} of {rows.length}
          </span>
          <button
            type="button"
            className="text-button"
            disabled={from + size >= rows.length}
            onClick={() => setPage(page + 1)}
          >
            Next
          </button>
        </p>
      )}
    </div>
  );
}

function CellText({ cell }: { cell: Cell }) {
  switch (cell.type) {
    case 'raw_text':
      return cell.text;
    case 'raw_number':
      return cell.text ?? String(cell.value);
    case 'rich_text':
      return <LibraryBlock block={cell} />;
  }
}
