import { expect, test } from 'vitest';
import { createRetentionJob, createStatisticsJob } from '../../src/app/jobs.ts';
import { createMonotonicClock } from '../../src/cache.ts';
import { emptyDatabase } from '../support/bot-database.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const at = (hours: number) => new Date(start + hours * 3_600_000);

test('cleans up at the start and once a day; a round that had to end early is followed by another', async () => {
  const { db } = await emptyDatabase();
  const calls: Date[] = [];
  const forgetBefore = [async (_: unknown, time: Date) => calls.push(time)];
  const nothing = async () => undefined;
  const job = createRetentionJob({
    ...{ db, forgetBefore, historyDays: 10, cleanUp: nothing, operatorsLogin: '' },
    realNow: () => start,
  });
  await job.runDue(at(0), () => false);
  await job.runDue(at(1), () => true);
  await job.runDue(at(24), () => true);
  await job.runDue(at(25), () => true);
  expect(calls).toEqual([at(-240), at(-239), at(-215)]);
});

test('activity is saved once a minute, and again after a failure', async () => {
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
