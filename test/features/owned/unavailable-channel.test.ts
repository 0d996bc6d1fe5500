import { beforeEach, describe, expect, it } from 'vitest';
import { createDigestFixture, cypress, type DigestFixture } from '../../support/digest-fixture.ts';
import { pausingOf } from '../../support/pausing.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { createWatchFixture, type WatchFixture } from '../../support/watch-fixture.ts';
import { permanent } from '../../support/watch-slack.ts';
import { diana } from '../../support/watch-story.ts';

describe.each(engines)('an unavailable channel, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let watches: WatchFixture;
  let digests: DigestFixture;
  beforeEach(async () => {
    const ids = { next: 0 };
    watches = createWatchFixture(store.database, ids);
    digests = createDigestFixture(store.database, ids);
    for (const imo of [cypress, diana]) await watch(`watch of ${imo}`, [imo]);
    const bens = await watch("Ben's", [cypress]);
    await watches.store.change(bens, { ownerId: 'U2' }, watches.by());
    await watch('elsewhere', [cypress], 'C2');
    await digests.add({ title: 'Morning' });
    await digests.add({ title: 'To myself', channelId: 'U1', destination: 'direct-message' });
    await digests.outbox.runDue(digests.clock.now);
  });

  const watch = async (title: string, imos: (typeof cypress)[], channelId = 'C1') => {
    const subjects = imos.map((imo) => ({ kind: 'vessel', imo }) as const);
    return (await watches.watch(subjects, { title, channelId })).id;
  };
  const lost = (code = 'is_archived') => ({
    channelId: 'C1',
    code,
    now: digests.clock.now,
    realNow: new Date(digests.clock.realMs),
  });
  const notices = () =>
    digests.slack.posted
      .filter(({ message }) => message.kind.endsWith('notice'))
      .toSorted((one, other) => one.channelId.localeCompare(other.channelId));
  const paused = async () => {
    const rows = async (table: 'watches' | 'digests') =>
      direct(store.database.db)
        .selectFrom(table)
        .select('title')
        .where('status', '=', 'paused')
        .orderBy('title')
        .execute();
    return [...(await rows('watches')), ...(await rows('digests'))].map(({ title }) => title);
  };
  const all = [`watch of ${diana}`, `watch of ${cypress}`, "Ben's", 'Morning'].sort();

  it('pauses its watches and digests, and notifies each owner once, however many instances notice it', async () => {
    const other = (await store.another()).db;
    await Promise.all([
      pausingOf(store.database.db).markUnavailable(lost()),
      pausingOf(other).markUnavailable(lost()),
      pausingOf(other).markUnavailable(lost('not_in_channel')),
    ]);
    expect((await paused()).sort()).toEqual(all);
    await digests.outbox.runDue(digests.clock.now);
    expect(notices()).toMatchObject([
      {
        channelId: 'U1',
        message: {
          kind: 'channel-notice',
          channelId: 'C1',
          things: expect.arrayContaining([
            expect.objectContaining({ what: 'watch', title: `watch of ${cypress}` }),
            expect.objectContaining({ what: 'watch', title: `watch of ${diana}` }),
            expect.objectContaining({ what: 'digest', title: 'Morning' }),
          ]),
        },
      },
      { channelId: 'U2', message: { kind: 'notice', title: "Ben's" } },
    ]);
    const audited = await direct(store.database.db)
      .selectFrom('audit')
      .select(['action', 'actor_id'])
      .where('action', 'like', '%.pause')
      .execute();
    expect(audited).toHaveLength(4);
    expect(new Set(audited.map(({ actor_id }) => actor_id))).toEqual(new Set(['UBOT']));
  });

  it('pauses watches and digests that cannot be read, too', async () => {
    const { db } = store.database;
    const rules = '{"etaMoved":"soon"}';
    await direct(db).updateTable('watches').set({ rules }).where('title', '=', "Ben's").execute();
    await direct(db).updateTable('digests').set({ schedule: '{}' }).where('title', '=', 'Morning').execute();
    await pausingOf(db).markUnavailable(lost());
    expect((await paused()).sort()).toEqual(all);
    const waiting = direct(db).selectFrom('outbox').select('channel_id').where('kind', 'like', '%notice');
    const owners = (await waiting.orderBy('channel_id').execute()).map(({ channel_id }) => channel_id);
    expect(owners).toEqual(['U1', 'U2']);
  });

  it('is noticed by the first post that fails; the others are not tried', async () => {
    const tried: string[] = [];
    digests.slack.onPost = ({ channelId, message }) => {
      if (channelId !== 'C1') return undefined;
      tried.push(message.kind);
      return permanent('channel_not_found');
    };
    await digests.at('2026-11-23T08:00Z');
    await digests.outbox.runDue(digests.clock.now);
    expect((await paused()).sort()).toEqual(all);
    expect(tried).toEqual(['digest']);
    await pausingOf(store.database.db).markUnavailable(lost());
    await digests.outbox.runDue(digests.clock.now);
    expect(notices().map(({ channelId }) => channelId)).toEqual(['U1', 'U2']);
  });

  it('notifies nobody of a digest that was removed before its owner was notified', async () => {
    const { db } = store.database;
    await pausingOf(db).markUnavailable(lost());
    const { digests: known } = await digests.store.list({ channelId: 'C1' });
    for (const { id } of known) await digests.store.remove(id, { actorId: 'U1', now: digests.clock.now });
    await watch('one more', [cypress]);
    await pausingOf(db).markUnavailable(lost());
    await digests.outbox.runDue(digests.clock.now);
    expect(notices()).toMatchObject([
      {
        channelId: 'U1',
        message: { things: expect.arrayContaining([expect.objectContaining({ title: 'one more' })]) },
      },
      { channelId: 'U2' },
    ]);
    expect(JSON.stringify(notices()[0]?.message)).not.toContain('digest');
  });

  it('lets people resume a single watch', async () => {
    await pausingOf(store.database.db).markUnavailable(lost());
    await digests.outbox.runDue(digests.clock.now);
    const { db } = store.database;
    const { id } = await direct(db)
      .selectFrom('watches')
      .select('id')
      .where('title', '=', "Ben's")
      .executeTakeFirstOrThrow();
    await watches.store.resume(id, watches.by());
    expect(await paused()).not.toContain("Ben's");
    expect(await paused()).toHaveLength(3);
    // Unavailable again: only the owner who had resumed is notified.
    await pausingOf(db).markUnavailable(lost());
    await digests.outbox.runDue(digests.clock.now);
    expect(notices().map(({ channelId }) => channelId)).toEqual(['U1', 'U2', 'U2']);
  });
});
