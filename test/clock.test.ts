import { expect, test } from 'vitest';
import { createMonotonicClock } from '../src/cache.ts';

test('a monotonic clock follows the real one, and goes on from where it was after a clock rollback', () => {
  let realMs = 1_000;
  const now = createMonotonicClock(() => realMs);
  const after = (ms: number) => {
    realMs += ms;
    return now();
  };
  expect([after(0), after(500), after(-3_600_000), after(500), after(3_600_000)]).toEqual([
    1_000, 1_500, 1_500, 2_000, 3_602_000,
  ]);
});
