import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from '../src/fair-queue.ts';

const one = () => createFairQueue({ max: () => 1 });
/** Does as many things as there are names at once, behind something that holds the only place; returns their order. */
async function orderOf(queue: ReturnType<typeof one>, all: readonly { name: string; takers?: string[] }[]) {
  const order: string[] = [];
  const leave = await queue.enter();
  const done = all.map(({ name, takers = [] }) =>
    queue.run(async () => order.push(name), {
      takers: () => takers,
      isBackground: () => name.startsWith('poll'),
    }),
  );
  leave();
  await Promise.all(done);
  return order;
}

test('takers take turns, however much each has waiting; background work goes last', async () => {
  const order = await orderOf(one(), [
    { name: 'poll' },
    { name: 'Ada 1', takers: ['ada'] },
    { name: 'Ada 2', takers: ['ada'] },
    { name: 'Ada 3', takers: ['ada'] },
    { name: 'Ben 1', takers: ['ben'] },
    { name: 'Cleo and Ben', takers: ['cleo', 'ben'] },
  ]);
  expect(order).toEqual(['Ada 1', 'Ben 1', 'Cleo and Ben', 'Ada 2', 'Ada 3', 'poll']);
});

test('background work gets a place after so many others in a row, and takes only a part of the places', async () => {
  const polls = Array.from({ length: 2 }, (_, index) => ({ name: `poll ${index}` }));
  const others = Array.from({ length: 5 }, (_, index) => ({ name: `Ada ${index}` }));
  const queue = createFairQueue({ max: () => 1, maxInARow: 2 });
  expect(await orderOf(queue, [...polls, ...others])).toEqual([
    'Ada 0',
    'Ada 1',
    'poll 0',
    'Ada 2',
    'Ada 3',
    'poll 1',
    'Ada 4',
  ]);

  const shared = createFairQueue({ max: () => 8, maxBackground: (interactive) => 6 - interactive });
  for (let count = 0; count < 20; count += 1) void shared.enter({ isBackground: () => true });
  expect([shared.taken(), shared.waiting()]).toEqual([6, 14]);
  await shared.enter();
  expect([shared.taken(), shared.waiting()]).toEqual([7, 14]);
});

test('work that fails gives up its place, and a place that is given up twice counts once', async () => {
  const queue = createFairQueue({ max: () => 2 });
  await expect(queue.run(async () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  const leave = await queue.enter();
  leave();
  leave();
  expect(queue.taken()).toBe(0);
});

test('whatever happens, no more than the places are taken, and none is lost', async () => {
  const step = fc.constantFrom('enter', 'enter in the background', 'leave', 'shrink', 'grow', 'abort');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      let max = 4;
      let [entered, left] = [0, 0];
      const leave: (() => void)[] = [];
      const aborts: AbortController[] = [];
      const queue = createFairQueue({ max: () => max, maxBackground: () => Math.max(1, max - 1) });
      const enter = (isBackground: boolean) => {
        const controller = new AbortController();
        aborts.push(controller);
        entered += 1;
        queue.enter({ isBackground: () => isBackground, signal: controller.signal }).then(
          (release) => leave.push(release),
          () => {
            left += 1;
          },
        );
      };
      const actions = {
        enter: () => enter(false),
        'enter in the background': () => enter(true),
        leave: () => leave.shift()?.(),
        shrink: () => {
          max = Math.max(1, max - 1);
        },
        grow: () => {
          max = Math.min(4, max + 1);
          queue.startNext();
        },
        abort: () => aborts.pop()?.abort(),
      };
      for (const action of steps) {
        actions[action]();
        await Promise.resolve();
        expect(queue.taken()).toBeLessThanOrEqual(4);
        expect(queue.taken() > 0 || queue.waiting() === 0).toBe(true);
      }
      let ended = 0;
      while (queue.taken() > 0) {
        leave.shift()?.();
        ended += 1;
        await Promise.resolve();
      }
      expect(queue.waiting()).toBe(0);
      const begun = steps.filter((action) => action === 'leave').length + ended;
      expect(begun).toBeGreaterThanOrEqual(entered - left);
    }),
  );
});
