import { expect, it } from 'vitest';
import { context, sections } from '../../../src/messages/blocks.ts';
import { verdictLines } from '../../../src/messages/frame/verdict-lines.ts';
import { blocksOf } from '../../../src/messages/message.ts';
import { header } from '../../../src/messages/rich-blocks.ts';

const [verdict, figures, small] = [sections(['*verdict*']), sections(['figures']), context('small')];
const message = (...blocks: Parameters<typeof blocksOf>[0]) => ({ text: 'all', ...blocksOf(blocks) });

it('takes the verdict, and the warning under it that the answer is old', () => {
  const old = context('🟠 this answer is from 09:05 UTC');
  expect(verdictLines(message(...verdict, ...figures, small))).toEqual({
    lines: ['*verdict*'],
    isWhole: false,
  });
  expect(verdictLines(message(...sections(['*verdict*', 'figures']), small))).toMatchObject({
    isWhole: false,
  });
  expect(verdictLines(message(...verdict, small))).toEqual({ lines: ['*verdict*'], isWhole: true });
  expect(verdictLines(message(...verdict, old, small))).toEqual({
    lines: ['*verdict*', '🟠 this answer is from 09:05 UTC'],
    isWhole: true,
  });
});

it('uses the twins of newer blocks, and the text if the first block has no words', () => {
  expect(verdictLines(message(header('title'), ...figures)).lines).toEqual(['*title*']);
  expect(verdictLines(message())).toEqual({ lines: ['all'], isWhole: true });
});
