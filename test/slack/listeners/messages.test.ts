import { afterEach, expect, test } from 'vitest';
import { ada, dmOf } from '../../support/bot.ts';
import { type SignedSlack, startSignedSlack } from '../../support/signed-slack.ts';
import { waitUntil } from '../../support/wait-until.ts';

let slack: SignedSlack;
afterEach(() => slack.stop());

test('a reply that somebody also sends to the direct message is answered in its thread', async () => {
  slack = await startSignedSlack();
  const { playground } = slack;
  const { app, team } = playground.world;
  const dm = dmOf(ada);
  const answers = () => playground.messages(dm).filter(({ userId }) => userId === app.botUserId);
  await playground.say({ userId: ada, channelId: dm, text: 'hello' });
  await waitUntil('the root is answered', () => answers().length === 1);
  const [{ ts: root = '' } = {}] = playground.messages(dm);
  // The page of the playground can't send such a reply.
  await slack.send({
    type: 'event_callback',
    team_id: team.id,
    event_id: 'Ev1',
    event: {
      type: 'message',
      subtype: 'thread_broadcast',
      channel: dm,
      channel_type: 'im',
      user: ada,
      text: 'nextport 9461477',
      ts: '1800000000.000000',
      thread_ts: root,
    },
  });
  await waitUntil('the reply is answered', () => answers().length === 2);
  expect(answers()[1]).toMatchObject({ threadTs: root, text: expect.stringMatching(/^DS CYPRESS/) });
});
