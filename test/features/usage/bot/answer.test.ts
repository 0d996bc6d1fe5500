import { expect, test } from 'vitest';
import type { Reader } from '../../../../src/answers/message.ts';
import { botUsageAnswer } from '../../../../src/features/usage/bot/answer.ts';
import type { BotUsage } from '../../../../src/features/usage/bot/read-usage.ts';
import { messageOf } from '../../../support/answer-message.ts';
import { asRead, asReadPlain } from '../../../support/message-text.ts';
import { reader } from '../../../support/view-fixtures.ts';

const at = new Date('2026-11-21T09:05:00Z');
const answer: BotUsage = {
  year: 2026,
  month: 11,
  at,
  isRunning: true,
  days: [
    { day: '2026-11-19', kind: 'watch', calls: 500 },
    { day: '2026-11-19', kind: 'command', calls: 140 },
    { day: '2026-11-20', kind: 'watch', calls: 480 },
    { day: '2026-11-21', kind: 'watch', calls: 40 },
    { day: '2026-11-21', kind: 'digest', calls: 80 },
  ],
  causes: [
    {
      kind: 'watch',
      name: 'EVER GIVEN',
      watchedIn: ['C1', 'C2'],
      calls: 620,
      polls: [{ channelIds: ['C1', 'C2'], calls: 620 }],
    },
    {
      kind: 'watch',
      name: 'port Rotterdam (NLRTM)',
      watchedIn: ['C2'],
      calls: 400,
      polls: [{ channelIds: ['C2'], calls: 400 }],
    },
    {
      kind: 'command',
      name: 'nextport',
      places: [
        { channelId: 'C1', calls: 100 },
        { channelId: null, calls: 40 },
      ],
      calls: 140,
    },
    { kind: 'digest', title: 'Rates & <ships>', channelId: 'C1', calls: 80 },
  ],
  since: '2026-11-19',
  forecast: { watches: 360, commands: 60, digests: 20 },
  plan: { plannedCalls: 39.6, dailyCalls: 5000 },
  official: { kind: 'report', requests: 1300, lastUpdatedAt: new Date('2026-10-01T00:00:00Z') },
  known: { all: false, channelIds: ['C1', 'C2'] },
};
const others = [
  { label: 'Official report', line: 'usage 2026-11' },
  { label: 'October 2026', line: 'usage bot 2026-10' },
];
const viewOf = ({ page = 1, ...usage }: BotUsage & { page?: number }, shownTo: Reader = reader) =>
  messageOf(botUsageAnswer(usage, { page, others }), 'usage bot', shownTo);

test('the calls so far, the forecast, the official report beside them, and what caused them', () => {
  expect(asRead(viewOf(answer, reader))).toMatchInlineSnapshot(`
    "text: November 2026: Landfall made 1,240 calls so far, about 1,700 by 30 Nov; 1,020 for watches, 140 for commands, 80 for digests. Official report: 1,300 requests (updated 1 Oct 2026). It counts everything that uses the account, and the provider refreshes it quarterly, so the two rarely match. EVER GIVEN (2 watches) · Calls 620 · Share 50% · <#C1>, <#C2>; Port Rotterdam (NLRTM) (watch) · Calls 400 · Share 32% · <#C2>; /nextport · Calls 140 · Share 11% · <#C1>; Rates &amp; &lt;ships&gt; (digest) · Calls 80 · Share 6% · <#C1>; Polls shared by several channels · Calls 620 · Share 50%; <#C2> · Calls 400 · Share 32%; <#C1> · Calls 180 · Share 15%; Direct messages · Calls 40 · Share 3%

    *November 2026: Landfall made 1,240 calls so far, about 1,700 by 30 Nov*
    1,020 for watches, 140 for commands, 80 for digests
    Official report: 1,300 requests (updated 1 Oct 2026). It counts everything that uses the account, and the provider refreshes it quarterly, so the two rarely match.
    (bar chart: Calls per day (UTC))
      Calls: 19 Nov 640, 20 Nov 480, 21 Nov so far 120
    ▸ By cause
      | Cause | Calls | Share | Channels |
      | EVER GIVEN (2 watches) | 620 | 50% | <#C1>, <#C2> |
      | Port Rotterdam (NLRTM) (watch) | 400 | 32% | <#C2> |
      | /nextport | 140 | 11% | <#C1> |
      | Rates & ‹ships› (digest) | 80 | 6% | <#C1> |
    ▸ By channel
      Polls shared by several channels · Calls 620 · Share 50%
    <#C2> · Calls 400 · Share 32%
    <#C1> · Calls 180 · Share 15%
    Direct messages · Calls 40 · Share 3%
    still to come: 360 for watches at their present ETAs, 60 for commands at their recent rate, 20 for digests as scheduled · all watches need about 40 calls a day, of a budget of 5,000 · retries count, cached answers and logins don't · counted since 19 Nov 2026 · asked 09:05 UTC
    [Refresh → usage bot] [Official report → usage 2026-11] [October 2026 → usage bot 2026-10] [Share → usage bot]"
  `);
});

test('in public, only the channel in which it is shown has a name', () => {
  const known = { all: false, channelIds: ['C1'] };
  const shown = asReadPlain(viewOf({ ...answer, known }, { ...reader, audience: 'channel' }));
  expect(shown).toContain(
    [
      '\nBy cause',
      'EVER GIVEN (watch) · Calls 620 · Share 50% · <#C1>',
      'Watches in other channels · Calls 400 · Share 32%',
      '/nextport · Calls 140 · Share 11% · <#C1>',
      'Rates &amp; &lt;ships&gt; (digest) · Calls 80 · Share 6% · <#C1>',
      'By channel',
      '<#C1> · Calls 800 · Share 65%',
      'Other channels · Calls 400 · Share 32%',
      'Direct messages · Calls 40 · Share 3%\n',
    ].join('\n'),
  );
});

test('outsiders see nothing', () => {
  const { text } = viewOf(answer, { ...reader, audience: 'outside' });
  expect(text).toBe('API usage is not shown in a channel with people from another organisation');
});

test('a month that is over has no forecast', () => {
  const { forecast: _, ...october } = { ...answer, month: 10, isRunning: false, since: '2026-09-01' };
  const shown = asRead(viewOf(october, reader));
  expect(shown).toContain('\n*October 2026: Landfall made 1,240 calls*\n');
  expect(shown).toContain('Calls: 18 Oct 0, 19 Oct 0,');
  expect(shown).not.toContain('still to come');
  expect(shown).not.toContain('counted since');
});

test('a month before the count began', () => {
  const { forecast: _, ...past } = { ...answer, month: 10, isRunning: false, causes: [], days: [] };
  for (const since of ['2026-11-03', undefined])
    expect(viewOf({ ...past, since }, reader).text.split(/[.;] /)[0]).toBe(
      "October 2026: Landfall's calls weren't counted yet",
    );
  expect(viewOf({ ...past, since: '2026-10-31' }, reader).text).toContain('Landfall made no calls');
});

test('nothing counted yet', () => {
  const forecast = { watches: 0, commands: 0, digests: 0 };
  const shown = asRead(viewOf({ ...answer, since: undefined, causes: [], days: [], forecast }));
  expect(shown).toContain('*November 2026: Landfall made no calls so far*\nOfficial report: 1,300 requests');
  expect(shown).toContain('nothing has been counted yet');
  expect(shown).not.toMatch(/chart|By cause|still to come/);
});

test('the forecast is rounded, but never below what was made', () => {
  const verdict = (forecast: { watches: number; commands: number; digests: number }) =>
    viewOf({ ...answer, forecast }, reader).text.split(/[.;] /)[0];
  expect(verdict({ watches: 1, commands: 0, digests: 0 })).toBe(
    'November 2026: Landfall made 1,240 calls so far, about 1,240 by 30 Nov',
  );
  expect(verdict({ watches: 99_000, commands: 0, digests: 0 })).toBe(
    'November 2026: Landfall made 1,240 calls so far, about 100,000 by 30 Nov',
  );
});

test.each([
  [{ kind: 'unreadable' }, "The official report can't be read right now."],
  [{ kind: 'not-shown' }, "The official report isn't shown, since it also counts other workspaces."],
  [
    { kind: 'report', requests: 0 },
    'Official report: no requests yet. It counts everything that uses the account, and the provider refreshes it quarterly, so the two rarely match.',
  ],
] as const)('the official report: %o', (official, expected) => {
  expect(asRead(viewOf({ ...answer, official }, reader))).toContain(expected);
});

test('many channels: the lines still add up', () => {
  const places = Array.from({ length: 30 }, (_, index) => ({ channelId: `C${index}`, calls: 30 - index }));
  const causes = [{ kind: 'command', name: 'nextport', places, calls: 465 }] as const;
  const shown = asRead(viewOf({ ...answer, causes, known: { all: true, channelIds: [] } }, reader));
  expect(shown).toContain('10 more · Calls 55 · Share 12%');
  expect(shown).toContain('<#C0>, <#C1>, <#C2> and 27 more');
});
