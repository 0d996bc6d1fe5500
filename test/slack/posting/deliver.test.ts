import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { blocksOf, type Message, type Twinned } from '../../../src/answers/message.ts';
import { groupedBarChart, header, image } from '../../../src/answers/slack/rich-blocks.ts';
import {
  createRefusedBlocks,
  createResponseUrl,
  deliver,
  ResponseUrlError,
} from '../../../src/slack/posting/deliver.ts';
import { serve } from '../../support/local-server.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

/** Slack as a workspace that refuses these block types. */
function slackRefusing(...types: string[]) {
  const attempts: string[] = [];
  return {
    attempts,
    send: async ({ blocks = [] }: { blocks?: readonly { type: string }[] }) => {
      attempts.push(blocks.map(({ type }) => type).join(' ') || 'text');
      if (blocks.some(({ type }) => types.includes(type))) throw new ResponseUrlError('invalid_blocks');
    },
  };
}

const cell = (text: string) => ({ type: 'raw_text' as const, text });
const table: Twinned[] = [
  {
    native: { type: 'data_table', caption: 'Ports', rows: [[cell('Port')], [cell('Rotterdam')]] },
    twin: [section('Rotterdam')],
  },
];
const answer = (text: string): Message => ({
  text,
  ...blocksOf([section(text), image({ url: 'https://a.example/1.png', alt: 'Rotterdam 82%' }), ...table]),
});

describe('deliver', () => {
  const message: Message = { text: 'words', blocks: [section('new')], plain: [section('plain')] };
  const { plain: _, ...withoutTwin } = message;
  const refusing = (times: number, reason = 'invalid_blocks') => {
    const sent: unknown[] = [];
    const send = async (rendering: unknown) => {
      sent.push(rendering);
      if (sent.length <= times) throw new ResponseUrlError(reason);
    };
    return { sent, send };
  };

  test.each([
    [0, message, { text: 'words', blocks: [section('new')] }],
    [1, message, { text: 'words', blocks: [section('plain')] }],
    [2, message, { text: 'words' }],
    [1, withoutTwin, { text: 'words' }],
  ])('after %i refusals of %j it sends %j', async (times, asked, rendering) => {
    for (const reason of ['invalid_blocks', 'msg_blocks_too_long']) {
      const { sent, send } = refusing(times, reason);
      await deliver(asked, send);
      expect(sent).toHaveLength(times + 1);
      expect(sent.at(-1)).toEqual(rendering);
    }
  });

  test('it throws any other refusal', async () => {
    const { sent, send } = refusing(1, 'is_archived');
    await expect(deliver(message, send)).rejects.toThrow('is_archived');
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['nothing', [], ['section image data_table']],
    ['pictures', ['image'], ['section image data_table', 'section context data_table']],
    [
      'data tables',
      ['data_table'],
      ['section image data_table', 'section context data_table', 'section context table'],
    ],
    [
      'both kinds of table',
      ['data_table', 'table'],
      [
        'section image data_table',
        'section context data_table',
        'section context table',
        'section context section',
      ],
    ],
  ])('where Slack refuses %s', async (_, refused, attempts) => {
    const slack = slackRefusing(...refused);
    await deliver(answer('words'), slack.send);
    expect(slack.attempts).toEqual(attempts);
  });
});

describe('refused block types', () => {
  let now = 0;
  let refused = createRefusedBlocks({ realNow: () => now });

  beforeEach(() => {
    now = Date.UTC(2026, 10, 22);
    refused = createRefusedBlocks({ realNow: () => now });
  });

  const titled = (text: string): Message => ({ text, ...blocksOf([header(text), section(text)]) });
  const attemptsFor = async (message: Message, ...types: string[]) => {
    const slack = slackRefusing(...types);
    await deliver(message, slack.send, refused);
    return slack.attempts;
  };

  test('after two different messages a refused type is not tried again for a day', async () => {
    expect(await attemptsFor(titled('a'), 'header')).toEqual(['header section', 'section section']);
    expect(await attemptsFor(titled('b'), 'header')).toEqual(['header section', 'section section']);
    expect(await attemptsFor(titled('c'), 'header')).toEqual(['section section']);
    now += 24 * 3_600_000 + 1;
    expect(await attemptsFor(titled('d'))).toEqual(['header section']);
  });

  test('one message that is refused again and again does not count twice', async () => {
    for (let times = 0; times < 3; times += 1) await attemptsFor(titled('a'), 'header');
    expect(await attemptsFor(titled('b'))).toEqual(['header section']);
  });

  test('other types are still tried', async () => {
    for (const text of ['a', 'b']) await attemptsFor(answer(text), 'data_table');
    expect(await attemptsFor(titled('c'))).toEqual(['header section']);
  });

  test('what is in the rendering that Slack took is not to blame', async () => {
    for (const text of ['a', 'b']) await attemptsFor(answer(text), 'image');
    expect(await attemptsFor(answer('c'), 'image')).toEqual(['section context data_table']);
  });

  test('a type that stood beside a refused one is still tried without it', async () => {
    const withChart = (text: string): Message => {
      const series = [{ name: 'Calls', bars: [{ value: 1, text: '1' }] }];
      const chart = groupedBarChart({ title: 'Calls', categories: ['Sat'], series });
      return { text, ...blocksOf([...chart, ...table]) };
    };
    for (const text of ['a', 'b', 'c']) {
      const attempts = await attemptsFor(withChart(text), 'data_visualization');
      expect(attempts.at(-1)).toBe('section section');
      expect(attempts).toHaveLength(text === 'c' ? 1 : 3);
    }
    expect(await attemptsFor({ text: 'd', ...blocksOf(table) })).toEqual(['data_table']);
  });

  test('a picture is tried again after ten minutes', async () => {
    for (const text of ['a', 'b']) await attemptsFor(answer(text), 'image');
    now += 10 * 60_000 + 1;
    expect(await attemptsFor(answer('c'))).toEqual(['section image data_table']);
  });

  test('a message that Slack refuses in every rendering says nothing about its types', async () => {
    for (const text of ['a', 'b']) await attemptsFor(titled(text), 'header', 'section');
    expect(await attemptsFor(titled('c'))).toEqual(['header section']);
  });
});

/** How long a local Slack waits for a picture. */
const pictureWaitMs = 5_000;

test('an answer whose picture Slack waits for in vain goes out without it', async () => {
  const timeouts = new Map<AbortController, number>();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    timeouts.set(controller, ms);
    return controller.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  const passTime = (passedMs: number) => {
    for (const [controller, ms] of timeouts) if (ms <= passedMs) controller.abort();
  };
  const taken: string[] = [];
  const origin = await serve(async (request, response) => {
    const content = Buffer.concat(await request.toArray()).toString();
    const hasPicture = content.includes('"image_url"');
    if (hasPicture) passTime(pictureWaitMs);
    else taken.push(content);
    response.end(hasPicture ? 'invalid_blocks' : 'ok');
  });
  const blocks = [image({ url: 'https://a.example/1.png', alt: 'Rotterdam 82%' })];
  await createResponseUrl(origin).send({ text: 'map', ...blocksOf(blocks) }, {});
  expect(taken).toEqual([expect.stringContaining('Rotterdam 82%')]);
});
