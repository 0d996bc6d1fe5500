import { createViewReader } from 'bolt-playground/checks';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limits } from '../../../src/answers/message.ts';
import { formBlocks } from '../../../src/answers/slack/form.ts';
import { type DigestForm, dayChoices, formView } from '../../../src/features/digests/form-view.ts';
import { maxLines } from '../../../src/features/digests/words.ts';
import { nasty } from '../../support/answer-arbitraries.ts';

const readView = createViewReader({ refusedTypes: new Set() });
const now = new Date('2026-11-24T07:00Z');
const reader = { now, zone: 'Europe/Berlin', source: 'service', audience: 'private' } as const;

const form: Omit<DigestForm, 'lines' | 'edited' | 'days' | 'title' | 'runs'> = {
  where: 'channel',
  channelId: 'C0OPS00001',
  weekdays: ['1', '4'],
  dates: '',
  times: '08:00',
  zone: 'Europe/Berlin',
  onlyNews: false,
};

it('the form of a digest keeps the limits of Slack with the maximum number and length of lines', () => {
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
        const [title, submit] = [view.title, 'Save'].map((text) => ({ type: 'plain_text', text }));
        readView({ type: 'modal', title, submit, blocks }, 'modal');
        expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThan(limits.viewBytes);
      },
    ),
    { numRuns: 100 },
  );
});
