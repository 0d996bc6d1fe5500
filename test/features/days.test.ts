import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { periodOption } from '../../src/grammar/parse-period.ts';
import { readPort } from '../../src/grammar/port.ts';
import { resolvePeriod } from '../../src/grammar/resolve-period.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { portOf } from '../../src/reference/ports.ts';
import { parseLine } from '../support/registry.ts';

const folder = new URL('../corpus/days/', import.meta.url);

const named: readonly [imo: number, name: string, ...references: string[]][] = [
  [9461477, 'DS CYPRESS'],
  [9755933, 'MSC DIANA', 'BK-4402', 'ACME'],
  [9811000, 'EVER GIVEN', 'BK-4401'],
  [9839430, 'MSC GULSUN'],
  [9074729, 'AMBER BEACON', 'BK-4403'],
  [9454436, 'CMA CGM MARCO POLO'],
  [9863297, 'HMM ALGECIRAS', 'HLCU8847120'],
  [9783497, 'COSCO SHIPPING ARIES'],
  [9458092, 'MAERSK ESSEX'],
  [9450404, 'NORTHERN JUVENILE'],
];
const vessels = createVesselDirectory(
  named.map(([imo, name]) => ({ imo: imo as Imo, name })), // numbers with valid check digits
  new Map(named.map(([imo, , ...references]) => [imo as Imo, references])),
  new Map(
    Object.entries({ ARA: ['NLRTM', 'BEANR', 'NLAMS'], BALTIC: ['PLGDN', 'LTKLJ', 'SEGOT'] }).map(
      ([name, ports]) => [name, ports as Locode[]], // known codes
    ),
  ),
);

const now = new Date('2026-11-23T10:00:00Z');

interface DayLine {
  typed: string;
  meaning: string;
  isAmerican: boolean;
}

const readDays = (file: string): DayLine[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [typed = '', right = ''] = line.split(' ⇒ ');
      const meaning = right.replace(/ \(en-US\)$/, '');
      return {
        typed: typed.replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
        meaning,
        isAmerican: meaning !== right,
      };
    });

type Outcome = 'right' | 'asked' | 'wrong';

/** `shown`: what became of the line. */
function judge({ typed, meaning, isAmerican }: DayLine): { outcome: Outcome; shown: string } {
  const context = { vessels, isTyped: true, locale: isAmerican ? 'en-US' : 'en-GB' };
  const meansError = /^(?:ask|refuse):/.test(meaning);
  try {
    const { line } = parseLine(typed, context);
    const isRight = !meansError && sameMeaning(line, canonical(meaning));
    return { outcome: isRight ? 'right' : 'wrong', shown: line };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, choices } = error;
    const lines = choices.map(({ line }) => line);
    const isRight = meansError || lines.some((line) => sameMeaning(line, canonical(meaning)));
    return {
      outcome: isRight ? 'right' : 'asked',
      shown: `${code}: ${message} ${lines.map((line) => `[${line}]`).join(' ')}`,
    };
  }
}

/** The notation of the corpus is nearly that of the canonical lines. */
function canonical(meaning: string): string {
  try {
    return parseLine(meaning, { vessels }).line;
  } catch (error) {
    if (error instanceof UserError) return meaning;
    throw error;
  }
}

/** The names of groups are found in any case. */
const sameMeaning = (one: string, other: string): boolean =>
  settled(one).toLowerCase() === settled(other).toLowerCase();

/** With its periods as instants, since there are several ways to write one. */
function settled(line: string): string {
  const [asked = '', versus] = line.split(' versus ');
  const [name] = /^(?:portcalls|lane|usage|watch changes)\b/.exec(asked) ?? [];
  if (name === undefined) return line;
  return [settle(asked, name), ...(versus === undefined ? [] : [settle(`${name} ${versus}`, name)])].join(
    ' versus ',
  );
}

function settle(line: string, name: string): string {
  const direction = name === 'portcalls' ? 'future' : 'past';
  const words = line.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const taken = tryPeriod(words.slice(0, count).join(' '), direction);
    if (!taken) continue;
    const [port = ''] = taken.rest.slice(name.length).split(',');
    const read = readPort(port);
    const zone = name === 'portcalls' && read.kind === 'one' ? portOf(read.port)?.zone : undefined;
    const { begin, end } = resolvePeriod(taken.value, {
      now,
      zone: zone ?? 'UTC',
      direction,
    });
    // Statistics end now.
    const until = direction === 'past' && end > now ? now : end;
    return [taken.rest, begin.toISOString(), until.toISOString(), ...words.slice(count)].join(' ');
  }
  return line;
}

const help = { example: '', line: (fixed: string) => fixed };

function tryPeriod(words: string, direction: 'past' | 'future') {
  try {
    return periodOption(direction)(words, () => help);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

// After ⇒ in the files stands what the line means. What an answer would have to guess is asked about: that isn't wrong.
test.each([
  { file: 'days.txt', share: 0.96, wrong: 0 },
  // Whole sentences, mails and documents.
  { file: 'long.txt', share: 0.57, wrong: 1 },
  // Written by somebody who doesn't know the grammar. Nobody reads it while the grammar changes.
  { file: 'unseen.txt', share: 0.62, wrong: 6 },
])('$file: at least $share of the lines are read right', ({ file, share, wrong }) => {
  const judged = readDays(file).map((line) => ({ ...line, ...judge(line) }));
  const of = (outcome: Outcome) => judged.filter((line) => line.outcome === outcome);
  expect(of('right').length).toBeGreaterThanOrEqual(share * judged.length);
  expect(of('wrong').slice(wrong)).toEqual([]);
});
