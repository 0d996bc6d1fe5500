import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { createVesselDirectory, type NamedVessel } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels, type Imo } from '../../src/reference/codes.ts';
import { refusedBy } from '../support/refusal.ts';
import { commands, parseLine } from '../support/registry.ts';

const vessels = createVesselDirectory(exampleVessels);

// `\n` and `\t` stand for a line break and a tab. After ⇒ stands the canonical line, or what is wrong and the lines that the error offers.
test('readings.txt says how each line is read; --update writes it', async () => {
  let context: Parameters<typeof parseLine>[1] = { vessels, isTyped: true };
  const read = readFileSync(new URL('readings.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('    '))
    .map((line) => {
      if (line.startsWith('#')) context = { ...contextOf(line), isTyped: true };
      const [typed = ''] = line.split(' ⇒ ');
      return line === '' || line.startsWith('#') ? line : `${typed} ⇒ ${readingOf(typed, context)}`;
    });
  await expect(read.join('\n')).toMatchFileSnapshot('readings.txt');
});

/**
 * `# Title (thread: 9461477)`, `(named: 9461477 HOPE, 9811000 HOPE NOW)`, `(references: 9461477 BK-4401)` or `(locale: en-US)`
 */
function contextOf(heading: string): Parameters<typeof parseLine>[1] {
  const [, kind, list = ''] = /\((thread|named|references|locale): (.*)\)$/.exec(heading) ?? [];
  if (kind === 'locale') return { vessels, locale: list };
  const some = list.split(', ').map((one) => ({
    imo: Number(one.slice(0, 7)) as Imo, // written in the file as one
    name: one.slice(8),
  })) satisfies NamedVessel[];
  if (kind === 'references') {
    const references = new Map(some.map(({ imo, name }) => [imo, [name]]));
    return { vessels: createVesselDirectory(exampleVessels, references) };
  }
  if (kind === 'named') return { vessels: createVesselDirectory(some) };
  return { vessels, threadVessels: kind === 'thread' ? some.map(({ imo }) => imo) : [] };
}

function readingOf(typed: string, context: Parameters<typeof parseLine>[1]): string {
  try {
    const {
      line,
      understoodAs,
      visibility,
      corrections = [],
    } = parseLine(typed.replaceAll('\\n', '\n').replaceAll('\\t', '\t'), context);
    const shown = corrections.map((each) => `(${each.meant} for ${each.typed})`);
    return [understoodAs && 'understood as', line, ...shown, visibility && `(${visibility})`]
      .filter(Boolean)
      .join(' ');
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, hint, choices } = error;
    const offered = choices.map(({ label, line }) => `[${label}] ${line}`);
    return [`${code}: ${[message, hint].filter(Boolean).join(' ')}`, ...offered].join('\n    ');
  }
}

test('every example of a question is understood, and its line changes nothing', () => {
  const examples = commands.flatMap(({ name, isUnderLandfall, questions }) =>
    questions
      .filter(({ offer }) => offer === undefined)
      .map(({ example }) => ({ example, start: isUnderLandfall ? `landfall ${name}` : name })),
  );
  expect(examples.length).toBeGreaterThan(7);
  for (const { example, start } of examples) {
    const { line, understoodAs, onlyAsks } = parseLine(example, { vessels });
    expect(understoodAs).toBe(line);
    expect(`${line} `.startsWith(`${start} `)).toBe(true);
    expect(onlyAsks).toBe(true);
  }
});

test('what a question would change is a button, with the reason above it', () => {
  const offered = commands.flatMap(({ questions }) =>
    questions.flatMap(({ example, offer }) => (offer === undefined ? [] : [{ example, offer }])),
  );
  expect(offered.length).toBeGreaterThan(0);
  const booked = createVesselDirectory(exampleVessels, new Map([[exampleVessels[0].imo, ['BK-4401']]]));
  for (const { example, offer } of offered) {
    const { hint, choices } = refusedBy(() => parseLine(example, { vessels: booked }));
    expect(hint).toBe(offer);
    expect(choices.map(({ line }) => parseLine(line, { vessels: booked }).repeatable)).toEqual([false]);
  }
});

test('a port alone is answered, with the vessel that has its name', () => {
  const known = createVesselDirectory([{ imo: exampleVessels[0].imo, name: 'HMM ALGECIRAS' }]);
  const read = (typed: string) => parseLine(typed, { vessels: known, isTyped: true });
  for (const typed of ['algeciras', 'Algeciras?'])
    expect(read(typed)).toMatchObject({
      line: 'portcalls ESALG',
      caveat: 'this is the port: write “HMM ALGECIRAS” for the vessel',
    });
  for (const typed of ['algeciras when', 'eta algeciras', 'algeciras eta this week'])
    expect(refusedBy(() => read(typed)).choices.map(({ line }) => line)).toEqual(
      expect.arrayContaining([
        expect.stringMatching('^portcalls ESALG'),
        `nextport ${exampleVessels[0].imo}`,
      ]),
    );
  expect(read('who is coming to algeciras').caveat).toBeUndefined();
  expect(read('rotterdam').caveat).toBeUndefined();
});

test('what names a vessel is no lane of the carrier in its name', () => {
  const read = (typed: string) => parseLine(typed, { vessels, isTyped: true }).line;
  expect(read('MSC DIANA Antwerp 9 dec')).toBe('nextport 9755933 at BEANR');
  expect(read('MSC Maersk Shanghai Rotterdam')).toBe('lane CNSHA NLRTM MSCU,MAEU');
  expect(() => read('Rotterdam tomorrow and Antwerp friday')).toThrow("isn't a command");
});

test('a canonical line fits into a button', () => {
  const refusal = (text: string) => () => parseLine(text, { vessels });
  expect(refusal(`nextport list:${'x'.repeat(1600)}`)).toThrow(expect.objectContaining({ code: 'too-long' }));
  // What was typed just fits; its canonical form, with quotes, does not.
  const lines = Array.from({ length: 13 }, () => `nextport list:${'x '.repeat(48)}x`);
  expect(refusal(`digest add daily 08:00: ${lines.join(';')}`)).toThrow(
    'A line can have at most 1,500 characters; this one has 1,517.',
  );
});
