import type { WebClient } from '@slack/web-api';
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
