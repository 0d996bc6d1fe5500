import { expect, test } from 'vitest';
import { judge, type Outcome, readDays } from '../support/days.ts';

// After ⇒ in the files stands what the line means. What an answer would have to guess is asked about: that isn't wrong.
test.each([
  { file: 'days.txt', share: 0.96, wrong: 0 },
  // Whole sentences, mails and documents.
  { file: 'long.txt', share: 0.57, wrong: 1 },
  // Written by somebody who doesn't know the grammar. Nobody reads it while the grammar changes.
  { file: 'short.txt', share: 0.62, wrong: 6 },
])('$file: at least $share of the lines are read right', ({ file, share, wrong }) => {
  const judged = readDays(file).map((line) => ({ ...line, ...judge(line) }));
  const of = (outcome: Outcome) => judged.filter((line) => line.outcome === outcome);
  expect(of('right').length + of('offered').length).toBeGreaterThanOrEqual(share * judged.length);
  expect(of('wrong').slice(wrong)).toEqual([]);
});
