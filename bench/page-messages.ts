import type { Message } from '../src/answers/message.ts';
import { replyAnswer } from '../src/features/cards/views/alerts.ts';
import { cardAnswer } from '../src/features/cards/views/card.ts';
import { replyMessage } from '../test/support/answer-message.ts';
import { createCommandHarness } from '../test/support/run-command.ts';
import { reader } from '../test/support/view-fixtures.ts';
import { changed, names, watch } from '../test/support/watch-view-fixtures.ts';

const lines = [
  'nextport 9461477',
  'portcalls Rotterdam',
  'lane Singapore Xiamen',
  'nextport list:FEEDERS',
  'usage',
  'nextport 9755933',
];

/** The kinds of messages that fill a channel: answers with tables and charts, a watch's card, and an alert. */
export async function pageMessages(): Promise<{ answers: Message[]; card: Message; alert: Message }> {
  const harness = await createCommandHarness();
  try {
    const answers: Message[] = [];
    for (const line of lines) answers.push((await harness.runCommand(line)).message);
    const inChannel = { ...reader, audience: 'channel' } as const;
    const reply = {
      messageId: 'm1',
      isShared: true,
      state: { total: 1, open: 1 },
      title: 'DS CYPRESS',
      events: [changed],
      isInThread: false,
      isOfOneVessel: true,
    };
    return {
      answers,
      card: replyMessage(cardAnswer(watch(), names, inChannel), inChannel),
      alert: replyMessage(replyAnswer(reply, names, inChannel), inChannel),
    };
  } finally {
    await harness.close();
  }
}
