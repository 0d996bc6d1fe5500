import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message, Reader } from '../../src/answers/message.ts';
import { failureView } from '../../src/answers/slack/failure.ts';
import { UserError } from '../../src/errors.ts';
import { aLine, aReader, nasty } from '../support/answer-arbitraries.ts';
import { anyCharacter } from '../support/any-character.ts';
import { parseLine } from '../support/registry.ts';
import { createCommandHarness, reader, vessels } from '../support/run-command.ts';
import { slackFaults } from '../support/slack-faults.ts';
import { useStarted } from '../support/use-started.ts';

const harness = useStarted(createCommandHarness);

const words = fc.constantFrom(
  ...'nextport portcalls lane usage digest add edit : ; landfall help status list: compare page min by'.split(
    ' ',
  ),
  ...'9461477 9461478 IMO Rotterdam rotterdm Portland NLRTM to → next last days 3 99999999 tomorrow'.split(
    ' ',
  ),
  ...'2026-02-30 2026-13 maersk , " “ % public private <!channel> <@U024BE7LH|ann> <#C1|ops>'.split(' '),
  ...'&lt;!here&gt; * ` 🚢 ０９ Ａ — .. /'.split(' '),
  ...[
    '24 nov',
    'and',
    'this weekend',
    'in december',
    'week 49',
    'oct 26',
    'weekdays 08:00',
    '\u202E',
    '\u00a0',
    '\n',
  ],
);
const anyText = fc.oneof(
  fc.array(fc.oneof(words, nasty), { maxLength: 12 }).map((parts) => parts.join(' ')),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.tuple(words, fc.constantFrom(...'aA9,"< ')).map(([word, letter]) => `${word} ${letter.repeat(7900)}`),
  nasty.map((name) => name.repeat(100).slice(0, 9000)),
);

test('whatever is typed is read, or refused with one message that mentions nobody, and with lines that work or get more help', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, inThread) => {
      const threadVessels = inThread ? [vessels.all()[0]?.imo ?? never()] : [];
      const context = { vessels, threadVessels, isTyped: true };
      try {
        expect(parseLine(text, context).line.length).toBeLessThanOrEqual(1500);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        const message = failureView(error, { ref: '7K3F', reader });
        expect(slackFaults(message)).toEqual([]);
        expect(message.text).not.toMatch(/at .*:\d+:\d+|undefined|\[object|NaN/);
        expect(message.text).not.toContain('Something broke on our side');
        for (const { line } of error.choices) expect(leadsOn(line)).toBe(true);
        if (error.example !== undefined) expect(parseLine(error.example, { vessels }).line).toBeTruthy();
      }
    }),
    { numRuns: 1000 },
  );
});

function leadsOn(line: string): boolean {
  try {
    return parseLine(line, { vessels }).line !== '';
  } catch (error) {
    // One word is put right at a time: another may still be wrong.
    return error instanceof UserError && (error.choices.length > 0 || error.code === 'missing-argument');
  }
}

test('with the sandbox behind them, lines get one message each', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const message = await harness.show(text);
      expect(slackFaults(message)).toEqual([]);
      expect(message.text).not.toContain('Something broke on our side');
    }),
    { numRuns: 100 },
  );
});

/** Failures with data as wild as their types allow. */
const failures: Record<string, fc.Arbitrary<(reader: Reader) => Message>> = {
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

test.each(
  Object.entries(failures),
)("what is shown of %s keeps Slack's limits and mentions nobody, whatever the data", (_, view) => {
  fc.assert(
    fc.property(view, aReader, (show, shownTo) => {
      expect(slackFaults(show(shownTo))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

function never(): never {
  throw new Error('there is a vessel');
}
