export { createExportLine, type ExportLine } from './export-line.ts';
export { parseWithExport } from './parse-with-export.ts';
