import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { portHistory } from '../../../src/features/history/history.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import { engines, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { hour } from '../../support/watch-story.ts';

const rotterdam = 'NLRTM' as Locode;
const hourMs = 3_600_000;

describe.each(engines)('the polls of a port, $engine', ({ open }) => {
  const store = useStore(open, { perTest: true });
  beforeEach(async () => {
    await seedWorkspace(store.database);
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
