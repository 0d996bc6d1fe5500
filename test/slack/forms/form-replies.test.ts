import { WebAPIPlatformError } from '@slack/web-api';
import { expect, test } from 'vitest';
import { FieldErrors } from '../../../src/answers/fields.ts';
import type { Message } from '../../../src/answers/message.ts';
import type { SlackContext } from '../../../src/slack/context.ts';
import { createSubmitReplies, type SubmitAck, type SubmitReplies } from '../../../src/slack/forms/forms.ts';

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
