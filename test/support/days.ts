import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { attempt, UserError } from '../../src/errors.ts';
import { resolveSince, sinceOption, today } from '../../src/features/changes/since.ts';
import { takeText } from '../../src/features/vessels/import.ts';
import { isMoment, parseMoment, resolveMoment } from '../../src/grammar/moment.ts';
import { periodOption } from '../../src/grammar/parse-period.ts';
import { readPort } from '../../src/grammar/port.ts';
import { resolvePeriod, resolvePeriodWithin } from '../../src/grammar/resolve-period.ts';
import { readTime } from '../../src/grammar/times.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { portOf } from '../../src/reference/ports.ts';
import { parseLine } from './registry.ts';

const folder = new URL('../corpus/days/', import.meta.url);

export const dayFiles = readdirSync(folder).sort();

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
export const vessels = createVesselDirectory(
  named.map(([imo, name]) => ({ imo: imo as Imo, name })), // numbers with valid check digits
  new Map(named.map(([imo, , ...references]) => [imo as Imo, references])),
  new Map(
    Object.entries({ ARA: ['NLRTM', 'BEANR', 'NLAMS'], BALTIC: ['PLGDN', 'LTKLJ', 'SEGOT'] }).map(
      ([name, ports]) => [name, ports as Locode[]], // known codes
    ),
  ),
  ['NORTH', 'ASIA LOOP'],
);

const now = new Date('2026-11-23T10:00:00Z');

export interface DayLine {
  typed: string;
  /** More than one where a fair judge would accept either. */
  meanings: readonly string[];
  isAmerican: boolean;
}

export const readDays = (file: string): DayLine[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [typed = '', right = ''] = line.split(' ⇒ ');
      const meaning = right.replace(/ \(en-US\)$/, '');
      return {
        typed: typed.replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
        meanings: meaning.split(' || '),
        isAmerican: meaning !== right,
      };
    });

/** `offered`: asked, with a button that is right. */
export type Outcome = 'right' | 'offered' | 'asked' | 'wrong';

/** `shown`: what became of the line. */
export function judge({ typed, meanings, isAmerican }: DayLine): { outcome: Outcome; shown: string } {
  const context = { vessels, isTyped: true, locale: isAmerican ? 'en-US' : 'en-GB' };
  const meansError = meanings.some((meaning) => /^(?:ask|refuse):/.test(meaning));
  // Its preview is shown, with a button.
  const isStored = meanings.some((meaning) => /^vessel ref .* add /.test(meaning));
  if (takeText(typed)) return { outcome: isStored ? 'offered' : 'asked', shown: 'the preview of an import' };
  // The names of groups are found in any case.
  const meant = meanings
    .map((meaning) => canonical(meaning))
    .map((line) => ({ line, settled: settled(line).toLowerCase() }));
  const isMeant = (line: string) => {
    const own = settled(line).toLowerCase();
    return meant.some((each) => each.settled === own || isOnlyOne(line, each.line));
  };
  try {
    const { line } = parseLine(typed, context);
    // The parser has no clock: such a line is refused when it runs.
    if (meansError && isOfFuture(line)) return { outcome: 'right', shown: `refused: ${line}` };
    return { outcome: isMeant(line) ? 'right' : 'wrong', shown: line };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, choices } = error;
    // Its button is read in that person's locale too.
    const lines = choices.map(({ line }) => canonical(line, context.locale));
    return {
      outcome: meansError ? 'right' : lines.some(isMeant) ? 'offered' : 'asked',
      shown: `${code}: ${message} ${lines.map((line) => `[${line}]`).join(' ')}`,
    };
  }
}

/** `step`: of how many lines one is read; `DAYS=all` reads each. */
export function expectReadRight({
  file,
  share,
  step = 1,
}: {
  file: string;
  share: number;
  step?: number;
}): void {
  const read = readDays(file).filter((_, at) => process.env.DAYS === 'all' || at % step === 0);
  const judged = read.map((line) => ({ ...line, ...judge(line) }));
  const of = (outcome: Outcome) => judged.filter((line) => line.outcome === outcome);
  expect(of('right').length + of('offered').length).toBeGreaterThanOrEqual(share * judged.length);
  expect(of('wrong')).toEqual([]);
}

/** The notation of the corpus is nearly that of the canonical lines. */
function canonical(meaning: string, locale?: string): string {
  try {
    return parseLine(meaning, { vessels, ...(locale !== undefined && { locale }) }).line;
  } catch (error) {
    if (error instanceof UserError) return meaning;
    throw error;
  }
}

/** Who wrote the files knew only one list of each, and this month. */
const isOnlyOne = (one: string, other: string): boolean =>
  (/^usage(?: bot)?$/.test(other) && one === `${other} this month`) ||
  (other === 'watch list' && one === 'watch list mine') ||
  (other === 'digest list' && /^digest list(?: mine| all)?$/.test(one));

/** With its periods as instants, since there are several ways to write one. */
function settled(line: string): string {
  const [asked = '', versus] = line.split(' versus ');
  const [, schedule, inner] = /^(digest add .+?(?<=\d)): (.+)$/.exec(line) ?? [];
  if (schedule !== undefined && inner !== undefined)
    return `${schedule}: ${inner.split('; ').map(settled).join('; ')}`;
  if (/^(?:watch changes|landfall audit(?= .*since))\b/.test(asked)) return settledChanges(asked);
  const [name] = /^(?:portcalls|lane|usage|nextport(?=.* at ))\b/.exec(asked) ?? [];
  if (name === undefined)
    return line
      .replace(/(?<= due \S{5} ).+?(?=(?: ±\S+)?(?: min \d+%)?$)/, momentOf)
      .replace(/(?<= until ).+$|(?<= from ).+(?= until )/g, beginningOf);
  const own = settle(asked, name);
  const spans = [own, ...(versus === undefined ? [] : [settleVersus(versus, own, name)])];
  return spans
    .map(({ words, span }) => [...words, ...(span ?? []).map((time) => time.toISOString())].join(' '))
    .join(' versus ');
}

/** Without a time, they are those of today. */
function settledChanges(line: string): string {
  const taken = attempt(() => sinceOption(line, () => help));
  if (taken instanceof UserError) return line;
  const { rest = line, value = today } = taken ?? {};
  const begin = attempt(() => resolveSince(value, { now, zone: 'UTC' }));
  return begin instanceof UserError ? line : `${rest} ${begin.toISOString()}`;
}

const momentOf = (words: string): string =>
  isMoment(words) ? resolveMoment(parseMoment(words, help), { now, zone: 'UTC' }).toISOString() : words;

/** A pause until a day ends when it begins. */
const beginningOf = (words: string): string =>
  /^\d\d:\d\d$/.test(words)
    ? resolveMoment({ day: 'soonest', minutes: readTime(words) ?? 0 }, { now, zone: 'UTC' }).toISOString()
    : isMoment(words)
      ? resolveMoment({ minutes: 0, ...parseMoment(words, help) }, { now, zone: 'UTC' }).toISOString()
      : words;

/** A lane's performance in a period that hasn't begun. */
function isOfFuture(line: string): boolean {
  const { span } = settle(line.split(' versus ', 1)[0] ?? '', 'lane');
  return line.startsWith('lane ') && span !== undefined && span[0] >= now;
}

interface Settled {
  /** Those that aren't the period's. */
  words: readonly string[];
  span?: readonly [begin: Date, until: Date];
}

function settleVersus(typed: string, { span }: Settled, name: string): Settled {
  if (typed !== 'year earlier' || !span) return settle(`${name} ${typed}`, name);
  const [begin, until] = span.map(
    (time) => new Date(time.toISOString().replace(/^\d+/, (year) => `${Number(year) - 1}`)),
  );
  return { words: [name], span: [begin ?? now, until ?? now] };
}

function settle(line: string, name: string): Settled {
  const direction = name === 'portcalls' || name === 'nextport' ? 'future' : 'past';
  const words = line.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const taken = tryPeriod(words.slice(0, count).join(' '), direction);
    if (!taken) continue;
    const [port = ''] = taken.rest.slice(name.length).split(',');
    const read = readPort(port);
    const zone = name === 'portcalls' && read.kind === 'one' ? portOf(read.port)?.zone : undefined;
    // `oct 26` is asked about when the line runs.
    const at = { now, zone: zone ?? 'UTC', direction } as const;
    const lineHelp = { example: '', line: (fixed: string) => `${taken.rest} ${fixed}` };
    const { begin, end } =
      taken.value.kind === 'day-or-month'
        ? resolvePeriodWithin(taken.value, { ...at, help: lineHelp })
        : resolvePeriod(taken.value, at);
    // Statistics end now.
    const until = direction === 'past' && end > now ? now : end;
    return { words: [taken.rest, ...words.slice(count)], span: [begin, until] };
  }
  return { words: [line] };
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
