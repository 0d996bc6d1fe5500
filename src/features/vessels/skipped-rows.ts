import { createYieldToEventLoop } from '../../database/batches.ts';
import type { AskCtx } from '../ctx.ts';
import { skipReasons } from './import-rows.ts';
import { formatCsvRow } from './vessel-csv.ts';
import type { VesselTable } from './vessel-table.ts';

const name = 'rows-not-imported.csv';

/** The answer has room for so many. */
const maxInAnswer = 5;

/**
 * Sends the person the rows that can't be used, with the reasons, if they are too many for an answer. Returns the file's
 * name if it was sent.
 */
export async function sendSkippedRows(
  { skippedRows, rows, columns }: VesselTable,
  { services, actor }: AskCtx,
): Promise<string | undefined> {
  if (skippedRows.length <= maxInAnswer) return undefined;
  const yieldToEventLoop = createYieldToEventLoop();
  const cellsOf = new Map(rows.map(({ line, record }) => [line, record]));
  const written = [formatCsvRow(['line', 'why not', ...columns.map(({ heading }) => heading)])];
  for (const { line, kind, detail } of skippedRows) {
    await yieldToEventLoop();
    const why = detail === '' ? skipReasons[kind] : `${skipReasons[kind]}: ${detail}`;
    written.push(formatCsvRow([String(line), why, ...(cellsOf.get(line) ?? [])]));
  }
  const file = { name, title: 'Rows that were not imported', content: `${written.join('\r\n')}\r\n` };
  const { isSent } = await services.slack.sendFile(actor.userId, file);
  return isSent ? name : undefined;
}
