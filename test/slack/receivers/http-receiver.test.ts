import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createPlayground, type Playground } from 'bolt-playground';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LandfallApp } from '../../../src/app/app.ts';
import { ada, dmOf, ops } from '../../support/bot.ts';
import { slackSettings } from '../../support/doctor.ts';
import { serve } from '../../support/local-server.ts';
import { signatureOf } from '../../support/sign.ts';
import { createTestApp } from '../../support/use-app.ts';

const signingSecret = 'a-signing-secret-of-tests';

describe("the bot's own HTTP address", () => {
  let playground: Playground;
  let app: LandfallApp;
  let url: string;
  let metricsUrl: string;

  beforeAll(async () => {
    playground = await createPlayground({ mode: 'http', signingSecret });
    const { SLACK_APP_TOKEN: _, ...settings } = slackSettings(playground);
    app = createTestApp(
      {
        ...{ ...settings, SLACK_SIGNING_SECRET: signingSecret },
        ...{ ANALYTICS_BASE_URL: 'sandbox', METRICS_PORT: '0' },
      },
      // No notice comes before an answer, however busy the machine is.
      { timing: { workingMs: 60_000 } },
    );
    ({ url, metricsUrl = '' } = await app.start());
    playground.setRequestUrl(`${url}/slack/events`);
  });
  afterAll(async () => {
    await app.stop(1_000);
    await playground.close();
  });

  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const post = (body: string, options: { at?: number; secret?: string; type?: string } = {}) => {
    const { at, secret = signingSecret, type = 'application/json' } = options;
    const headers = { 'content-type': type, ...signatureOf(body, secret, at) };
    return fetch(`${url}/slack/events`, { method: 'POST', body, headers });
  };
  const healthy = async () => {
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ ok: true, reasons: [] });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const reply = await playground.say({ userId: ada, channelId: ops, text: '/nextport 9461477' });
    expect(reply.ok).toBe(true);
  };

  const event = (id: string, ts: string) => {
    const message = { type: 'message', channel_type: 'im', channel: dmOf(ada), user: ada };
    const { team, app: ours } = playground.world;
    return JSON.stringify({
      ...{ type: 'event_callback', event_id: id, team_id: team.id, api_app_id: ours.id },
      event: { ...message, text: 'nextport 9461477', ts },
    });
  };

  test.each([
    ['stale', () => post(event('Ev1', '1.1'), { at: nowSeconds() - 301 }), 401],
    ['oversized', () => post(`{"a":"${'x'.repeat(1024 * 1024)}"}`), 413],
    ['malformed', () => post('{"type":'), 400],
    ['null', () => post('null'), 400],
    ['a list', () => post('[]'), 400],
    ['of no known kind', () => post('{"type":"weather_report"}'), 400],
    [
      'a form with a broken payload',
      () => post('payload=%7B', { type: 'application/x-www-form-urlencoded' }),
      400,
    ],
    ['to another path', () => fetch(`${url}/slack/other`, { method: 'POST', body: '{}' }), 404],
    ['a GET', () => fetch(`${url}/slack/events`), 404],
  ])('a request that is %s is refused, and the bot stays healthy', async (_, send, status) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
    await healthy();
  });

  test('a forged delivery is refused and counted', async () => {
    const refused = async () => {
      const text = await (await fetch(metricsUrl)).text();
      return Number(/^landfall_deliveries_refused_total\{reason="signature"\} (\d+)$/m.exec(text)?.[1]);
    };
    const before = await refused();
    expect((await post(event('Ev1', '1.1'), { secret: 'another secret' })).status).toBe(401);
    expect(await refused()).toBe(before + 1);
    await healthy();
  });

  test("Slack's unsigned check of the certificate is answered, and nothing else of its body is read", async () => {
    const payload = encodeURIComponent('{"type":"url_verification","challenge":"abc"}');
    const response = await fetch(`${url}/slack/events`, {
      method: 'POST',
      body: `ssl_check=1&payload=${payload}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    await healthy();
  });

  /** Sends the beginning of a request; returns all that comes back until the bot closes the connection. */
  const answerTo = async (path: string, headers: Record<string, string>, beginning: string | Buffer = '') => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(beginning);
    return await text(socket);
  };
  const length = { 'content-length': '1000000' };
  const slackHeaders = (at = nowSeconds(), signature = `v0=${'0'.repeat(64)}`) => ({
    ...length,
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': signature,
  });

  test.each([
    ['no signature', '/slack/events', length],
    ['an old time', '/slack/events', slackHeaders(nowSeconds() - 301)],
    ['what is no signature', '/slack/events', slackHeaders(nowSeconds(), 'v0=0')],
    ['a large form', '/slack/events', { ...length, 'content-type': 'application/x-www-form-urlencoded' }],
    ['no token', '/mcp', length],
    ['an unknown token', '/mcp', { ...length, authorization: `Bearer lf_${'x'.repeat(43)}` }],
    ['what is no token', '/mcp', { ...length, authorization: 'Bearer x' }],
    ['an old time', '/mcp', slackHeaders(nowSeconds() - 301)],
  ])('a request with %s to %s is refused before its body has come', async (_, path, headers) => {
    expect(await answerTo(path, headers)).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close\r\n/i);
    await healthy();
  });

  test('a body that is too large is refused before it has come', async () => {
    const headers = { ...slackHeaders(), 'content-length': '1048577' };
    expect(await answerTo('/slack/events', headers)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await answerTo('/mcp', headers)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('while strangers fill the memory for bodies, Slack is answered', async () => {
    // All but the last byte, with headers that anybody can make.
    const large = Buffer.alloc(999_999, ' ');
    const answers = Array.from({ length: 24 }, (_, index) =>
      answerTo(index % 2 === 0 ? '/slack/events' : '/mcp', slackHeaders(), large),
    );
    expect(await Promise.race(answers)).toMatch(/^HTTP\/1\.1 503 /);
    const challenge = await post(JSON.stringify({ type: 'url_verification', challenge: 'abc' }));
    expect(await challenge.json()).toEqual({ challenge: 'abc' });
    await healthy();
  });

  test('an incomplete body leaves the bot healthy', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf`);
    socket.resume().end();
    await new Promise((resolve) => socket.once('close', resolve));
    await healthy();
  });

  test('repeats of one event are answered once, even with another event id', async () => {
    const answered = playground.waitForMessage(
      ({ channelId, text }) => channelId === dmOf(ada) && text.startsWith('DS CYPRESS'),
    );
    const replies = [
      await post(event('Ev2', '2.1')),
      await post(event('Ev2', '2.1')),
      await post(event('Ev3', '2.1')),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    await answered;
    // Answers are in order: a second answer would have come before this one.
    await post(event('Ev4', '4.1'));
    await playground.waitForMessage(() => playground.messages(dmOf(ada)).length === 2);
    expect(playground.messages(dmOf(ada))).toHaveLength(2);
  });

  test('repeats of one slash command are answered once', async () => {
    const answers: string[] = [];
    const second = Promise.withResolvers<void>();
    const origin = await serve(async (request, response) => {
      answers.push((JSON.parse(await text(request)) as { text: string }).text);
      response.end('ok');
      if (answers.length === 2) second.resolve();
    });
    const ask = (imo: string, trigger_id: string) => {
      const where = { user_id: ada, team_id: playground.world.team.id, channel_id: ops };
      const typed = { command: '/nextport', text: imo, trigger_id, response_url: `${origin}/` };
      const body = new URLSearchParams({ ...where, ...typed }).toString();
      return post(body, { type: 'application/x-www-form-urlencoded' });
    };
    await ask('9811000', '7.7.7');
    await ask('9811000', '7.7.7');
    await ask('9755933', '8.8.8');
    await second.promise;
    expect(answers.toSorted().map((answer) => answer.slice(0, 9))).toEqual(['EVER GIVE', 'MSC DIANA']);
  });
});
