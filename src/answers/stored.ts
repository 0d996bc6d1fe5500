import { z } from 'zod';
import type { Answer, Section } from './answer.ts';
import type { Reader } from './message.ts';
import { staleWords } from './slack/answer-message.ts';
import type { Cell, Grid, TableSection } from './table.ts';
import { isList, type Text } from './text.ts';

/**
 * An answer that is sent later, as JSON: its words, and the cells of its tables. Members-only words and columns are kept,
 * since only the moment of sending shows who reads it. Of another version nothing is read.
 */
export const storedAnswer = z.object({
  version: z.literal(1),
  /** The canonical line. */
  line: z.string(),
  /** The line that a file is asked with; left out if there are no rows for one. */
  exportedLine: z.string().optional(),
  answer: z.record(z.string(), z.unknown()),
});
export type StoredAnswer = z.infer<typeof storedAnswer>;

interface StoredTable extends Pick<TableSection, 'kind' | 'caption' | 'inVerdict'> {
  inWords?: TableSection['inWords'];
  rowCount: number;
  total: number;
  columns: Grid['columns'];
  rows: readonly (readonly Cell[])[];
}

/** `reader`: of the cells' words. What files, programs and digests get of an answer isn't stored. */
export function toStored(answer: Answer, about: Omit<StoredAnswer, 'version' | 'answer'>, reader: Reader) {
  const { files: _, comparison: __, hasNews: ___, outcome: ____, nextCall: _____, ...shown } = answer;
  // An object stays one.
  return { version: 1, ...about, answer: encode(shown, reader) as Record<string, unknown> } as const;
}

/**
 * The verdict and what qualifies it, for a message about several answers. `isWhole`: only small print and buttons are left
 * out.
 */
export function briefOf({ verdict, sections = [], provenance }: Answer, reader: Pick<Reader, 'now'>) {
  const { strong, rest = '', lines = [], warning } = verdict;
  const brief: Answer = {
    verdict: {
      strong,
      rest: withoutMoments(rest),
      lines: [
        ...(provenance ? staleWords(provenance, reader) : []),
        ...(warning === undefined ? [] : [warning]),
      ],
    },
  };
  const isEmpty = (section: Section) =>
    (section.kind === 'table' && section.shownCount === 0) ||
    (section.kind === 'text' && section.lines.length === 0);
  return { brief, isWhole: lines.length === 0 && sections.every(isEmpty) };
}

/** A line among others has the port's time alone. */
function withoutMoments(text: Text): Text {
  if (isList(text)) return text.map(withoutMoments);
  return typeof text === 'object' && 'moment' in text ? '' : text;
}

export const readStored = ({ answer }: Pick<StoredAnswer, 'answer'>): Answer =>
  // `toStored` wrote it in this version.
  decode(answer) as Answer;

function encode(value: unknown, reader: Reader): unknown {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map((each) => encode(each, reader));
  if (isTable(value)) return encode(cellsOf(value, reader), reader);
  return isObject(value) ? mapValues(value, (each) => encode(each, reader)) : value;
}

function cellsOf(section: TableSection, reader: Reader): StoredTable {
  const { kind, caption, inVerdict, inWords, rowCount, total } = section;
  const { columns, rows } = section.grid(reader);
  return {
    ...{ kind, caption, inVerdict, inWords, rowCount, total, rows },
    columns: columns.map(({ header, isFigure, isLabelled, membersOnly }) => ({
      ...{ header, isFigure, isLabelled, membersOnly },
    })),
  };
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (!isObject(value)) return value;
  if ('$date' in value) return new Date(String(value.$date));
  const decoded = mapValues(value, decode);
  // Only a stored table is of that kind.
  return decoded.kind === 'table' ? tableOf(decoded as unknown as StoredTable) : decoded;
}

function tableOf({ columns, rows, ...stored }: StoredTable): TableSection {
  return {
    ...stored,
    inWords: stored.inWords,
    shape: { name: '', about: '', columns: [] },
    shownCount: rows.length,
    ...{ subject: [], period: undefined },
    grid({ audience }) {
      const isSeen = columns.map(({ membersOnly }) => !membersOnly || audience !== 'outside');
      const seen = <Part>(parts: readonly Part[]) => parts.filter((_, index) => isSeen[index]);
      return { columns: seen(columns), rows: rows.map(seen) };
    },
    fields: () => [],
    records: () => [],
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isTable = (value: unknown): value is TableSection =>
  isObject(value) && value.kind === 'table' && typeof value.grid === 'function';

const mapValues = (object: Record<string, unknown>, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
