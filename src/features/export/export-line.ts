import type { Answer, ExportTable } from '../../answers/answer.ts';
import { counted } from '../../answers/formatting/words.ts';
import { withNote } from '../../answers/slack/answer-message.ts';
import { codeLine } from '../../answers/slack/mrkdwn.ts';
import { present } from '../../answers/text.ts';
import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { type ExportFormat, formatExport } from '../../grammar/options.ts';
import type { LineAnswer, PreparedLine } from '../command.ts';
import { type AskCtx, privateReader } from '../ctx.ts';
import { lineAnswerOf } from '../variant.ts';
import { fileName, writeTable } from './write-table.ts';

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
      if (!table) throw notATable(prepared.line);
      return table.rowCount === 0 && ctx.place
        ? withoutFile(answer)
        : await deliver([table, ...others], { asked: prepared.line, exported, format }, ctx);
    },
  };
  return exported;
}

async function deliver(
  tables: readonly [ExportTable, ...ExportTable[]],
  { asked, exported, format }: { asked: string; exported: PreparedLine; format: ExportFormat },
  ctx: AskCtx,
): Promise<LineAnswer> {
  const { services, place, actor, now } = ctx;
  const [table] = tables;
  const limit = { maxRows: maxExportRows };
  const name = fileName(table, { format, zone: actor.zone ?? 'UTC', now: now() });
  const content =
    format === 'xlsx'
      ? await services.workbooks.write(tables, limit)
      : await writeTable(table, { format, ...limit });
  const rows = Math.min(table.rowCount, maxExportRows);
  const total = table.total ?? table.rowCount;
  const sent = { file: name, rows, ...(total > rows && { total }) };
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
  return lineAnswerOf(exportAnswer(sent, unsent), exported, ctx);
}

/** What a message can show of a file. */
const charactersShown = 6_000;

/** As many rows as fit in a message; of a spreadsheet as CSV. */
async function firstRows(table: ExportTable, asked: ExportFormat): Promise<{ text: string; rows: number }> {
  const format = asked === 'json' ? 'json' : 'csv';
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
}

/** `unsent`: what the file holds, with what to do about it, if Slack didn't take it. */
export function exportAnswer(
  { file, rows, total }: SentFile,
  unsent?: { text: string; rows: number; advice: string | undefined },
): Answer {
  const what = `${file} (${counted(rows, 'row')})`;
  const shown =
    unsent && unsent.rows < rows
      ? `here are the first ${counted(unsent.rows, 'row')}, which is all that fits`
      : 'here it is as text';
  return {
    verdict: unsent
      ? { strong: `Slack didn't take the file ${what}`, rest: `: ${shown}`, lines: present(unsent.advice) }
      : { strong: `Sent ${what} to your direct messages` },
    sections: unsent ? [{ kind: 'code', lines: unsent.text.trimEnd().split(/\r?\n/) }] : [],
    notes: present(
      total !== undefined && `the first ${counted(rows, 'row')} of ${total.toLocaleString('en')}`,
    ),
  };
}

const withoutFile = (answer: LineAnswer): LineAnswer => ({
  ...answer,
  view: (reader) => withNote(answer.view(reader), 'there are no rows, so no file was sent'),
});

export const notATable = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `The answer to ${quote(line)} isn't a table, so it can't be exported.`,
    choices: [{ label: `/${line}`, line }],
    example: 'portcalls Rotterdam as csv',
  });
