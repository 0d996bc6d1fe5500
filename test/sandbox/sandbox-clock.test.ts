import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSandboxClock } from '../../src/sandbox/sandbox-clock.ts';

const start = Date.parse('2026-11-21T09:00:00Z');

test('shows the real time until it is moved', () => {
  let real = start;
  const clock = createSandboxClock({ realNow: () => real });
  expect(clock.now()).toEqual(new Date(start));
  real += 5_000;
  expect(clock.now()).toEqual(new Date(start + 5_000));
  clock.advance(3_600_000);
  expect(clock.now()).toEqual(new Date(start + 3_605_000));
});

test('a change of speed applies only from then on', () => {
  let real = start;
  const clock = createSandboxClock({ realNow: () => real, epoch: new Date(0), speed: 60 });
  real += 1_000;
  clock.setSpeed(0);
  real += 10_000;
  expect(clock.now().getTime()).toBe(60_000);
  clock.setSpeed(2);
  real += 1_000;
  expect(clock.now().getTime()).toBe(62_000);
});

test('continues after a restart, at the given speed', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.integer({ min: 0, max: 1000 }), fc.nat(1e9), (advanceMs, speed, downMs) => {
      let real = start;
      const clock = createSandboxClock({ realNow: () => real, speed });
      clock.advance(advanceMs);
      real += 1_234;
      // As a file stores it.
      const state = JSON.parse(JSON.stringify(clock.state()));
      const shown = clock.now().getTime();
      real += downMs;
      const restarted = createSandboxClock({ realNow: () => real, state });
      expect([restarted.now().getTime(), restarted.speed()]).toEqual([shown, speed]);
      expect(createSandboxClock({ realNow: () => real, state, speed: 7 }).speed()).toBe(7);
    }),
    { numRuns: 50 },
  );
});

test('an invalid state is ignored, and an invalid speed is refused', () => {
  const realNow = () => start;
  for (const text of [
    '{}',
    '{"domainMs":"x","speed":1}',
    '{"domainMs":1,"speed":-1}',
    '{"domainMs":1e300,"speed":1}',
    'null',
  ])
    expect(createSandboxClock({ realNow, state: JSON.parse(text) }).now()).toEqual(new Date(start));
  const clock = createSandboxClock({ realNow });
  for (const speed of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => clock.setSpeed(speed)).toThrow(RangeError);
  expect(() => clock.advance(Number.NaN)).toThrow(RangeError);
});
