import { expect, test } from 'vitest';
import { parsePeriod } from '../../src/grammar/parse-period.ts';
import { formatVersus, nearestVersusEnding, settleVersus, versusOption } from '../../src/grammar/versus.ts';
import { help, refusal } from '../support/grammar-samples.ts';

const take = (words: string) =>
  versusOption(words, (rest) => ({ ...help, line: (fixed) => `ask ${rest} ${fixed}` }));

test.each([
  ['versus previous', 'versus previous'],
  ['VS. the previous period', 'versus previous'],
  ['vs prior', 'versus previous'],
  ['against the one before', 'versus previous'],
  ['as compared with last quarter', 'versus last quarter'],
  ['compared to q2', 'versus q2'],
  ['versus 2026-04..2026-06', 'versus 2026-04..2026-06'],
  ['vs q3 2025', 'versus q3 2025'],
])('%s', (typed, canonical) => {
  const taken = take(`A B q3 ${typed}`);
  expect(taken?.rest).toBe('A B q3');
  expect(taken && formatVersus(taken.value.versus)).toBe(canonical);
});

test.each([
  'A B',
  'A B versus q2 Maersk',
  'A B versus previous MAEU, Hapag-Lloyd',
  'A B vs previous last 30 days',
])('%s: nothing to take off the end', (words) => {
  expect(take(words)).toBeUndefined();
});

test.each([
  ['last quarter', 'previous quarter', 'versus previous'],
  ['q3', 'the previous quarter', 'versus previous'],
  ['october', 'the prior month', 'versus previous'],
  ['2026-10', 'previous month', 'versus previous'],
  ['last 30 days', 'the previous quarter', 'versus last quarter'],
  ['q3', 'last quarter', 'versus last quarter'],
])('%s versus %s', (period, typed, expected) => {
  const taken = take(`A B versus ${typed}`);
  expect(taken && formatVersus(settleVersus(taken.value, parsePeriod(period, help)))).toBe(expected);
});

test('what is wrong, with the nearest periods and the other words', () => {
  expect(refusal(() => take('A B q3 versus previos'))).toMatchInlineSnapshot(`
    "bad-period: “previos” isn't a valid period.
    A period is written like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”.
    [previous] ask A B q3 versus previous"
  `);
  expect(refusal(() => take('A B versus last quater'))).toMatchInlineSnapshot(`
    "bad-period: “last quater” isn't a valid period.
    A period is written like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”.
    [last quarter] ask A B versus last quarter
    [previous] ask A B versus previous"
  `);
  expect(refusal(() => take('A B versus'))).toMatchInlineSnapshot(`
    "missing-argument: Which period comes after “versus”?
    [versus previous] ask A B versus previous
    [versus last quarter] ask A B versus last quarter"
  `);
  expect(refusal(() => take('A B versus next week'))).toMatchInlineSnapshot(`
    "bad-period: “next week” is in the future: statistics cover the past.
    A period is written like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”.
    [this week] ask A B versus this week"
  `);
  expect(refusal(() => take('A B versus 2026-02-30'))).toMatchInlineSnapshot(`
    "bad-date: “2026-02-30” isn't a valid date.
    Write a date as year-month-day, such as 2026-11-24.
    [2026-02-28] ask A B versus 2026-02-28"
  `);
  expect(refusal(() => take('A B versus Maersk'))).toMatchInlineSnapshot(`
    "bad-period: “Maersk” isn't a valid period.
    A period is written like “last 30 days”, “last quarter”, “since 2026-08-01” or “2026-01..2026-03”.
    [previous] ask A B versus previous"
  `);
});

test.each([
  ['verus previous', { before: '', corrected: 'versus previous' }],
  ['q3 versis q2', { before: 'q3', corrected: 'versus q2' }],
  ['Maersk last 30 dyas verus previos', { before: 'Maersk last 30 dyas', corrected: 'versus previous' }],
  ['Maersk verus', { before: 'Maersk', corrected: 'versus previous' }],
  ['mearsk', undefined],
])('a misspelt versus: %s', (words, expected) => {
  expect(nearestVersusEnding(words)).toEqual(expected);
});
