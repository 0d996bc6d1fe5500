import { beforeEach, describe, expect, test } from 'vitest';
import { ada, ben, dmOf, ops } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { startSignedSlack } from '../support/signed-slack.ts';
import { direct } from '../support/statements/direct.ts';
import { useStarted } from '../support/use-started.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The bot over HTTP, for a sender who can sign anything. */
const slack = useStarted(startSignedSlack);

describe('forged clicks', () => {
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

test('a reply that somebody also sends to the direct message is answered in its thread', async () => {
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
    event_id: 'EvReply',
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

describe('workflow steps', () => {
  let id = 0;
  beforeEach(() => {
    id += 1;
  });

  /** What Slack delivers for a step. The playground knows no step with this id, but shows what the bot says of it. */
  const delivery = (callbackId: string, inputs: unknown) => ({
    type: 'event_callback',
    team_id: slack.playground.world.team.id,
    event_id: `Ev${id}`,
    event: {
      type: 'function_executed',
      function: { callback_id: callbackId, title: 'Ask the oracle' },
      inputs,
      function_execution_id: `Fx${id}`,
      bot_access_token: slack.playground.botToken,
    },
  });
  const ends = () =>
    slack.playground
      .wire()
      .filter(
        ({ label, request }) =>
          label.startsWith('functions.') && JSON.stringify(request).includes(`"Fx${id}"`),
      );
  const ended = () => waitUntil('the step ends', () => ends().length > 0);

  test('a step that this version does not know fails', async () => {
    expect(await slack.send(delivery('ask_oracle', {}))).toMatchObject({ status: 200 });
    await ended();
    expect(ends()).toMatchObject([
      {
        label: 'functions.completeError',
        request: {
          error:
            "This version of Landfall doesn't have the step “Ask the oracle”. Remove it from the workflow, or ask whoever runs this bot.",
        },
      },
    ]);
  });

  test.each([
    ['no inputs', undefined],
    ['null', null],
    ['a list', []],
    ['other types', { line: 7, person: { id: ada } }],
  ])('inputs that no workflow sends end it too: %s', async (_, inputs) => {
    await slack.send(delivery('ask_landfall', inputs));
    await ended();
    expect(ends()).toMatchObject([
      {
        label: 'functions.completeError',
        request: { error: expect.stringMatching(/^The step doesn't say/) },
      },
    ]);
    expect(slack.errors()).toEqual([]);
  });

  test('a delivery that Slack repeats runs the step once', async () => {
    const inputs = { line: 'nextport 9461477', person: ada };
    await Promise.all([
      slack.send(delivery('ask_landfall', inputs)),
      slack.send(delivery('ask_landfall', inputs)),
    ]);
    await ended();
    await slack.send(delivery('ask_landfall', inputs));
    await slack.send(delivery('ask_oracle', {}));
    expect(ends()).toMatchObject([{ label: 'functions.completeSuccess' }]);
  });
});

describe('forms', () => {
  const field = (element: object) => ({ field: element });
  const text = (value: string) => field({ type: 'plain_text_input', value });
  const chosen = (value: string) => field({ type: 'static_select', selected_option: { value } });

  const digestForm = (formId: string, title: string) => ({
    id: `V${formId}`,
    type: 'modal',
    callback_id: 'form:digest',
    private_metadata: JSON.stringify({
      channelId: ops,
      target: {},
      memo: { edited: null, lineIds: [1], channelId: ops },
      formId,
    }),
    state: {
      values: {
        'line-1': text('usage'),
        days: chosen('weekdays'),
        times: text('08:00'),
        zone: text('UTC'),
        where: chosen('channel'),
        channel: field({ type: 'conversations_select', selected_conversation: ops }),
        news: field({ type: 'checkboxes', selected_options: [] }),
        title: text(title),
      },
    },
  });

  const submission = (view: object) => ({ type: 'view_submission', ...slack.from(ada), view });

  test('a form of a person of another organisation is declined', async () => {
    const theirs = { user: { id: ada, team_id: 'T0ELSEWHERE' } };
    const { body } = await slack.send({ ...submission(digestForm('none', 'Theirs')), ...theirs });
    expect(body).toContain('only answers people in the organisation that installed it');
    expect(await saved()).toEqual([]);
  });

  const saved = async () => {
    const db = await sharedDatabase();
    const rows = await direct(db)
      .selectFrom('digests')
      .select(['title', 'number'])
      .orderBy('number')
      .execute();
    return rows.map(({ number, title }) => `${number} ${title}`);
  };

  describe('a form that is submitted again', () => {
    test('in copies of one delivery, at once and later: one digest, and the same answer to each', async () => {
      const delivery = submission(digestForm('one', 'Morning'));
      const first = await Promise.all([slack.send(delivery), slack.send(delivery)]);
      const answers = [...first, await slack.send(delivery)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(answers[0]?.body).toMatch(/Digest saved.*Morning/s);
      expect(await saved()).toEqual(['1 Morning']);
    });

    test('by a second click: the same digest, as it was submitted last', async () => {
      const [once, twice] = await Promise.all(
        [1, 2].map(() => slack.send(submission(digestForm('two', 'Evening')))),
      );
      expect(once?.body).toMatch(/Digest saved.*Evening/s);
      expect(twice?.body).toMatch(/Digest saved.*Evening/s);
      expect((await slack.send(submission(digestForm('two', 'Night')))).body).toMatch(/Digest saved.*Night/s);
      expect(await saved()).toEqual(['1 Morning', '2 Night']);
    });

    test('after errors: the errors both times, then the digest', async () => {
      const wrong = submission(digestForm('three', 'a "b" c'));
      const [one, other] = await Promise.all([slack.send(wrong), slack.send(wrong)]);
      expect(JSON.parse(one?.body ?? '')).toMatchObject({ response_action: 'errors' });
      expect(other).toEqual(one);
      await slack.send(submission(digestForm('three', 'Noon')));
      expect(await saved()).toEqual(['1 Morning', '2 Night', '3 Noon']);
    });
  });
});

test('a link that Slack delivers again is not answered again', async () => {
  const cypress = 'https://www.vesselfinder.com/vessels/details/9461477';
  const { world, say, wire, waitForMessage } = slack.playground;
  const switched = waitForMessage(({ text }) => text.startsWith('Links to vessels show the next ports'));
  await say({ userId: ada, channelId: ops, text: '/landfall settings links on' });
  await switched;
  const reply = await say({ userId: ada, channelId: ops, text: cypress });
  const ts = (reply.ok && reply.ts) || '';
  const link = { channel: ops, is_bot_user_member: true, user: ada, message_ts: ts, event_ts: ts };
  const links = [{ domain: 'vesselfinder.com', url: cypress }];
  const deliver = () =>
    slack.send({
      type: 'event_callback',
      team_id: world.team.id,
      api_app_id: world.app.id,
      event_id: 'EvLink',
      event: { type: 'link_shared', ...link, links },
    });
  const calls = () => wire().filter(({ label }) => label.includes('chat.unfurl')).length;
  await Promise.all([deliver(), deliver()]);
  await expect.poll(calls).toBe(1);
  await deliver();
  // A later command has been answered, and nothing else was sent meanwhile.
  const later = waitForMessage(({ ephemeralTo }) => ephemeralTo === ben);
  await say({ userId: ben, channelId: ops, text: '/nextport 9461477' });
  await later;
  expect(calls()).toBe(1);
});
