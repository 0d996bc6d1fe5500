import { expect, test } from 'vitest';
import { createStatisticsJob } from '../../src/app/maintenance.ts';
import { createMonotonicClock } from '../../src/cache.ts';

test('is saved once a minute, and again after a failure', async () => {
  let realMs = 1_000_000;
  let saves = 0;
  let failure: Error | undefined;
  const save = async () => {
    saves += 1;
    if (failure) throw failure;
  };
  const job = createStatisticsJob({ activity: { save }, monotonicNow: createMonotonicClock(() => realMs) });
  const after = async (ms: number) => {
    realMs += ms;
    await job.runDue(new Date(0), () => true);
    return saves;
  };
  expect(await after(59_999)).toBe(0);
  expect(await after(1)).toBe(1);
  expect(await after(59_999)).toBe(1);
  failure = new Error('gone');
  await expect(after(1)).rejects.toThrow('gone');
  failure = undefined;
  expect(await after(1_000)).toBe(3);
  // After a clock rollback of an hour, it doesn't wait that hour longer.
  expect(await after(-3_600_000)).toBe(3);
  expect(await after(60_000)).toBe(4);
});
