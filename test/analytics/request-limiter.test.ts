import { expect, onTestFinished, test, vi } from 'vitest';
import { createRequestLimiter, type Ticket } from '../../src/analytics/request-limiter.ts';

const never = new AbortController().signal;
const ticket = (...people: string[]): Ticket => ({ people: new Set(people), owner: '', hasStarted: false });
const background = (owner: string): Ticket => ({ ...ticket(), owner });

test('a 429 halves the limit, ten answers raise it by one', async () => {
  const limiter = createRequestLimiter({ max: 8, realNow: () => 0 });
  const leave: (() => void)[] = [];
  for (let count = 0; count < 20; count += 1)
    limiter.enter(ticket('ada'), never).then((release) => leave.push(release));
  await Promise.resolve();
  expect([limiter.inFlight(), limiter.queued()]).toEqual([8, 12]);

  limiter.slowDown();
  for (let count = 0; count < 4; count += 1) leave.shift()?.();
  await Promise.resolve();
  expect([limiter.inFlight(), limiter.queued()]).toEqual([4, 12]);

  for (let answers = 0; answers < 10; answers += 1) limiter.speedUp();
  leave.shift()?.();
  await Promise.resolve();
  expect([limiter.inFlight(), limiter.queued()]).toEqual([5, 10]);
});

test('background requests leave a quarter of the places to people', async () => {
  const limiter = createRequestLimiter({ max: 8, realNow: () => 0 });
  for (let count = 0; count < 20; count += 1) void limiter.enter(background(''), never);
  expect([limiter.inFlight(), limiter.queued()]).toEqual([6, 14]);
  await limiter.enter(ticket('ada'), never);
  expect([limiter.inFlight(), limiter.queued()]).toEqual([7, 14]);
});

test('a background request that a person joins starts at once if there is a place', async () => {
  const limiter = createRequestLimiter({ max: 4, realNow: () => 0 });
  for (let count = 0; count < 4; count += 1) void limiter.enter(background(''), never);
  const joined = background('');
  const entered = limiter.enter(joined, never);
  expect(joined.hasStarted).toBe(false);
  joined.people.add('ada');
  joined.onJoin?.();
  await entered;
  expect(limiter.inFlight()).toBe(4);
});

test("a digest takes turns with the polls that came before it, and with other owners' digests", async () => {
  const limiter = createRequestLimiter({ max: 1, realNow: () => 0 });
  const started: string[] = [];
  const enter = async (name: string, owner: string) => {
    const leave = await limiter.enter(background(owner), never);
    started.push(name);
    leave();
  };
  const busy = await limiter.enter(background(''), never);
  const requests = [
    enter('poll 1', ''),
    enter('poll 2', ''),
    enter("Ada's digest 1", 'ada'),
    enter("Ada's digest 2", 'ada'),
    enter("Ben's digest", 'ben'),
  ];
  busy();
  await Promise.all(requests);
  expect(started).toEqual(["Ada's digest 1", "Ben's digest", 'poll 1', "Ada's digest 2", 'poll 2']);
});

test('no request is started during a pause', async () => {
  let ms = 0;
  const limiter = createRequestLimiter({ max: 2, realNow: () => ms });
  limiter.slowDown(5_000);
  const waiting = ticket();
  const controller = new AbortController();
  const left = limiter.enter(waiting, controller.signal).catch(() => 'left');
  expect(waiting.hasStarted).toBe(false);
  expect(limiter.pauseMs()).toBe(5_000);
  controller.abort();
  expect(await left).toBe('left');
  ms = 5_000;
  (await limiter.enter(ticket(), never))();
});

test('a request that waits through a pause is started after it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limiter = createRequestLimiter({ max: 2, realNow: Date.now });
  limiter.slowDown(5_000);
  const waiting = ticket();
  const entered = limiter.enter(waiting, never);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(waiting.hasStarted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(waiting.hasStarted).toBe(true);
  (await entered)();
});
