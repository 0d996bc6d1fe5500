import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ada, ops, startBot } from '../support/bot.ts';
import { useBot } from '../support/use-bot.ts';

test('a restart in the middle of a voyage changes nothing', async () => {
  const LANDFALL_DATA_DIR = mkdtempSync(join(tmpdir(), 'landfall-'));
  onTestFinished(() => rmSync(LANDFALL_DATA_DIR, { recursive: true }));
  const first = await startBot('http', { env: { LANDFALL_DATA_DIR } });
  await first.say(ada, ops, '/watch 9461477', { match: ({ ephemeralTo }) => ephemeralTo === ada });
  await first.forward(24 * 2);
  const before = first.messages(ops).filter(({ ephemeralTo }) => !ephemeralTo);
  await first.stop();

  const second = await useBot('http', { env: { LANDFALL_DATA_DIR } });
  await second.runDue();
  expect(second.messages(ops).filter(({ ephemeralTo }) => !ephemeralTo)).toEqual(before);
  await second.forward(24 * 2);
  const after = second.messages(ops).filter(({ ephemeralTo }) => !ephemeralTo);
  expect(after.length).toBeGreaterThan(before.length);
  expect(after.filter(({ threadTs }) => !threadTs)).toHaveLength(1);
  expect(new Set(after.map(({ text }) => text)).size).toBe(after.length);
});
