import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { codeOf } from '../errors.ts';
import type { ExportTable } from './answer.ts';
import type { CellValue, FieldType } from './table.ts';

/** What the worker gets before the rows, which follow in parts. */
export interface SheetStart {
  name: string;
  columns: readonly { key: string; type: FieldType | undefined }[];
}

/** What the worker gets. The order is: a sheet, its rows, the next sheet, … the end. */
export type WorkbookPart = { sheet: SheetStart } | { rows: readonly (readonly CellValue[])[] } | 'end';

/** A row with something in it; lines count from 1. */
export interface SheetRow {
  record: string[];
  line: number;
}

export interface ReadSheet {
  name: string;
  rows: SheetRow[];
}

/** `unreadable`: not a workbook, damaged, or locked with a password. */
export type UnreadWorkbook = { refused: 'unreadable' | 'too-large' };

/** What the reading worker starts with. `maxRows`: of all sheets together. */
export interface ReadRequest {
  bytes: Uint8Array<ArrayBuffer>;
  maxRows: number;
}

/** What the reading worker sends: a sheet, its rows in parts, the next sheet, … the end. */
export type ReadPart = { sheet: string } | { rows: SheetRow[] } | UnreadWorkbook | 'end';

export type Workbooks = ReturnType<typeof createWorkbooks>;

/** `src/answers/workbook-worker.ts`, or its bundle: `dist/answers/workbook-worker.js` as seen from `dist/chunks`. */
const scriptOf = (name: 'workbook-worker' | 'workbook-reader'): string =>
  fileURLToPath(new URL(`../answers/${name}${extname(import.meta.filename)}`, import.meta.url));

/** So that other work of this process runs in between. */
const rowsPerPart = 200;

const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Writes and reads spreadsheets, one at a time, each in a thread of its own: 30,000 rows take seconds. */
export function createWorkbooks({ timeoutMs = 10_000 }: { timeoutMs?: number } = {}) {
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function writeNow(tables: readonly ExportTable[], maxRows: number): Promise<Uint8Array> {
    const worker = new Worker(scriptOf('workbook-worker'), { env: {}, resourceLimits });
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
    write: (tables: readonly ExportTable[], { maxRows }: { maxRows: number }): Promise<Uint8Array> =>
      inTurn(() => writeNow(tables, maxRows)),
    /**
     * The rows of an .xlsx file that aren't empty, of all sheets together at most so many. Dates are ISO dates. Reading
     * may take twice as long as writing.
     */
    read: (
      bytes: Uint8Array,
      { maxRows }: { maxRows: number },
    ): Promise<readonly ReadSheet[] | UnreadWorkbook> =>
      inTurn(() => readNow({ bytes: new Uint8Array(bytes), maxRows }, 2 * timeoutMs)),
  };
}

async function readNow(
  request: ReadRequest,
  timeoutMs: number,
): Promise<readonly ReadSheet[] | UnreadWorkbook> {
  const worker = new Worker(scriptOf('workbook-reader'), { env: {}, resourceLimits, workerData: request });
  // It must not keep a bot alive that wants to end.
  worker.unref();
  try {
    return await sheetsFrom(worker, timeoutMs);
  } finally {
    await worker.terminate();
  }
}

/** A file that takes too much memory or time is too large. */
function sheetsFrom(worker: Worker, timeoutMs: number): Promise<readonly ReadSheet[] | UnreadWorkbook> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly ReadSheet[] | UnreadWorkbook>();
  const sheets: ReadSheet[] = [];
  const timer = setTimeout(() => resolve({ refused: 'too-large' }), timeoutMs);
  worker.on('message', (part: ReadPart) => {
    if (part === 'end') resolve(sheets);
    else if ('refused' in part) resolve(part);
    else if ('sheet' in part) sheets.push({ name: part.sheet, rows: [] });
    else sheets.at(-1)?.rows.push(...part.rows);
  });
  worker.once('error', (error) =>
    codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ refused: 'too-large' }) : reject(error),
  );
  worker.once('exit', (code) => reject(new Error(`the thread that reads a spreadsheet ended (${code})`)));
  return promise.finally(() => clearTimeout(timer));
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
