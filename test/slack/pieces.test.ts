import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { createBoltLogger } from '../../src/slack/bolt-logger.ts';
import { createSlackClients } from '../../src/slack/clients.ts';
import { DeadlineError, withinDeadline } from '../../src/slack/deadline.ts';
import { deliver, SlackRefusal } from '../../src/slack/deliver.ts';
import { createInFlight } from '../../src/slack/in-flight.ts';
import { isOutside } from '../../src/slack/installation.ts';
import { listenToLostChannels } from '../../src/slack/lost-channels.ts';
import { withNote } from '../../src/slack/notices.ts';
import { createOnce } from '../../src/slack/once.ts';
import { createPosts } from '../../src/slack/posts.ts';
import { createRefreshes } from '../../src/slack/refreshes.ts';
import { limits } from '../../src/views/limits.ts';
import type { Message } from '../../src/views/message.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

describe('once', () => {
  test('a repeat is not run, while the first is under way and after', async () => {
    const once = createOnce({ realNow: () => 0 });
    const gate = Promise.withResolvers<void>();
    const work = vi.fn(() => gate.promise);
    const both = Promise.all([once('a', work), once('a', work)]);
    gate.resolve();
    expect(await both).toEqual(['done', 'repeat']);
    expect(await once('a', work)).toBe('repeat');
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('a repeat of what failed runs, and of many repeats one', async () => {
    const once = createOnce({ realNow: () => 0 });
    const gate = Promise.withResolvers<void>();
    const first = once('a', () => gate.promise);
    const work = vi.fn(async () => {});
    const repeats = [once('a', work), once('a', work)];
    gate.reject(new Error('cut'));
    await expect(first).rejects.toThrow('cut');
    expect(await Promise.all(repeats)).toEqual(['done', 'repeat']);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('is kept for more than 10 minutes, and is bounded', async () => {
    let now = 1;
    const once = createOnce({ realNow: () => now, max: 2 });
    await once('a', async () => {});
    now += 10 * 60_000;
    expect(await once('a', async () => {})).toBe('repeat');
    await once('b', async () => {});
    await once('c', async () => {});
    expect(await once('a', async () => {})).toBe('done');
  });
});

describe('deliver', () => {
  const message: Message = { text: 'words', blocks: [section('new')], plain: [section('plain')] };
  const refusing = (times: number, reason = 'invalid_blocks') => {
    const sent: unknown[] = [];
    const send = async (rendering: unknown) => {
      sent.push(rendering);
      if (sent.length <= times) throw new SlackRefusal(reason);
    };
    return { sent, send };
  };

  test.each([
    [0, 'blocks'],
    [1, 'plain'],
    [2, 'text'],
  ])('after %i refusals: %s', async (times, rendering) => {
    const { sent, send } = refusing(times);
    expect((await deliver(message, send)).rendering).toBe(rendering);
    expect(sent).toHaveLength(times + 1);
  });

  test('without a plain twin the text comes next', async () => {
    const { sent, send } = refusing(1, 'msg_blocks_too_long');
    await deliver({ text: 'words', blocks: [section('new')] }, send);
    expect(sent.at(-1)).toEqual({ text: 'words' });
  });

  test('another refusal is not about the blocks', async () => {
    const { sent, send } = refusing(1, 'is_archived');
    await expect(deliver(message, send)).rejects.toThrow('is_archived');
    expect(sent).toHaveLength(1);
  });
});

describe('posts', () => {
  const limited = (seconds: number) =>
    Response.json(
      { ok: false, error: 'ratelimited' },
      { status: 429, headers: { 'retry-after': `${seconds}` } },
    );
  const posting = (answers: Response[]) => {
    const waits: number[] = [];
    const { posts: client } = createSlackClients({
      botToken: 'xoxb-1',
      apiUrl: 'http://slack.invalid/api/',
      fetch: async () => answers.shift() ?? Response.json({ ok: true, ts: '1.5' }),
      logger: createBoltLogger(pino({ level: 'silent' })),
    });
    const posts = createPosts(client, async (ms) => waits.push(ms));
    return { waits, sent: posts.post({ channel: 'C1' }, { text: 'answer' }) };
  };

  test('wait for their turn as often as Slack asks', async () => {
    const { waits, sent } = posting([limited(30), limited(2), limited(1)]);
    expect(await sent).toBe('1.5');
    expect(waits).toEqual([30_000, 2_000, 1_000]);
  });

  test('wait for a minute in all', async () => {
    const { waits, sent } = posting(Array.from({ length: 9 }, () => limited(20)));
    await expect(sent).rejects.toThrow('rate-limit');
    expect(waits).toHaveLength(3);
  });
});

describe('the deadline', () => {
  test('ends work that overhears its signal, and tells the signal why', async () => {
    let seen: AbortSignal | undefined;
    const work = withinDeadline(1, (signal) => {
      seen = signal;
      return new Promise(() => {});
    });
    await expect(work).rejects.toBeInstanceOf(DeadlineError);
    expect(seen?.aborted).toBe(true);
  });

  test('leaves work alone that is in time', async () => {
    let seen: AbortSignal | undefined;
    expect(
      await withinDeadline(60_000, async (signal) => {
        seen = signal;
        return 7;
      }),
    ).toBe(7);
    expect(seen?.aborted).toBe(false);
  });
});

test('what is in flight is waited for, what is not finished is told', async () => {
  const inFlight = createInFlight();
  const gate = Promise.withResolvers<void>();
  inFlight.track(gate.promise);
  expect(await inFlight.drained(1)).toBe(false);
  expect(inFlight.count()).toBe(1);
  gate.reject(new Error('its own affair'));
  await expect(gate.promise).rejects.toThrow();
  expect(await inFlight.drained(60_000)).toBe(true);
});

test('a question is refreshed once a minute, unless it failed', () => {
  let now = 1_000_000;
  const refreshes = createRefreshes({ realNow: () => now });
  expect(refreshes.claim('a')).toEqual({ granted: true });
  now += 30_000;
  expect(refreshes.claim('a')).toEqual({ granted: false, agoMs: 30_000 });
  expect(refreshes.claim('b')).toEqual({ granted: true });
  refreshes.release('a');
  expect(refreshes.claim('a')).toEqual({ granted: true });
  now += 60_001;
  expect(refreshes.claim('a')).toEqual({ granted: true });
});

test('a person is outside by team, unless the organisation is one', () => {
  const installation = {
    teamId: 'T1',
    teamName: 'One',
    enterpriseId: undefined,
    botUserId: 'U1',
    botId: 'B1',
  };
  expect(isOutside({ teamId: 'T1' }, installation)).toBe(false);
  expect(isOutside({ teamId: undefined }, installation)).toBe(false);
  expect(isOutside({ teamId: 'T2' }, installation)).toBe(true);
  expect(isOutside({ teamId: 'T2', enterpriseId: 'E2' }, installation)).toBe(true);
  expect(isOutside({ teamId: 'T2', enterpriseId: 'E1' }, { ...installation, enterpriseId: 'E1' })).toBe(
    false,
  );
});

test('a stop waits for what a lost channel asks for: Slack says it only once', async () => {
  const inFlight = createInFlight();
  const heard = new Map<string, (args: { event: { channel: string } }) => Promise<void>>();
  const paused = Promise.withResolvers<void>();
  const losing: string[] = [];
  const { reads } = createSlackClients({
    botToken: 'xoxb-1',
    apiUrl: 'http://127.0.0.1:9/',
    fetch: async () => Response.json({ ok: true, channel: { id: 'C1', is_archived: true } }),
    logger: createBoltLogger(pino({ level: 'silent' })),
  });
  listenToLostChannels(
    // Of Bolt's app it needs this alone.
    { event: (name: string, listener: never) => heard.set(name, listener) } as unknown as App,
    {
      client: reads,
      inFlight,
      loseChannel({ channelId, code }) {
        losing.push(`${channelId} ${code}`);
        return paused.promise;
      },
      work: async () => {},
      logger: pino({ level: 'silent' }),
    },
  );
  const told = heard.get('channel_left')?.({ event: { channel: 'C1' } });
  await vi.waitUntil(() => losing.length === 1);
  expect(losing).toEqual(['C1 is_archived']);
  expect(inFlight.count()).toBe(1);
  paused.resolve();
  await told;
  expect(inFlight.count()).toBe(0);
});

describe('a note under an answer', () => {
  test('stands above the buttons, escaped', () => {
    const buttons = { type: 'actions' as const, elements: [] };
    const noted = withNote({ text: 'a', blocks: [section('a'), buttons] }, 'Shared by <!channel>');
    expect(noted.blocks.map(({ type }) => type)).toEqual(['section', 'context', 'actions']);
    expect(JSON.stringify(noted)).not.toContain('<!channel>');
  });

  test('never takes a message over its limit', () => {
    const full = Array.from({ length: limits.blocks }, () => section('a'));
    expect(withNote({ text: 'a', blocks: full }, 'note').blocks).toHaveLength(limits.blocks);
  });
});
