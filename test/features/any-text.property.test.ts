import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureView } from '../../src/answers/slack/failure.ts';
import { UserError } from '../../src/errors.ts';
import { nasty } from '../support/answer-arbitraries.ts';
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
  ...['weekdays 08:00', '\u202E', '\u00a0', '\n'],
);
const anyText = fc.oneof(
  fc.array(fc.oneof(words, nasty), { maxLength: 12 }).map((parts) => parts.join(' ')),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.tuple(words, fc.constantFrom(...'aA9,"< ')).map(([word, letter]) => `${word} ${letter.repeat(7900)}`),
  nasty.map((name) => name.repeat(100).slice(0, 9000)),
);

test('whatever is typed is read, or refused with one helpful message that mentions nobody', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, inThread) => {
      const context = inThread ? { vessels, threadVessels: [vessels.all()[0]?.imo ?? never()] } : { vessels };
      try {
        const { line } = parseLine(text, context);
        expect(line.length).toBeLessThanOrEqual(1500);
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
        const message = failureView(error, { ref: '7K3F', reader });
        expect(slackFaults(message)).toEqual([]);
        expect(message.text).not.toMatch(/at .*:\d+:\d+|undefined|\[object|NaN/);
        expect(message.text).not.toContain('Something broke on our side');
      }
    }),
    { numRuns: 1000 },
  );
});

test('the choices of every refusal are lines that work, or are refused with more help', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      try {
        parseLine(text, { vessels });
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
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
    return error instanceof UserError && (error.choices.length > 0 || error.example !== undefined);
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

function never(): never {
  throw new Error('there is a vessel');
}
