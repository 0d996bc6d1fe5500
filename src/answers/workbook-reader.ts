// The thread that reads a spreadsheet. workbook.ts starts it with the file, and ends it.
import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync } from 'fflate';
import readExcelFile, { type CellValue } from 'read-excel-file/universal';
import type { ReadPart, ReadRequest, SheetRow } from './workbook.ts';

/** A sheet of 50,000 rows and 28 columns. A file that unpacks to more is too large, or a trap. */
const maxUnpackedBytes = 64_000_000;

/** So that the bot's own work runs in between. */
const rowsPerPart = 500;

/** More of a sheet is never a table of vessels. */
const limits = { columns: 200, characters: 10_000 };

const minuteMs = 60_000;

const send = (part: ReadPart) => parentPort?.postMessage(part);

const { bytes, maxRows }: ReadRequest = workerData;
send(await read());

async function read(): Promise<ReadPart> {
  try {
    if (unpackedBytes() > maxUnpackedBytes) return { refused: 'too-large' };
    let room = maxRows;
    for (const { sheet, data } of await readExcelFile(new Blob([bytes]))) {
      const rows = data
        .map((cells, index) => ({ record: cells.slice(0, limits.columns).map(textOf), line: index + 1 }))
        .filter(({ record }) => record.some((text) => text !== ''))
        .slice(0, room);
      room -= rows.length;
      send({ sheet });
      for (const part of partsOf(rows)) send({ rows: part });
    }
    return 'end';
  } catch {
    return { refused: 'unreadable' };
  }
}

/** As the archive says; fflate unpacks no file beyond that. */
function unpackedBytes(): number {
  let total = 0;
  const add = ({ originalSize }: { originalSize: number }) => {
    total += originalSize;
    return false;
  };
  unzipSync(bytes, { filter: add });
  return total;
}

function* partsOf(rows: readonly SheetRow[]): Iterable<SheetRow[]> {
  for (let from = 0; from < rows.length; from += rowsPerPart) yield rows.slice(from, from + rowsPerPart);
}

/** A date is written as `2026-11-24 18:00`, a number with all its figures. */
function textOf(cell: CellValue | null): string {
  if (cell === null) return '';
  return cell instanceof Date ? dateText(cell) : String(cell).trim().slice(0, limits.characters);
}

/** Excel counts days, so a time may be a fraction of a second off. A time without a day is one of 1899. */
function dateText(cell: Date): string {
  const rounded = new Date(Math.round(cell.getTime() / minuteMs) * minuteMs);
  if (Number.isNaN(rounded.getTime())) return '';
  const [day = '', time = ''] = rounded.toISOString().slice(0, 16).split('T');
  if (rounded.getUTCFullYear() < 1901) return time;
  return time === '00:00' ? day : `${day} ${time}`;
}
