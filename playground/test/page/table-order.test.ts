import { describe, expect, it } from 'vitest';
import {
  alignOf,
  type Cell,
  cellText,
  nextOrder,
  type Row,
  sortedRows,
} from '../../page/message/table-order.ts';

const text = (value: string): Cell => ({ type: 'raw_text', text: value });
const number = (value: number, shown = String(value)): Cell => ({ type: 'raw_number', value, text: shown });
const rich = (...elements: object[]): Cell => ({
  type: 'rich_text',
  // Elements of any kind.
  elements: [{ type: 'rich_text_section', elements: elements as [] }],
});
const date = (timestamp: number) => rich({ type: 'date', timestamp, format: '{time}', fallback: '15:05' });
const by = (column: number, descending = false) => ({ column, descending });
const column = (...cells: Cell[]): Row[] => cells.map((cell) => [cell]);
const sorted = (rows: Row[], descending = false) =>
  sortedRows(rows, by(0, descending)).map(([cell]) => cell && cellText(cell));

describe('a table sorted by a reader', () => {
  it('takes turns: up, down, as the app has it; another column starts anew', () => {
    const up = nextOrder(undefined, 1);
    expect(up).toEqual(by(1));
    const down = nextOrder(up, 1);
    expect(down).toEqual(by(1, true));
    expect(nextOrder(down, 1)).toBeUndefined();
    expect(nextOrder(down, 0)).toEqual(by(0));
  });

  it('sorts figures by their value, whatever they show', () => {
    const rows = column(number(9, '9%'), number(82, '🟠 82%'), number(-1, 'none'));
    expect(sorted(rows)).toEqual(['none', '9%', '🟠 82%']);
    expect(sorted(rows, true)).toEqual(['🟠 82%', '9%', 'none']);
  });

  it('sorts words as people do, and numbers in them', () => {
    const rows = column(text('Terminal 10'), text('terminal 9'), text('Århus'), text('Antwerp'));
    expect(sorted(rows)).toEqual(['Antwerp', 'Århus', 'terminal 9', 'Terminal 10']);
  });

  it('sorts dates by time, links by their text, and figures before words', () => {
    const link = rich({ type: 'link', url: 'https://a.example', text: 'EVER GIVEN' });
    expect(sortedRows([[date(3)], [date(1)], [date(2)]], by(0))).toEqual([[date(1)], [date(2)], [date(3)]]);
    expect(sorted(column(text('MSC DIANA'), link, number(5)))).toEqual(['5', 'EVER GIVEN', 'MSC DIANA']);
  });

  it('leaves equal rows and the rows of the app in their order', () => {
    const rows: Row[] = ['b', 'a', 'c'].map((name) => [number(1), text(name)]);
    expect(sortedRows(rows, by(0))).toEqual(rows);
    expect(sortedRows(rows, by(0, true))).toEqual(rows);
    expect(sortedRows(rows, undefined)).toEqual(rows);
    expect(sortedRows(rows, by(7))).toEqual(rows);
  });
});

it.each<[Cell, 'left' | 'right']>([
  [number(82, '82%'), 'right'],
  [number(82, '████████░░ 82%'), 'right'],
  [number(1_795_000_000, 'Mon 23 Nov 15:05 LT'), 'left'],
  [text('82'), 'left'],
])('%o stands on the %s', (cell, side) => {
  expect(alignOf(cell)).toBe(side);
});

it('a list and a date have a text too', () => {
  const list: Cell = {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Maersk' }] }],
      },
    ],
  };
  expect(cellText(list)).toBe('Maersk');
  expect(cellText(date(1))).toBe('15:05');
});
