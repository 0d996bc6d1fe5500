import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromMidnight, previousSpan } from '../../src/features/lane/versus.ts';

const now = new Date('2026-11-23T12:00:00Z');
const spanOf = (begin: string, end: string) => ({ begin: new Date(begin), end: new Date(end) });
const inWords = ({ begin, end }: { begin: Date; end: Date }) =>
  [begin, end].map((time) => time.toISOString().slice(0, 16)).join(' … ');

test.each([
  ['30 days, with today', '2026-10-24T12:00Z', '2026-11-23T12:00Z', '2026-10-25T00:00 … 2026-11-23T12:00'],
  ['whole days', '2026-10-01', '2026-11-01', '2026-10-01T00:00 … 2026-11-01T00:00'],
  ['some hours of today', '2026-11-23T09:00Z', '2026-11-23T12:00Z', '2026-11-23T00:00 … 2026-11-23T12:00'],
  ['until midnight', '2026-11-22T21:00Z', '2026-11-23T00:00Z', '2026-11-22T00:00 … 2026-11-23T00:00'],
])('from midnight: %s', (_, begin, end, expected) => {
  expect(inWords(fromMidnight(spanOf(begin, end), now))).toBe(expected);
});

test('March goes on longer than February lasts', () => {
  const inMarch = new Date('2026-03-30T00:00:00Z');
  const { current, previous } = previousSpan(spanOf('2026-03-01', '2026-04-01'), { now: inMarch });
  expect(inWords(current)).toBe('2026-03-01T00:00 … 2026-03-30T00:00');
  expect(inWords(previous)).toBe('2026-02-01T00:00 … 2026-03-01T00:00');
});

test('the two never overlap, and neither is empty or in the future', () => {
  const hour = 3_600_000;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }), (ago, hours) => {
      const begin = new Date(+now - ago * hour);
      const span = { begin, end: new Date(+begin + hours * hour) };
      const { current, previous } = previousSpan(span, { now });
      expect(+previous.begin).toBeLessThan(+previous.end);
      expect(+previous.end).toBeLessThanOrEqual(+current.begin);
      expect(+current.begin).toBeLessThan(+current.end);
      expect(+current.end).toBeLessThanOrEqual(+now);
    }),
  );
});
