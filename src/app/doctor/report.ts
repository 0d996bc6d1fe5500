import type { Report } from './diagnose.ts';

const marks = { ok: '✓', warning: '!', failure: '✗' } as const;

/** With the name of its section, if it is the first one there, and what to do about it. */
export function lineOf({ section, level, text, remedy }: Report, previous: Report | undefined): string {
  const heading = section === previous?.section ? '' : `${previous ? '\n' : ''}${section}\n`;
  return `${heading}  ${marks[level]} ${text}\n${remedy === undefined ? '' : `      ${remedy}\n`}`;
}

/** The next thing to do. */
export function lastLine(reports: readonly Report[]): string {
  const first = reports.find(({ level }) => level === 'failure');
  if (first?.remedy) return `\nNext: ${first.remedy}\n`;
  const warnings = reports.filter(({ level }) => level === 'warning').length;
  if (warnings === 0) return '\nAll is well: npm start\n';
  return `\nLandfall can start, with ${warnings === 1 ? '1 warning' : `${warnings} warnings`}: npm start\n`;
}
