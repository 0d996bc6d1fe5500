import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/answers/message.ts';
import { formBlocks } from '../../../src/answers/slack/form.ts';
import { type DigestForm, dayChoices, formView } from '../../../src/features/digests/form-view.ts';
import { maxLines } from '../../../src/features/digests/words.ts';
import { nasty } from '../../support/answer-arbitraries.ts';
import { readForm } from '../../support/form-driver.ts';

const now = new Date('2026-11-24T07:00Z');
const reader = { now, zone: 'Europe/Berlin', source: 'service', audience: 'private' } as const;

const form: DigestForm = {
  edited: null,
  title: '',
  where: 'channel',
  channelId: 'C0OPS00001',
  days: 'some',
  weekdays: ['1', '4'],
  dates: '',
  times: '08:00',
  zone: 'Europe/Berlin',
  onlyNews: false,
  lines: [
    { id: 1, text: 'usage', parsed: { kind: 'right', text: 'usage' } },
    { id: 3, text: 'usag', parsed: { kind: 'wrong', text: "“usag” isn't a command." } },
    { id: 4, text: '', parsed: { kind: 'nothing', text: 'Any command that asks' } },
  ],
  runs: { at: [new Date('2026-11-26T07:00Z'), new Date('2026-11-30T07:00Z')], zone: 'Europe/Berlin' },
};

describe('the form of a digest', () => {
  it('shows the owner of a saved digest, and asks for no channel', () => {
    const edited = {
      title: 'Morning',
      number: 2,
      channelId: 'C0OPS00001',
      destination: 'channel' as const,
      ownerId: 'U0ADA0001',
    };
    const wrong = { wrong: '“8” is no time of day.' };
    const said = readForm(formView({ ...form, edited, days: 'dates', runs: wrong }, reader));
    expect(said).toContain('*2 Morning* · sent in <#C0OPS00001> · by <@U0ADA0001>');
    expect(said).not.toContain('where:');
    expect(said).toContain('dates: Dates of the month');
    expect(said).toContain('🟠 “8” is no time of day.');
  });

  it('keeps the limits of Slack with the maximum number and length of lines', () => {
    const long = fc.oneof(
      nasty,
      nasty.map((text) => text.repeat(1_500).slice(0, 1_500)),
    );
    const aLine = fc.record({
      text: long,
      parsed: fc.record({
        kind: fc.constantFrom('right', 'wrong', 'nothing'),
        text: long.map((text) => text || 'x'),
      }),
    });
    fc.assert(
      fc.property(
        fc.array(aLine, { minLength: 1, maxLength: maxLines, size: 'max' }),
        fc.constantFrom(...dayChoices),
        long,
        (lines, days, text) => {
          const numbered = lines.map((line, index) => ({ id: index + 1, ...line }));
          const place = { channelId: 'C1', destination: 'channel' as const };
          const edited = { title: text.slice(0, 80), number: 9_999, ...place, ownerId: 'U1' };
          const wrong = { wrong: text };
          const some = { ...form, edited, days, runs: wrong, trouble: text.repeat(20), title: text };
          const view = formView({ ...some, lines: numbered }, reader);
          const blocks = formBlocks(view, reader);
          const ids = blocks.flatMap(({ block_id }) => block_id ?? []);
          expect(new Set(ids).size).toBe(ids.length);
          expect(blocks.length).toBeLessThanOrEqual(limits.viewBlocks);
          expect(view.title.length).toBeLessThanOrEqual(limits.modalTitle);
          expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThan(limits.viewBytes);
          for (const block of blocks) {
            if (block.type !== 'section') continue;
            expect(block.text?.text.length).toBeLessThanOrEqual(limits.sectionText);
            expect(block.text?.text.length).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
