import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ExportTable } from './answer.ts';
import type { CellValue, FieldType } from './table.ts';

/** What the worker gets before the rows, which follow in parts. */
export interface SheetStart {
  name: string;
  columns: readonly { key: string; type: FieldType | undefined }[];
}

/** What the worker gets. The order is: a sheet, its rows, the next sheet, … the end. */
export type WorkbookPart = { sheet: SheetStart } | { rows: readonly (readonly CellValue[])[] } | 'end';

export type Workbooks = ReturnType<typeof createWorkbooks>;

/** `src/answers/workbook-worker.ts`, or its bundle: `dist/answers/workbook-worker.js` as seen from `dist/chunks`. */
const script = fileURLToPath(
  new URL(`../answers/workbook-worker${extname(import.meta.filename)}`, import.meta.url),
);

/** So that other work of this process runs in between. */
const rowsPerPart = 200;

/** Writes spreadsheets, one at a time, each in a thread of its own: 30,000 rows take seconds. */
export function createWorkbooks({ timeoutMs = 10_000 }: { timeoutMs?: number } = {}) {
  let last: Promise<unknown> = Promise.resolve();

  async function writeNow(tables: readonly ExportTable[], maxRows: number): Promise<Uint8Array> {
    const worker = new Worker(script, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    // It must not keep a bot alive that wants to end.
    worker.unref();
    const written = fileOf(worker, timeoutMs);
    // While rows are sent, a failure has no other listener.
    written.catch(() => undefined);
    try {
      for (const { nameParts, columns, types, rows } of tables) {
        const sheet = {
          name: nameParts[0] ?? '',
          columns: columns.map((key, index) => ({ key, type: types?.[index] })),
        };
        worker.postMessage({ sheet } satisfies WorkbookPart);
        for (const part of partsOf(rows(), maxRows)) {
          worker.postMessage({ rows: part } satisfies WorkbookPart);
          await setImmediate();
        }
      }
      worker.postMessage('end' satisfies WorkbookPart);
      return await written;
    } finally {
      await worker.terminate();
    }
  }

  return {
    /** An .xlsx file with a sheet for each table, of at most so many rows. */
    write(tables: readonly ExportTable[], { maxRows }: { maxRows: number }): Promise<Uint8Array> {
      const turn = last.then(() => writeNow(tables, maxRows));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function* partsOf(rows: Iterable<readonly CellValue[]>, max: number): Iterable<(readonly CellValue[])[]> {
  let part: (readonly CellValue[])[] = [];
  let count = 0;
  for (const row of rows) {
    if (count === max) break;
    count += 1;
    part.push(row);
    if (part.length < rowsPerPart) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function fileOf(worker: Worker, timeoutMs: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(
    () => reject(new Error(`the spreadsheet took more than ${timeoutMs} ms`)),
    timeoutMs,
  );
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the spreadsheet's thread ended (${code})`)));
  return promise.finally(() => clearTimeout(timer));
}
