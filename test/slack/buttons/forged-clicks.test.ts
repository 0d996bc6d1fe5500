import { describe, expect, test } from 'vitest';
import { ada, ops } from '../../support/bot.ts';
import { startSignedSlack } from '../../support/signed-slack.ts';
import { useStarted } from '../../support/use-started.ts';

describe('forged clicks', () => {
  const slack = useStarted(startSignedSlack);

  const here = { userId: ada, channelId: ops };

  test.each([
    ['refresh', 'refreshed'],
    ['share', 'shared'],
    ['share_outside', 'shared'],
  ])('%s runs no line that changes something', async (id, done) => {
    // The answer of `share_outside` follows the removal of the question.
    const refused = await slack.click(here, { action_id: id, value: 'vessel name 9811000 FORGED' });
    if (id !== 'share_outside') expect(refused.text).toContain(`This can't be ${done}, so nothing was done.`);
    const { text } = await slack.click(here, { action_id: 'run:0', value: 'nextport 9811000' });
    expect(text).toMatch(/^EVER GIVEN [→·] /);
  });

  test.each([
    { type: 'static_select', action_id: 'watch:snooze', selected_option: null },
    { action_id: 'constructor', value: 'x' },
    { action_id: 'toString', value: 'x' },
  ])('%j is ignored', async (action) => {
    await slack.press(here, action);
    await slack.click(here, { action_id: 'run:0', value: 'landfall' });
    expect(slack.errors()).toEqual([]);
  });
});
