import { expect, test } from 'vitest';
import { ada, ben, ops, privateDesk, wordsOf } from '../../support/bot.ts';
import { addWatch } from '../../support/bot-watch.ts';
import { useBot } from '../../support/use-bot.ts';

test('the calls are listed by channel, watch or command; of places that the reader may not know of, only their number', async () => {
  const bot = await useBot('socket');
  await addWatch(bot);
  await bot.forward(6);
  await bot.say(ben, ops, '/nextport 9811000');
  await bot.say(ben, ops, '/portcalls Rotterdam tomorrow');
  await bot.say(ada, privateDesk, '/nextport 9839430');
  const shown = async (userId: string, line: string) => wordsOf(await bot.say(userId, ops, line));

  const byWatch = await shown(ben, '/landfall what do our watches cost?');
  expect(byWatch).toMatch(/November 2026: [\d,]+ of [\d,]+ calls of Landfall were for watches/);
  expect(byWatch).toMatch(/Most: DS CYPRESS \(watch\), \d+/);
  expect(byWatch).toMatch(/still to come: [\d,]+ for watches at their present ETAs/i);
  expect(byWatch).not.toContain('/nextport');

  const byChannel = await shown(ben, '/landfall costs by channel');
  expect(byChannel).toContain('calls of Landfall, by channel');
  expect(byChannel).toContain(ops);
  expect(byChannel).toContain('Other channels');
  expect(byChannel).not.toContain(privateDesk);

  const byCommand = await shown(ben, '/landfall what does one portcalls query cost us?');
  expect(byCommand).toMatch(/were for commands/);
  expect(byCommand).toMatch(/\/nextport/);
  expect(byCommand).toMatch(/one answer that isn't cached[^:]*: [^;]*\/portcalls 1\b/);
});
