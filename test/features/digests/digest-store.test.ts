import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { WorkCtx } from '../../../src/features/ctx.ts';
import { forgetRemovedDigests, readAllDigests } from '../../../src/features/digests/digest-store.ts';
import { createAuditLog } from '../../../src/workspaces/audit.ts';
import { createDigestFixture, type DigestFixture, everyDay, nextPort } from '../../support/digest-fixture.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';

describe.each(engines)('the digests of a workspace, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let fixture: DigestFixture;
  beforeEach(async () => {
    fixture = createDigestFixture(store.database);
  });

  it('are numbered in their channel, even if several are added at once', async () => {
    const added = await Promise.all([1, 2, 3, 4].map(() => fixture.add()));
    expect(added.map(({ number }) => number).toSorted()).toEqual([1, 2, 3, 4]);
    expect(await fixture.add({ channelId: 'C2' })).toMatchObject({ number: 1 });
    const { digests, total } = await fixture.store.list({ channelId: 'C1', limit: 2, offset: 1 });
    expect([total, digests.map(({ number }) => number)]).toEqual([4, [2, 3]]);
    expect(await fixture.store.list({ anyOf: { ownerId: 'U9', channelIds: [] } })).toEqual({
      digests: [],
      total: 0,
    });
    expect(await fixture.store.list({ ownerId: 'U1' })).toMatchObject({ total: 5 });
    expect(await fixture.openStore('T2').list({})).toMatchObject({ total: 0 });
  });

  it('can all be read, with their last runs, without those that were removed', async () => {
    const { id, createdAt } = { createdAt: fixture.clock.now, ...(await fixture.add()) };
    const removed = await fixture.add({ channelId: 'C2' });
    await fixture.store.remove(removed.id, fixture.by());
    const all = (workspace = workspaceId) =>
      // The part that it uses.
      readAllDigests({ services: { store: storeOf(store.database.db, workspace) } } as WorkCtx);
    expect(await all()).toMatchObject([{ id, createdAt, lastRunAt: null }]);
    await fixture.at('2026-11-23T08:00Z');
    expect(await all()).toMatchObject([{ id, lastRunAt: expect.any(Date) }]);
    expect(await all('T2')).toEqual([]);
  });

  it('are created once if two instances get the same request', async () => {
    const other = createDigestFixture(await store.another());
    const made = await Promise.all([fixture, other, fixture].map(({ add }) => add({ id: 'form-1' })));
    expect(made.map(({ id, number }) => `${id} ${number}`)).toEqual(['form-1 1', 'form-1 1', 'form-1 1']);
    expect(await fixture.add()).toMatchObject({ number: 2 });
    const { changes } = await createAuditLog(storeOf(store.database.db, workspaceId)).list({}, { limit: 20 });
    expect(changes).toHaveLength(2);
    await fixture.store.remove('form-1', fixture.by());
    await expect(fixture.add({ id: 'form-1' })).rejects.toMatchObject({ code: 'unknown-digest' });
  });

  it('never get a number that was given before', async () => {
    await fixture.add();
    const second = await fixture.add();
    await fixture.store.remove(second.id, fixture.by());
    expect(await fixture.store.find({ id: second.id })).toBeUndefined();
    expect(await fixture.store.list({})).toMatchObject({ total: 1 });
    expect(await fixture.add()).toMatchObject({ number: 3 });
    expect(await fixture.store.lastNumber({ channelId: 'C1' })).toBe(3);
    await forgetRemovedDigests(store.database.db, new Date(fixture.clock.now.getTime() + 1));
    expect(await fixture.add()).toMatchObject({ number: 4 });
    await expect(fixture.store.restore(second.id, fixture.by())).rejects.toThrow('has been removed');
  });

  it('are restored once, unchanged, and continue with the next run', async () => {
    const digest = await fixture.add({ title: 'Evening' });
    await fixture.at('2026-11-23T08:00Z');
    await fixture.outbox.runDue(fixture.clock.now);
    const baseline = await fixture.store.baseline(digest.id);
    await fixture.store.remove(digest.id, fixture.by());
    await expect(fixture.store.remove(digest.id, fixture.by())).rejects.toThrow('has been removed');
    const change = fixture.store.change(digest.id, { title: 'x' }, fixture.by());
    await expect(change).rejects.toThrow('has been removed');
    await expect(fixture.store.runNow(digest.id, fixture.clock.now)).rejects.toThrow('has been removed');
    const unsent = direct(store.database.db).selectFrom('outbox').selectAll().where('status', '<>', 'sent');
    expect(await unsent.execute()).toEqual([]);
    expect(await fixture.at('2026-11-25T08:00Z')).toMatchObject({ sent: 0, missed: 0 });
    expect(await fixture.store.restore(digest.id, fixture.by())).toMatchObject({
      number: digest.number,
      title: 'Evening',
      nextRunAt: new Date('2026-11-26T08:00Z'),
    });
    await expect(fixture.store.restore(digest.id, fixture.by())).rejects.toThrow('has been removed');
    expect(baseline).not.toBeNull();
    expect(await fixture.store.baseline(digest.id)).toEqual(baseline);
    expect(await fixture.at('2026-11-26T08:00Z')).toMatchObject({ sent: 1, missed: 0 });
  });

  it('are not compared, after they are restored, with a message that Slack never accepted', async () => {
    const digest = await fixture.add({ onlyNews: true });
    await fixture.at('2026-11-23T08:00Z', { 'nextport 9461477': nextPort('NLRTM', '2026-11-29T08:00Z') });
    await fixture.outbox.runDue(fixture.clock.now);
    fixture.lines.set('nextport 9461477', nextPort('BEANR', '2026-11-29T08:00Z'));
    expect(await fixture.at('2026-11-24T08:00Z')).toMatchObject({ sent: 1 });
    await fixture.store.remove(digest.id, fixture.by());
    await fixture.store.restore(digest.id, fixture.by());
    expect(await fixture.at('2026-11-25T08:00Z')).toMatchObject({ sent: 1, quiet: 0 });
  });

  it('keep to the limit of a channel, also when one is restored', async () => {
    const { id } = await fixture.add();
    await fixture.store.remove(id, fixture.by());
    for (let count = 0; count < 5; count += 1) await fixture.add();
    await expect(fixture.add()).rejects.toMatchObject({
      code: 'not-allowed',
      message: 'This channel already has 5 digests; at most 5 are allowed.',
      choices: [{ label: 'List the digests', line: 'digest list' }],
    });
    await expect(fixture.store.restore(id, fixture.by())).rejects.toMatchObject({ code: 'not-allowed' });
    expect(await fixture.store.list({})).toMatchObject({ total: 5 });
  });

  it('can be changed, which moves the next run', async () => {
    const digest = await fixture.add();
    const schedule = { days: { kind: 'month', dates: [1, 31] }, minutes: [360] } as const;
    const change = {
      schedule,
      zone: 'Australia/Lord_Howe',
      lines: ['usage'],
      title: 'Month',
      onlyNews: true,
    };
    const after = await fixture.store.change(digest.id, change, fixture.by());
    expect(after).toEqual({ ...digest, ...change, nextRunAt: new Date('2026-11-29T19:00Z') });
    expect(await fixture.store.find({ id: digest.id })).toEqual(after);
    expect(await fixture.store.change(digest.id, { title: 'Again' }, fixture.by())).toMatchObject({
      nextRunAt: after?.nextRunAt,
    });
    await expect(fixture.store.change('gone', { title: 'x' }, fixture.by())).rejects.toThrow(
      'has been removed',
    );
  });

  it('write each change to the audit log, with the values before and after', async () => {
    const digest = await fixture.add();
    const { id } = digest;
    await fixture.store.change(id, { title: 'Evening' }, fixture.by());
    await fixture.store.pause(id, { actorId: 'U2', now: fixture.clock.now });
    await fixture.store.pause(id, fixture.by()); // Paused already: nothing changes, nothing is written.
    await fixture.store.resume(id, fixture.by());
    await fixture.store.remove(id, fixture.by());
    await expect(fixture.store.remove(id, fixture.by())).rejects.toThrow('has been removed');
    const { changes } = await createAuditLog(storeOf(store.database.db, workspaceId)).list({}, { limit: 20 });
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
});
