import { expect, test } from 'vitest';
import { forecastCalls } from '../../../../src/features/usage/bot/read-usage.ts';

const digest = { title: 'Morning', channelId: 'C1', callsPerRun: 3 };
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
    { ...digest, id: 'D1', past: 20, left: 10 },
    { ...digest, id: 'D2', past: 0, left: 10 },
    // Paused: it has run, but will not.
    { ...digest, id: 'D3', past: 20, left: 0 },
    // All its answers were cached.
    { ...digest, id: 'D4', past: 20, left: 10 },
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
