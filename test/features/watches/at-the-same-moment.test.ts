import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/connect.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { listWatches } from '../../../src/features/polling/watch-list.ts';
import { direct } from '../../support/statements/direct.ts';
import { openPostgres, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { createFleets } from '../../support/vessel-stores.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWatchFixture, type WatchFixture } from '../../support/watch-fixture.ts';
import { cypress, diana, given, hour, vessel } from '../../support/watch-story.ts';

/** On SQLite, which has one connection, nothing happens at the same moment. */
describe('adding at the same moment as another change', () => {
  const store = useWorkspace(openPostgres);
  let fixture: WatchFixture;
  let other: WatchFixture;
  let holder: Database;
  beforeAll(async () => {
    holder = await store.another();
  });
  beforeEach(async () => {
    const ids = { next: 0 };
    fixture = createWatchFixture(store.database, ids);
    other = createWatchFixture(await store.another(), ids);
    for (const { vessels } of [fixture, other]) vessels.set(cypress, { NLRTM: [0.9, 500] });
  });

  /** What is added is all but saved, and `meanwhile` has come to wait for it. */
  async function whileAdding<Added>(
    add: () => Promise<Added>,
    meanwhile: () => Promise<unknown>,
  ): Promise<Added> {
    const { adding, met } = await holder.db.transaction().execute(async (transaction) => {
      await sql`lock table audit in share mode`.execute(transaction);
      const begun = add();
      await waiting(1);
      const second = meanwhile();
      await waiting(2);
      // Not awaited here: both wait for this transaction.
      return { adding: begun, met: second };
    });
    await met;
    return await adding;
  }

  /** Waits until this many statements wait for a lock. */
  const waiting = (count: number) =>
    waitUntil(`${count} wait`, async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(holder.db);
      return rows[0]?.count === count;
    });

  const followed = async (id: string) => {
    const { watches } = await listWatches(
      storeOf(store.database.db, workspaceId),
      { ids: [id] },
      { limit: 1 },
    );
    return watches[0]?.followedSubjects;
  };

  const watch = () => other.watch([vessel()], { channelId: 'C2' });

  it("a watch still follows its vessel if the vessel's only other watch is stopped", async () => {
    const { id: only } = await fixture.watch([vessel()]);
    const added = await whileAdding(watch, () => fixture.store.stop(only, fixture.by()));
    expect(await followed(added.id)).toMatchObject([{ subject: vessel() }]);
  });

  it('a watch still has its first answer at once if a poll of its vessel is being stored', async () => {
    await fixture.watch([vessel()]);
    const requestSent = Promise.withResolvers<void>();
    const answerReleased = Promise.withResolvers<void>();
    fixture.gate = () => {
      requestSent.resolve();
      return answerReleased.promise;
    };
    const polled = fixture.at(0);
    await requestSent.promise;
    const added = await whileAdding(watch, async () => {
      answerReleased.resolve();
      await polled;
    });
    // If the poller looks for due work at that moment, it polls the vessel again, with an answer of the same time.
    await other.at(0);
    expect((await followed(added.id))?.[0]?.state).toMatchObject({ kind: 'vessels' });
  });

  /** As polls do: in the order of their ids, here not the order of the vessels' numbers. */
  const lockSubject = (transaction: Database['db'], watchId: string) =>
    sql`select id from subjects where id = (
      select subject_id from followings where watch_id = ${watchId}
    ) for update`.execute(direct(transaction));

  it('a watch of vessels that a poll is about to store waits for the poll', async () => {
    const { id: first } = await fixture.watch([vessel(diana)]);
    const { id: second } = await fixture.watch([vessel()]);
    const { adding } = await holder.db.transaction().execute(async (transaction) => {
      await lockSubject(transaction, first);
      const begun = other.watch([vessel(), vessel(diana)], { channelId: 'C2' });
      await waiting(1);
      await lockSubject(transaction, second);
      return { adding: begun };
    });
    expect(await followed((await adding).id)).toHaveLength(2);
  });

  /** Fleets whose watches follow them. */
  const fleetsOf = ({ followFleets }: WatchFixture, { db }: Database) =>
    createFleets({ store: storeOf(db, workspaceId), newId: randomUUID, followFleets });
  const ofFleet = { title: 'fleet NORTH', fleet: 'NORTH', channelId: 'C2' };

  it('a watch of a fleet has the vessel that is just being added to the fleet', async () => {
    const fleets = fleetsOf(fixture, store.database);
    await fleets.add({ name: 'NORTH', imos: [cypress] }, fixture.by());
    let added: ReturnType<typeof watch> | undefined;
    await whileAdding(
      () => fleets.add({ name: 'NORTH', imos: [diana] }, fixture.by()),
      () => {
        added = other.watch([vessel()], ofFleet);
        return added;
      },
    );
    expect(await followed((await added)?.id ?? '')).toHaveLength(2);
  });

  it('a vessel that is added to a fleet is followed by the watch that is just being added', async () => {
    const fleets = fleetsOf(fixture, store.database);
    await fleets.add({ name: 'NORTH', imos: [cypress] }, fixture.by());
    const added = await whileAdding(
      () => other.watch([vessel()], ofFleet),
      () => fleets.add({ name: 'NORTH', imos: [diana] }, fixture.by()),
    );
    expect(await followed(added.id)).toHaveLength(2);
  });

  it('a change of a fleet waits for the poll of its new vessels', async () => {
    const fleets = fleetsOf(other, store.database);
    await fleets.add({ name: 'NORTH', imos: [given] }, other.by());
    const { id } = await other.watch([], ofFleet);
    const { id: first } = await fixture.watch([vessel(diana)]);
    const { id: second } = await fixture.watch([vessel()]);
    const { adding } = await holder.db.transaction().execute(async (transaction) => {
      await lockSubject(transaction, first);
      const begun = fleets.add({ name: 'NORTH', imos: [cypress, diana] }, other.by());
      await waiting(1);
      await lockSubject(transaction, second);
      return { adding: begun };
    });
    expect(await adding).toMatchObject({ vessels: 2, watches: [{ fleet: 'NORTH' }] });
    expect(await followed(id)).toHaveLength(3);
  });

  it("a vessel stays in its fleet if the fleet's last other vessel is removed", async () => {
    const fleets = fleetsOf(fixture, store.database);
    const by = { actorId: 'U1', now: hour(0) };
    await fleets.add({ name: 'NORTH', imos: [cypress] }, by);
    const others = fleetsOf(other, await store.another());
    await whileAdding(
      () => others.add({ name: 'NORTH', imos: [diana] }, by),
      () => fleets.remove({ name: 'NORTH', imos: [cypress] }, by),
    );
    expect(await fleets.list()).toEqual([{ name: 'NORTH', imos: [diana] }]);
  });
});
