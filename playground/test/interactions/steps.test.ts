import { webApi } from '@slack/bolt';
import type { FunctionExecutedEvent } from '@slack/types';
import { afterEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { StepReply } from '../../src/page-api/step-api.ts';
import { type PlaygroundApp, quietLogger, startPlaygroundApp } from '../support/app.ts';

const ada = 'U0ADA0001';
let now = 1_790_000_000_000;
let slack: PlaygroundApp;
let received: FunctionExecutedEvent[] = [];
afterEach(async () => {
  await slack.stop();
  received = [];
});

const parameter = (type: string, isRequired = false) => ({ type, title: type, is_required: isRequired });

async function start(mode: 'socket' | 'http' = 'socket', events: string[] = ['function_executed']) {
  const manifest = stringify({
    functions: {
      measure: {
        title: 'Measure',
        description: 'Measures a line',
        input_parameters: { line: parameter('string', true) },
        output_parameters: {
          text: parameter('string', true),
          at: parameter('slack#/types/timestamp'),
          share: parameter('number'),
        },
      },
    },
    oauth_config: { scopes: { bot: ['chat:write'] } },
    settings: { event_subscriptions: { bot_events: events } },
  });
  slack = await startPlaygroundApp({ mode, manifest, now: () => now }, (app) => {
    app.event('function_executed', async ({ event, ack }) => {
      await ack();
      received.push(event);
    });
  });
}

const run = (callbackId = 'measure'): Promise<StepReply> =>
  slack.playground.runStep({ userId: ada, callbackId, inputs: { line: 'a line' } });

/** Runs the step; returns its event, and a client with its token. */
async function begin() {
  const reply = run();
  await expect.poll(() => received.length).toBe(1);
  const [event] = received;
  if (!event) throw new Error('no event');
  return { event, reply, ...endWith(event.bot_access_token, event.function_execution_id) };
}

function endWith(token: string, function_execution_id: string) {
  const client = new webApi.WebClient(token, {
    slackApiUrl: slack.playground.apiUrl,
    retryConfig: { retries: 0 },
    logger: quietLogger,
  });
  return {
    complete: (outputs: Record<string, unknown>) =>
      client.functions.completeSuccess({ function_execution_id, outputs }),
    fail: (error: string) => client.functions.completeError({ function_execution_id, error }),
  };
}

const refused = (error: string, messages?: string[]) =>
  expect.objectContaining({
    data: expect.objectContaining({
      error,
      ...(messages && { response_metadata: expect.objectContaining({ messages }) }),
    }),
  });

test.each([
  'socket',
  'http',
] as const)('a step gets its inputs, and its outputs come back (%s)', async (mode) => {
  await start(mode);
  const { event, reply, complete } = await begin();
  expect(event).toMatchObject({
    function: {
      callback_id: 'measure',
      title: 'Measure',
      input_parameters: [{ name: 'line', type: 'string', is_required: true }],
    },
    inputs: { line: 'a line' },
    function_execution_id: expect.stringMatching(/^Fx/),
    bot_access_token: expect.stringMatching(/^xwfp-/),
  });
  const outputs = { text: 'six', at: 1_790_000_000, share: 0.5 };
  await complete(outputs);
  expect(await reply).toEqual({ ok: true, outcome: { kind: 'completed', outputs } });
  expect(JSON.stringify(slack.playground.wire())).not.toContain('xwfp-');
});

test('a failed step shows its error', async () => {
  await start();
  const { reply, fail } = await begin();
  await expect(fail('')).rejects.toEqual(refused('invalid_arguments'));
  await fail('too long');
  expect(await reply).toEqual({ ok: true, outcome: { kind: 'failed', error: 'too long' } });
});

test('outputs have to be those of the manifest', async () => {
  await start();
  const { reply, complete, fail } = await begin();
  await expect(complete({ at: 'noon', share: 1, size: 2 })).rejects.toEqual(
    refused('parameter_validation_failed', [
      "[ERROR] size isn't an output parameter of this function",
      '[ERROR] missing required output parameter: text',
      '[ERROR] at must be of the type slack#/types/timestamp',
    ]),
  );
  await fail('the outputs were wrong');
  expect(await reply).toMatchObject({ outcome: { kind: 'failed' } });
});

test('a step ends once, and its token with it', async () => {
  await start();
  const { event, reply, complete, fail } = await begin();
  await complete({ text: 'six' });
  await expect(complete({ text: 'seven' })).rejects.toEqual(refused('token_revoked'));
  await expect(fail('late')).rejects.toEqual(refused('token_revoked'));
  const bot = endWith(slack.playground.botToken, event.function_execution_id);
  await expect(bot.complete({ text: 'seven' })).rejects.toEqual(refused('execution_not_in_running_state'));
  expect(await reply).toMatchObject({ outcome: { outputs: { text: 'six' } } });
});

test('the token is for that step, and for 15 minutes', async () => {
  await start();
  const { event, complete } = await begin();
  void run();
  await expect.poll(() => received.length).toBe(2);
  const other = endWith(event.bot_access_token, received[1]?.function_execution_id ?? '');
  await expect(other.complete({ text: 'six' })).rejects.toEqual(refused('access_denied'));
  const unknown = endWith(event.bot_access_token, 'Fx0');
  await expect(unknown.complete({ text: 'six' })).rejects.toEqual(refused('function_execution_not_found'));
  now += 15 * 60_000;
  await expect(complete({ text: 'six' })).rejects.toEqual(refused('token_expired'));
  const bot = endWith(slack.playground.botToken, event.function_execution_id);
  await bot.complete({ text: 'six' });
});

test('only a declared step of an app that gets its event can run', async () => {
  await start('socket', []);
  expect(await run('other')).toEqual({ ok: false, error: "The app's manifest doesn't declare this step." });
  expect(await run()).toEqual({
    ok: false,
    error: "The app doesn't subscribe to the event function_executed.",
  });
});
