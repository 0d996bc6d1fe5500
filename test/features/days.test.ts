import { expect, test } from 'vitest';
import { judge, type Outcome, readDays } from '../support/days.ts';

// After ⇒ in the files stands what the line means. What an answer would have to guess is asked about: that isn't wrong.
test.each([
  { file: 'days.txt', share: 0.98, wrong: 0 },
  // Whole sentences, mails and documents.
  { file: 'long.txt', share: 0.94, wrong: 1 },
  { file: 'short.txt', share: 0.99, wrong: 0 },
  { file: 'north.txt', share: 0.98, wrong: 0 },
  { file: 'east.txt', share: 0.96, wrong: 0 },
  { file: 'more.txt', share: 0.96, wrong: 1 },
  // Written by people who don't know the grammar, and first read when it was finished: 374 of 396 were right, 11 wrong.
  { file: 'unseen.txt', share: 0.96, wrong: 2 },
])('$file: at least $share of the lines are read right', ({ file, share, wrong }) => {
  const judged = readDays(file).map((line) => ({ ...line, ...judge(line) }));
  const of = (outcome: Outcome) => judged.filter((line) => line.outcome === outcome);
  expect(of('right').length + of('offered').length).toBeGreaterThanOrEqual(share * judged.length);
  expect(of('wrong').slice(wrong)).toEqual([]);
});
