import { expect, test } from 'vitest';
import { createRetentionJob } from '../../src/app/maintenance.ts';
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
