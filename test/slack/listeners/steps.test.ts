import { beforeEach, expect, test } from 'vitest';
import { ada } from '../../support/bot.ts';
import { startSignedSlack } from '../../support/signed-slack.ts';
import { useStarted } from '../../support/use-started.ts';
import { waitUntil } from '../../support/wait-until.ts';

const slack = useStarted(startSignedSlack);
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
      ({ label, request }) => label.startsWith('functions.') && JSON.stringify(request).includes(`"Fx${id}"`),
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
    { label: 'functions.completeError', request: { error: expect.stringMatching(/^The step doesn't say/) } },
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
