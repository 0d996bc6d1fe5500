import { WebAPIPlatformError } from '@slack/web-api';
import { afterEach, describe, expect, test } from 'vitest';
import { FieldErrors } from '../../../src/answers/fields.ts';
import type { Message } from '../../../src/answers/message.ts';
import type { SlackContext } from '../../../src/slack/context.ts';
import {
  createSharedAck,
  createSubmitReplies,
  type SubmitAck,
  type SubmitReplies,
} from '../../../src/slack/forms/forms.ts';
import { ada, dmOf, ops, startBot } from '../../support/bot.ts';
import { closeAll, driveForms } from '../../support/form-driver.ts';
import { useStarted } from '../../support/use-started.ts';

describe('a slow submission', () => {
  const bot = useStarted(() => startBot('socket', { timing: { workingMs: 20 } }));
  const form = driveForms(bot, ada);
  afterEach(() => closeAll(bot, ada));

  const modals = () => bot.playground.views(ada);

  /** Submits the form; the answer waits for what it returns. */
  async function submitSlowly(what: string): Promise<() => void> {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    await bot.playground.shortcut({ userId: ada, channelId: ops, callbackId: 'watch_vessel' });
    await form.see('# Watch a vessel');
    await form.fill('what', what);
    await form.fill('channel', ops);
    bot.playground.faults.next('chat.postMessage', { until });
    await form.submit();
    await form.see('Working on it');
    return resolve;
  }

  test('shows “Working on it …” on top of the form, then the answer', async () => {
    const release = await submitSlowly('9461477');
    expect(modals()).toHaveLength(2);
    release();
    await form.see('Watching DS CYPRESS');
    // Closing the answer closes the form, too.
    await form.close();
    expect(modals()).toEqual([]);
  });

  test('is answered in a direct message if the form was closed', async () => {
    const release = await submitSlowly('9755933');
    await closeAll(bot, ada);
    const said = await bot.after(
      async () => release(),
      ({ text }) => text?.includes('Watching MSC DIANA') ?? false,
    );
    expect(said.channelId).toBe(dmOf(ada));
  });
});

test('copies of a delivery get its acknowledgement, as long as all of them are not too large', async () => {
  const answeredCopies = async (text: string) => {
    const share = createSharedAck();
    const keys = Array.from({ length: 40 }, (_, index) => `delivery ${index}`);
    const errors = { response_action: 'errors', errors: { subject: text } } as const;
    for (const key of keys) await share(key, async () => undefined).answer(errors);
    let count = 0;
    for (const key of keys)
      share(key, async () => {
        count += 1;
      });
    await new Promise(setImmediate);
    return count;
  };
  expect(await answeredCopies('wrong')).toBe(40);
  expect(await answeredCopies('x'.repeat(250_000))).toBe(15);
});

const message = { text: 'Saved.', blocks: [] };

/** The private messages that a person gets; `update` is what Slack says about a window that is to change. */
async function messagesOf(
  answer: (replies: SubmitReplies) => Promise<void>,
  {
    onForm = false,
    ack = lost,
    update = lost,
  }: { onForm?: boolean; ack?: SubmitAck; update?: () => Promise<unknown> } = {},
) {
  const sent: string[] = [];
  const sendPrivately = async (_: unknown, { text }: Message) => void sent.push(text);
  // A submission uses no more of them.
  const slack = {
    clients: { posts: { views: { update } } },
    messenger: { sendPrivately },
  } as unknown as SlackContext;
  const where = { userId: 'U1', channelId: 'C1', externalId: 'working 1' };
  const replies = createSubmitReplies({ ...where, ack, onForm }, slack);
  await answer(replies);
  await replies.close();
  return sent;
}

const lost = () => Promise.reject(new Error('the client is not ready'));

test.each([
  ['an answer', ({ replies }: SubmitReplies) => replies.answer(message, 'private'), 'Saved.'],
  ['a failure', ({ replies }: SubmitReplies) => replies.failure(message, 'private'), 'Saved.'],
  [
    'errors of fields',
    async ({ answerOf }: SubmitReplies) =>
      void (await answerOf(Promise.reject(new FieldErrors({ a: 'No port.', b: 'No time.' })))),
    'No port. No time.',
  ],
  ['an empty answer', async () => {}, 'Done.'],
])('%s is sent as a message when the connection is lost', async (_, answer, text) => {
  expect(await messagesOf(answer)).toEqual([text]);
  expect(await messagesOf(answer, { onForm: true })).toEqual([text]);
});

test('an answer that holds a secret is sent neither when the connection is lost nor when its window is gone', async () => {
  const secret = { text: 'lf_secret', blocks: [] };
  const withSecret = async ({ replies, answerOf }: SubmitReplies) => {
    await answerOf(Promise.resolve({ view: () => secret, withoutWindow: message }));
    await replies.answer(secret, 'private');
  };
  expect(await messagesOf(withSecret)).toEqual(['Saved.']);
  expect(await messagesOf(withSecret, { onForm: true })).toEqual(['Saved.']);
  const slowly = async (submitted: SubmitReplies) => {
    await submitted.replies.working('private');
    await withSecret(submitted);
  };
  const closed = new WebAPIPlatformError({ ok: false, error: 'not_found' });
  const update = () => Promise.reject(closed);
  expect(await messagesOf(slowly, { ack: async () => undefined, update })).toEqual(['Saved.']);
});
