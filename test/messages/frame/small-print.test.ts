import { describe, expect, test } from 'vitest';
import { withNote } from '../../../src/messages/frame/small-print.ts';
import { limits } from '../../../src/messages/limits.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

describe('a note under an answer', () => {
  test('is above the buttons, escaped', () => {
    const buttons = { type: 'actions' as const, elements: [] };
    const noted = withNote({ text: 'a', blocks: [section('a'), buttons] }, 'Shared by <!channel>');
    expect(noted.blocks.map(({ type }) => type)).toEqual(['section', 'context', 'actions']);
    expect(JSON.stringify(noted)).not.toContain('<!channel>');
  });

  test('is left out of a message that is full', () => {
    const full = Array.from({ length: limits.blocks }, () => section('a'));
    expect(withNote({ text: 'a', blocks: full }, 'note').blocks).toHaveLength(limits.blocks);
  });
});
