import { expect, test } from 'vitest';
import { withSpokenDates } from '../../src/grammar/number-words.ts';

test('a date and an hour are read as they are spoken', () => {
  expect(withSpokenDates('by december the seventh at two pm')).toBe('by 7 december at 2 pm');
  expect(withSpokenDates('the twenty-first of November, ten o’clock')).toBe('21 November, ten o’clock');
  expect(withSpokenDates("Thirty first Dec, ten o'clock")).toBe("31 Dec, 10 o'clock");
  expect(withSpokenDates('between the first and the fifth of December')).toBe('between 1 and 5 December');
  expect(withSpokenDates('run digest number two')).toBe('run digest number 2');
  expect(withSpokenDates('the first may slip, the second week of december too')).toBe(
    'the first may slip, the second week of december too',
  );
});
