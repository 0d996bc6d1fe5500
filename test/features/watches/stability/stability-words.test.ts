import { expect, test } from 'vitest';
import { spreadInWords } from '../../../../src/features/watches/views/stability-words.ts';

test('how far the ETA moved is rounded to hours from 3 hours on', () => {
  expect(spreadInWords({ median: 283, lower: 93, upper: 351, of: 5 })).toBe('5 h (1 h 33 min to 6 h)');
});
