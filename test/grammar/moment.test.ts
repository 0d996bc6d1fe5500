import { expect, test } from 'vitest';
import { resolveMoment } from '../../src/grammar/moment.ts';

test.each([
  { now: '2026-11-23T22:00:00Z', minutes: 360, zone: 'UTC', time: '2026-11-24T06:00:00.000Z' },
  { now: '2026-11-23T05:59:00Z', minutes: 360, zone: 'UTC', time: '2026-11-23T06:00:00.000Z' },
  { now: '2026-11-23T06:00:00Z', minutes: 360, zone: 'UTC', time: '2026-11-24T06:00:00.000Z' },
  { now: '2026-11-23T22:00:00Z', minutes: 360, zone: 'Asia/Singapore', time: '2026-11-24T22:00:00.000Z' },
  { now: '2026-11-23T22:00:00Z', minutes: 1440, zone: 'UTC', time: '2026-11-24T00:00:00.000Z' },
])('at $now, the next time of $minutes minutes in $zone is $time', ({ now, minutes, zone, time }) => {
  const resolved = resolveMoment({ day: 'soonest', minutes }, { now: new Date(now), zone });
  expect(resolved.toISOString()).toBe(time);
});
