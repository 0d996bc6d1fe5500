import { describe, expect, test } from 'vitest';
import {
  ADA,
  appStarter,
  BEN,
  OPS,
  open,
  opens,
  submit,
  titles,
  top,
  vesselInput,
} from '../support/modals.ts';
import { everyInput, modal, plain } from '../support/views.ts';

const start = appStarter();

describe.each(['socket', 'http'] as const)('a modal in %s mode', (mode) => {
  test('is opened, refused by the app, then accepted and closed', async () => {
    const received: string[] = [];
    const { playground: slack } = await start(
      (app) => {
        opens(app, modal([vesselInput], { private_metadata: 'stored' }));
        app.view('watch', async ({ ack, view, body }) => {
          const { value } = view.state.values.vessel?.v ?? {};
          received.push(`${body.user.name} ${value} ${view.private_metadata}`);
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
    expect(received).toEqual(['ada DS CYPRES stored', 'ada DS CYPRESS stored']);
  });

  test('is updated, pushed onto and cleared by answers to submissions', async () => {
    const { playground: slack } = await start(
      (app) => {
        opens(app, modal([vesselInput]));
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

describe('field values', () => {
  test('are sent as in Slack, for every kind of element', async () => {
    let state: unknown;
    const { playground: slack } = await start((app) => {
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
  ])('%j is refused before anything is sent to the app', async (values, errors) => {
    const rest = everyInput.filter((block) => block.block_id !== 'vessel');
    const { playground: slack } = await start((app) => opens(app, modal([vesselInput, ...rest])));
    await open(slack);
    const filled = { vessel: { v: 'DS CYPRESS' }, ...values };
    expect(await submit(slack, filled)).toEqual({ ok: false, error: '', errors });
    expect(slack.wire().filter(({ label }) => label.startsWith('view_submission'))).toEqual([]);
  });
});

describe('the stack of modals', () => {
  test('holds three, and only an action in a view can push another', async () => {
    const errors: unknown[] = [];
    const push = { type: 'actions' as const, block_id: 'b', elements: [button('push')] };
    const { playground: slack } = await start((app) => {
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

  test('is closed one by one or as a whole, and the app is notified if it asked for that', async () => {
    const closed: unknown[] = [];
    const { playground: slack } = await start((app) => {
      opens(app, modal([], { notify_on_close: true }));
      const pushed = modal([], { callback_id: 'second', notify_on_close: true });
      app.view('watch', ({ ack }) => ack({ response_action: 'push', view: pushed }));
      app.view({ callback_id: /./, type: 'view_closed' }, async ({ ack, body }) => {
        closed.push([body.view.callback_id, 'is_cleared' in body && body.is_cleared]);
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
    expect(closed).toEqual([
      ['second', false],
      ['second', true],
      ['watch', true],
    ]);
  });
});

function button(action_id: string) {
  return { type: 'button' as const, action_id, text: plain(action_id) };
}
