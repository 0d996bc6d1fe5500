import { beforeAll, describe, expect, it, test } from 'vitest';
import { createDueWork, createRetentionJob, createStatisticsJob } from '../../src/app/jobs.ts';
import { createMonotonicClock } from '../../src/cache.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { pendingMessage } from '../../src/outbox/outgoing-message.ts';
import { emptyDatabase } from '../support/bot-database.ts';
import { addSubjects, engines, seedWorkspace, workspaceId } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

describe.each(engines)('the workspaces with due work, $engine', ({ open }) => {
  const store = useStore(open);
  let realMs: number;
  beforeAll(async () => {
    const { db } = store.database;
    await seedWorkspace(store.database);
    await addSubjects(store.database, ['subject'], hours(1));
    const message = { id: 'message', channelId: 'C1', message: { kind: 'reply' }, now };
    await storeOf(db, workspaceId)
      .insertInto('outbox', pendingMessage({ ...message, dueAt: hours(2) }))
      .execute();
  });

  const kinds = () => {
    realMs = now.getTime();
    const work = createDueWork(store.database, () => realMs);
    return new Map(work.map(({ name, findDue }) => [name, findDue]));
  };

  it('polls are due on the domain clock, messages on the real one', async () => {
    const found = kinds();
    const [polls, messages] = [found.get('polls'), found.get('messages')];
    // The first time, every workspace with planned work is found.
    expect(await polls?.(now)).toEqual([workspaceId]);
    expect(await messages?.(now)).toEqual([workspaceId]);
    expect(await polls?.(now)).toEqual([]);
    expect(await polls?.(hours(1))).toEqual([workspaceId]);
    expect(await messages?.(hours(2))).toEqual([]);
    realMs = hours(2).getTime();
    expect(await messages?.(now)).toEqual([workspaceId]);
    expect(await found.get('digests')?.(hours(9))).toEqual([]);
  });

  it('after a clock rollback, every workspace with planned work is found once', async () => {
    const polls = kinds().get('polls');
    await polls?.(now);
    expect(await polls?.(now)).toEqual([]);
    expect(await polls?.(hours(-1))).toEqual([workspaceId]);
    expect(await polls?.(hours(-1))).toEqual([]);
  });
});

test('cleans up at the start and once a day; a round that had to end early is followed by another', async () => {
  const { db } = await emptyDatabase();
  const calls: Date[] = [];
  const forgetBefore = [async (_: unknown, time: Date) => calls.push(time)];
  const nothing = async () => undefined;
  const job = createRetentionJob({
    ...{ db, forgetBefore, historyDays: 10, cleanUp: nothing, operatorsLogin: '' },
    realNow: () => now.getTime(),
  });
  await job.runDue(now, () => false);
  await job.runDue(hours(1), () => true);
  await job.runDue(hours(24), () => true);
  await job.runDue(hours(25), () => true);
  expect(calls).toEqual([hours(-240), hours(-239), hours(-215)]);
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
