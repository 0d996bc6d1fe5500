import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { afterEach, describe, expect, test } from 'vitest';
import type { Playground, PlaygroundOptions } from '../../../src/playground/playground.ts';
import { type PlaygroundApp, startPlaygroundApp } from '../../support/playground-app.ts';
import { everyInput, input, modal, plain } from '../../support/playground-views.ts';

const ADA = 'U0ADA0001';
const BEN = 'U0BEN0001';
const OPS = 'C0OPS00001';

let running: PlaygroundApp | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(
  register: (app: App) => void,
  options: Partial<PlaygroundOptions> = {},
): Promise<Playground> {
  running = await startPlaygroundApp({ mode: 'socket', ...options }, register);
  return running.playground;
}

/** `/open` opens this view. */
const opens = (app: App, view: ModalView) =>
  app.command('/open', async ({ ack, client, body }) => {
    await client.views.open({ trigger_id: body.trigger_id, view });
    await ack();
  });
const open = (slack: Playground, userId = ADA) => slack.say({ userId, channelId: OPS, text: '/open' });
/** The highest of the user's modals. */
const top = (slack: Playground, userId = ADA) => slack.views(userId).at(-1);
const submit = (slack: Playground, values = {}) =>
  slack.submitView({ userId: ADA, viewId: top(slack)?.id ?? '', values });
const titles = (slack: Playground) => slack.views(ADA).map((view) => view.title?.text);

const name = input('vessel', { type: 'plain_text_input', action_id: 'v', min_length: 3 }, false);

describe.each(['socket', 'http'] as const)('a modal in %s mode', (mode) => {
  test('is opened, its field refused by the app, then taken, and closed', async () => {
    const seen: string[] = [];
    const slack = await start(
      (app) => {
        opens(app, modal([name], { private_metadata: 'kept' }));
        app.view('watch', async ({ ack, view, body }) => {
          const { value } = view.state.values.vessel?.v ?? {};
          seen.push(`${body.user.name} ${value} ${view.private_metadata}`);
          if (value === 'DS CYPRES') {
            await ack({ response_action: 'errors', errors: { vessel: 'Did you mean DS CYPRESS?' } });
          } else await ack();
        });
      },
      { mode },
    );
    expect(await open(slack)).toMatchObject({ ok: true });
    expect(top(slack)).toMatchObject({ title: { text: 'Watch a vessel' }, channelId: OPS });
    expect(slack.views(BEN)).toEqual([]);
    expect(await submit(slack, { vessel: { v: 'DS CYPRES' } })).toEqual({
      ok: false,
      error: '',
      errors: { vessel: 'Did you mean DS CYPRESS?' },
    });
    expect(await submit(slack, { vessel: { v: 'DS CYPRESS' } })).toEqual({ ok: true });
    expect(slack.views(ADA)).toEqual([]);
    expect(seen).toEqual(['ada DS CYPRES kept', 'ada DS CYPRESS kept']);
  });

  test('is updated and pushed upon by the answer to a submission, and cleared', async () => {
    const slack = await start(
      (app) => {
        opens(app, modal([name]));
        const next = (title: string, callback_id: string) => modal([], { title: plain(title), callback_id });
        app.view('watch', ({ ack }) => ack({ response_action: 'update', view: next('Rules', 'rules') }));
        app.view('rules', ({ ack }) => ack({ response_action: 'push', view: next('Check', 'check') }));
        app.view('check', ({ ack }) => ack({ response_action: 'clear' }));
      },
      { mode },
    );
    await open(slack);
    await submit(slack, { vessel: { v: 'DS CYPRESS' } });
    expect(titles(slack)).toEqual(['Rules']);
    await submit(slack);
    expect(titles(slack)).toEqual(['Rules', 'Check']);
    await submit(slack);
    expect(titles(slack)).toEqual([]);
  });
});

describe('what stands in the fields', () => {
  test('comes as Slack sends it, for every kind of element', async () => {
    let state: unknown;
    const slack = await start((app) => {
      opens(app, modal(everyInput));
      app.view('watch', async ({ ack, view }) => {
        state = view.state.values;
        await ack();
      });
    });
    await open(slack);
    const one = (value: string | string[]) => ({ v: value });
    const values = {
      vessel: one('DS CYPRESS'),
      number: one('12'),
      mail: one('a@b.example'),
      page: one('https://b.example'),
      rules: one(['eta', 'below']),
      people: one([ADA, BEN]),
      day: one('2026-11-27'),
      time: one('18:00'),
      at: one('1795802400'),
      days: one(['tue']),
      until: one('port'),
    };
    expect(await submit(slack, values)).toEqual({ ok: true });
    const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
    expect(state).toEqual({
      vessel: { v: { type: 'plain_text_input', value: 'DS CYPRESS' } },
      number: { v: { type: 'number_input', value: '12' } },
      mail: { v: { type: 'email_text_input', value: 'a@b.example' } },
      page: { v: { type: 'url_text_input', value: 'https://b.example' } },
      mode: { v: { type: 'static_select', selected_option: option('thread') } },
      rules: { v: { type: 'multi_static_select', selected_options: [option('eta'), option('below')] } },
      channel: { v: { type: 'conversations_select', selected_conversation: OPS } },
      people: { v: { type: 'multi_users_select', selected_users: [ADA, BEN] } },
      day: { v: { type: 'datepicker', selected_date: '2026-11-27' } },
      time: { v: { type: 'timepicker', selected_time: '18:00' } },
      at: { v: { type: 'datetimepicker', selected_date_time: 1_795_802_400 } },
      days: { v: { type: 'checkboxes', selected_options: [option('tue')] } },
      until: { v: { type: 'radio_buttons', selected_option: option('port') } },
    });
  });

  test.each([
    [{ vessel: { v: '' } }, { vessel: 'Please complete this required field.' }],
    [{ vessel: { v: 'DS' } }, { vessel: 'Enter at least 3 characters.' }],
    [{ number: { v: '1.5' } }, { number: 'Enter a whole number.' }],
    [{ number: { v: '100' } }, { number: 'Enter 99 or less.' }],
    [{ number: { v: 'x' } }, { number: 'Enter a number.' }],
    [{ mail: { v: 'nobody' } }, { mail: 'Enter a valid email address.' }],
    [{ page: { v: 'nowhere' } }, { page: 'Enter a valid URL.' }],
    [{ rules: { v: ['eta', 'below', 'arriving'] } }, { rules: 'Choose at most 2.' }],
    [{ until: { v: 'never' } }, { until: "This isn't one of the choices." }],
  ])('%j is held back before the app hears of it', async (values, errors) => {
    const rest = everyInput.filter((block) => block.block_id !== 'vessel');
    const slack = await start((app) => opens(app, modal([name, ...rest])));
    await open(slack);
    const filled = { vessel: { v: 'DS CYPRESS' }, ...values };
    expect(await submit(slack, filled)).toEqual({ ok: false, error: '', errors });
    expect(slack.wire().filter(({ label }) => label.startsWith('view_submission'))).toEqual([]);
  });
});

describe('the stack', () => {
  test('holds three, by views.push from a view only', async () => {
    const errors: unknown[] = [];
    const push = { type: 'actions' as const, block_id: 'b', elements: [button('push')] };
    const slack = await start((app) => {
      opens(app, modal([push]));
      app.action('push', async ({ ack, client, body }) => {
        await ack();
        const trigger_id = body.type === 'block_actions' ? body.trigger_id : '';
        await client.views
          .push({ trigger_id, view: modal([push]) })
          .catch((error) => errors.push(error.data.error));
      });
      app.command('/push', async ({ ack, client, body }) => {
        const view = modal([]);
        await client.views
          .push({ trigger_id: body.trigger_id, view })
          .catch((error) => errors.push(error.data.error));
        await ack();
      });
    });
    await slack.say({ userId: ADA, channelId: OPS, text: '/push' });
    await open(slack);
    const act = () =>
      slack.actInView({
        userId: ADA,
        viewId: top(slack)?.id ?? '',
        blockId: 'b',
        actionId: 'push',
        values: {},
      });
    for (const depth of [2, 3]) {
      expect(await act()).toEqual({ ok: true });
      await expect.poll(() => slack.views(ADA).length).toBe(depth);
    }
    await act();
    await expect.poll(() => errors).toEqual(['not_found', 'push_limit_reached']);
    expect(slack.views(ADA)).toHaveLength(3);
  });

  test('is closed one by one or as a whole, and the app is told where it asked to be', async () => {
    const told: unknown[] = [];
    const slack = await start((app) => {
      opens(app, modal([], { notify_on_close: true }));
      const pushed = modal([], { callback_id: 'second', notify_on_close: true });
      app.view('watch', ({ ack }) => ack({ response_action: 'push', view: pushed }));
      app.view({ callback_id: /./, type: 'view_closed' }, async ({ ack, body }) => {
        told.push([body.view.callback_id, 'is_cleared' in body && body.is_cleared]);
        await ack();
      });
    });
    await open(slack);
    await submit(slack);
    expect(await slack.closeView({ userId: ADA, viewId: top(slack)?.id ?? '', all: false })).toEqual({
      ok: true,
    });
    expect(slack.views(ADA)).toHaveLength(1);
    await submit(slack);
    await slack.closeView({ userId: ADA, viewId: top(slack)?.id ?? '', all: true });
    expect(slack.views(ADA)).toEqual([]);
    expect(told).toEqual([
      ['second', false],
      ['second', true],
      ['watch', true],
    ]);
  });
});

describe('what goes wrong', () => {
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
      // Without the key, as JSON has it.
      JSON.parse(JSON.stringify({ ...modal([name]), submit: undefined })),
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
    ['one block id twice', modal([name, name]), 'block_id vessel already exists'],
  ])('%s is refused', async (_what, view, reason) => {
    let data: { error?: string; response_metadata?: { messages?: string[] } } = {};
    const slack = await start((app) => {
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

  test('a trigger is good once, for three seconds', async () => {
    let now = 1_790_000_000_000;
    let trigger = '';
    const slack = await start(
      (app) => {
        app.command('/open', async ({ ack, body }) => {
          trigger = body.trigger_id;
          await ack();
        });
      },
      { now: () => now },
    );
    const { client } = (running as PlaygroundApp).app; // Just started.
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

  test('views.update takes the hash of now only, and knows what is open by either id', async () => {
    const slack = await start((app) => opens(app, modal([], { external_id: 'mine' })));
    const { client } = (running as PlaygroundApp).app; // Just started.
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
    // Ben's has the same external id, so it was not opened.
    expect(slack.views(BEN)).toEqual([]);
  });

  test('an app that does not answer, or answers nonsense, leaves the view open', async () => {
    const view = modal([], { callback_id: 'silent' });
    const slack = await start(
      (app) => {
        opens(app, view);
        app.view('nonsense', ({ ack }) => ack({ response_action: 'errors', errors: { nowhere: 'x' } }));
      },
      { ackTimeoutMs: 50 },
    );
    await open(slack);
    const trouble = 'We had some trouble connecting. Try again?';
    expect(await submit(slack)).toEqual({ ok: false, error: trouble });
    view.callback_id = 'nonsense';
    await open(slack);
    expect(await submit(slack)).toEqual({ ok: false, error: `${trouble} (errors: no input block nowhere)` });
    expect(slack.views(ADA)).toHaveLength(1);
    expect(await slack.submitView({ userId: BEN, viewId: top(slack)?.id ?? '', values: {} })).toEqual({
      ok: false,
      error: 'This view is no longer open.',
    });
  });
});

function button(action_id: string) {
  return { type: 'button' as const, action_id, text: plain(action_id) };
}
