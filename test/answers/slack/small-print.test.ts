import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/answers/message.ts';
import { withNote, withSharer } from '../../../src/answers/slack/answer-message.ts';
import { context } from '../../../src/answers/slack/blocks.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

describe('a note under an answer', () => {
  test('is above the buttons, escaped', () => {
    const buttons = { type: 'actions' as const, elements: [] };
    const noted = withNote({ text: 'a', blocks: [section('a'), buttons] }, 'Shared by <!channel>');
    expect(noted.blocks.map(({ type }) => type)).toEqual(['section', 'context', 'actions']);
    expect(JSON.stringify(noted)).not.toContain('<!channel>');
  });

  test('joins the small print that is there; the name of the sharer keeps a line of its own', () => {
    const blocks = [section('a'), context('Forecast as of 09:05 UTC')];
    const noted = withNote({ text: 'a', blocks, plain: blocks }, 'Understood as /nextport 9811000');
    expect(noted.blocks.slice(1)).toEqual([
      context('Forecast as of 09:05 UTC · Understood as /nextport 9811000'),
    ]);
    expect(noted.plain).toEqual(noted.blocks);
    const shared = withNote(withSharer(noted, 'Ada'), 'Refreshed 2 s ago');
    expect(shared.blocks.slice(2)).toEqual([
      { ...context('Shared by Ada'), block_id: 'shared_by' },
      context('Refreshed 2 s ago'),
    ]);
    const long = withNote({ text: 'a', blocks: [context('x'.repeat(limits.contextText))] }, 'note');
    expect(long.blocks).toHaveLength(2);
  });

  test('is left out of a message that is full', () => {
    const full = Array.from({ length: limits.blocks }, () => section('a'));
    expect(withNote({ text: 'a', blocks: full }, 'note').blocks).toHaveLength(limits.blocks);
  });
});
