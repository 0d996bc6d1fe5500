import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createPlayground, type Playground } from '../../src/index.ts';
import type { LiveEvent, PageState } from '../../src/page-api/page-api.ts';

const ADA = 'U0ADA0001';

let at: number;
let speed: number;
/** Resolved by the test; until then the clock is moving forward. */
let arrival: PromiseWithResolvers<void>;
let failure: Error | undefined;
let slack: Playground;
beforeEach(async () => {
  at = Date.UTC(2026, 10, 21);
  speed = 1;
  arrival = Promise.withResolvers();
  failure = undefined;
  slack = await createPlayground({
    mode: 'socket',
    clock: {
      now: () => new Date(at),
      speed: () => speed,
      async advance(hours) {
        if (failure) throw failure;
        await arrival.promise;
        at += hours * 3_600_000;
      },
      setSpeed(next) {
        speed = next;
      },
    },
  });
});
afterEach(() => slack.close());

const move = async (body: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await fetch(`${slack.url}/playground/clock`, init)).json();
};
const clock = async () => {
  // The page's own contract.
  const state = (await (await fetch(`${slack.url}/playground/state`)).json()) as PageState;
  return state.clock;
};

test('the page moves the clock and sets its speed, one step at a time', async () => {
  expect(await clock()).toEqual({ at: '2026-11-21T00:00:00.000Z', speed: 1, isBusy: false });
  const moving = move({ forwardHours: 6 });
  await expect.poll(async () => (await clock())?.isBusy).toBe(true);
  expect(await move({ forwardHours: 1 })).toEqual({
    ok: false,
    error: 'The clock is already moving forward.',
  });
  arrival.resolve();
  expect(await moving).toEqual({ ok: true });
  expect(await move({ speed: 60 })).toEqual({ ok: true });
  expect(await clock()).toEqual({ at: '2026-11-21T06:00:00.000Z', speed: 60, isBusy: false });
});

test('messages have the time of the world beside their `ts`, which only increases', async () => {
  const post = async () => {
    await slack.say({ userId: ADA, channelId: 'C0OPS00001', text: 'hello' });
    const { ts, postedAt } = slack.messages('C0OPS00001').at(-1) ?? {};
    return { ts: Number(ts), postedAt };
  };
  const before = Date.now() / 1000;
  const first = await post();
  at += 7 * 86_400_000;
  const later = await post();
  at -= 14 * 86_400_000;
  const setBack = await post();
  expect([first, later, setBack].map(({ postedAt }) => new Date(postedAt ?? 0).getUTCDate())).toEqual([
    21, 28, 14,
  ]);
  expect(first.ts).toBeGreaterThanOrEqual(Math.floor(before));
  expect(later.ts).toBeGreaterThan(first.ts);
  expect(setBack.ts).toBeGreaterThan(later.ts);
  expect(setBack.ts).toBeLessThanOrEqual(Date.now() / 1000 + 1);
});

test('every open page receives the change', async () => {
  const live = new WebSocket(`${slack.url.replace('http', 'ws')}/playground/live?user=${ADA}`);
  const event = new Promise<LiveEvent>((resolve) =>
    live.once('message', (data) => resolve(JSON.parse(data.toString()))),
  );
  await new Promise((resolve) => live.once('open', resolve));
  await move({ speed: 600 });
  expect(await event).toMatchObject({ type: 'clock', clock: { speed: 600 } });
  live.terminate();
});

test('a failure is reported, and the clock can be moved again', async () => {
  failure = new Error('no database');
  expect(await move({ forwardHours: 1 })).toEqual({ ok: false, error: 'The clock stopped: no database' });
  expect((await clock())?.isBusy).toBe(false);
});

test.each([
  { forwardHours: -1 },
  { forwardHours: 10_000 },
  { speed: -1 },
  { speed: 1e9 },
  {},
])('%j is refused', async (body) => {
  expect(await move(body)).toMatchObject({ ok: false });
  expect((await clock())?.at).toBe('2026-11-21T00:00:00.000Z');
});

test('without a world clock there is nothing to move', async () => {
  await slack.close();
  slack = await createPlayground({ mode: 'socket' });
  expect(await clock()).toBeUndefined();
  expect(await move({ speed: 60 })).toEqual({ ok: false, error: 'This playground has no world clock.' });
});
