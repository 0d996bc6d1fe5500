import { expect, test } from 'vitest';
import { changedAnswer } from '../../../src/features/settings/answer.ts';
import { channelForm } from '../../../src/features/settings/index.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';

const settings = { mode: 'thread', visibility: 'private', whoMayAdd: 'admins' } as const;

test('each choice of the form is short enough for Slack', () => {
  for (const block of channelForm(settings).blocks) {
    if (block.type !== 'input' || block.element.type !== 'radio_buttons') throw new Error('no choice');
    for (const { text, description } of block.element.options)
      expect(`${text.text} ${description?.text}`).not.toContain('…');
  }
});

test('a changed setting of the workspace can be changed back', () => {
  const change = (before: 'ask' | 'none') =>
    asRead(
      messageOf(
        changedAnswer({ setting: 'guests', value: 'none' }, { setting: 'guests', value: before }),
        'landfall settings guests none',
      ),
    );
  expect(change('ask')).toMatchInlineSnapshot(`
    "text: Guests are not served, in the whole workspace. They only see what is posted in their channels. Before: guests may ask.

    *Guests are not served*, in the whole workspace. They only see what is posted in their channels.
    Before: guests may ask.
    [Undo → landfall settings guests ask]"
  `);
  expect(change('none')).toContain('Nothing has changed.');
  expect(change('none')).not.toContain('Undo');
});
