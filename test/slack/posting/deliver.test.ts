import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/messages/message.ts';
import { deliver } from '../../../src/slack/posting/messenger.ts';
import { ResponseUrlError } from '../../../src/slack/posting/slack-errors.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

describe('deliver', () => {
  const message: Message = { text: 'words', blocks: [section('new')], plain: [section('plain')] };
  const refusing = (times: number, reason = 'invalid_blocks') => {
    const sent: unknown[] = [];
    const send = async (rendering: unknown) => {
      sent.push(rendering);
      if (sent.length <= times) throw new ResponseUrlError(reason);
    };
    return { sent, send };
  };

  test.each([
    [0, 'the blocks', { text: 'words', blocks: [section('new')] }],
    [1, 'the plain twin', { text: 'words', blocks: [section('plain')] }],
    [2, 'only the text', { text: 'words' }],
  ])('after %i refusals it sends %s', async (times, _, rendering) => {
    const { sent, send } = refusing(times);
    await deliver(message, send);
    expect(sent).toHaveLength(times + 1);
    expect(sent.at(-1)).toEqual(rendering);
  });

  test('without a plain twin it sends the text next', async () => {
    const { sent, send } = refusing(1, 'msg_blocks_too_long');
    await deliver({ text: 'words', blocks: [section('new')] }, send);
    expect(sent.at(-1)).toEqual({ text: 'words' });
  });

  test('it throws any other refusal', async () => {
    const { sent, send } = refusing(1, 'is_archived');
    await expect(deliver(message, send)).rejects.toThrow('is_archived');
    expect(sent).toHaveLength(1);
  });
});
