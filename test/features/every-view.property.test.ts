import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Reader } from '../../src/answers/message.ts';
import { failureView } from '../../src/answers/slack/failure.ts';
import { UserError } from '../../src/errors.ts';
import { aLine, anImo, aReader, nasty } from '../support/answer-arbitraries.ts';
import { slackFaults } from '../support/slack-faults.ts';

/** Each view with data as wild as its types allow. */
const views: Record<string, fc.Arbitrary<(reader: Reader) => Message>> = {
  'wrong input': fc
    .record({
      message: nasty,
      hint: nasty,
      example: nasty,
      choices: fc.array(fc.record({ label: nasty.filter((label) => label.trim() !== ''), line: aLine }), {
        maxLength: 40,
        size: 'max',
      }),
    })
    .map(
      (details) => (reader) =>
        failureView(new UserError({ code: 'unknown-port', ...details }), { ref: '7K3F', reader }),
    ),
  'our fault': fc.tuple(nasty, aLine).map(
    ([message, line]) =>
      (reader) =>
        failureView(new Error(message), { ref: '7K3F', reader, line }),
  ),
};

describe.each(Object.entries(views))('%s', (_, view) => {
  test("keeps Slack's limits and mentions nobody, whatever the data", () => {
    fc.assert(
      fc.property(view, aReader, (show, reader) => {
        expect(slackFaults(show(reader))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

test('the generated data contain mentions that only escaping stops', () => {
  expect(fc.sample(nasty, 500).some((name) => name.includes('<!channel>'))).toBe(true);
  expect(fc.sample(anImo, 3)).toHaveLength(3);
});
