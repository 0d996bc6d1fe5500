import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reader } from '../../../src/answers/message.ts';
import { botUsageAnswer } from '../../../src/features/usage/bot/answer.ts';
import {
  type BotUsage,
  causesOf,
  forecastCalls,
  type KnownChannels,
  rowsByCause,
  rowsByChannel,
  sumOf,
} from '../../../src/features/usage/bot/read-usage.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead, asReadPlain } from '../../support/message-text.ts';
import { reader } from '../../support/view-fixtures.ts';

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
  known: { channelIds: ['C1', 'C2'] },
};
const others = [
  { label: 'Official report', line: 'usage 2026-11' },
  { label: 'October 2026', line: 'usage bot 2026-10' },
];
const viewOf = ({ page = 1, ...usage }: BotUsage & { page?: number }, shownTo: Reader = reader) =>
  messageOf(botUsageAnswer(usage, { page, others }), 'usage bot', shownTo);

test('in public, only the channel where it is shown has a name', () => {
  const known = { channelIds: ['C1'] };
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
  const shown = asRead(
    viewOf({ ...answer, causes, known: { channelIds: places.map(({ channelId }) => channelId) } }, reader),
  );
  expect(shown).toContain('10 more · Calls 55 · Share 12%');
  expect(shown).toContain('<#C0>, <#C1>, <#C2> and 27 more');
});

const everything: KnownChannels = { channelIds: ['COPS', 'CDESK', 'CRATES'] };
const onlyOps: KnownChannels = { channelIds: ['COPS'] };
const digest = { past: 0, left: 0, callsPerRun: 1 };
const today = {
  subjects: [
    { key: 'vessel 1', name: 'EVER GIVEN', watchedIn: ['COPS', 'CDESK', 'COPS'], callsPerDay: 4 },
    { key: 'vessel 2', name: 'DS CYPRESS', watchedIn: ['CDESK'], callsPerDay: 4 },
    { key: 'vessel 3', name: 'MSC DIANA', watchedIn: [null], callsPerDay: 4 },
    { key: 'shiplist A', name: 'list FEEDERS', watchedIn: ['COPS', null], callsPerDay: 4 },
  ],
  digests: [
    { ...digest, id: 'D1', title: 'Morning', channelId: 'COPS' },
    { ...digest, id: 'D2', title: 'Rates', channelId: 'CDESK' },
    { ...digest, id: 'D3', title: 'Mine', channelId: null },
  ],
};
const counted = [
  { kind: 'watch', key: 'vessel 1', channelId: 'CDESK,COPS', calls: 300 },
  { kind: 'watch', key: 'vessel 1', channelId: 'CDESK', calls: 100 },
  { kind: 'watch', key: 'vessel 2', channelId: 'CDESK', calls: 200 },
  { kind: 'watch', key: 'vessel 3', channelId: null, calls: 100 },
  { kind: 'watch', key: 'shiplist A', channelId: 'COPS', calls: 90 },
  { kind: 'watch', key: 'vessel 9', channelId: 'COPS', calls: 80 },
  { kind: 'command', key: 'nextport', channelId: 'CDESK', calls: 60 },
  { kind: 'command', key: 'nextport', channelId: 'COPS', calls: 50 },
  { kind: 'command', key: 'nextport', channelId: null, calls: 40 },
  { kind: 'command', key: 'lane', channelId: 'CDESK', calls: 30 },
  { kind: 'digest', key: 'D1', channelId: 'COPS', calls: 20 },
  { kind: 'digest', key: 'D2', channelId: 'CDESK', calls: 10 },
  { kind: 'digest', key: 'D3', channelId: null, calls: 9 },
  { kind: 'digest', key: 'D9', channelId: 'COPS', calls: 8 },
  { kind: 'other', key: '', channelId: null, calls: 1 },
] as const;
const causes = causesOf(counted, today);
const shown = (known: KnownChannels) =>
  rowsByCause(causes, known).map(({ what, calls, channelIds }) => `${what} ${calls} ${channelIds}`);
const byChannel = (known: KnownChannels) =>
  rowsByChannel(causes, known).map(({ channel, calls }) => [
    typeof channel === 'string' ? channel : channel.id,
    calls,
  ]);

test('somebody who may know of every channel does not see what others watch for themselves', () => {
  expect(shown(everything)).toEqual([
    'EVER GIVEN (3 watches) 400 COPS,CDESK',
    'DS CYPRESS (watch) 200 CDESK',
    '/nextport 150 CDESK,COPS',
    'Personal watches 100 ',
    'List FEEDERS (watch) 90 COPS',
    'Stopped watches 80 ',
    '/lane 30 CDESK',
    'Morning (digest) 20 COPS',
    'Rates (digest) 10 CDESK',
    'Personal digests 9 ',
    'Removed digests 8 COPS',
    'Other 1 ',
  ]);
  expect(byChannel(everything)).toEqual([
    ['CDESK', 400],
    ['Polls shared by several channels', 300],
    ['COPS', 248],
    ['Direct messages', 149],
    ['Other', 1],
  ]);
});

test('somebody who is not in a channel learns neither of it nor of what is watched there', () => {
  expect(shown(onlyOps)).toEqual([
    'EVER GIVEN (2 watches) 300 COPS',
    'Watches in other channels 300 ',
    '/nextport 150 COPS',
    'Personal watches 100 ',
    'List FEEDERS (watch) 90 COPS',
    'Stopped watches 80 ',
    '/lane 30 ',
    'Morning (digest) 20 COPS',
    'Digests in other channels 10 ',
    'Personal digests 9 ',
    'Removed digests 8 COPS',
    'Other 1 ',
  ]);
  expect(byChannel(onlyOps)).toEqual([
    ['COPS', 548],
    ['Other channels', 400],
    ['Direct messages', 149],
    ['Other', 1],
  ]);
});

const channelId = fc.constantFrom('COPS', 'CDESK', 'CRATES', null);
const count = fc.oneof(
  fc.record({ kind: fc.constant('command'), key: fc.constantFrom('nextport', 'lane'), channelId }),
  fc.record({ kind: fc.constant('digest'), key: fc.constantFrom('D1', 'D2', 'D3', 'D9'), channelId }),
  fc.record({
    kind: fc.constant('watch'),
    key: fc.constantFrom('vessel 1', 'vessel 2', 'vessel 3', 'vessel 9'),
    channelId: fc.constantFrom('COPS', 'COPS,CRATES', 'CDESK', null),
  }),
  fc.constant({ kind: 'other', key: '', channelId: null } as const),
);

test('for every reader, both lists add up to all calls, and name no channel that the reader must not know of', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(count, fc.integer({ min: 1, max: 999 })), { maxLength: 30 }),
      fc.subarray(['COPS', 'CDESK', 'CRATES']),
      (counts, channelIds) => {
        const rows = counts.map(([cause, calls]) => ({ ...cause, calls }));
        const named = causesOf(rows, today);
        const known = { channelIds };
        expect(sumOf(rowsByCause(named, known))).toBe(sumOf(rows));
        expect(sumOf(rowsByChannel(named, known))).toBe(sumOf(rows));
        const hidden = ['COPS', 'CDESK', 'CRATES'].filter((id) => !channelIds.includes(id));
        const text = JSON.stringify([rowsByCause(named, known), rowsByChannel(named, known)]);
        for (const id of hidden) expect(text).not.toContain(id);
      },
    ),
  );
});

test('what a person may not know of changes no row but those of others', () => {
  const rows = [
    { kind: 'watch', key: 'vessel 1', channelId: 'COPS', calls: 300 },
    { kind: 'watch', key: 'vessel 9', channelId: 'COPS', calls: 80 },
  ] as const;
  const seen = (more: typeof counted | [], watchedIn: (string | null)[]) => {
    const subjects = [
      { key: 'vessel 1', name: 'EVER GIVEN', watchedIn: ['COPS', ...watchedIn], callsPerDay: 4 },
      ...(watchedIn.length > 0 ? [{ key: 'vessel 9', name: 'DS CYPRESS', watchedIn, callsPerDay: 4 }] : []),
    ];
    const all = causesOf([...rows, ...more], { subjects, digests: [] });
    return {
      causes: rowsByCause(all, onlyOps).filter(({ what }) => !/^(?:Personal|Watches in other)/.test(what)),
      channels: rowsByChannel(all, onlyOps).filter(({ channel }) => typeof channel !== 'string'),
    };
  };
  const alone = seen([], []);
  expect(alone.causes).toHaveLength(2);
  const foreign = [
    { kind: 'watch', key: 'vessel 1', channelId: null, calls: 500 },
    { kind: 'watch', key: 'vessel 1', channelId: 'CDESK', calls: 70 },
    { kind: 'watch', key: 'vessel 9', channelId: 'CDESK', calls: 60 },
  ] as const;
  expect(seen(foreign as never, ['CDESK', null])).toEqual(alone);
});

const newDigest = { title: 'Morning', channelId: 'C1', callsPerRun: 3 };
const subject = { name: 'EVER GIVEN', watchedIn: ['C1'] };
const quiet = {
  now: new Date('2026-11-21T00:00:00Z'),
  until: new Date('2026-12-01T00:00:00Z'),
  recent: [],
  recentFrom: new Date('2026-11-08T00:00:00Z'),
  polled: { subjects: [], plannedCalls: 0, dailyCalls: undefined },
  digests: [],
  digestCalls: new Map<string, number>(),
};
const nothing = { watches: 0, digests: 0, commands: 0 };

test('watches are polled for the days that are left', () => {
  const subjects = [
    { ...subject, key: 'vessel 1', callsPerDay: 20 },
    { ...subject, key: 'vessel 2', callsPerDay: 4.04 },
  ];
  const polled = { subjects, plannedCalls: 30, dailyCalls: undefined };
  expect(forecastCalls({ ...quiet, polled })).toEqual({ ...nothing, watches: 240 });
  const noon = new Date('2026-11-30T12:00:00Z');
  expect(forecastCalls({ ...quiet, polled, now: noon })).toEqual({ ...nothing, watches: 12 });
  const paused = { begin: new Date('2026-11-25T00:00:00Z'), end: quiet.until };
  expect(forecastCalls({ ...quiet, polled, paused })).toEqual({ ...nothing, watches: 96 });
});

test('the budget limits them, but each is polled once a day', () => {
  const subjects = Array.from({ length: 30 }, (_, index) => ({
    ...subject,
    key: `vessel ${index}`,
    callsPerDay: 4,
  }));
  const with_ = (dailyCalls: number) =>
    forecastCalls({ ...quiet, polled: { subjects, plannedCalls: 120, dailyCalls } }).watches;
  expect([with_(500), with_(100), with_(10)]).toEqual([1200, 1000, 300]);
});

test('a digest takes as many calls as its runs of this month did; a new one, those of its lines', () => {
  const digests = [
    { ...newDigest, id: 'D1', past: 20, left: 10 },
    { ...newDigest, id: 'D2', past: 0, left: 10 },
    // Paused: it has run, but will not.
    { ...newDigest, id: 'D3', past: 20, left: 0 },
    // All its answers were cached.
    { ...newDigest, id: 'D4', past: 20, left: 10 },
  ];
  const digestCalls = new Map([
    ['D1', 30],
    ['D3', 60],
  ]);
  expect(forecastCalls({ ...quiet, digests, digestCalls })).toEqual({ ...nothing, digests: 15 + 30 });
});

test('people go on to ask as they did lately; polls and digests are not counted twice', () => {
  const recent = [
    { day: '2026-11-08', kind: 'command', calls: 26 },
    { day: '2026-11-20', kind: 'other', calls: 13 },
    { day: '2026-11-20', kind: 'watch', calls: 1_000 },
    { day: '2026-11-20', kind: 'digest', calls: 1_000 },
  ] as const;
  // 39 in 13 days.
  expect(forecastCalls({ ...quiet, recent })).toEqual({ ...nothing, commands: 30 });
  // Counted for an hour only: not projected as if every hour were like it.
  const recentFrom = new Date('2026-11-20T23:00:00Z');
  expect(forecastCalls({ ...quiet, recent, recentFrom })).toEqual({ ...nothing, commands: 390 });
});
