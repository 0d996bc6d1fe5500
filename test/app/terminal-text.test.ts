import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { terminalText } from '../../src/answers/terminal-text.ts';

const plain = { zone: 'Europe/Berlin', styled: false };
const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

describe('a message in the terminal', () => {
  test('shows its blocks without markup, with dates in the reader’s zone', () => {
    const text = terminalText(
      {
        text: 'not shown',
        blocks: [
          section('*DS CYPRESS* · A &amp; B &lt;C&gt; `x` <https://example.com|words>'),
          section('yours: <!date^1795442700^{date_short_pretty} {time}|23 Nov 2026 14:05 UTC>'),
          { type: 'context', elements: [{ type: 'mrkdwn', text: '_Predicted, not reported_' }] },
          {
            type: 'actions',
            elements: [
              {
                type: 'button',
                action_id: 'run:0',
                text: { type: 'plain_text', text: 'Next 8' },
                value: 'lane A B page 2',
              },
              {
                type: 'button',
                action_id: 'refresh',
                text: { type: 'plain_text', text: 'Refresh' },
                value: 'x',
              },
            ],
          },
        ],
      },
      plain,
    );
    expect(text).toMatchInlineSnapshot(`
      "DS CYPRESS · A & B <C> x words
      yours: Mon 23 Nov 15:05 CET
      Predicted, not reported
        › Next 8: lane A B page 2"
    `);
  });

  test('shows lines of code in other words, if there are any', () => {
    const inWords = (line: string) => (line === 'watch A & B' ? 'the tool watch' : undefined);
    const text = terminalText(
      { text: '', blocks: [section('`/watch A &amp; B` or `/lane &lt;A&gt;`')] },
      { ...plain, inWords },
    );
    expect(text).toBe('the tool watch or lane <A>');
  });

  test('a table has columns', () => {
    const cell = (text: string) => ({ type: 'raw_text' as const, text });
    const rows = [
      [cell('Vessel'), cell('%')],
      [cell('DS CYPRESS'), cell('82')],
    ];
    expect(terminalText({ text: '', blocks: [{ type: 'table', rows }] }, plain)).toBe(
      'Vessel      %\nDS CYPRESS  82',
    );
  });

  test('the text is shown if there are no blocks', () => {
    expect(terminalText({ text: 'Working on it …', blocks: [] }, plain)).toBe('Working on it …');
  });

  test('bold and italic are styled if the terminal shows styles', () => {
    const styled = terminalText({ text: '', blocks: [section('*a* and _b_')] }, { ...plain, styled: true });
    expect(styled).toBe('\u001B[1ma\u001B[22m and \u001B[3mb\u001B[23m');
  });

  test('nothing in a message controls the terminal', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\u001B', '\u009B', '\u0007', '[', '2', 'J', 'a') }),
        (words) => {
          const cell = { type: 'raw_text' as const, text: words };
          const blocks = [section(words), { type: 'table' as const, rows: [[cell]] }];
          expect(terminalText({ text: words, blocks }, plain)).not.toMatch(/[^\P{Cc}\n]/u);
        },
      ),
    );
  });
});
