import { describe, expect, test } from 'vitest';
import type { DeliveryMark } from '../../src/delivery/deliver.ts';
import { sign } from '../../src/delivery/http-delivery.ts';
import { ADA, type Answer, httpApp, OPS } from '../support/http-app.ts';

const { start, startWithoutApp, slack, say, respond, texts } = httpApp();

describe('a slash command', () => {
  test('arrives signed, with all its fields', async () => {
    const received = await start({ signatureNow: () => 1_790_000_000_000 });
    expect(await say('/lookup  9461477 for @ada in #ops & <x>')).toMatchObject({ ok: true });
    const [request] = received;
    expect(request?.headers['x-slack-request-timestamp']).toBe('1790000000');
    expect(request?.headers['x-slack-signature']).toBe(
      sign(slack().signingSecret, '1790000000', request?.raw ?? ''),
    );
    expect(request?.form).toMatchObject({
      command: '/lookup',
      text: `9461477 for <@${ADA}|ada> in <#${OPS}|ops> &amp; &lt;x&gt;`,
      user_id: ADA,
      user_name: 'ada',
      channel_id: OPS,
      channel_name: 'ops',
      team_id: slack().world.team.id,
    });
    expect(request?.form.response_url).toMatch(new RegExp(`^${slack().url}/commands/`));
  });

  test('from another organisation carries that team', async () => {
    const received = await start();
    await slack().say({ userId: 'U0DORA0001', channelId: 'C0PARTNERS', text: '/lookup x' });
    expect(received[0]?.form).toMatchObject({ team_id: slack().world.outsideTeam.id, user_name: 'dora' });
  });

  test('can be answered in the acknowledgement, with plain text or JSON', async () => {
    await start({}, [
      { body: 'words' },
      { body: JSON.stringify({ text: 'json', response_type: 'in_channel' }), type: 'application/json' },
    ]);
    await say('/a');
    await say('/b');
    expect(slack().messages(OPS)).toMatchObject([{ text: 'words', ephemeralTo: ADA }, { text: 'json' }]);
    expect(slack().messages(OPS)[1]).not.toHaveProperty('ephemeralTo');
  });

  test.each<[string, Answer, string]>([
    ['an error status', { status: 500 }, '/x failed with the error "dispatch_failed"'],
    ['no acknowledgement in time', 'never', '/x failed with the error "operation_timeout"'],
    [
      'bad blocks in the acknowledgement',
      { body: '{"blocks":[{"type":"carpet"}]}', type: 'application/json' },
      '/x failed with the error "invalid_blocks"',
    ],
  ])('%s is shown to the user', async (_name, answer, error) => {
    await start({ ackTimeoutMs: 100 }, [answer]);
    expect(await say('/x')).toMatchObject({ ok: false, error });
    expect(slack().wire().at(-1)).toMatchObject({ label: 'slash /x', direction: 'to-app' });
  });

  test("fails without an app, in a thread, and if the manifest doesn't define it", async () => {
    await startWithoutApp({
      commands: [{ command: '/lane', description: '', usageHint: '', shouldEscape: false }],
    });
    expect(await say('/lane a')).toMatchObject({ error: '/lane failed with the error "dispatch_failed"' });
    const { ts = '' } = await say('hello');
    const inThread = { userId: ADA, channelId: OPS, text: '/lane a', threadTs: ts };
    expect(await slack().say(inThread)).toMatchObject({ error: '/lane is not supported in threads. Sorry!' });
    expect(await say('/lanes a')).toMatchObject({
      ok: false,
      error: expect.stringContaining('not a valid command'),
    });
  });

  test('without should_escape arrives as typed', async () => {
    const commands = [{ command: '/lane', description: '', usageHint: '', shouldEscape: false }];
    const received = await start({ commands });
    await say('/lane @ada <b> #ops');
    expect(received[0]?.form.text).toBe('@ada <b> #ops');
  });

  test('reports each step to a benchmark', async () => {
    const marks: DeliveryMark[] = [];
    const received = await start({ onDelivery: (mark) => marks.push(mark) });
    const { deliveryId } = await say('/lookup x');
    await respond(received[0]?.form.response_url, { text: 'the answer' });
    expect(marks.map((mark) => [mark.type, mark.id])).toEqual([
      ['delivered', deliveryId],
      ['acked', deliveryId],
      ['answered', deliveryId],
    ]);
    expect(marks[2]).toMatchObject({ message: { text: 'the answer' } });
    expect(marks[2]?.at).toBeGreaterThanOrEqual(marks[0]?.at ?? Number.POSITIVE_INFINITY);
  });
});

describe('a response URL', () => {
  test("of a slash command accepts five answers, and can't replace a message", async () => {
    const received = await start();
    await say('/x');
    const url = received[0]?.form.response_url;
    for (let use = 1; use <= 5; use += 1) {
      expect((await respond(url, { text: `${use}`, replace_original: true })).status).toBe(200);
    }
    const sixth = await respond(url, { text: '6' });
    expect([sixth.status, await sixth.json()]).toEqual([404, { ok: false, error: 'used_url' }]);
    expect(texts()).toEqual(['1', '2', '3', '4', '5']);
  });

  test('is valid for 30 minutes', async () => {
    let now = 1_790_000_000_000;
    const received = await start({ now: () => now });
    await say('/x');
    const url = received[0]?.form.response_url;
    now += 30 * 60_000;
    expect((await respond(url, { text: 'in time' })).status).toBe(200);
    now += 1;
    expect(await (await respond(url, { text: 'late' })).json()).toEqual({ ok: false, error: 'expired_url' });
    expect((await respond(`${slack().url}/commands/T/no/such`, { text: 'x' })).status).toBe(404);
  });

  test('refuses invalid messages without counting them as a use', async () => {
    const received = await start();
    await say('/x');
    const url = received[0]?.form.response_url;
    const refused = await respond(url, { text: '' });
    expect([refused.status, await refused.json()]).toEqual([400, { ok: false, error: 'no_text' }]);
    const blocks = await respond(url, { text: 'x', blocks: [{ type: 'carpet' }] });
    expect([blocks.status, await blocks.json()]).toMatchObject([400, { error: 'invalid_blocks' }]);
    for (let use = 1; use <= 5; use += 1) expect((await respond(url, { text: 'x' })).status).toBe(200);
  });
});
