import { test } from 'vitest';
import { expectReadRight } from '../support/days.ts';

// Apart from days.test.ts, so that both run at once. Thirty-four teams who don't know the grammar, and fifty-nine on an
// ordinary day. Of the last 960 lines, 94% were right at first sight, and 0.7% wrong.
test.each([
  { file: 'practice.txt', share: 0.96 },
  { file: 'natural.txt', share: 0.96 },
])('$file: at least $share of the lines are read right', expectReadRight);
