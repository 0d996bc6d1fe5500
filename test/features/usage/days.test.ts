import { expect, test } from 'vitest';
import { daysUsageAnswer, type UsageOfDays } from '../../../src/features/usage/bot/days-answer.ts';
import { messageOf } from '../../support/answer-message.ts';
import { ada, ops, wordsOf } from '../../support/bot.ts';
import { addWatch } from '../../support/bot-watch.ts';
import { vessels } from '../../support/grammar-samples.ts';
import { asRead } from '../../support/message-text.ts';
import { refusedBy } from '../../support/refusal.ts';
import { parseLine } from '../../support/registry.ts';
import { useBot } from '../../support/use-bot.ts';
import { now, reader } from '../../support/view-fixtures.ts';

const week: UsageOfDays = {
  span: { begin: new Date('2026-11-16'), end: new Date('2026-11-23') },
  at: now,
  counts: [
    { day: '2026-11-18', kind: 'watch', calls: 500 },
    { day: '2026-11-18', kind: 'command', calls: 140 },
    { day: '2026-11-20', kind: 'watch', calls: 480 },
    { day: '2026-11-21', kind: 'digest', calls: 80 },
  ],
  since: '2026-11-18',
};
const shown = (usage: UsageOfDays) =>
  asRead(messageOf(daysUsageAnswer(usage, { page: 1, others: [] }), 'usage bot this week', reader));

test('the total of some days, then by kind and by day, and how many of them were counted', () => {
  expect(shown(week)).toMatchInlineSnapshot(`
    "text: 16–22 Nov 2026: Landfall made 1,200 calls so far; 980 for watches, 140 for commands, 80 for digests. 18 Nov 2026 · Calls 640 · Commands 140; 19 Nov 2026 · Calls 0 · Commands 0; 20 Nov 2026 · Calls 480 · Commands 0; 21 Nov 2026 · Calls 80 · Commands 0. 4 of 7 days were counted, today so far · counted since 18 Nov 2026 · retries count, cached answers and logins don't · what caused them by name is stored by month · asked 09:05 UTC

    *16–22 Nov 2026: Landfall made 1,200 calls so far*
    980 for watches, 140 for commands, 80 for digests
    (bar chart: API calls per day (UTC))
      Calls: 18 Nov 640, 19 Nov 0, 20 Nov 480, 21 Nov so far 80
    (table: Calls per day)
    | Day | Calls | Commands | Digests | Watches | Other |
    | 18 Nov 2026 | 640 | 140 | 0 | 500 | 0 |
    | 19 Nov 2026 | 0 | 0 | 0 | 0 | 0 |
    | 20 Nov 2026 | 480 | 0 | 0 | 480 | 0 |
    | 21 Nov 2026 | 80 | 0 | 80 | 0 | 0 |
    4 of 7 days were counted, today so far · counted since 18 Nov 2026 · retries count, cached answers and logins don't · what caused them by name is stored by month · asked 09:05 UTC
    [Refresh → usage bot this week] [Share → usage bot this week]"
  `);
});

test('days before anything was counted, and a single day', () => {
  expect(shown({ ...week, counts: [], since: '2026-11-23' })).toContain(
    "*16–22 Nov 2026: Landfall's calls weren't counted yet*",
  );
  const friday = { begin: new Date('2026-11-20'), end: new Date('2026-11-21') };
  const counts = week.counts.filter(({ day }) => day === '2026-11-20');
  const ofDay = shown({ ...week, span: friday, counts });
  expect(ofDay).toContain(
    '*20 Nov 2026: Landfall made 480 calls*\n480 for watches\nthe whole day was counted',
  );
  expect(ofDay).not.toContain('chart');
});

test('an admin asks what used the calls of some days; they add up to those of the month', async () => {
  const bot = await useBot('socket');
  await addWatch(bot);
  await bot.forward(30);
  await bot.say(ada, ops, '/nextport 9811000');
  const totalOf = async (line: string) =>
    /made ([\d,]+) calls/.exec((await bot.say(ada, ops, line)).text)?.[1];

  const ofDays = await bot.say(ada, ops, '/landfall what did the bot use since 9 nov?');
  expect(ofDays.text).toMatch(
    /^9–24 Nov 2026: Landfall made \d+ calls so far; \d+ for watches, 1 for commands\b/,
  );
  expect(ofDays.text).toContain('2 of 16 days were counted, today so far · counted since 23 Nov 2026');
  expect(wordsOf(ofDays)).not.toMatch(/official|expected|still to come/i);
  const [all, yesterday, today] = [
    await totalOf('/usage bot this week'),
    await totalOf('/usage bot yesterday'),
    await totalOf('/usage bot today'),
  ];
  expect(Number(yesterday) + Number(today)).toBe(Number(all));
  // Which asks for the official report too.
  const ofMonth = await bot.click(ada, ofDays, 'run:1');
  expect(ofMonth.text).toMatch(/^November 2026: Landfall made \d+ calls so far, about /);
  expect(Number(/made (\d+)/.exec(ofMonth.text)?.[1])).toBe(Number(all) + 1);
});

test.each([
  ['usage bot last week', 'usage bot last week'],
  ['usage bot 16-22 Nov', 'usage bot 16 nov..22 nov'],
  ['costs since 9 nov page 2', 'usage bot since 9 nov page 2'],
  ['how many calls did the bot make yesterday?', 'usage bot yesterday'],
  ['16-22 Nov how many calls from digests, how many from watches', 'usage bot 16 nov..22 nov'],
  // Whole months are as ever.
  ['usage bot last month', 'usage bot last month'],
  ['usage bot by channel november', 'usage bot by channel november'],
  ['usage november last year', 'usage november last year'],
  ['usage 10/26', 'usage 2026-10'],
  // The line asks when it runs.
  ['usage bot 10/26', 'usage bot oct 26'],
])('%s → %s', (typed, line) => {
  expect(parseLine(typed, { vessels, isTyped: true }).line).toBe(line);
});

test.each([
  ['usage bot by channel 16-22 nov', 'usage bot by channel november', 'usage bot 16 nov..22 nov'],
  [
    'usage last week by channel',
    'usage bot by channel this month',
    'usage bot by channel last month',
    'usage bot last week',
  ],
  [
    'usage bot of <#C024BE7LR> 2026-10-28..2026-11-03',
    'usage bot of <#C024BE7LR> 2026-10',
    'usage bot of <#C024BE7LR> 2026-11',
    'usage bot 2026-10-28..2026-11-03',
  ],
  ['usage last week', 'usage this month', 'usage last month', 'usage bot last week'],
  ['usage 2026-05..2026-10', 'usage 2026-08', 'usage 2026-09', 'usage 2026-10', 'usage bot 2026-05..2026-10'],
  ['usage q3', 'usage july', 'usage august', 'usage september', 'usage bot q3'],
  ['usage since 2026-11-09', 'usage 2026-11', 'usage bot since 2026-11-09'],
])('%s: what is known of months only offers the months, and the days without it', (typed, ...offered) => {
  const { message, choices } = refusedBy(() => parseLine(typed, { vessels, isTyped: true }));
  expect(message).toMatch(
    typed.includes('bot') || typed.includes('by')
      ? /^The causes and channels of Landfall's calls are stored by month, so they aren't known for “.+”\.$/
      : /^The official report has months only, not “.+”\.$/,
  );
  expect(choices.map(({ line }) => line)).toEqual(offered);
});

test('a period to come, and one that is none', () => {
  const messageOfError = (line: string) => refusedBy(() => parseLine(line, { vessels })).message;
  expect(messageOfError('usage bot next week')).toBe(
    '“next week” is in the future: statistics cover the past.',
  );
  expect(messageOfError('usage bot lst wek')).toBe("“lst wek” isn't a valid period.");
  expect(messageOfError('usage bot 2021-03')).toBe(
    'There is nothing for March 2021: the first month is November 2022.',
  );
});
