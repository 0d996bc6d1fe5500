import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnalyticsClient } from '../../src/analytics/client.ts';
import type { MessageBlock } from '../../src/answers/message.ts';
import { commands } from '../../src/features/index.ts';
import { currentReference, underReference } from '../../src/log.ts';
import { shapeOf } from '../../src/mcp/server.ts';
import { type Imo, withCheckDigit } from '../../src/reference/codes.ts';
import { connectAssistant } from '../support/mcp-client.ts';
import { createCommandHarness } from '../support/run-command.ts';
import { slackFaults } from '../support/slack-faults.ts';
import { useStarted } from '../support/use-started.ts';

const harness = useStarted(createCommandHarness);

type Assistant = Awaited<ReturnType<typeof connectAssistant>>;
const open: Assistant[] = [];
afterEach(async () => {
  harness.sandbox.faults.clear();
  for (const assistant of open.splice(0)) await assistant.close();
});

async function connect(more: Partial<Parameters<typeof connectAssistant>[0]> = {}): Promise<Assistant> {
  const { analytics, sandbox } = harness;
  const assistant = await connectAssistant({ analytics, clock: () => sandbox.clock.now(), ...more });
  open.push(assistant);
  return assistant;
}

describe.each(['legacy', 'modern'] as const)('an assistant of the %s protocol', (era) => {
  let assistant: Assistant;
  beforeEach(async () => {
    assistant = await connect({ era });
  });

  test('finds a tool for each question, which only reads', async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['nextport', 'portcalls', 'lane', 'usage']);
    for (const { annotations, title, description, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, title });
      expect(description).not.toBe('');
      expect(outputSchema).toMatchObject({ type: 'object' });
    }
  });

  test('gets to know what the answers are, and that the data is invented', () => {
    const instructions = assistant.client.getInstructions();
    expect(instructions).toContain('predicted, not reported');
    expect(instructions).toContain('All data is invented');
  });

  test('gets the answer as text and as data', async () => {
    const { text, structuredContent, isError, _meta } = await assistant.call('nextport', { vessel: 9461477 });
    expect(isError).toBeFalsy();
    expect(text).toMatch(/^DS CYPRESS → Rotterdam, 84%/);
    expect(structuredContent).toMatchObject({
      notes: expect.arrayContaining(['predicted, not reported']),
      provenance: { invented: true },
      tables: {
        'next-ports': expect.arrayContaining([
          expect.objectContaining({ imo: 9461477, vessel: 'DS CYPRESS', port: 'NLRTM' }),
        ]),
      },
    });
    expect(_meta?.slack).toBeUndefined();
  });

  test('reads the ports and carriers that are known here', async () => {
    const { client, read } = assistant;
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['landfall://ports', 'landfall://carriers']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'landfall://ports/{locode}',
      'landfall://countries/{country}/ports',
    ]);
    const netherlands = { country: 'NL', name: 'Netherlands', uri: 'landfall://countries/NL/ports' };
    expect(await read('landfall://ports')).toMatchObject({
      countries: expect.arrayContaining([expect.objectContaining(netherlands)]),
    });
    expect(await read('landfall://countries/nl/ports')).toMatchObject({
      ports: expect.arrayContaining([expect.objectContaining({ locode: 'NLRTM', name: 'Rotterdam' })]),
    });
    expect(await read('landfall://ports/CNSGH')).toMatchObject({ country: 'CN', sameAs: 'CNSHA' });
    expect(await read('landfall://carriers')).toMatchObject({
      carriers: expect.arrayContaining([{ scac: 'MAEU', name: 'Maersk' }]),
    });
    for (const uri of ['landfall://ports/XXXXX', 'landfall://countries/XX/ports', 'landfall://fleets'])
      await expect(read(uri)).rejects.toThrow(/found|known here/);
  });

  test('completes a port’s code and a country', async () => {
    const complete = async (uri: string, name: string, value: string) => {
      const { completion } = await assistant.client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
      });
      return completion.values;
    };
    expect(await complete('landfall://ports/{locode}', 'locode', 'nlr')).toContain('NLRTM');
    expect(await complete('landfall://countries/{country}/ports', 'country', 'n')).toContain('NL');
  });
});

test('the schemas of a tool are converted once', () => {
  const shapes = commands.flatMap(({ tools }) => tools).map(shapeOf);
  const target = 'draft-2020-12';
  const schemas = () =>
    shapes.flatMap(({ inputSchema, outputSchema }) => [
      inputSchema['~standard'].jsonSchema.input({ target }),
      outputSchema['~standard'].jsonSchema.output({ target }),
    ]);
  const [first, second] = [schemas(), schemas()];
  expect(first.length).toBeGreaterThan(10);
  for (const [index, schema] of first.entries()) expect(second[index]).toBe(schema);
});

test('no resource is longer than a model should read', async () => {
  const { read } = await connect();
  const { countries } = z
    .object({ countries: z.array(z.object({ uri: z.string() })) })
    .parse(await read('landfall://ports'));
  for (const uri of ['landfall://ports', ...countries.map(({ uri }) => uri)])
    expect(JSON.stringify(await read(uri)).length, uri).toBeLessThan(100_000);
});

describe('an error', () => {
  test.each([
    ['nextport', { vessel: '9461477 public' }],
    ['nextport', { vessel: 'fleet:NORTH' }],
    ['nextport', { vessel: 'ghost ship' }],
    ['nextport', { vessel: '9461477', at: '2026-11-23' }],
    ['nextport', { vessel: '9461477', at: 'Rotterdam', compare: true }],
    ['nextport', { vessel: 'list:FEEDERS', at: 'Rotterdm' }],
    ['nextport', { imo: 9461477 }],
    ['portcalls', { port: 'Rotterdam', period: 'blah' }],
    ['portcalls', { port: 'Rotterdam tomorrow' }],
    ['nextport', { vessel: '9461477 compare' }],
    ['portcalls', { port: 'Rotterdam', page: 'two' }],
    ['portcalls', { port: 'Rotterdam', days: 3 }],
    ['portcalls', { port: 'Rotterdam', by: 'date' }],
    ['portcalls', { port: 'Rotterdam', by: 'day', minProbability: 0.5 }],
    ['lane', { origin: 'Singapor', destination: 'Xiamn' }],
    ['nextport', { vessel: 'EVER GIVNE', at: 'Rotterdm' }],
  ])('%s %j says what is wrong, then what is right', async (name, input) => {
    const { call, logger } = await connect();
    const { text, isError, structuredContent } = await call(name, input);
    expect(isError).toBe(true);
    expect(structuredContent).toBeUndefined();
    expect(text).toMatchSnapshot();
    expect(text).not.toMatch(/(^|[\s(`])\/[a-z]/);
    expect(logger.lines.map(({ level }) => level)).toEqual(['info']);
  });

  test.each([
    ['nextport', { vessel: 'EVER GIVNE' }, 'vessel', '9811000'],
    ['nextport', { vessel: '9461477', at: 'Rotterdm' }, 'at', 'NLRTM'],
    ['nextport', { vessel: '9461477, 9755933', compare: true }, 'vessel', '9461477'],
    ['portcalls', { port: 'Portland', by: 'day' }, 'port', 'USPDX'],
    ['portcalls', { port: 'Rotterdam', period: 'tomorow' }, 'period', 'tomorrow'],
    [
      'portcalls',
      { port: 'Rotterdam', period: '2026-11-24T00:00:00Z/2026-11-30T00:00:00Z' },
      'period',
      '2026-11-24..2026-11-30',
    ],
    ['portcalls', { port: 'Rotterdam', minProbability: 0.005 }, 'minProbability', 0.01],
    ['lane', { origin: 'Singapore', destination: 'Xiamen', carriers: 'Maersc' }, 'carriers', 'MAEU'],
    ['usage', { month: '2027-10' }, 'month', 'this month'],
    ['usage', { month: 'septembr' }, 'month', 'september'],
    ['usage', { month: '2026-09-30' }, 'month', '2026-09'],
  ])('%s %j names the field %s, with a value that is right', async (name, input, field, value) => {
    const { call } = await connect();
    const { text } = await call(name, input);
    expect(text).toMatch(new RegExp(`^${field}: .*Nearest: [^.]*${JSON.stringify(value)}`));
    expect((await call(name, { ...input, [field]: value })).isError).toBeFalsy();
  });

  test('offers no command to type: a fleet is nothing that an assistant can make', async () => {
    // Only numbers in the range of IMO numbers.
    const imos = Array.from({ length: 21 }, (_, index) => withCheckDigit((9_000_000 + index * 10) as Imo));
    const { text } = await (await connect()).call('nextport', { vessel: imos.join(', ') });
    expect(text).toMatch(
      /^vessel: 21 vessels are too many for one question: at most 20\. Nearest: "[^"]+"\.$/,
    );
  });

  test('of the service is reworded, with the reference of the request over HTTP', async () => {
    harness.sandbox.faults.status(503);
    const { call, logger } = await connect();
    const [{ text, isError }, ref] = await underReference(
      async () => [await call('portcalls', { port: 'CNSHA' }), currentReference()] as const,
    );
    expect(isError).toBe(true);
    expect(ref).toBeDefined();
    expect(text).toMatch(/^The analytics service does not answer.* \(ref \w{6}\) \(invented data\)$/);
    expect(text).toContain(`(ref ${ref})`);
    expect(logger.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'command',
      fields: { surface: 'mcp', tool: 'portcalls', outcome: 'failed', ref, line: 'portcalls CNSHA' },
    });
  });

  test('says which part of the service the account has no access to', async () => {
    const { call } = await connect();
    harness.sandbox.faults.status(403);
    const input = { origin: 'Singapore', destination: 'Xiamen', period: 'q3 2026' };
    expect((await call('lane', input)).text).toContain('no access to trade lane statistics (beta)');
    expect((await call('portcalls', { port: 'Hamburg' })).text).toContain('no access to that part');
  });

  test('of a refused login names no account', async () => {
    const refusing = await createCommandHarness();
    refusing.sandbox.faults.status(401);
    const { analytics } = refusing;
    const { call } = await connect({ analytics });
    const { text, isError } = await call('nextport', { vessel: 9461477 });
    expect(isError).toBe(true);
    expect(text).toMatch(/^The analytics service doesn't accept the account/);
    const { apiKey, userId, password } = refusing.sandbox.credentials;
    for (const secret of [apiKey, userId, password]) expect(text).not.toContain(secret);
    await refusing.close();
  });

  test('that nobody expected is a reference to the log, and its own words stay there', async () => {
    const broken = new Error('SELECT secret FROM accounts');
    const analytics: AnalyticsClient = {
      ...harness.analytics,
      vesselPredictions: async () => {
        throw broken;
      },
    };
    const { call, logger } = await connect({ analytics });
    const { text, isError } = await call('nextport', { vessel: 9461477 });
    expect(isError).toBe(true);
    const [, ref] =
      /^Something broke on our side \(ref (\w{6})\)\. If it happens again, tell whoever runs this bot$/.exec(
        text,
      ) ?? [];
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { ref, err: broken } });
  });

  test('after the deadline is the service’s', async () => {
    const analytics: AnalyticsClient = {
      ...harness.analytics,
      vesselPredictions: (_, { signal } = {}) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    };
    const { call } = await connect({ analytics, deadlineMs: 1 });
    const { text } = await call('nextport', { vessel: 9461477 });
    expect(text).toMatch(/^The analytics service does not answer/);
  });
});

describe('who asks', () => {
  test('reads times in their own zone', async () => {
    const actor = { userId: 'U1', isAdmin: false, zone: 'Asia/Tokyo' };
    const { call } = await connect({ caller: { actor } });
    const { text } = await call('nextport', { vessel: 9461477 });
    expect(text).toContain('GMT+9');
  });

  test.each([
    ['nextport', { vessel: 9461477 }],
    ['nextport', { vessel: '9461477, 9755933' }],
    ['portcalls', { port: 'Rotterdam, Antwerp' }],
    ['portcalls', { port: 'Rotterdam', by: 'day' }],
    ['lane', { origin: 'Singapore', destination: 'Xiamen' }],
    ['usage', {}],
  ])('in Slackbot: %s %j in Block Kit, without buttons', async (name, input) => {
    const { call } = await connect({ caller: { showsBlocks: true } });
    const { _meta } = await call(name, input);
    const { blocks } = z.object({ blocks: z.array(z.looseObject({ type: z.string() })) }).parse(_meta?.slack);
    expect(blocks.length).toBeGreaterThan(1);
    expect(JSON.stringify(blocks)).not.toContain('action_id');
    // The blocks have come through JSON.
    const message = { text: 'x', blocks: blocks as unknown as MessageBlock[] };
    expect(slackFaults(message).filter((fault) => !fault.includes('no plain twin'))).toEqual([]);
  });
});
