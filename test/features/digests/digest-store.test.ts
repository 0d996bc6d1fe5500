import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetRemovedDigests } from '../../../src/features/digests/digest-store.ts';
import { listChanges } from '../../../src/workspaces/audit.ts';
import { createDigestRoom, type DigestRoom, everyDay, nextPort } from '../../support/digest-room.ts';
import { engines, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';

describe.each(engines)('the digests of a workspace, $engine', ({ open }) => {
  let store: TestStore;
  let room: DigestRoom;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    room = createDigestRoom(store.database);
  });

  it('are numbered in their channel, also when several are added at once', async () => {
    const added = await Promise.all([1, 2, 3, 4].map(() => room.add()));
    expect(added.map(({ number }) => number).toSorted()).toEqual([1, 2, 3, 4]);
    expect(await room.add({ channelId: 'C2' })).toMatchObject({ number: 1 });
    const { digests, total } = await room.store.list(
      { workspaceId, channelId: 'C1' },
      { limit: 2, offset: 1 },
    );
    expect([total, digests.map(({ number }) => number)]).toEqual([4, [2, 3]]);
    expect(await room.store.list({ workspaceId, mine: { ownerId: 'U9', channelIds: [] } })).toEqual({
      digests: [],
      total: 0,
    });
    expect(await room.store.list({ workspaceId, ownerId: 'U1' })).toMatchObject({ total: 5 });
    expect(await room.store.list({ workspaceId: 'T2' })).toMatchObject({ total: 0 });
  });

  it('are made once by two instances that are asked for the same one', async () => {
    const other = createDigestRoom(await store.another());
    const made = await Promise.all([room, other, room].map(({ add }) => add({ id: 'form-1' })));
    expect(made.map(({ id, number }) => `${id} ${number}`)).toEqual(['form-1 1', 'form-1 1', 'form-1 1']);
    expect(await room.add()).toMatchObject({ number: 2 });
    const { changes } = await listChanges(store.database.db, { workspaceId }, { limit: 20 });
    expect(changes).toHaveLength(2);
    await room.store.remove('form-1', room.by());
    await expect(room.add({ id: 'form-1' })).rejects.toMatchObject({ code: 'unknown-digest' });
  });

  it('never get a number that was given before, be it the highest', async () => {
    await room.add();
    const second = await room.add();
    await room.store.remove(second.id, room.by());
    expect(await room.store.find(second.id)).toBeUndefined();
    expect(await room.store.list({ workspaceId })).toMatchObject({ total: 1 });
    expect(await room.add()).toMatchObject({ number: 3 });
    expect(await room.store.lastNumber({ workspaceId, channelId: 'C1' })).toBe(3);
    await forgetRemovedDigests(store.database.db, new Date(room.clock.now.getTime() + 1));
    expect(await room.add()).toMatchObject({ number: 4 });
    expect(await room.store.restore(second.id, room.by())).toBeUndefined();
  });

  it('are restored as they were, once, and go on with the next run', async () => {
    const digest = await room.add({ title: 'Evening' });
    await room.at('2026-11-23T08:00Z');
    await room.outbox.runDue(room.clock.now);
    const baseline = await room.store.baseline(digest.id);
    await room.store.remove(digest.id, room.by());
    expect(await room.store.remove(digest.id, room.by())).toBe(false);
    expect(await room.store.change(digest.id, { title: 'x' }, room.by())).toBeUndefined();
    expect(await room.store.runNow(digest.id, room.clock.now)).toBe(false);
    expect(await store.database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
    expect(await room.at('2026-11-25T08:00Z')).toMatchObject({ sent: 0, missed: 0 });
    expect(await room.store.restore(digest.id, room.by())).toMatchObject({
      number: digest.number,
      title: 'Evening',
      nextRunAt: new Date('2026-11-26T08:00Z'),
    });
    expect(await room.store.restore(digest.id, room.by())).toBeUndefined();
    expect(baseline).not.toBeNull();
    expect(await room.store.baseline(digest.id)).toEqual(baseline);
    expect(await room.at('2026-11-26T08:00Z')).toMatchObject({ sent: 1, missed: 0 });
  });

  it('compare, when restored, with nothing that Slack had not taken when they were removed', async () => {
    const digest = await room.add({ onlyNews: true });
    room.lines.set('nextport 9461477', nextPort('NLRTM', '2026-11-29T08:00Z'));
    await room.at('2026-11-23T08:00Z');
    await room.outbox.runDue(room.clock.now);
    room.lines.set('nextport 9461477', nextPort('BEANR', '2026-11-29T08:00Z'));
    expect(await room.at('2026-11-24T08:00Z')).toMatchObject({ sent: 1 });
    await room.store.remove(digest.id, room.by());
    await room.store.restore(digest.id, room.by());
    expect(await room.at('2026-11-25T08:00Z')).toMatchObject({ sent: 1, quiet: 0 });
  });

  it('are not restored into a full channel', async () => {
    const { id } = await room.add();
    await room.store.remove(id, room.by());
    for (let count = 0; count < 5; count += 1) await room.add();
    await expect(room.store.restore(id, room.by())).rejects.toMatchObject({ code: 'not-allowed' });
  });

  it('are no more than a channel may have', async () => {
    for (let count = 0; count < 5; count += 1) await room.add();
    await expect(room.add()).rejects.toMatchObject({
      code: 'not-allowed',
      message: 'This channel already has 5 digests; at most 5 are allowed.',
    });
    expect(await room.store.list({ workspaceId })).toMatchObject({ total: 5 });
  });

  it('can be changed, and the next run follows', async () => {
    const digest = await room.add();
    const schedule = { days: { kind: 'month', dates: [1, 31] }, minutes: [360] } as const;
    const change = {
      schedule,
      zone: 'Australia/Lord_Howe',
      lines: ['usage'],
      title: 'Month',
      onlyNews: true,
    };
    const after = await room.store.change(digest.id, change, room.by());
    expect(after).toEqual({ ...digest, ...change, nextRunAt: new Date('2026-11-29T19:00Z') });
    expect(await room.store.find(digest.id)).toEqual(after);
    expect(await room.store.change(digest.id, { title: 'Again' }, room.by())).toMatchObject({
      nextRunAt: after?.nextRunAt,
    });
    expect(await room.store.change('gone', { title: 'x' }, room.by())).toBeUndefined();
  });

  it('leave who did what, with before and after', async () => {
    const digest = await room.add();
    const { id } = digest;
    await room.store.change(id, { title: 'Evening' }, room.by());
    await room.store.pause(id, { actorId: 'U2', now: room.clock.now });
    await room.store.pause(id, room.by()); // Paused already: nothing changes, nothing is written.
    await room.store.resume(id, room.by());
    expect(await room.store.remove(id, room.by())).toBe(true);
    expect(await room.store.remove(id, room.by())).toBe(false);
    const { changes } = await listChanges(store.database.db, { workspaceId }, { limit: 20 });
    const settings = {
      ownerId: 'U1',
      title: 'Morning',
      lines: ['nextport 9461477'],
      schedule: { days: everyDay, minutes: [480] },
      zone: 'UTC',
      onlyNews: false,
      status: 'active',
    };
    expect(
      changes
        .toReversed()
        .map(({ action, actorId }) => `${actorId} ${action}`)
        .toSorted(),
    ).toEqual([
      'U1 digest.add',
      'U1 digest.change',
      'U1 digest.remove',
      'U1 digest.resume',
      'U2 digest.pause',
    ]);
    expect(changes.find(({ action }) => action === 'digest.change')).toMatchObject({
      subject: 'Evening',
      channelId: 'C1',
      before: settings,
      after: { ...settings, title: 'Evening' },
    });
  });

  it('go when their workspace goes, with what waits to be posted', async () => {
    await room.add();
    await room.at('2026-11-23T08:00Z');
    await store.database.db.deleteFrom('workspaces').execute();
    expect(await store.database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
    expect(await store.database.db.selectFrom('digests').selectAll().execute()).toEqual([]);
  });
});
