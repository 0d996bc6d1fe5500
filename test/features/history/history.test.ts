import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { forgetHistory, portHistory } from '../../../src/features/history/history.ts';
import { watchedLists, watchedVessels } from '../../../src/features/history/subject.ts';
import { pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { forgetChanges, recordChanges } from '../../../src/workspaces/audit.ts';
import { failAfter } from '../../support/fail-after.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { ada, ben } from '../../support/watch-service-harness.ts';
import { cypress, diana, hour, vessel } from '../../support/watch-story.ts';

describe.each(engines)('what is watched, $engine', ({ open }) => {
  const store = useWorkspace(open);

  it('is that of a channel or a person, with the vessels of lists, and without ports', async () => {
    const fixture = createWatchFixture(store.database);
    const services = {
      store: storeOf(store.database.db, workspaceId),
      access: { mayUse: async (_: string, actor: { userId: string }) => actor.userId !== ben.userId },
    };
    const at = { port: 'NLRTM' as Locode, imos: [9811000 as Imo] };
    fixture.lists.set('L', { [diana]: { NLRTM: [0.9, 300] } });
    await fixture.watch([vessel()]);
    await fixture.watch([{ kind: 'shiplist', name: 'L' }]);
    await fixture.watch([{ kind: 'port', port: at.port }], { condition: at });
    const here = { channelId: 'C1' };
    expect(await watchedVessels(here, ada, services)).toEqual([cypress]);
    await fixture.at(0);
    expect(await watchedVessels(here, ada, services)).toEqual([cypress, diana]);
    expect(await watchedVessels({ ownerId: 'U1' }, ada, services)).toEqual([cypress, diana]);
    expect(await watchedVessels({ channelId: 'C2' }, ada, services)).toEqual([]);
    expect(await watchedLists(here, ada, services)).toEqual(['L']);
    expect(await watchedLists({ ownerId: 'U1' }, ada, services)).toEqual(['L']);
    await expect(watchedVessels(here, ben, services)).rejects.toThrow(
      'You are not in that channel, or Landfall is not.',
    );
    expect(await watchedLists(here, ben, services)).toEqual([]);
  });
});

const rotterdam = 'NLRTM' as Locode;
const hourMs = 3_600_000;

describe.each(engines)('the polls of a port, $engine', ({ open }) => {
  const store = useWorkspace(open);
  beforeEach(async () => {
    await createWatchFixture(store.database).watch([{ kind: 'port', port: rotterdam }]);
  });

  const records = (probability: number) => [
    { imo: 9461477, port: 'NLRTM', probability, eta: hour(100).toISOString(), etaZone: 'given' },
  ];
  async function poll(
    hours: readonly number[],
    { workspace = workspaceId, kind = 'port', key = 'NLRTM' } = {},
  ): Promise<void> {
    const rows = hours.map((at) => ({
      workspace_id: workspace,
      kind,
      key,
      polled_at: hour(at),
      predictions: JSON.stringify({ scale: 'fraction', records: records(at / 1000) }),
    }));
    await store.database.db.insertInto('history').values(rows).execute();
  }
  const history = () =>
    portHistory({ store: storeOf(store.database.db, workspaceId), filter: async () => ({}) });
  const find = async (times: readonly number[], withinHours: number) => {
    const found = await history().findPolls(rotterdam, {
      times: times.map(hour),
      withinMs: withinHours * hourMs,
    });
    return found.map((at) => (at.getTime() - hour(0).getTime()) / hourMs);
  };

  it('are found on both sides of each time, the nearest ones, within the limit', async () => {
    await poll([1, 20, 22, 25, 27, 40, 71, 72, 73]);
    expect(await find([24], 3)).toEqual([22, 25]);
    expect(await find([24, 48, 72, 96], 3)).toEqual([22, 25, 72]);
    expect(await find([48], 8)).toEqual([40]);
    expect(await find([48], 7)).toEqual([]);
    expect(await find([], 3)).toEqual([]);
  });

  it('are those of the times when the port was watched', async () => {
    const fixture = createWatchFixture(store.database, { next: 100 });
    await store.database.db.deleteFrom('watched_times').where('workspace_id', '=', workspaceId).execute();
    await poll([1, 20, 22, 25, 27, 40]);
    expect(await find([24], 3)).toEqual([]);
    fixture.clock.hours = 21;
    const { id } = await fixture.watch([{ kind: 'port', port: rotterdam }]);
    fixture.clock.hours = 26;
    await fixture.store.stop(id, fixture.by());
    expect(await find([20, 24, 27], 6)).toEqual([22, 25]);
  });

  it('of other ports, of vessels and of other workspaces are not found or read', async () => {
    await store.database.db
      .insertInto('workspaces')
      .values({ id: 'T2', name: 'Other', created_at: hour(0) })
      .execute();
    await poll([24], { workspace: 'T2' });
    await poll([24], { key: 'DEHAM' });
    await poll([24], { kind: 'vessel' });
    expect(await find([24], 3)).toEqual([]);
    expect(await Array.fromAsync(history().readPolls(rotterdam, [hour(24)]))).toEqual([]);
  });

  it('are read one after the other, oldest first, as many as there are', async () => {
    const hours = Array.from({ length: 60 }, (_, day) => day * 24);
    await poll(hours);
    const polls = await Array.fromAsync(history().readPolls(rotterdam, hours.map(hour)));
    expect(polls.map(({ at }) => at)).toEqual(hours.map(hour));
    expect(polls[30]).toMatchObject({
      scale: 'fraction',
      predictions: [{ imo: 9461477, port: 'NLRTM', probability: 0.72, eta: hour(100) }],
    });
  });
});

const retention = hour(-400 * 24);

describe.each(engines)('retention, $engine', ({ open }) => {
  const store = useWorkspace(open);

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

  it('deletes history, audited changes and finished messages when it ends, not before, and no message that waits', async () => {
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
    const change = { actorId: 'U1', action: 'watch.add', subject: 'x' };
    const changes = [-401 * 24, -400 * 24].map((at) => ({ ...change, id: `${at}`, at: hour(at) }));
    await recordChanges(storeOf(db, workspaceId), changes);
    await forgetChanges(db, retention);
    const audited = await direct(db).selectFrom('audit').select('id').execute();
    expect(audited.map(({ id }) => id)).toEqual(['-9600']);
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
