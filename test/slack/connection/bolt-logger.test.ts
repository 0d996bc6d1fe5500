import { expect, test } from 'vitest';
import { ada, dmOf, type Mode, ops, type TestBot } from '../../support/bot.ts';
import { useBot } from '../../support/use-bot.ts';

let bot: TestBot;

test.each([
  'socket',
  'http',
] as const)('at its most detailed, the log has nothing that opens anything (%s)', async (mode: Mode) => {
  bot = await useBot(mode, { logLevel: 'trace' });
  const answer = await bot.say(ada, ops, '/nextport 9461477');
  await bot.click(ada, answer, 'Refresh');
  await bot.say(ada, dmOf(ada), 'nextport 9461477');
  const person = { person: ada, line: 'nextport 9461477' };
  await bot.playground.runStep({ userId: ada, callbackId: 'ask_landfall', inputs: person });
  const log = bot.log.map((line) => JSON.stringify(line)).join('\n');
  const { botToken, appToken, signingSecret } = bot.playground;
  for (const secret of [botToken, appToken, signingSecret]) expect(log).not.toContain(secret);
  const shown = log.match(/(?:token|response_url)\\":\\"[^…].{20}|ticket=[^…].{20}/g);
  expect(shown).toBeNull();
  // Only Socket Mode logs whole payloads.
  const parts = ['response_url', 'bot_access_token', 'ticket='].map((part) => log.includes(part));
  expect(new Set(parts)).toEqual(new Set([mode === 'socket']));
});
