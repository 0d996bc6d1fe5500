import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSharedAck } from '../../../src/slack/forms/forms.ts';
import { ada, dmOf, ops, startBot, type TestBot } from '../../support/bot.ts';
import { closeAll, driveForms, type FormDriver } from '../../support/form-driver.ts';

describe('a slow submission', () => {
  let bot: TestBot;
  let form: FormDriver;
  beforeAll(async () => {
    bot = await startBot('socket', { timing: { workingMs: 20 } });
    form = driveForms(bot, ada);
  });
  afterAll(() => bot.stop());
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
