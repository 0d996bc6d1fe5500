import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { FieldErrors } from '../../../src/messages/field-errors.ts';
import { createSubmitReplies, type SubmitReplies } from '../../../src/slack/forms/form-replies.ts';

const message = { text: 'Saved.', blocks: [] };

/** What a person is told beside the form when the connection by which it is answered is gone. */
async function told(answer: (replies: SubmitReplies) => Promise<void>, { onForm = false } = {}) {
  const said: string[] = [];
  const replies = createSubmitReplies({
    ack: async () => {
      throw new Error('the client is not ready');
    },
    // It is asked only after an acknowledgement that Slack took.
    client: {} as WebClient,
    channelId: 'C1',
    externalId: 'working 1',
    onForm,
    async tell({ text }) {
      said.push(text);
    },
  });
  await answer(replies);
  await replies.close();
  return said;
}

test.each([
  ['an answer', ({ replies }: SubmitReplies) => replies.answer(message, 'private'), 'Saved.'],
  ['a failure', ({ replies }: SubmitReplies) => replies.failure(message, 'private'), 'Saved.'],
  [
    'what is wrong with fields',
    async ({ wrong }: SubmitReplies) => wrong(new FieldErrors({ a: 'No port.', b: 'No time.' })),
    'No port. No time.',
  ],
  ['nothing but that it is done', async () => {}, 'Done.'],
])('%s is said beside the form where the connection is gone', async (_, answer, text) => {
  expect(await told(answer)).toEqual([text]);
  expect(await told(answer, { onForm: true })).toEqual([text]);
});
