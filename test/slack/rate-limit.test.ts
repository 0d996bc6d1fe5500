import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimit } from '../../src/slack/receivers/http.ts';

const waits = fc.array(fc.integer({ min: -60_000, max: 90_000 }), { maxLength: 200 });

test('in any period, no more are allowed than `max` and what has become free since, whatever the clock does', () => {
  fc.assert(
    fc.property(
      waits,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 120 }),
      (steps, max, perMinute) => {
        let at = 1_000_000_000;
        let passedMs = 0;
        let allowed = 0;
        const isAllowed = createRateLimit({ max, perMinute, realNow: () => at });
        for (const step of steps) {
          at += step;
          passedMs += Math.max(0, step);
          if (isAllowed('a')) allowed += 1;
          expect(allowed).toBeLessThanOrEqual(max + (passedMs * perMinute) / 60_000 + 1e-6);
        }
      },
    ),
  );
});

test('each key has its own, which fills up again', () => {
  let at = 0;
  const isAllowed = createRateLimit({ max: 2, perMinute: 60, realNow: () => at });
  expect([isAllowed('a'), isAllowed('a'), isAllowed('a'), isAllowed('b')]).toEqual([true, true, false, true]);
  at = 1_000;
  expect([isAllowed('a'), isAllowed('a')]).toEqual([true, false]);
  at = 1_000_000;
  expect([isAllowed('a'), isAllowed('a'), isAllowed('a')]).toEqual([true, true, false]);
});
