// Checks the settings and all that they lead to, and changes nothing: npm run doctor [-- --json]
import { readFileSync } from 'node:fs';
import { diagnose, lastLine, lineOf, type Report } from './app/doctor/diagnose.ts';

const isJson = process.argv.slice(2).includes('--json');
const manifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
const reports: Report[] = [];
for await (const report of diagnose({ env: process.env, envFile: '.env', manifest })) {
  if (!isJson) process.stdout.write(lineOf(report, reports.at(-1)));
  reports.push(report);
}
process.stdout.write(isJson ? `${JSON.stringify(reports, null, 2)}\n` : lastLine(reports));
process.exitCode = reports.some(({ level }) => level === 'failure') ? 1 : 0;
