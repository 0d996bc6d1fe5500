// `npm run mutants` changes the core at random places, one at a time, and says which test notices each change.
// Options: --count 60; --seed 4711; --core src/grammar (a folder or file, repeatable; default: all that decides, stores
// and delivers answers and alerts); --tests test/grammar (repeatable; default: all but those with a browser);
// --list prints the changes only; --json FILE writes the result for a later comparison.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Change, chooseChanges } from './mutants/changes.ts';
import type { FileResult } from './mutants/messenger.ts';
import { runTests } from './mutants/run-tests.ts';

interface Outcome extends Change {
  outcome: 'caught' | 'survived' | 'not reached';
  /** `test/grammar/options.test.ts › a value with spaces` */
  by?: string;
}

/** Without texts, data, settings, and the composition of the parts, which the types hold together. */
const core = [
  'analytics',
  'answers',
  'database',
  'features',
  'grammar',
  'mcp',
  'outbox',
  'predictions',
  'run',
  'slack',
  'workspaces',
];

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '4711' },
    core: { type: 'string', multiple: true, default: core.map((folder) => `src/${folder}`) },
    tests: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const count = Number(values.count);
const seed = Number(values.seed);
if (!Number.isInteger(count) || !Number.isInteger(seed))
  throw new Error('--count and --seed are whole numbers');

const { changes, places } = chooseChanges({ ...values, count, seed });
print(`${changes.length} changes of ${places} places, seed ${seed}\n`);
if (values.list) for (const change of changes) print(`${placeOf(change)}  ${shown(change)}`);
else await tryAll();

async function tryAll(): Promise<void> {
  const unchanged = await runTests({ changes }, values.tests);
  if (unchanged.errors.length > 0) print(`Errors without any change: ${unchanged.errors.join(', ')}\n`);
  const broken = new Set(unchanged.failures.map(({ file }) => file));
  if (broken.size > 0) print(`Fail without any change, and don't count: ${[...broken].join(', ')}\n`);
  const passing = unchanged.files.filter(({ file }) => !broken.has(file));
  if (passing.length === 0) throw new Error('no test passes');
  print('| Place | Change | Caught by |\n| --- | --- | --- |');
  const outcomes: Outcome[] = [];
  for (const [index, change] of changes.entries()) {
    const outcome = { ...change, ...(await tryChange(index, passing)) };
    print(`| ${placeOf(change)} | ${shown(change)} | ${outcome.by ?? `**${outcome.outcome}**`} |`);
    outcomes.push(outcome);
  }
  const totals = Object.fromEntries(
    (['caught', 'survived', 'not reached'] as const).map((kind) => [
      kind,
      outcomes.filter(({ outcome }) => outcome === kind).length,
    ]),
  );
  print(
    `\n${Object.entries(totals)
      .map(([kind, number]) => `${number} ${kind}`)
      .join(', ')}`,
  );
  if (values.json)
    writeFileSync(values.json, `${JSON.stringify({ ...values, places, totals, outcomes }, null, 2)}\n`);
}

async function tryChange(
  active: number,
  passing: readonly FileResult[],
): Promise<Pick<Outcome, 'outcome' | 'by'>> {
  const files = passing
    .filter(({ reached }) => reached.includes(active))
    .toSorted((a, b) => a.milliseconds - b.milliseconds)
    .map(({ file }) => file);
  if (files.length === 0) return { outcome: 'not reached' };
  const run = await runTests({ changes, active, files });
  const [failure] = run.failures;
  if (failure) return { outcome: 'caught', by: `${failure.file} › ${failure.test}` };
  if (run.hung) return { outcome: 'caught', by: 'a hang' };
  const [error] = run.errors;
  return error === undefined
    ? { outcome: 'survived' }
    : { outcome: 'caught', by: `an unhandled error: ${error}` };
}

function placeOf({ file, line }: Change): string {
  return `${file}:${line}`;
}

function shown({ before, after }: Change): string {
  return `${asCode(before)} → ${asCode(after)}`;
}

/** On one line of a table. */
function asCode(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  const short = line.length > 80 ? `${line.slice(0, 50)} … ${line.slice(-28)}` : line;
  return `\`${short.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
