import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { statusView } from '../../src/features/help/status.ts';
import { helpView } from '../../src/features/help/view.ts';
import { failureView } from '../../src/messages/frame/failure.ts';
import type { Message, Reader } from '../../src/messages/message.ts';
import { aLine, anImo, aReader, aTime, nasty } from '../support/answer-arbitraries.ts';
import { slackFaults } from '../support/slack-faults.ts';

/** Each view with data as wild as its types allow. */
const views: Record<string, fc.Arbitrary<(reader: Reader) => Message>> = {
  status: fc
    .record({
      version: nasty,
      lastSuccessAt: aTime,
      failingSince: fc.option(aTime, { nil: undefined }),
      pausedMs: fc.option(fc.nat(), { nil: undefined }),
      state: fc.constantFrom('none', 'live', 'refused'),
      queued: fc.nat(),
    })
    .map(
      ({ version, lastSuccessAt, failingSince, pausedMs, state, queued }) =>
        (reader) =>
          statusView(
            {
              kind: 'status',
              line: 'landfall status',
              version,
              service: {
                lastSuccessAt,
                ...(failingSince && { failingSince }),
                ...(pausedMs !== undefined && { pausedMs }),
                token: { state },
                inFlight: 0,
                queued,
              },
            },
            reader,
          ),
    ),
  help: fc
    .array(
      fc.record({
        name: nasty,
        summary: nasty,
        usage: nasty,
        examples: fc.array(nasty, { minLength: 1, maxLength: 10 }),
        options: fc.array(fc.record({ typed: nasty, help: nasty }), { maxLength: 30 }),
        optionsNote: nasty,
        questions: fc.array(nasty, { maxLength: 4 }),
        runs: fc.array(fc.record({ label: nasty.filter((label) => label.trim() !== ''), line: aLine }), {
          maxLength: 3,
        }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((commands) => () => helpView({ kind: 'help', line: 'landfall', commands })),
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

test('every view of sandbox data says that it is invented', () => {
  const answers = Object.entries(views).filter(
    ([name]) => !['help', 'wrong input', 'our fault'].includes(name),
  );
  for (const [, view] of answers) {
    fc.assert(
      fc.property(view, aReader, (show, reader) => {
        const message = show({ ...reader, source: 'sandbox', audience: 'private' });
        expect(message.text).toContain('invented data');
        expect(JSON.stringify(message.blocks)).toContain('invented data');
        expect(JSON.stringify(show({ ...reader, source: 'service' }))).not.toContain('invented data');
      }),
      { numRuns: 20 },
    );
  }
});

test('no view claims what the service never reports', () => {
  for (const view of Object.values(views)) {
    fc.assert(
      fc.property(view, aReader, (show, reader) => {
        expect(JSON.stringify(show(reader))).not.toMatch(/\b(arrived|sailed|blank sailings?)\b/i);
      }),
      { numRuns: 20 },
    );
  }
});

test('the generated data contain mentions that only escaping stops', () => {
  expect(fc.sample(nasty, 500).some((name) => name.includes('<!channel>'))).toBe(true);
  expect(fc.sample(anImo, 3)).toHaveLength(3);
});
