import { expect, test } from 'vitest';
import { changedAnswer, settingsAnswer } from '../../../src/features/settings/answer.ts';
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

test('settings are put into words, with a button for people who may change them', () => {
  const shown = { channelId: 'C0OPS00001', settings, guests: 'ask', links: 'off' } as const;
  const read = (mayChange: boolean) =>
    asRead(messageOf(settingsAnswer({ ...shown, mayChange }), 'landfall settings'));
  expect(read(true)).toMatchInlineSnapshot(`
    "text: Settings of <#C0OPS00001>; Alerts of watches: In the thread only · Each alert is a reply under the card of its watch. Who sees answers here: Only the person who asks · Others see an answer when it is shared, or typed with “public”. Who may add and change watches and digests: Workspace admins · Owners can still change their own. Guests, in the whole workspace: Guests may ask · They can't change anything. Links, in the whole workspace: Links to vessels are left alone · Slack shows them as it shows any link.

    *Settings of <#C0OPS00001>*
    (table: Settings)
    | Setting | Now | What it means |
    | Alerts of watches | In the thread only | Each alert is a reply under the card of its watch. |
    | Who sees answers here | Only the person who asks | Others see an answer when it is shared, or typed with “public”. |
    | Who may add and change watches and digests | Workspace admins | Owners can still change their own. |
    | Guests, in the whole workspace | Guests may ask | They can't change anything. |
    | Links, in the whole workspace | Links to vessels are left alone | Slack shows them as it shows any link. |
    Admins change what is for the whole workspace: \`/landfall settings guests ask|full|none\`, \`/landfall settings links off|on|composer\`
    [Change … → {"channelId":"C0OPS00001"}]"
  `);
  expect(read(false)).toContain('Only workspace admins can change these settings');
  expect(read(false)).not.toContain('Change …');
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
