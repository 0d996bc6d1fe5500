import type { Imo } from '../../reference/codes.ts';

/** A vessel has at least one of a name, fleets and references. */
export interface VesselRow {
  imo: Imo;
  name: string | null;
  fleets: readonly string[];
  references: readonly string[];
}

/** Writes a table with headings, which `readVesselTable` reads back unchanged. */
export function writeVesselCsv(vessels: readonly VesselRow[]): string {
  const rows = vessels.map(({ imo, name, fleets, references }) =>
    formatCsvRow([String(imo), name ?? '', formatCell(fleets), formatCell(references)]),
  );
  return ['imo,name,fleets,references', ...rows, ''].join('\r\n');
}

export const formatCsvRow = (cells: readonly string[]): string => cells.map(cellOf).join(',');

/** An apostrophe keeps spreadsheets from running a name as a formula. If the name has one already, it gets another. */
function cellOf(text: string): string {
  const plain = /^'*[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A cell without the apostrophe that protected it. */
export const readCell = (cell: string): string => cell.trim().replace(/^'(?='*[=+@-])/, '');

/** `NORTH | "A | B"`: a name that contains a bar gets quotes. */
const formatCell = (names: readonly string[]): string =>
  names.map((name) => (/[|"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(' | ');

/** The inverse of `formatCell`. */
export function parseCell(cell: string): string[] {
  const parts = cell.match(/\s*"(?:[^"]|"")*"\s*|[^|]+/g) ?? [];
  const names = parts.map((part) => {
    const name = part.trim();
    return name.startsWith('"') && name.endsWith('"') && name.length > 1
      ? name.slice(1, -1).replaceAll('""', '"').trim()
      : name;
  });
  return [...new Set(names.filter((name) => name !== ''))];
}
