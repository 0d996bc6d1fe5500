import { pino } from 'pino';
import { expect, test } from 'vitest';
import { closeParts, createApp } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import { ada, ops } from '../support/bot.ts';
import { emptyDatabase } from '../support/bot-database.ts';

const never = () => new Promise<never>(() => {});

function createLog() {
  const lines: { part?: string; reason?: string; msg: string }[] = [];
  return {
    lines,
    logger: pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  };
}

test('a stop ends within its deadline even if Slack, the service and the database hang', async () => {
  const { lines, logger } = createLog();
  let hangs = false;
  const app = createApp({
    config: createConfig({ PORT: '0', LANDFALL_DATA_DIR: ':memory:', PLAYGROUND_MODE: 'http' }),
    logger,
    version: '1.2.3',
    // Once it hangs, it ignores even its signal.
    fetch: (...call) => (hangs ? never() : fetch(...call)),
    connect: async () => ({ ...(await emptyDatabase()), close: never }),
  });
  const { playground, sandbox, url } = await app.start();
  hangs = true;
  const said = await playground?.say({ userId: ada, channelId: ops, text: '/nextport 9461477' });
  expect(said?.ok).toBe(true);

  expect(await app.stop(800)).toEqual({ unfinished: 1 });
  expect(lines).toContainEqual(
    expect.objectContaining({ part: 'store', msg: 'a part was not closed properly' }),
  );
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  await expect(fetch(sandbox?.url ?? '')).rejects.toThrow('fetch failed');
});

test('a part that hangs or fails does not stop the others from closing', async () => {
  const { lines, logger } = createLog();
  const closed: string[] = [];
  const parts = [
    { name: 'one', close: never },
    { name: 'two', close: () => Promise.reject(new Error('broken')) },
    { name: 'three', close: async () => closed.push('three') },
  ];
  await closeParts(parts, { deadlineMs: 30, logger });
  expect(closed).toEqual(['three']);
  expect(lines.map(({ part, reason }) => [part, reason])).toEqual([
    ['one', expect.stringMatching(/^no answer within /)],
    ['two', 'broken'],
  ]);
});
