import { readFileSync } from 'node:fs';
import { diagnose, type Finding } from './app/doctor.ts';

const manifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
let nextStep: string | undefined;
let warnings = 0;
for await (const finding of diagnose({ env: process.env, envFile: '.env', manifest })) {
  process.stdout.write(`${markOf(finding)} ${finding.text}\n`);
  if (!finding.ok) nextStep ??= finding.remedy;
  if (finding.isWarning) warnings += 1;
}
process.stdout.write(`\n${nextStep ? `Next: ${nextStep}` : readyText(warnings)}\n`);
process.exitCode = nextStep ? 1 : 0;

function markOf({ ok, isWarning }: Finding): string {
  if (!ok) return '✗';
  return isWarning ? '!' : '✓';
}

function readyText(warnings: number): string {
  if (warnings === 0) return 'All is well: npm start';
  return `Landfall can start, with ${warnings === 1 ? '1 warning' : `${warnings} warnings`}: npm start`;
}
