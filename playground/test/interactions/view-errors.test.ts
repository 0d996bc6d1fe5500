import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { ADA, appStarter, BEN, open, opens, submit, titles, top, vesselInput } from '../support/modals.ts';
import { input, modal, plain } from '../support/views.ts';

const start = appStarter();

describe('errors', () => {
  test.each<[string, ModalView, string]>([
    ['a title of 25 letters', modal([], { title: plain('x'.repeat(25)) }), 'must be less than 25 characters'],
    ['101 blocks', modal(Array.from({ length: 101 }, () => ({ type: 'divider' }))), 'no more than 100 items'],
    [
      'metadata of 3,001 letters',
      modal([], { private_metadata: 'x'.repeat(3001) }),
      'must be less than 3001',
    ],
    [
      'inputs without a submit button',
      // JSON drops the undefined key.
      JSON.parse(JSON.stringify({ ...modal([vesselInput]), submit: undefined })),
      'must define `submit`',
    ],
    ['a block for messages', modal([{ type: 'markdown', text: 'x' }]), '[json-pointer:/view/blocks/0/type]'],
    [
      'an option that is not offered',
      modal([
        input('a', {
          type: 'static_select',
          action_id: 'v',
          options: [{ text: plain('A'), value: 'a' }],
          initial_option: { text: plain('B'), value: 'a' },
        }),
      ]),
      'initial_option must be one of the options',
    ],
    ['one block id twice', modal([vesselInput, vesselInput]), 'block_id vessel already exists'],
  ])('%s is refused', async (_what, view, reason) => {
    let data: { error?: string; response_metadata?: { messages?: string[] } } = {};
    const { playground: slack } = await start((app) => {
      app.command('/open', async ({ ack, client, body }) => {
        await client.views.open({ trigger_id: body.trigger_id, view }).catch((error) => {
          data = error.data;
        });
        await ack();
      });
    });
    await open(slack);
    expect(data.error).toBe('invalid_arguments');
    expect(data.response_metadata?.messages?.join()).toContain(reason);
    expect(slack.views(ADA)).toEqual([]);
  });

  test('a trigger works once, within three seconds', async () => {
    let now = 1_790_000_000_000;
    let trigger = '';
    const { playground: slack, app } = await start(
      (app) => {
        app.command('/open', async ({ ack, body }) => {
          trigger = body.trigger_id;
          await ack();
        });
      },
      { now: () => now },
    );
    const { client } = app;
    const tried = (trigger_id: string) =>
      client.views.open({ trigger_id, view: modal([]) }).then(
        () => 'opened',
        (error) => error.data.error,
      );
    await open(slack);
    expect([await tried(trigger), await tried(trigger)]).toEqual(['opened', 'exchanged_trigger_id']);
    await open(slack);
    now += 3001;
    expect([await tried(trigger), await tried('1.2.3')]).toEqual([
      'expired_trigger_id',
      'invalid_trigger_id',
    ]);
  });

  test('views.update accepts only the current hash, and finds views by either id', async () => {
    const { playground: slack, app } = await start((app) => opens(app, modal([], { external_id: 'mine' })));
    const { client } = app;
    await open(slack);
    const view_id = top(slack)?.id ?? '';
    const view = modal([], { title: plain('Other'), external_id: 'mine' });
    const first = await client.views.update({ view_id, view });
    await client.views.update({ external_id: 'mine', hash: first.view?.hash ?? '', view });
    expect(titles(slack)).toEqual(['Other']);
    const late = client.views.update({ view_id, hash: first.view?.hash ?? '', view });
    await expect(late).rejects.toMatchObject({ data: { error: 'hash_conflict' } });
    const gone = client.views.update({ view_id: 'V0NONE', view });
    await expect(gone).rejects.toMatchObject({ data: { error: 'not_found' } });
    await open(slack, BEN);
    // Ben's view has the same external id, so it isn't opened.
    expect(slack.views(BEN)).toEqual([]);
  });

  const trouble = 'We had some trouble connecting. Try again?';

  test("an app that doesn't answer leaves the view open", async () => {
    const view = modal([], { callback_id: 'silent' });
    const { playground: slack } = await start((app) => opens(app, view), { ackTimeoutMs: 50 });
    await open(slack);
    // On a busy machine, the command isn't answered in time either.
    await expect.poll(() => slack.views(ADA)).toHaveLength(1);
    expect(await submit(slack)).toEqual({ ok: false, error: trouble });
    expect(slack.views(ADA)).toHaveLength(1);
  });

  test('an app that answers nonsense leaves the view open', async () => {
    const view = modal([], { callback_id: 'nonsense' });
    const { playground: slack } = await start((app) => {
      opens(app, view);
      app.view('nonsense', ({ ack }) => ack({ response_action: 'errors', errors: { nowhere: 'x' } }));
    });
    await open(slack);
    expect(await submit(slack)).toEqual({ ok: false, error: `${trouble} (errors: no input block nowhere)` });
    expect(slack.views(ADA)).toHaveLength(1);
    expect(await slack.submitView({ userId: BEN, viewId: top(slack)?.id ?? '', values: {} })).toEqual({
      ok: false,
      error: 'This view is no longer open.',
    });
  });
});
