import { beforeAll, describe, expect, it } from 'vitest';
import { createDueWork } from '../../src/app/jobs.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { pendingMessage } from '../../src/outbox/outgoing-message.ts';
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
