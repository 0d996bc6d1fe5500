import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeOf } from '../../src/database/workspace-store.ts';
import { readHistory } from '../../src/features/history/history.ts';
import type { FollowFleets } from '../../src/features/run-context.ts';
import { createFleets } from '../../src/features/vessels/fleets.ts';
import { createVesselNames } from '../../src/features/vessels/vessel-names.ts';
import { readCallPlan } from '../../src/features/watches/polling/poll-plan.ts';
import { chooseRules } from '../../src/features/watches/rules/registry.ts';
import { cancelCardCleanup, scheduleCardRemoval } from '../../src/features/watches/store/card-cleanup.ts';
import type { Watch } from '../../src/features/watches/store/watch.ts';
import { listWatches } from '../../src/features/watches/store/watch-list.ts';
import { createWatchStore } from '../../src/features/watches/store/watch-store.ts';
import { createOutbox } from '../../src/outbox/outbox.ts';
import { deleteUnsent, pendingMessage } from '../../src/outbox/outgoing-message.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { createDigestFixture, type DigestFixture } from '../support/digest-fixture.ts';
import { contentOf } from '../support/every-table.ts';
import { pausingOf } from '../support/pausing.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, seedWorkspace, type TestStore, workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { createWatchFixture, type WatchFixture } from '../support/watch-fixture.ts';
import { createWatchSlack, outgoingOf, permanent } from '../support/watch-slack.ts';
import { cypress, hour } from '../support/watch-story.ts';

const other = 'T2';
const diana = 9755933 as typeof cypress;

describe.each(engines)('what another workspace has, $engine', ({ open }) => {
  let store: TestStore;
  let watches: WatchFixture;
  let digests: DigestFixture;
  let watch: Watch;
  let digest: Awaited<ReturnType<DigestFixture['add']>>;

  /** One workspace with something of everything, and one with nothing. */
  beforeAll(async () => {
    store = await open();
    const { db } = store.database;
    await seedWorkspace(store.database);
    const workspace = { id: other, name: 'Other', created_at: hour(0) };
    await db.insertInto('workspaces').values(workspace).execute();
    const ids = { next: 0 };
    watches = createWatchFixture(store.database, ids);
    digests = createDigestFixture(store.database, ids);
    watches.vessels.set(cypress, { NLRTM: [0.9, 500] });
    watch = await watches.watch([{ kind: 'vessel', imo: cypress }]);
    await watches.at(0);
    watches.vessels.set(cypress, { DEHAM: [0.9, 500] });
    expect(await watches.at(7)).toMatchObject({ replies: 1 });
    await watches.watch([{ kind: 'vessel', imo: cypress }], { fleet: 'NORTH', title: 'fleet NORTH' });
    digest = await digests.add();
    const names = createVesselNames({
      store: storeOf(db, workspaceId),
      newId: watches.newId,
      realNow: Date.now,
    });
    const by = { actorId: 'U1', now: hour(0) };
    const fleets = [{ name: 'NORTH', imos: [cypress] }];
    await names.save([{ imo: cypress, name: 'OUR OWN' }], by, { kind: 'typed' }, { fleets });
    await scheduleCardRemoval(storeOf(db, workspaceId), watch, watches.by());
  });
  afterAll(() => store.close());

  /** Nothing in the store changes. */
  const unchanged = async (work: () => Promise<unknown>) => {
    const { db } = store.database;
    const before = await contentOf(db);
    await work();
    expect(await contentOf(db)).toEqual(before);
  };
  const by = () => ({ actorId: 'U9', now: hour(8), realNow: new Date(watches.clock.realMs) });

  it('its watches are not found, nor what they follow, their history and their calls', () =>
    unchanged(async () => {
      const { db } = store.database;
      const theirs = createWatchStore({ store: storeOf(db, other), newId: watches.newId });
      const subject = { kind: 'vessel', imo: cypress } as const;
      const { id } = watch;
      expect(await theirs.stop(id, by())).toBeUndefined();
      expect(await theirs.change(id, { ownerId: 'U9', rules: chooseRules({}) }, by())).toBeUndefined();
      expect(await theirs.refresh(id, by())).toBeUndefined();
      expect(await theirs.resume(id, by())).toBeUndefined();
      expect(await cancelCardCleanup(storeOf(db, other), { id })).toBe(false);
      for (const filter of [{ ids: [id] }, { subject }, { channelId: 'C1' }, { ownerId: 'U1' }])
        expect(await listWatches(storeOf(db, other), filter, { limit: 9 })).toMatchObject({
          total: 0,
        });
      const from = hour(-1);
      expect(await readHistory(storeOf(db, other), { subject, from, filter: {} })).toEqual([]);
      expect(await readHistory(storeOf(db, workspaceId), { subject, from, filter: {} })).toHaveLength(2);
      const plan = await readCallPlan({
        store: storeOf(db, other),
        dailyCalls: undefined,
        now: () => hour(0),
      });
      expect(plan).toMatchObject({ plannedCalls: 0 });
      const poller = watches.openPoller({ store: storeOf(store.database.db, other) });
      expect(await poller.runDue(hour(99))).toMatchObject({ answered: 0, failed: 0 });
    }));

  it('its digests are not found', () =>
    unchanged(async () => {
      const theirs = digests.openStore(other);
      const { id } = digest;
      expect(await theirs.find(id)).toBeUndefined();
      expect(await theirs.baseline(id)).toBeNull();
      expect(await theirs.change(id, { title: 'Mine' }, by())).toBeUndefined();
      expect(await theirs.pause(id, by())).toBeUndefined();
      expect(await theirs.resume(id, by())).toBeUndefined();
      expect(await theirs.runNow(id, hour(0))).toBe(false);
      expect(await theirs.remove(id, by())).toBe(false);
      expect(await theirs.restore(id, by())).toBeUndefined();
      expect(await theirs.list({ channelId: 'C1' })).toEqual({ digests: [], total: 0 });
      expect(await theirs.lastNumber({ channelId: 'C1' })).toBe(0);
      const runner = digests.openRunner(store.database, other);
      expect(await runner.runDue(hour(999))).toMatchObject({ sent: 0, missed: 0, failed: 0 });
    }));

  it('its names, fleets and audit log are not found', () =>
    unchanged(async () => {
      const { db } = store.database;
      const options = { store: storeOf(db, other), newId: watches.newId, realNow: Date.now };
      const fleets = createFleets(options);
      expect(await fleets.find('NORTH')).toBeUndefined();
      await expect(fleets.get('NORTH')).rejects.toThrow('There is no fleet called');
      expect(await fleets.remove({ name: 'NORTH' }, by())).toMatchObject({ vessels: 0 });
      expect(await fleets.remove({ name: 'NORTH', imos: [cypress] }, by())).toMatchObject({ vessels: 0 });
      const names = createVesselNames(options);
      expect(await names.list()).toEqual([]);
      expect((await names.directory()).nameOf(cypress)).toBeUndefined();
      const log = createAuditLog(storeOf(db, workspaceId));
      const { changes } = await log.list({}, { limit: 99 });
      expect(changes.length).toBeGreaterThan(2);
      const theirs = createAuditLog(storeOf(db, other));
      for (const { id } of changes) expect(await theirs.find(id)).toBeUndefined();
      const filter = { channelId: 'C1', actorId: 'U1' };
      expect(await theirs.list(filter, { limit: 9 })).toEqual({ changes: [], total: 0 });
    }));

  it('watches of a fleet do not follow a fleet of that name', async () => {
    const { db } = store.database;
    const theirs = createWatchStore({ store: storeOf(db, other), newId: watches.newId });
    const followFleets: FollowFleets = (transaction, fleets, { record }) =>
      theirs.followFleets(transaction, fleets, { by: by(), record });
    const fleets = createFleets({ store: storeOf(db, other), newId: watches.newId, followFleets });
    const followed = async () =>
      (await listWatches(storeOf(db, workspaceId), { fleet: 'NORTH' }, { limit: 9 })).watches.map(
        ({ isFleetGone, followedSubjects }) => [isFleetGone, followedSubjects.length],
      );
    expect(await followed()).toEqual([[false, 1]]);
    expect(await fleets.add({ name: 'NORTH', imos: [diana] }, by())).toEqual({ vessels: 1, watches: [] });
    expect(await followed()).toEqual([[false, 1]]);
    expect(await fleets.remove({ name: 'NORTH' }, by())).toEqual({ vessels: 1, watches: [] });
    expect(await followed()).toEqual([[false, 1]]);
  });

  it('is forgotten by nobody else', async () => {
    const { db } = store.database;
    const options = { store: storeOf(db, other), newId: watches.newId, realNow: Date.now };
    await createVesselNames(options).forget([cypress], by());
    const ours = createVesselNames({ ...options, store: storeOf(db, workspaceId) });
    expect(await ours.list()).toEqual([{ imo: cypress, name: 'OUR OWN' }]);
  });

  it('its messages are neither sent, paused nor deleted', () =>
    unchanged(async () => {
      const { db } = store.database;
      const slack = createWatchSlack();
      const outbox = createOutbox({
        ctx: undefined,
        store: storeOf(db, other),
        poster: slack,
        realNow: () => watches.clock.realMs + 1e9,
        newId: watches.newId,
        logger: createStoreLogger(),
        outgoing: outgoingOf(db, undefined, other),
      });
      expect(await outbox.runDue(hour(99))).toEqual({ sent: 0, found: 0, retried: 0, refused: 0 });
      expect(slack.posted).toEqual([]);
      expect(await deleteUnsent(storeOf(db, other), watch.id)).toEqual([]);
      const lost = { channelId: 'C1', code: 'is_archived', now: hour(8) };
      await pausingOf(db, undefined, other).markUnavailable({
        ...lost,
        realNow: new Date(watches.clock.realMs),
      });
    }));

  it('is not shown or paused by a message that names it', async () => {
    const { db } = store.database;
    const slack = createWatchSlack();
    const outbox = createOutbox({
      ctx: undefined,
      store: storeOf(db, other),
      poster: slack,
      realNow: () => watches.clock.realMs,
      newId: watches.newId,
      logger: createStoreLogger(),
      outgoing: outgoingOf(db, undefined, other),
    });
    const ours = await contentOf(db);
    const [reply] = await direct(db).selectFrom('outbox').select('id').where('kind', '=', 'reply').execute();
    const about = {
      channelId: 'C1',
      now: hour(8),
      dueAt: new Date(watches.clock.realMs),
    };
    const items = [{ watchId: watch.id, title: 'x', events: [], more: 0 }];
    const summary = { kind: 'summary', members: [reply?.id], items };
    const forged = [
      pendingMessage({ ...about, id: 'forged-card', threadKey: watch.id, message: { kind: 'card' } }),
      pendingMessage({ ...about, id: 'forged-summary', message: summary }),
    ];
    await storeOf(db, other).insertInto('outbox', forged).execute();
    slack.onPost = () => permanent('is_archived');
    expect(await outbox.runDue(hour(8))).toMatchObject({ sent: 0, refused: 1 });
    await db.deleteFrom('outbox').where('workspace_id', '=', other).execute();
    expect(await contentOf(db)).toEqual(ours);
  });
});
