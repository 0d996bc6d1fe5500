export { parseWithExport } from './parse-with-export.ts';
