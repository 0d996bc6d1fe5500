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

test('a setting of the workspace that stays as it was has no Undo', () => {
  const none = { setting: 'guests', value: 'none' } as const;
  const shown = asRead(messageOf(changedAnswer(none, none), 'landfall settings guests none'));
  expect(shown).toContain('Nothing has changed.');
  expect(shown).not.toContain('Undo');
});
