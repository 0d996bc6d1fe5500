import { expect, test } from 'vitest';
import { limits } from '../../../src/answers/message.ts';
import { changedAnswer } from '../../../src/features/settings/answer.ts';
import { channelForm } from '../../../src/features/settings/index.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';

const settings = { mode: 'thread', visibility: 'private', whoMayAdd: 'admins' } as const;

test('each choice of the form is short enough for Slack', () => {
  const choices = channelForm(settings).parts.flatMap((part) => ('options' in part ? part.options : []));
  expect(choices.length).toBeGreaterThan(0);
  for (const { label, description = '' } of choices)
    expect(Math.max(label.length, description.length)).toBeLessThanOrEqual(limits.optionText);
});

test('a setting of the workspace that stays as it was has no Undo', () => {
  const none = { setting: 'guests', value: 'none' } as const;
  const shown = asRead(messageOf(changedAnswer(none, none), 'landfall settings guests none'));
  expect(shown).toContain('Nothing has changed.');
  expect(shown).not.toContain('Undo');
});
