import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createInFlight } from '../../../src/slack/context.ts';
import {
  createBodyReader,
  createRateLimit,
  createWebServer,
  deliverySourceOf,
  isSignedBySlack,
} from '../../../src/slack/receivers/http.ts';

describe('a signature', () => {
  // The example of Slack's documentation.
  const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
  const timestamp = '1531420618';
  const nowMs = 1_531_420_618_000;
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
  const request = { signature, timestamp, body };

  const signed = (secret: string, at: string) =>
    `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`;

  test("the example of Slack's documentation is accepted for five minutes", () => {
    expect(isSignedBySlack(request, { signingSecret, nowMs })).toBe(true);
    expect(isSignedBySlack(request, { signingSecret, nowMs: nowMs + 300_000 })).toBe(true);
    expect(isSignedBySlack(request, { signingSecret, nowMs: nowMs + 301_000 })).toBe(false);
  });

  test.each([
    ['another body', { body: `${body} ` }],
    ['another signature', { signature: signature.replace(/3$/, '4') }],
    ['a shorter signature', { signature: signature.slice(0, -1) }],
    ['another version', { signature: signature.replace('v0', 'v1') }],
    ['letters outside ASCII', { signature: signature.replace(/3$/, 'é') }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['two signatures', { signature: [signature, signature] }],
    ['no timestamp', { timestamp: undefined }],
    ['another timestamp', { timestamp: '1531420619' }],
    ['a signed timestamp that is no number', { timestamp: 'soon', signature: signed(signingSecret, 'soon') }],
    ['a signature with another secret', { signature: signed('another secret', timestamp) }],
  ])('a request with %s is refused', (_, change) => {
    expect(isSignedBySlack({ ...request, ...change }, { signingSecret, nowMs })).toBe(false);
  });

  test('nothing is signed with an empty secret', () => {
    const forged = { ...request, signature: signed('', timestamp) };
    expect(isSignedBySlack(forged, { signingSecret: '', nowMs })).toBe(false);
  });
});

describe('the workspace that a delivery names', () => {
  const teamOf = (body: object, isEnterpriseInstall = false) =>
    deliverySourceOf(body, { enterpriseId: 'E9', isEnterpriseInstall }).teamId;

  const event = { type: 'app_mention' };

  test.each([
    [
      'its authorization',
      { authorizations: [{ team_id: 'T1' }], context_team_id: 'T2', team_id: 'T3' },
      'T1',
    ],
    ['its context', { authorizations: [{ team_id: null }], context_team_id: 'T2', team_id: 'T3' }, 'T2'],
    ['its top level', { authorizations: [{ team_id: null }], team_id: 'T3' }, 'T3'],
    ['nothing, in a shared channel', { is_ext_shared_channel: true, team_id: 'T3' }, undefined],
    [
      'its context, in a shared channel',
      { is_ext_shared_channel: true, team_id: 'T3', context_team_id: 'T2' },
      'T2',
    ],
  ])('the workspace of an event is named by %s', (_, body, team) => {
    expect(teamOf({ event, ...body })).toBe(team);
    expect(teamOf({ event, ...body }, true)).toBe(team);
  });

  const user = { id: 'U1', team_id: 'T4' };
  test.each([
    ['a command', { team_id: 'T1' }, 'T1'],
    ['a click', { team: { id: 'T1' }, user }, 'T1'],
    ['a form', { view: { app_installed_team_id: 'T2' }, team: { id: 'T1' }, user }, 'T2'],
  ])('the workspace of %s is the one where the app is installed', (_, body, team) => {
    expect(teamOf(body)).toBe(team);
    expect(teamOf(body, true)).toBe(team);
  });

  test('a click without a workspace may be one of the person, but only where Slack lists it for the organisation', () => {
    expect(teamOf({ team: null, user })).toBeUndefined();
    expect(teamOf({ team: null, user }, true)).toBe('T4');
    expect(deliverySourceOf({ team: null, user }, { enterpriseId: 'E9', isEnterpriseInstall: true })).toEqual(
      {
        teamId: 'T4',
        enterpriseId: 'E9',
        isEnterpriseInstall: true,
      },
    );
  });

  test('a form that names the organisation as its team is of the workspace beside it', () => {
    const view = { app_installed_team_id: 'E9' };
    const source = { enterpriseId: 'E9', isEnterpriseInstall: true };
    expect(deliverySourceOf({ view, team: { id: 'T1' } }, source)).toMatchObject({ teamId: 'T1' });
    expect(deliverySourceOf({ view, team: null, user: { team_id: 'T2' } }, source).teamId).toBe('T2');
  });

  test.each([[{}], [null], [{ team_id: 7 }], [{ event, authorizations: 'no' }]])('%j names none', (body) => {
    expect(deliverySourceOf(body, { enterpriseId: undefined, isEnterpriseInstall: false })).toEqual({
      isEnterpriseInstall: false,
    });
  });
});

describe('what anybody may send', () => {
  const kib = 1024;
  const chunk = (bytes: number) => new Uint8Array(bytes);

  async function* body(chunks: readonly Uint8Array[], end: () => unknown = () => {}) {
    yield* chunks;
    await end();
  }

  test('every body gives back what it took, however it ends; none may be over 1 MB', async () => {
    const bodies = fc.array(
      fc.record({
        sizes: fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 3 }),
        isCutOff: fc.boolean(),
      }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (all) => {
        const read = createBodyReader({ maxBytesInFlight: 960 * kib });
        await Promise.allSettled(
          all.map(({ sizes, isCutOff }) => {
            const chunks = sizes.map((size) => chunk(size * kib));
            const end = () => isCutOff && Promise.reject(new Error('hung up'));
            return read(body(chunks, end), undefined);
          }),
        );
        expect(await read(body([chunk(1024 * kib)]), undefined)).toHaveLength(1024 * kib);
        expect(await read(body([chunk(1024 * kib), chunk(1)]), undefined)).toBe(413);
      }),
      { numRuns: 50 },
    );
  });

  const waits = fc.array(fc.integer({ min: -60_000, max: 90_000 }), { maxLength: 200 });

  test('in any period, no more are allowed than `max` and what has become free since, whatever the clock does', () => {
    fc.assert(
      fc.property(
        waits,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 120 }),
        (steps, max, perMinute) => {
          let at = 1_000_000_000;
          let passedMs = 0;
          let allowed = 0;
          const isAllowed = createRateLimit({ max, perMinute, realNow: () => at });
          for (const step of steps) {
            at += step;
            passedMs += Math.max(0, step);
            if (isAllowed('a')) allowed += 1;
            expect(allowed).toBeLessThanOrEqual(max + (passedMs * perMinute) / 60_000 + 1e-6);
          }
        },
      ),
    );
  });

  async function start(limits: { receiveMs: number; maxConnections: number }) {
    const server = createWebServer({
      ...{ host: '127.0.0.1', port: 0, limits },
      handle: async (request, response) => {
        await text(request).catch(() => {});
        response.end('read');
      },
    });
    const url = new URL(await server.start());
    onTestFinished(() => void server.cut());
    const open = () => {
      const socket = connect(Number(url.port), url.hostname).on('error', () => {});
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    return { url, open };
  }

  test.each([
    ['headers', 'POST / HTTP/1.1\r\nHost: x\r\n'],
    ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'],
  ])('a sender whose %s do not come is cut off', async (_, beginning) => {
    const { open } = await start({ receiveMs: 50, maxConnections: 10 });
    const socket = open();
    socket.write(beginning);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('where all connections are taken, those that wait for their next request make room', async () => {
    const { url, open } = await start({ receiveMs: 5_000, maxConnections: 2 });
    const busy = open();
    busy.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [idle] = await once(get(url, { agent }), 'response');
    const closed = once(idle.socket, 'close');
    expect(await text(idle)).toBe('read');

    const dropped = open().resume();
    await once(dropped, 'close');
    await closed;
    const next = open();
    next.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(next)).toMatch(/^HTTP\/1\.1 200 /);
    busy.write('lf');
    const [answer] = await once(busy, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a delivery that is repeated', () => {
  test('runs one of many repeats after a failure', async () => {
    const { runOnce } = createInFlight();
    const gate = Promise.withResolvers<void>();
    const first = runOnce('a', () => gate.promise);
    const work = vi.fn(async () => {});
    const repeats = [runOnce('a', work), runOnce('a', work)];
    gate.reject(new Error('cut'));
    await expect(first).rejects.toThrow('cut');
    await Promise.all(repeats);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('remembers for more than 10 minutes, within a bound', async () => {
    let now = 1;
    const { runOnce } = createInFlight({ realNow: () => now, max: 2 });
    const ran: string[] = [];
    const run = (key: string) => runOnce(key, async () => void ran.push(key));
    await run('a');
    now += 10 * 60_000;
    for (const key of ['a', 'b', 'c', 'a']) await run(key);
    expect(ran).toEqual(['a', 'b', 'c', 'a']);
  });
});
