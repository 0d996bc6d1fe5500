import { expect, test } from 'vitest';
import { judge } from '../support/days.ts';

const shown = (typed: string) => judge({ typed, meanings: [], isAmerican: false }).shown;

test.each([
  ['/vessel which vessels are in NORTH', 'vessel fleet NORTH'],
  ['/vessel NORTH', 'vessel fleet NORTH'],
  ['/watch who added EVER GIVEN', 'landfall audit 9811000'],
  ['who changed something in <#C0OPS00001> yesterday', 'landfall audit of <#C0OPS00001>'],
  ['which watch costs most', 'usage bot by watch'],
  ['/watch mine', 'watch list mine'],
  ['stop the digest', 'digest list'],
])('%s is %s', (typed, line) => {
  expect(shown(typed)).toBe(line);
});

test.each([
  ['who changed something in #chartering yesterday', "I can't answer"],
  ['/landfall forget what I said', 'Nothing was deleted.'],
  ['/watch settings', "“settings” isn't something a watch can do. [watch list] [watch list mine]"],
  ['/landfall limt 500', '[landfall limit 500 a day]'],
  ['how much will december cost', "What a coming month will cost isn't known"],
])('%s is refused: %s', (typed, words) => {
  expect(shown(typed)).toContain(words);
});
