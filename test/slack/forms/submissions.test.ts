import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSharedAck } from '../../../src/slack/forms/form-replies.ts';
import { ada, dmOf, ops, startBot, type TestBot } from '../../support/bot.ts';
import { closeAll, modals, submitTop, waitForModal } from '../../support/modals.ts';

describe('a slow submission', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot('socket', { timing: { workingMs: 20 } });
  });
  afterAll(() => bot.stop());
  afterEach(() => closeAll(bot, ada));

  /** Submits the form; the answer waits for `release`. */
  async function submitSlowly(what: string): Promise<() => void> {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    bot.playground.shortcut({ userId: ada, channelId: ops, callbackId: 'watch_vessel' });
    await waitForModal(bot, ada, 'Watch a vessel');
    bot.playground.faults.next('chat.postMessage', { until });
    await submitTop(bot, ada, { what, channel: ops });
    await waitForModal(bot, ada, 'Landfall', 'Working on it');
    return release;
  }

  test('shows “Working on it …” on top of the form, then the answer', async () => {
    const release = await submitSlowly('9461477');
    expect(modals(bot, ada)).toHaveLength(2);
    release();
    const answer = await waitForModal(bot, ada, 'Landfall', 'Watching DS CYPRESS');
    // Closing the answer closes the form, too.
    await bot.playground.closeView({ userId: ada, viewId: answer.id, all: false });
    expect(modals(bot, ada)).toEqual([]);
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
