import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBlocks, interactiveElements } from '../../src/blocks/block-checks.ts';

const check = (...blocks: unknown[]) => checkBlocks(blocks, { refusedTypes: new Set() });
const text = (length: number) => ({ type: 'mrkdwn', text: 'x'.repeat(length) });
const plain = (length: number) => ({ type: 'plain_text', text: 'x'.repeat(length) });
const button = (more: object = {}) => ({ type: 'button', text: plain(5), action_id: 'a', ...more });
const actions = (...elements: unknown[]) => ({ type: 'actions', elements });
const options = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ text: plain(3), value: String(index), ...more }));
const overflow = (count: number, more: object = {}) => ({
  type: 'overflow',
  action_id: 'more',
  options: options(count, more),
});
const many = <T>(count: number, item: T) => Array.from({ length: count }, () => item);
const rows = (height: number, width: number) => many(height, many(width, { type: 'raw_text', text: 'x' }));

describe('what Slack accepts', () => {
  test.each<[string, unknown]>([
    ['a section with 3,000 characters', { type: 'section', text: text(3000) }],
    ['ten fields', { type: 'section', fields: many(10, text(20)) }],
    ['a header of 150', { type: 'header', text: plain(150) }],
    ['25 buttons', actions(...Array.from({ length: 25 }, (_, i) => button({ action_id: `a${i}` })))],
    ['a button of 75 with a value of 2,000', actions(button({ text: plain(75), value: 'v'.repeat(2000) }))],
    ['five options', { type: 'section', text: text(1), accessory: overflow(5) }],
    ['ten elements of context', { type: 'context', elements: many(10, text(5)) }],
    ['a table of 100 x 20', { type: 'table', rows: rows(100, 20) }],
    ['rich text', { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] }],
    ['markdown', { type: 'markdown', text: '**x**' }],
  ])('%s', (_name, block) => {
    expect(check(block)).toMatchObject({ ok: true });
  });
});

describe('what Slack refuses', () => {
  test.each<[string, unknown, string]>([
    ['a section of 3,001', { type: 'section', text: text(3001) }, '/blocks/0/text/text'],
    ['an empty text', { type: 'section', text: text(0) }, '/blocks/0/text/text'],
    ['a section with nothing', { type: 'section' }, '/blocks/0'],
    ['eleven fields', { type: 'section', fields: many(11, text(1)) }, '/blocks/0/fields'],
    ['a field of 2,001', { type: 'section', fields: [text(2001)] }, '/blocks/0/fields/0/text'],
    ['a header of 151', { type: 'header', text: plain(151) }, '/blocks/0/text/text'],
    ['a header in mrkdwn', { type: 'header', text: text(5) }, '/blocks/0/text/type'],
    ['eleven elements of context', { type: 'context', elements: many(11, text(1)) }, '/blocks/0/elements'],
    ['a context of 2,001', { type: 'context', elements: [text(2001)] }, '/blocks/0/elements/0/text'],
    ['26 buttons', actions(...many(26, button())), '/blocks/0/elements'],
    ['no button', actions(), '/blocks/0/elements'],
    ['a button of 76', actions(button({ text: plain(76) })), '/blocks/0/elements/0/text/text'],
    ['a value of 2,001', actions(button({ value: 'v'.repeat(2001) })), '/blocks/0/elements/0/value'],
    ['a colour', actions(button({ style: 'green' })), '/blocks/0/elements/0/style'],
    ['an unknown field', { type: 'divider', colour: 'red' }, '/blocks/0'],
    ['one option', actions(overflow(1)), '/blocks/0/elements/0/options'],
    ['six options', actions(overflow(6)), '/blocks/0/elements/0/options'],
    ['an option value of 151', actions(overflow(2, { value: 'v'.repeat(151) })), '/options/0/value'],
    ['an option text of 76', actions(overflow(2, { text: plain(76) })), '/options/0/text/text'],
    ['an unknown type', { type: 'carpet' }, '/blocks/0/type'],
    ['a block for modals only', { type: 'input', label: plain(3) }, '/blocks/0/type'],
    ['no type', { text: 'x' }, '/blocks/0/type'],
    ['not an object', 7, '/blocks/0/type'],
    ['a block_id of 256', { type: 'divider', block_id: 'b'.repeat(256) }, '/blocks/0/block_id'],
    ['a table of 101 rows', { type: 'table', rows: rows(101, 1) }, '/blocks/0/rows'],
    ['a table of 21 columns', { type: 'table', rows: rows(1, 21) }, '/blocks/0/rows/0'],
    [
      'a table of 10,001 characters',
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'x'.repeat(5000) },
            { type: 'raw_text', text: 'x'.repeat(5001) },
          ],
        ],
      },
      '/blocks/0/rows',
    ],
  ])('%s', (_name, block, pointer) => {
    const result = check(block);
    expect(result).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(result.ok ? '' : result.messages.join('\n')).toContain(pointer);
  });

  test('51 blocks, two tables, a repeated block_id, a repeated action_id in a block', () => {
    expect(check(...many(51, { type: 'divider' }))).toMatchObject({ ok: false, error: 'invalid_blocks' });
    const table = { type: 'table', rows: rows(1, 1) };
    expect(check(table, table)).toMatchObject({ ok: false, error: 'invalid_blocks' });
    const divider = { type: 'divider', block_id: 'b' };
    expect(check(divider, divider)).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(check(actions(button(), button()))).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(check(actions(button()), actions(button()))).toMatchObject({ ok: true });
  });

  test('more than 12,000 characters of text in all', () => {
    expect(check(...many(4, { type: 'section', text: text(3000) }))).toMatchObject({ ok: true });
    expect(check(...many(5, { type: 'section', text: text(2500) }))).toMatchObject({
      ok: false,
      error: 'msg_blocks_too_long',
    });
  });
});

test('blocks and elements without ids get unique ids', () => {
  const result = check(actions({ type: 'button', text: plain(1) }, { type: 'button', text: plain(1) }), {
    type: 'section',
    text: text(1),
    accessory: { type: 'button', text: plain(1) },
  });
  const ids = result.ok
    ? result.blocks.flatMap((b) => [b.block_id, ...interactiveElements(b).map((e) => e.action_id)])
    : [];
  expect(ids).toHaveLength(5);
  expect(new Set(ids).size).toBe(5);
});

test('any value sent as blocks is either accepted or refused', () => {
  fc.assert(
    fc.property(fc.array(fc.anything()), (blocks) => {
      expect(typeof checkBlocks(blocks, { refusedTypes: new Set() }).ok).toBe('boolean');
    }),
    { numRuns: 200 },
  );
});
