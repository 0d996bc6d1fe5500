import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { forgetHistory } from '../../../src/features/history/history.ts';
import { pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import { failAfter } from '../../support/fail-after.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { hour } from '../../support/watch-story.ts';

const retention = hour(-400 * 24);

describe.each(engines)('retention, $engine', ({ open }) => {
  const store = useStore(open, { perTest: true });
  beforeEach(async () => {
    await seedWorkspace(store.database);
  });

  const poll = async (hours: readonly number[]) => {
    const rows = hours.map((at) => ({
      workspace_id: workspaceId,
      kind: 'vessel',
      key: '1',
      polled_at: hour(at),
      predictions: '{}',
    }));
    await store.database.db.insertInto('history').values(rows).execute();
  };
  const countPolls = async () =>
    (await direct(store.database.db).selectFrom('history').select('key').execute()).length;

  it('deletes history and finished messages when it ends, not before, and no message that waits', async () => {
    const { db } = store.database;
    await poll([-401 * 24, -400 * 24, -1]);
    const pending = { channelId: 'C1', message: { kind: 'x' }, dueAt: hour(0) };
    const messages = [
      { id: 'old', now: hour(-401 * 24), status: 'sent' },
      { id: 'waits', now: hour(-401 * 24), status: 'pending' },
      { id: 'held', now: hour(-401 * 24), status: 'held' },
      { id: 'new', now: hour(-1), status: 'sent' },
    ];
    const rows = messages.map(({ status, ...message }) => ({
      ...pendingMessage({ ...pending, ...message }),
      status,
    }));
    await storeOf(db, workspaceId).insertInto('outbox', rows).execute();
    expect(await forgetHistory(db, retention)).toBe(1);
    expect(await forgetHistory(db, retention)).toBe(0);
    expect(await countPolls()).toBe(2);
    const left = await direct(db).selectFrom('outbox').select('id').orderBy('sequence').execute();
    expect(left.map(({ id }) => id)).toEqual(['waits', 'held', 'new']);
  });

  it('that ends after any batch goes on where it ended', async () => {
    const { db } = store.database;
    await poll([-1, ...Array.from({ length: 650 }, (_, index) => -500 * 24 - index)]);
    for (const left of [451, 251, 51]) {
      // Each time, one batch of the history.
      await expect(forgetHistory(db.withPlugin(failAfter(3)), retention)).rejects.toThrow('has ended');
      expect(await countPolls()).toBe(left);
    }
    expect(await forgetHistory(db, retention)).toBe(50);
    expect(await countPolls()).toBe(1);
  });
});
