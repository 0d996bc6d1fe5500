import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSince, parseSince, resolveSince, type Since } from '../../../src/features/changes/since.ts';
import { refusal } from '../../support/grammar-samples.ts';

const help = { line: (fixed: string) => `watch changes ${fixed}`.trim(), example: 'watch changes' };
const read = (typed: string) => parseSince(typed, help);
// A Saturday.
const now = new Date('2026-11-21T09:05:00Z');
const berlin = (typed: string) => resolveSince(read(typed), { now, zone: 'Europe/Berlin' }).toISOString();

describe('since when', () => {
  test.each([
    ['', '', '2026-11-20T23:00:00.000Z'],
    ['today', '', '2026-11-20T23:00:00.000Z'],
    ['since today', '', '2026-11-20T23:00:00.000Z'],
    ['yesterday', 'since yesterday', '2026-11-19T23:00:00.000Z'],
    ['since Monday', 'since monday', '2026-11-15T23:00:00.000Z'],
    ['saturday', 'since saturday', '2026-11-20T23:00:00.000Z'],
    ['3 days', 'last 3 days', '2026-11-18T09:05:00.000Z'],
    ['since 3 days', 'last 3 days', '2026-11-18T09:05:00.000Z'],
    ['in the last 3 days', 'last 3 days', '2026-11-18T09:05:00.000Z'],
    ['two days ago', 'last 2 days', '2026-11-19T09:05:00.000Z'],
    ['a week ago', 'last 7 days', '2026-11-14T09:05:00.000Z'],
    ['12h', 'last 12 hours', '2026-11-20T21:05:00.000Z'],
    ['2026-11-20', 'since 2026-11-20', '2026-11-19T23:00:00.000Z'],
    ['since 18 Nov', 'since 18 nov', '2026-11-17T23:00:00.000Z'],
    ['since last week', 'since last week', '2026-11-08T23:00:00.000Z'],
    ['this month', 'since this month', '2026-10-31T23:00:00.000Z'],
    ['since october', 'since october', '2026-09-30T22:00:00.000Z'],
    ['since 2026-10', 'since 2026-10', '2026-09-30T22:00:00.000Z'],
    ['since yesterday 18:00', 'since yesterday 18:00', '2026-11-20T17:00:00.000Z'],
    ['Monday, 6:30', 'since monday 06:30', '2026-11-16T05:30:00.000Z'],
    ['06:00', 'since 06:00', '2026-11-21T05:00:00.000Z'],
    // Not yet today, so yesterday.
    ['since 18:00', 'since 18:00', '2026-11-20T17:00:00.000Z'],
    ['2026-11-20 08:00', 'since 2026-11-20 08:00', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T08:00:30', 'since 2026-11-20 08:00', '2026-11-20T07:00:00.000Z'],
    ['since 2026-11-20T08:00Z', 'since 2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:30.123+08:00', 'since 2026-11-20T00:00:30Z', '2026-11-20T00:00:30.000Z'],
  ])('“%s” is “%s”', (typed, canonical, moment) => {
    expect(formatSince(read(typed))).toBe(canonical);
    expect(berlin(typed)).toBe(moment);
    expect(read(canonical)).toEqual(read(typed));
  });

  test('a day begins when its clocks say so', () => {
    const afterChange = new Date('2026-10-25T09:00:00Z');
    const since = resolveSince(read(''), { now: afterChange, zone: 'Europe/Berlin' });
    expect(since.toISOString()).toBe('2026-10-24T22:00:00.000Z');
  });

  test.each([
    'tomorrow',
    'next week',
    'until friday',
    '2026-12-24',
    '2026-11-21T10:05:01+01:00',
    '2026-10-31T25:00Z',
    '2026-09-31T10:00Z',
    'today 18:00',
    '2026-11-01..2026-11-05',
    'nonsense',
    'last week 18:00',
    '31 Nov',
  ])('“%s” is refused', (typed) => {
    expect(refusal(() => berlin(typed))).toMatchSnapshot();
  });

  test('whatever it understands, its canonical words mean the same', () => {
    const words = fc.constantFrom(
      ...'since last monday yesterday 3 days week 18:00 24h ago a 18 nov this month friday'.split(' '),
    );
    let understood = 0;
    fc.assert(
      fc.property(fc.array(words, { maxLength: 4 }), (some) => {
        const since = attempt(some.join(' '));
        fc.pre(since !== undefined);
        understood += 1;
        expect(read(formatSince(since))).toEqual(since);
      }),
      { numRuns: 200 },
    );
    expect(understood).toBeGreaterThan(50);
  });
});

function attempt(typed: string): Since | undefined {
  try {
    return read(typed);
  } catch {
    return undefined;
  }
}
