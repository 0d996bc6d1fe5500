import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Membership, membershipOf } from '../../../src/slack/connection/installation.ts';
import type { Ask } from '../../../src/slack/dispatch/ask.ts';
import { partsKey } from '../../../src/slack/edge-parts.ts';
import { createSharedAck } from '../../../src/slack/forms/form-replies.ts';
import { listenToForms } from '../../../src/slack/forms/forms.ts';
import { createDeduplicate } from '../../../src/slack/receivers/deduplicate.ts';
import { createInFlight } from '../../../src/slack/receivers/in-flight.ts';
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

describe('a submission', () => {
  /** Only the parts of Bolt and of the edge that a submission needs. */
  async function deliver(bodies: { trigger_id: string; team_id: string }[]) {
    const taken: ((delivery: unknown) => Promise<void>)[] = [];
    const asked: { userId: string; home: Membership }[] = [];
    const app = { view: (_: unknown, listener: never) => taken.push(listener), action: () => undefined };
    const deduplicate = createDeduplicate({ realNow: Date.now });
    const installation = { teamId: 'T1', teamName: '', enterpriseId: undefined, botUserId: '', botId: '' };
    const parts = {
      runOnce: deduplicate,
      shareAck: createSharedAck(),
      newId: () => '1',
      inFlight: createInFlight(),
      dispatch: async ({ user }: Ask) =>
        void asked.push({ userId: user.id, home: membershipOf(user, installation) }),
      runDue: async () => undefined,
    };
    listenToForms(app as never);
    const view = { callback_id: 'form:watch', private_metadata: '', state: { values: {} } };
    for (const { trigger_id, team_id } of bodies) {
      const body = { trigger_id, user: { id: ada, team_id }, view };
      await taken[0]?.({ ack: async () => undefined, body, context: { [partsKey]: parts } });
    }
    return asked;
  }

  test('runs once, however often Slack delivers it', async () => {
    const delivery = { trigger_id: '1.2.3', team_id: 'T1' };
    expect(await deliver([delivery, delivery])).toEqual([{ userId: ada, home: 'inside' }]);
  });

  test('by a person of another organisation is marked as outside', async () => {
    const delivery = { trigger_id: '1.2.3', team_id: 'T2' };
    expect(await deliver([delivery])).toEqual([{ userId: ada, home: 'outside' }]);
  });
});
