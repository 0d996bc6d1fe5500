import type { ExportTable } from '../../answers/export-table.ts';
import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { type ExportFormat, formatExport } from '../../grammar/options.ts';
import { withNote } from '../../messages/frame/small-print.ts';
import { verdictLines } from '../../messages/frame/verdict-lines.ts';
import type { LineAnswer, PreparedLine } from '../command.ts';
import { privateReader, type RunContext } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';
import { charactersShown, type Export, exportView } from './view.ts';
import { fileName, writeTable } from './write-table.ts';

export type ExportLine = (prepared: PreparedLine, format: ExportFormat) => PreparedLine;

/** More rows than this are left out, and the answer says so. */
export const maxExportRows = 30_000;

/** Returns a function that makes `portcalls NLRTM as csv` of `portcalls NLRTM`: it sends its answer's table as a file. */
export function createExportLine({
  slack,
  workbooks,
}: Pick<WorkspaceServices, 'workbooks'> & {
  slack: Pick<WorkspaceServices['slack'], 'sendFile'>;
}): ExportLine {
  return (prepared, format) => ({
    ...prepared,
    line: formatExport(prepared.line, format),
    exportFormat: format,
    // The file is for the person who asks, wherever the line is typed.
    repeatable: false,
    privacy: prepared.privacy === 'never-shared' ? 'never-shared' : 'personal',
    async run(context) {
      const answer = await prepared.run({ ...context, maxRows: maxExportRows });
      const reader = privateReader(context);
      const [table, ...others] = answer.tables(reader);
      if (!table) throw notATable(prepared.line);
      if (table.rowCount === 0 && context.place) return withoutFile(answer);
      const details = { format, zone: reader.zone, line: prepared.line };
      return fileAnswer(await deliver([table, ...others], details, context));
    },
  });

  async function deliver(
    tables: readonly [ExportTable, ...ExportTable[]],
    { format, zone, line }: { format: ExportFormat; zone: string; line: string },
    context: RunContext,
  ): Promise<Export> {
    const [table] = tables;
    const rows = Math.min(table.rowCount, maxExportRows);
    const total = table.total ?? table.rowCount;
    const name = fileName(table, { format, zone, now: context.now() });
    const written = await write(tables, format);
    const file: Export = { kind: 'export', format, file: name, rows, ...(total > rows && { total }) };
    if (!context.place) return { ...file, content: written };
    // Without the mark, Excel reads a CSV file as text of the computer's own language, not as UTF-8.
    const content = format === 'csv' ? `\uFEFF${String(written)}` : written;
    const title = `${name} · /${line}`;
    const outcome = await slack.sendFile(context.actor.userId, { name, title, content });
    if (outcome.isSent) return file;
    const { advice } = outcome;
    return {
      ...file,
      unsent: { ...(await firstRows(table, format)), ...(advice !== undefined && { advice }) },
    };
  }

  async function write(
    tables: readonly [ExportTable, ...ExportTable[]],
    format: ExportFormat,
  ): Promise<string | Uint8Array> {
    const limit = { maxRows: maxExportRows };
    return format === 'xlsx'
      ? await workbooks.write(tables, limit)
      : await writeTable(tables[0], { format, ...limit });
  }
}

/** As many rows as fit in a message; of a spreadsheet as CSV. */
async function firstRows(table: ExportTable, asked: ExportFormat): Promise<{ text: string; rows: number }> {
  const format = asked === 'json' ? 'json' : 'csv';
  let rows = Math.min(table.rowCount, 100);
  let text = await writeTable(table, { format, maxRows: rows });
  while (text.length > charactersShown && rows > 1) {
    rows = Math.max(1, Math.min(rows - 1, Math.floor((rows * charactersShown) / text.length)));
    text = await writeTable(table, { format, maxRows: rows });
  }
  return { text, rows };
}

const fileAnswer = (value: Export): LineAnswer => ({
  value,
  ...(value.content !== undefined && { file: value.content }),
  ...{ facts: null, hasNews: false, isForecast: false },
  brief: (reader) => verdictLines(exportView(value, reader)),
  view: (reader) => exportView(value, reader),
  tables: () => [],
});

const withoutFile = (answer: LineAnswer): LineAnswer => ({
  ...answer,
  view: (reader) => withNote(answer.view(reader), 'there are no rows, so no file was sent'),
});

const notATable = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `The answer to ${quote(line)} isn't a table, so it can't be exported.`,
    choices: [{ label: `/${line}`, line }],
    example: 'portcalls Rotterdam as csv',
  });
