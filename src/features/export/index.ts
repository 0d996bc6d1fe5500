import { stringify } from 'csv-stringify/sync';
import { type Answer, type ExportTable, lines } from '../../answers/answer.ts';
import { isoDay } from '../../answers/formatting/times.ts';
import { counted } from '../../answers/formatting/words.ts';
import { withNote } from '../../answers/slack/answer-message.ts';
import { jsonValue, toTime } from '../../answers/structured.ts';
import type { CellValue } from '../../answers/table.ts';
import { codeLine, linked, present, type Text } from '../../answers/text.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';
import { UserError } from '../../errors.ts';
import { type ExportFormat, formatExport, quote, type TextFormat } from '../../grammar/line.ts';
import { type LineAnswer, lineAnswerOf, type PreparedLine } from '../command.ts';
import { type AskCtx, type CommandHelp, privateReader } from '../ctx.ts';

/** More rows than this are left out, and the answer says so. */
export const maxExportRows = 30_000;

/** Makes `portcalls NLRTM as csv` of `portcalls NLRTM`: it sends its answer's table as a file. */
export function exportLine(prepared: PreparedLine, format: ExportFormat): PreparedLine {
  const exported: PreparedLine = {
    ...prepared,
    line: formatExport(prepared.line, format),
    exportFormat: format,
    // The file is for the person who asks, wherever the line is typed.
    repeatable: false,
    isExportable: false,
    privacy: prepared.privacy === 'never-shared' ? 'never-shared' : 'personal',
    async run(ctx) {
      const answer = await prepared.run({ ...ctx, audience: 'private', maxRows: maxExportRows });
      const [table, ...others] = answer.tables(privateReader(ctx));
      if (!table) throw notATable(prepared.line, ctx.registry.commands);
      return table.rowCount === 0 && ctx.place
        ? withoutFile(answer)
        : await deliver([table, ...others], { answer, asked: prepared.line, exported, format }, ctx);
    },
  };
  return exported;
}

async function deliver(
  tables: readonly [ExportTable, ...ExportTable[]],
  {
    answer,
    asked,
    exported,
    format,
  }: { answer: LineAnswer; asked: string; exported: PreparedLine; format: ExportFormat },
  ctx: AskCtx,
): Promise<LineAnswer> {
  const { services, place, actor, now } = ctx;
  const [table] = tables;
  const { lines: gaps = [] } = answer.brief(privateReader(ctx)).brief.verdict;
  const limit = { maxRows: maxExportRows };
  const name = fileName(table, { format, zone: actor.zone ?? 'UTC', now: now() });
  const content =
    format === 'xlsx'
      ? await services.workbooks.write(tables, limit)
      : await writeTable(table, { format, ...limit });
  const rows = Math.min(table.rowCount, maxExportRows);
  const total = table.total ?? table.rowCount;
  const sent = { file: name, rows, ...(total > rows && { total }), gaps };
  if (!place)
    return {
      ...lineAnswerOf(exportAnswer(sent), exported, ctx),
      structured: () => ({ ...sent, content }),
      file: content,
    };
  const outcome = await services.slack.sendFile(actor.userId, {
    name,
    title: `${name} · /${asked}`,
    // Without the mark, Excel reads a CSV file as text of the computer's own language, not as UTF-8.
    content: format === 'csv' ? `\uFEFF${String(content)}` : content,
  });
  const unsent = outcome.isSent ? undefined : { ...(await firstRows(table, format)), advice: outcome.advice };
  const { url } = outcome.isSent ? outcome : {};
  return lineAnswerOf(exportAnswer({ ...sent, url }, unsent), exported, ctx);
}

/** What a message can show of a file. */
const charactersShown = 6_000;

/** As many rows as fit in a message; of a spreadsheet as CSV. */
async function firstRows(table: ExportTable, asked: ExportFormat): Promise<{ text: string; rows: number }> {
  const format = asked === 'xlsx' ? 'csv' : asked;
  let rows = Math.min(table.rowCount, 100);
  for (;;) {
    const text = await writeTable(table, { format, maxRows: rows });
    const { length } = codeLine(text);
    if (length <= charactersShown || rows <= 1) return { text, rows };
    rows = Math.max(1, Math.min(rows - 1, Math.floor((rows * charactersShown) / length)));
  }
}

interface SentFile {
  file: string;
  rows: number;
  /** The number of rows that there are, if the file has only the first of them. */
  total?: number;
  /** What the answer lacks, such as a port that the service didn't answer for. */
  gaps?: readonly Text[];
  /** Slack's link to the direct message with the file. */
  url?: string | undefined;
}

/** `unsent`: what the file holds, with what to do about it, if Slack didn't take it. */
export function exportAnswer(
  { file, rows, total, gaps = [], url }: SentFile,
  unsent?: { text: string; rows: number; advice: string | undefined },
): Answer {
  const what = `${file} (${counted(rows, 'row')})`;
  const shown =
    unsent && unsent.rows < rows
      ? `here are the first ${counted(unsent.rows, 'row')}, which is all that fits`
      : 'here it is as text';
  return {
    verdict: unsent
      ? { strong: `Slack didn't take the file ${what}`, rest: `: ${shown}` }
      : { strong: [`Sent ${what} to `, linked(url, 'your direct messages')], lines: gaps },
    sections: unsent
      ? [{ kind: 'code', lines: unsent.text.trimEnd().split(/\r?\n/) }, ...lines(present(unsent.advice))]
      : [],
    notes: present(
      total !== undefined && `the first ${counted(rows, 'row')} of ${total.toLocaleString('en')}`,
    ),
  };
}

const withoutFile = (answer: LineAnswer): LineAnswer => ({
  ...answer,
  view: (reader) => withNote(answer.view(reader), 'there are no rows, so no file was sent'),
});

/** With a line that has a table. */
export function exportExample(commands: readonly CommandHelp[]): string {
  const { examples: [asked] = [] } = commands.find(({ takes }) => takes === 'ports') ?? {};
  return formatExport(asked ?? '', 'csv');
}

export const notATable = (line: string, commands: readonly CommandHelp[]): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `The answer to ${quote(line)} isn't a table, so it can't be exported.`,
    choices: [{ label: `/${line}`, line }],
    example: exportExample(commands),
  });

type Row = readonly CellValue[];

/**
 * The text of a file with the first rows of the table. CSV as in RFC 4180, with a heading; JSON is an array
 * with an object for each row. Lets other work of this process run in between.
 */
export async function writeTable(
  table: ExportTable,
  { format, maxRows }: { format: TextFormat; maxRows: number },
): Promise<string> {
  const { columns } = table;
  const { head, lineOf, separator, tail } = writers[format](columns);
  const yieldToEventLoop = createYieldToEventLoop();
  const lines: string[] = [];
  for (const row of table.rows()) {
    if (lines.length >= maxRows) break;
    await yieldToEventLoop();
    lines.push(lineOf(row));
  }
  return `${head}${lines.join(separator)}${tail}`;
}

interface Writer {
  head: string;
  lineOf(row: Row): string;
  separator: string;
  tail: string;
}

const csv = (columns: readonly string[]): Writer => ({
  head: csvLine(columns),
  lineOf: csvLine,
  separator: '',
  tail: '',
});

/** With an apostrophe before what a spreadsheet would run as a formula. Numbers stay numbers. */
const csvLine = (row: Row): string =>
  stringify([[...row]], {
    record_delimiter: '\r\n',
    escape_formulas: true,
    cast: { boolean: String, date: toTime, string: disarmed },
  });

/**
 * Where columns are separated by semicolons or tabs, a text is split at those, its quotes don't count, and a line break
 * in it begins a row. The library looks at the beginning of the text only.
 */
const disarmed = (text: string): string =>
  text.replace(/(^ +|[;\t\r\n][ "]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, "$1'");

const json = (columns: readonly string[]): Writer => ({
  head: '[\n',
  lineOf: (row) =>
    JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, jsonValue(row[index])]))),
  separator: ',\n',
  tail: '\n]\n',
});

const writers: Record<TextFormat, (columns: readonly string[]) => Writer> = { csv, json };

/** `port-calls-NLRTM-2026-11-23.csv` or `port-calls-NLRTM-2026-11-24-to-2026-11-26-as-of-2026-11-23.csv`; the last day is the person's today. */
export function fileName(
  { nameParts, period }: ExportTable,
  { format, now, zone }: { format: ExportFormat; now: Date; zone: string },
): string {
  const words = nameParts.map((part) =>
    part.replace(/[^\p{L}\p{N}._]+/gu, '-').replace(/^[-.]+|[-.]+$/g, ''),
  );
  const name = words
    .filter(Boolean)
    .join('-')
    .slice(0, maxNameLength)
    // Half of a surrogate pair is not a letter.
    .replace(/[\uD800-\uDBFF]$/, '');
  const asOf = period === undefined ? '' : `-${period}-as-of`;
  return `${name}${asOf}-${isoDay(now, zone)}.${format}`;
}

const maxNameLength = 100;
