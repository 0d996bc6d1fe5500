import { test } from 'vitest';
import { expectReadRight } from '../support/days.ts';

// Thirty-four teams who don't know the grammar, and ninety-six on an ordinary day. Of the last 795 of these lines, 91% were
// right at first sight, and 1% wrong. One in four is read here, each by `DAYS=all npm test -- ordinary-days`, as CI does.
test.each([
  { file: 'practice.txt', share: 0.96, step: 4 },
  { file: 'natural.txt', share: 0.95, step: 4 },
])('$file: at least $share of the lines are read right', expectReadRight);
