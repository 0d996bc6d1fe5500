// `node scripts/meanings.ts` writes src/reference/meanings.data.ts: how much each word, and each thing that is named, speaks
// for a meaning of the commands, learnt from the lines of test/corpus/days/. `-- FILE …` learns only from those files.
import { readFileSync, writeFileSync } from 'node:fs';
import { attempt, UserError } from '../src/errors.ts';
import { commands } from '../src/features/index.ts';
import { mentionsTyped } from '../src/features/own-words.ts';
import { featuresOf, noMeaning as none, stemOf, wordsIn } from '../src/grammar/meanings.ts';
import { dayFiles, readDays, vessels } from '../test/support/days.ts';
import { parseLine } from '../test/support/registry.ts';

function meaningOf(line: string): string {
  if (/^(?:ask|refuse):/.test(line)) return none;
  const prepared = attempt(() => parseLine(line, { vessels }));
  if (prepared instanceof UserError) {
    const [choice] = prepared.choices;
    return choice && choice.line !== line ? meaningOf(choice.line) : none;
  }
  const { name } = prepared.command;
  const command = commands.find((each) => each.name === name);
  return command?.meanings.find(({ of }) => !of || of.test(prepared.line))?.name ?? none;
}

const files = process.argv.length > 2 ? process.argv.slice(2) : dayFiles;
/** Plain questions, and what they are understood as: they count twelve times, since each stands for many. */
const plain = readFileSync(new URL('../test/features/readings.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, typed = '', meant = ''] = /^(.+) ⇒ understood as ([^(]+?)(?: \(.*)?$/.exec(line) ?? [];
    return typed === '' ? [] : [{ typed, meanings: [meant] }];
  });
const said = new Map<string, Set<string>>();
const learnt = [...files.flatMap(readDays), ...Array.from({ length: 12 }, () => plain).flat()].map(
  ({ typed, meanings: [first = '', ...others] }) => {
    const mentions = mentionsTyped({ typed, vessels });
    const meaning = meaningOf(first);
    for (const each of new Set([meaning, ...others.map(meaningOf)])) {
      const words = said.get(each) ?? new Set();
      said.set(each, words);
      for (const word of wordsIn(mentions.rest)) words.add(stemOf(word));
    }
    return { features: featuresOf(mentions), meaning };
  },
);

const counts = new Map<string, number>();
for (const { features } of learnt)
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
// What is said once says little.
const features = [...counts].filter(([, count]) => count >= 2).map(([feature]) => feature);
const at = new Map(features.map((feature, index) => [feature, index]));
const meanings = [...new Set(learnt.map(({ meaning }) => meaning))].sort();
const rows = learnt.map((line) => ({
  features: line.features.flatMap((feature) => at.get(feature) ?? []),
  meaning: meanings.indexOf(line.meaning),
}));

// AdaGrad with an L1 penalty, and the mean of the later passes: together they leave few weights.
const [rate, penalty, passes] = [0.3, 0.01, 40];
const size = features.length * meanings.length;
const weights = new Float64Array(size);
const squares = new Float64Array(size).fill(1e-8);
const means = new Float64Array(size);
let seed = 1;
const random = (): number => {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const cell = (feature: number, meaning: number): number => feature * meanings.length + meaning;
for (let pass = 0; pass < passes; pass += 1) {
  for (let index = 0; index < size; index += 1) {
    const shrink = (penalty * rate * rows.length) / 100 / Math.sqrt(squares[index] ?? 1);
    const weight = weights[index] ?? 0;
    weights[index] = Math.sign(weight) * Math.max(0, Math.abs(weight) - shrink);
  }
  for (let step = 0; step < rows.length; step += 1) {
    const row = rows[Math.floor(random() * rows.length)];
    if (!row) continue;
    const powers = meanings.map((_, meaning) =>
      Math.exp(row.features.reduce((sum, feature) => sum + (weights[cell(feature, meaning)] ?? 0), 0)),
    );
    const all = powers.reduce((sum, power) => sum + power, 0);
    for (const [meaning, power] of powers.entries()) {
      const slope = power / all - (meaning === row.meaning ? 1 : 0);
      if (Math.abs(slope) < 1e-3) continue;
      for (const feature of row.features) {
        const index = cell(feature, meaning);
        squares[index] = (squares[index] ?? 0) + slope ** 2;
        weights[index] = (weights[index] ?? 0) - (rate * slope) / Math.sqrt(squares[index] ?? 1);
      }
    }
  }
  if (pass < passes / 2) continue;
  for (const [index, weight] of weights.entries()) means[index] = (means[index] ?? 0) + weight / (passes / 2);
}

const usual = [...said].sort().map(([meaning, words]) => `${meaning}\t${[...words].sort().join(' ')}`);
const quoted = (all: readonly string[]): string =>
  all.join('\n').replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('$', '\\$');
const lines = features
  .map((feature, index) => {
    const entries = meanings.flatMap((meaning, of) => {
      const tenths = Math.round(10 * (means[cell(index, of)] ?? 0));
      return Math.abs(tenths) < 2 ? [] : [`${meaning} ${tenths}`];
    });
    return [feature, ...entries].join('\t');
  })
  .filter((line) => line.includes('\t'))
  .sort();
writeFileSync(
  new URL('../src/reference/meanings.data.ts', import.meta.url),
  `// Generated by scripts/meanings.ts from test/corpus/days/. Don't edit.

/** For each word or thing that is named: how much it speaks for a meaning, in tenths, between tabs. */
export const weights = \`
${quoted(lines)}
\`;

/** By meaning, the stems of the words that people write around what has it. */
export const usualWords = \`
${quoted(usual)}
\`;
`,
);
