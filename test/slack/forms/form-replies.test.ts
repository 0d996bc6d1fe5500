import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { FieldErrors } from '../../../src/messages/field-errors.ts';
import { createSubmitReplies, type SubmitReplies } from '../../../src/slack/forms/form-replies.ts';

const message = { text: 'Saved.', blocks: [] };

/** The messages that a person gets when the form can't be acknowledged. */
async function messagesOf(answer: (replies: SubmitReplies) => Promise<void>, { onForm = false } = {}) {
  const sent: string[] = [];
  const replies = createSubmitReplies({
    ack: async () => {
      throw new Error('the client is not ready');
    },
    // Used only after a successful acknowledgement.
    client: {} as WebClient,
    channelId: 'C1',
    externalId: 'working 1',
    onForm,
    async sendPrivately({ text }) {
      sent.push(text);
    },
  });
  await answer(replies);
  await replies.close();
  return sent;
}

test.each([
  ['an answer', ({ replies }: SubmitReplies) => replies.answer(message, 'private'), 'Saved.'],
  ['a failure', ({ replies }: SubmitReplies) => replies.failure(message, 'private'), 'Saved.'],
  [
    'errors of fields',
    async ({ setErrors }: SubmitReplies) => setErrors(new FieldErrors({ a: 'No port.', b: 'No time.' })),
    'No port. No time.',
  ],
  ['an empty answer', async () => {}, 'Done.'],
])('%s is sent as a message when the connection is lost', async (_, answer, text) => {
  expect(await messagesOf(answer)).toEqual([text]);
  expect(await messagesOf(answer, { onForm: true })).toEqual([text]);
});

test('an answer that holds a secret is sent neither when the connection is lost nor when its window is gone', async () => {
  const secret = { text: 'lf_secret', blocks: [] };
  const withSecret = async ({ replies, setWithoutWindow }: SubmitReplies) => {
    setWithoutWindow(message);
    await replies.answer(secret, 'private');
  };
  expect(await messagesOf(withSecret)).toEqual(['Saved.']);
  expect(await messagesOf(withSecret, { onForm: true })).toEqual(['Saved.']);

  const sent: string[] = [];
  const replies = createSubmitReplies({
    ack: async () => undefined,
    // The only method that an answer after “Working on it …” uses.
    client: { views: { update: () => Promise.reject(closed) } } as unknown as WebClient,
    ...{ channelId: 'C1', externalId: 'working 1', onForm: false },
    async sendPrivately({ text }) {
      sent.push(text);
    },
  });
  await replies.replies.working('private');
  await withSecret(replies);
  expect(sent).toEqual(['Saved.']);
});

/** Slack's answer about a window that somebody has closed. */
const closed = new WebAPIPlatformError({ ok: false, error: 'not_found' });
