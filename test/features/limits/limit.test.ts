import { expect, test } from 'vitest';
import { ada, ben, dmOf, ops, wordsOf } from '../../support/bot.ts';
import { addWatch } from '../../support/bot-watch.ts';
import { useBot } from '../../support/use-bot.ts';

test('a limit stretches the polls from the next round on, and its end shortens them again', async () => {
  const bot = await useBot('socket');
  await addWatch(bot);
  const polls = async (hours: number) => {
    const before = bot.sandbox.requests.total;
    await bot.forward(hours);
    return bot.sandbox.requests.total - before;
  };
  const usual = await polls(24);
  expect(usual).toBeGreaterThan(6);
  const set = await bot.say(ada, ops, '/landfall limit 2 a day');
  expect(set.text).toMatch(/^Limit: 2 API calls a day, for watches, digests and assistants\./);
  expect(set.text).toMatch(
    /🟠 All watches together need about \d+ calls a day at present, so they are polled [\d.]+ times less often, and alerts may come later\./,
  );
  await bot.forward(24);
  expect(await polls(48)).toBeLessThanOrEqual(6);
  const asked = await bot.say(ben, ops, '/nextport 9811000');
  expect(asked.text).toMatch(/^EVER GIVEN [→·] /);
  expect(wordsOf(await bot.say(ada, ops, '/watch list'))).toContain('of a budget of 2, so they are polled');
  const removed = await bot.say(ada, ops, '/landfall limit none');
  expect(removed.text).toContain('No limit of API calls in this workspace. Before: 2 a day.');
  expect(await polls(24)).toBeGreaterThan(3);
});

test('an admin is notified when the watches need more than the limit, and what raises it', async () => {
  const bot = await useBot('socket');
  await addWatch(bot);
  await bot.say(ada, ops, '/landfall limit 3 a day');
  await bot.forward(24);
  const notices = bot.messages(dmOf(ada)).filter(({ text }) => text.includes('and their budget is 3'));
  expect(notices.map(wordsOf)).toEqual([
    expect.stringContaining('A workspace admin can raise the limit: `/landfall limit`.'),
  ]);
});

test('once the day is used up, digests wait', async () => {
  const bot = await useBot('socket');
  await bot.say(ada, ops, '/digest add every day 08:00: portcalls Genoa');
  await bot.say(ada, ops, '/landfall limit 1 a day');
  for (const imo of [9811000, 9461477]) await bot.say(ada, ops, `/nextport ${imo}`);
  await bot.forward(3);
  expect(bot.messages(ops).map(({ text }) => text)).toContainEqual(
    expect.stringContaining("could not be answered: This workspace has used up today's budget of 1 call"),
  );
  const shown = await bot.say(ada, ops, '/landfall limit');
  const [, used = ''] = /^🟠 (\d+) of 1 API call used today, /.exec(shown.text) ?? [];
  expect(Number(used)).toBeGreaterThan(1);
  expect(shown.text).toContain(` used today, ${used}00%`);
  expect(wordsOf(shown)).toContain(
    'watches are polled less often, but at least once a day, so there may be more calls than the limit',
  );
});

test("of the operator's limit and the admins', the lower one counts, and the answer says so", async () => {
  const bot = await useBot('socket', { env: { ANALYTICS_DAILY_CALLS: '1500' } });
  const shown = async (line: string) => (await bot.say(ada, ops, line)).text;
  expect(await shown('/landfall limit')).toContain('The operator of Landfall allows 1,500 calls a day.');
  expect(await shown('/landfall limit 2k')).toContain(
    'The operator of Landfall allows 1,500 calls a day; the lower limit counts, 1,500 a day.',
  );
  expect(await shown('/landfall limit')).toMatch(/^0 of 1,500 API calls used today/);
  expect(await shown('/landfall limit 900 per day')).toContain('the lower limit counts, 900 a day.');
  expect(await shown('/landfall limit')).toMatch(/^0 of 900 API calls used today/);
});

test('with a fixed interval the answer says that watches do not keep to it', async () => {
  const bot = await useBot('socket', { env: { WATCH_POLL_MINUTES: '30' } });
  await addWatch(bot);
  expect((await bot.say(ada, ops, '/landfall limit 5')).text).toContain(
    'whatever the limit: the operator has each polled every 30 minutes.',
  );
});

test('where the usage is for admins, others see no limit', async () => {
  const bot = await useBot('socket', { env: { USAGE_FOR: 'admins' } });
  expect((await bot.say(ben, ops, '/landfall limit')).text).toContain(
    'API usage is for workspace admins only.',
  );
  expect((await bot.say(ada, ops, '/landfall limit')).text).toMatch(/API calls? today, and no limit/);
});

test('the need of a month is the same figure in the overview', async () => {
  const bot = await useBot('socket');
  await addWatch(bot);
  await bot.say(ada, ops, '/digest add "Morning" every day 08:00: nextport 9461477');
  const monthly = /about [\d,]+ API calls a month/;
  const [overview] = monthly.exec((await bot.say(ada, ops, '/landfall overview')).text) ?? [];
  expect(overview).toBeDefined();
  expect((await bot.say(ada, ops, '/landfall limit')).text).toContain(`watches and digests need ${overview}`);
});
