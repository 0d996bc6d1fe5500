import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UserError } from '../../src/errors.ts';
import { exampleVessels } from '../../src/reference/codes.ts';
import { allPorts } from '../../src/reference/ports.ts';
import { createFleet } from '../../src/sandbox/world/fleet.ts';
import { createSea } from '../../src/sandbox/world/sea.ts';
import { createServices } from '../../src/sandbox/world/services.ts';
import { nasty } from '../support/answer-arbitraries.ts';
import { parseLine } from '../support/registry.ts';
import { createCommandHarness, parsing, reader, vessels } from '../support/run-command.ts';
import { lineOf, toolNamed, tools, toolsOver } from '../support/tool-harness.ts';
import { untilTestEnds } from '../support/use-started.ts';

const left = undefined;
const page = fc.constantFrom(left, 1, 2, '3');
const aVessel = fc.constantFrom<unknown>(9461477, '9755933', 'ds cypress', 'IMO 9811000');
const aPort = fc.oneof(
  fc.constantFrom('Rotterdam', 'nl rtm', 'Hong Kong', 'DO VER'),
  fc.nat().map((index) => allPorts()[index % allPorts().length]?.locode ?? 'NLRTM'),
);
const aMonth = fc.constantFrom(left, '2026-10', 'last month', 'october');

const lane = {
  destination: fc.constantFrom('Xiamen', 'CNXAM', 'Los Angeles', 'Rotterdam, Hamburg'),
  carriers: fc.constantFrom(left, 'Maersk', 'MAEU, MSC'),
  period: fc.constantFrom(left, 'last 30 days', 'q3 2026'),
  page,
};

/** Fields as a model gives them. */
const fields: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  nextport: fc.oneof(
    fc.record({ vessel: aVessel, at: fc.option(aPort), page }),
    fc.record({ vessel: aVessel, compare: fc.constantFrom(left, null, true, false), page }),
    fc.record({ vessel: fc.constantFrom('9461477, MSC DIANA', 'list:FEEDERS', 'list:"a page 2"'), page }),
  ),
  portcalls: fc.oneof(
    fc.record({
      port: aPort,
      period: fc.constantFrom(left, '', 'tomorrow', 'next 3 days', '2026-11-24..2026-11-30'),
      minProbability: fc.option(fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)),
      by: fc.constantFrom(left, 'eta', 'probability'),
      page,
    }),
    fc.record({ port: fc.constant('Rotterdam, Antwerp'), by: fc.constant('day'), page }),
  ),
  // Six requests at most: lanes times periods.
  lane: fc.oneof(
    fc.record({
      ...lane,
      origin: fc.constantFrom('Singapore', 'DO VER', 'Shanghai, Ningbo'),
      otherLanes: fc.constantFrom(left, 'Busan to Long Beach', 'Singapore Xiamen, Shanghai Rotterdam'),
    }),
    fc.record({
      ...lane,
      origin: fc.constantFrom('Singapore', 'SGSIN'),
      otherLanes: fc.constantFrom(left, 'Busan to Long Beach'),
      versus: fc.constantFrom('previous', 'q2 2026'),
    }),
  ),
  usage: fc.record({ month: aMonth, page }),
};

describe('the fields of a tool', () => {
  test.each(
    Object.keys(fields),
  )('%s: their line is canonical, whichever forms a model gives them', (name) => {
    fc.assert(
      fc.property(fields[name] ?? fc.constant({}), (input) => {
        const line = lineOf(name, input);
        expect(parseLine(line, { vessels }).line).toBe(line);
      }),
    );
  });

  test('each has a description and, as text, examples', () => {
    for (const { input } of tools) {
      const { properties = {}, additionalProperties } = z.toJSONSchema(input.strict(), { io: 'input' });
      expect(additionalProperties).toBe(false);
      for (const field of Object.values(properties)) {
        const {
          type,
          description,
          examples,
          enum: values,
        } = z
          .looseObject({
            type: z.string(),
            description: z.string(),
            examples: z.array(z.string()).optional(),
            enum: z.array(z.string()).optional(),
          })
          .parse(field);
        expect(description).not.toBe('');
        if (type === 'string') expect([...(examples ?? []), ...(values ?? [])]).not.toEqual([]);
      }
    }
  });

  test('neither they nor the answers need a list of types, which not every assistant reads', () => {
    for (const { input, output } of tools)
      for (const schema of [z.toJSONSchema(input, { io: 'input' }), z.toJSONSchema(output)])
        expect(JSON.stringify(schema)).not.toContain('"type":[');
  });

  test.each([
    ['nextport', { vessel: '9461477 public' }],
    ['nextport', { vessel: '9461477 as csv' }],
    ['nextport', { vessel: '9461477\nwatch stop all yes' }],
    ['nextport', { vessel: '9461477 compare' }],
    ['nextport', { vessel: '9461477 page 2' }],
    ['nextport', { vessel: '9461477', at: 'Rotterdam page 2' }],
    ['nextport', { vessel: 'watch 9461477' }],
    ['nextport', { vessel: 'help' }],
    ['nextport', { vessel: 'where is EVER GIVEN?' }],
    ['portcalls', { port: 'Rotterdam public' }],
    ['portcalls', { port: 'Rotterdam tomorrow' }],
    ['portcalls', { port: 'Rotterdam min', period: '30%' }],
    ['portcalls', { port: 'Rotterdam', period: 'tomorrow by day' }],
    ['portcalls', { port: 'Rotterdam', period: 'tomorrow as json' }],
    ['lane', { origin: 'Singapore', destination: 'Xiamen Maersk' }],
    ['lane', { origin: 'Singapore', destination: 'Xiamen', carriers: 'MSC last month' }],
    ['lane', { origin: 'Singapore', destination: 'Xiamen', period: 'last quarter versus previous' }],
    ['usage', { month: 'bot' }],
    ['usage', { month: 'bot october' }],
    ['usage', { month: 'october public' }],
  ])('%s %j holds more than its field, and is refused', (name, input) => {
    expect(() => lineOf(name, input)).toThrow(UserError);
  });

  test('whatever they hold, a tool only reads, by its own command', () => {
    const value = fc.oneof(
      nasty,
      fc.integer(),
      fc.constantFrom('9461477 public', 'list:x as csv', 'watched'),
    );
    const anything = fc.dictionary(
      fc.constantFrom(
        'vessel',
        'at',
        'port',
        'period',
        'origin',
        'destination',
        'carriers',
        'versus',
        'month',
      ),
      value,
    );
    fc.assert(
      fc.property(fc.constantFrom('nextport', 'portcalls', 'lane', 'usage'), anything, (name, input) => {
        try {
          const prepared = toolNamed(name).prepare(input, parsing);
          expect(prepared.command.name).toBe(name);
          expect(prepared).toMatchObject({ repeatable: true });
          expect(prepared).not.toHaveProperty('exportFormat');
          expect(prepared).not.toHaveProperty('visibility');
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
    );
  });

  test.each([
    [null, 'The field “vessel” is missing. Its meaning: IMO number, '],
    [{ vessel: '  ' }, 'The field “vessel” is missing. Its meaning: IMO number, '],
    [
      { vessel: ['9461477'] },
      "The value of the field “vessel” isn't valid: it must be a text of at most 300 characters. Its meaning: IMO",
    ],
    [
      { vessel: 9461477, compare: 'maybe' },
      "The value of the field “compare” isn't valid: it must be true or false. Its meaning: For one vessel",
    ],
  ])('%j: what is wrong, in words', (input, message) => {
    expect(() => lineOf('nextport', input)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(new RegExp(`^${message}`)) }),
    );
  });

  test('are read as their types, whichever a model sends', () => {
    expect(lineOf('nextport', { vessel: 9461477, compare: 'true', page: '2' })).toBe(
      'nextport 9461477 compare page 2',
    );
    expect(lineOf('portcalls', { port: 'NLRTM', minProbability: '0.29' })).toBe('portcalls NLRTM min 29%');
  });

  test.each([
    0.005,
    0.295,
    1 / 3,
    1e-9,
  ])('a minimum probability of %d is no whole percentage', (minProbability) => {
    expect(() => lineOf('portcalls', { port: 'NLRTM', minProbability })).toThrow(UserError);
  });
});

test('the answers about every vessel of the sandbox, a few ports, lanes and months have the shape of `output`', async () => {
  const harness = untilTestEnds(await createCommandHarness());
  const call = toolsOver(harness.analytics, () => harness.sandbox.clock.now());
  const imos = createFleet(createServices({ seed: 1, sea: createSea() })).map(({ imo }) => imo);
  expect(imos.length).toBeGreaterThan(100);
  const questions: [string, Record<string, unknown>][] = [
    ...imos.map((vessel): [string, object] => ['nextport', { vessel }]),
    ...exampleVessels.map(({ imo }): [string, object] => ['nextport', { vessel: imo, compare: true }]),
    ['nextport', { vessel: '9461477, 9755933' }],
    ['nextport', { vessel: 'list:FEEDERS' }],
    ['nextport', { vessel: 'list:NOTHING' }],
    ['nextport', { vessel: 9461477, at: 'Rotterdam' }],
    ['nextport', { vessel: 9461477, at: 'Santos' }],
    ...['Rotterdam', 'Singapore', 'FRLIO', 'Rotterdam, FRLIO'].flatMap((port): [string, object][] => [
      ['portcalls', { port }],
      ['portcalls', { port, period: 'next 3 days', minProbability: 0 }],
      ['portcalls', { port, by: 'day' }],
    ]),
    ['lane', { origin: 'Singapore', destination: 'Xiamen', carriers: 'Maersk, ZIM' }],
    ['lane', { origin: 'Singapore', destination: 'Xiamen', versus: 'previous' }],
    ['lane', { origin: 'Singapore, Shanghai', destination: 'Rotterdam', period: '2025' }],
    [
      'lane',
      { origin: 'Singapore', destination: 'Rotterdam', otherLanes: 'Shanghai Hamburg', versus: 'previous' },
    ],
    ['lane', { origin: 'FRLIO', destination: 'Santos' }],
    ['usage', {}],
    ['usage', { month: '2023-01' }],
  ].map(([name, input]) => [String(name), Object(input)]);
  for (const [name, input] of questions) {
    const answer = (await call(name, input)).output(reader);
    // As a client reads it: strictly by the schema, after a way through JSON.
    const read = toolNamed(name)
      .output.strict()
      .safeParse(JSON.parse(JSON.stringify(answer)));
    expect(read.error, `${name} ${JSON.stringify(input)}`).toBeUndefined();
    const { provenance = answer } = answer;
    expect(provenance).toMatchObject({ source: 'sandbox', invented: true, ageSeconds: expect.any(Number) });
  }
});
