// The thread that writes a spreadsheet. workbook.ts starts it, sends it the rows, and ends it.
import { parentPort } from 'node:worker_threads';
import writeExcelFile, { type Row, type Sheet } from 'write-excel-file/node';
import type { CellValue, FieldType } from './table.ts';
import type { SheetStart, WorkbookPart } from './workbook.ts';

const sheets: { start: SheetStart; data: Row[] }[] = [];

parentPort?.on('message', async (part: WorkbookPart) => {
  if (part === 'end') {
    parentPort?.postMessage(await writeExcelFile(sheets.map(sheetOf)).toBuffer());
    return;
  }
  if ('sheet' in part) {
    const headings = part.sheet.columns.map(({ key }) => ({ value: key, fontWeight: 'bold' }) as const);
    sheets.push({ start: part.sheet, data: [headings] });
    return;
  }
  const sheet = sheets.at(-1);
  for (const row of part.rows)
    sheet?.data.push(row.map((value, index) => cellOf(value, sheet.start.columns[index]?.type)));
});

function sheetOf({ start, data }: (typeof sheets)[number]): Sheet<never> {
  return {
    data,
    // Excel's limit.
    sheet: start.name.slice(0, 31),
    stickyRowsCount: 1,
    columns: start.columns.map(({ key, type }) => ({
      width: Math.max(key.length + 2, type === undefined || type === 'text' ? 18 : (widths[type] ?? 10)),
    })),
  };
}

const widths: Partial<Record<FieldType, number>> = { instant: 17, 'local time': 17, day: 12 };

const formats: Partial<Record<FieldType, string>> = {
  instant: 'yyyy-mm-dd hh:mm',
  'local time': 'yyyy-mm-dd hh:mm',
  day: 'yyyy-mm-dd',
  share: '0.0%',
  count: '#,##0',
};

function cellOf(given: CellValue, type: FieldType | undefined): Row[number] {
  const value = timeOf(given, type);
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return { type: String, value: harmless(value) };
  if (typeof value === 'boolean') return { type: Boolean, value };
  const format = formats[type ?? (value instanceof Date ? 'instant' : 'number')];
  const formatted = format === undefined ? {} : { format };
  return value instanceof Date ? { type: Date, value, ...formatted } : { type: Number, value, ...formatted };
}

/** A spreadsheet has no zones, so a local time is written as it reads. */
function timeOf(value: CellValue, type: FieldType | undefined): CellValue {
  if (value === '') return null;
  if (typeof value !== 'string' || (type !== 'local time' && type !== 'day')) return value;
  const [, day, clock = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}))?$/.exec(value) ?? [];
  return day === undefined ? value : new Date(`${day}T${clock}:00Z`);
}

/** Without what XML can't hold, up to Excel's limit of a cell. */
const harmless = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, ' ')
    .replace(/[\uFFFE\uFFFF]/g, ' ')
    .slice(0, 32_767)
    .toWellFormed();
