import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createBoltLogger, createSlackClients } from '../../../src/slack/connection/clients.ts';
import { createMessenger } from '../../../src/slack/posting/messenger.ts';

describe('posts', () => {
  const limited = (seconds: number) =>
    Response.json(
      { ok: false, error: 'ratelimited' },
      { status: 429, headers: { 'retry-after': `${seconds}` } },
    );
  const posting = (answers: Response[]) => {
    const waits: number[] = [];
    const { posts: client } = createSlackClients({
      getToken: async () => 'xoxb-1',
      apiUrl: 'http://slack.invalid/api/',
      fetch: async () => answers.shift() ?? Response.json({ ok: true, ts: '1.5' }),
      logger: createBoltLogger(pino({ level: 'silent' })),
    });
    const messenger = createMessenger(client, { wait: async (ms) => waits.push(ms) });
    return { waits, sent: messenger.post({ channel: 'C1' }, { text: 'answer', blocks: [] }) };
  };

  test('wait for as long as Slack asks', async () => {
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
