import { type KyselyPlugin, sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { NoAccountError, StoreUnavailable } from '../../../src/errors.ts';
import { watchMessage } from '../../../src/features/cards/messages.ts';
import { readHistory } from '../../../src/features/history/history.ts';
import type { PollAnalytics } from '../../../src/features/polling/poll.ts';
import { listWatches } from '../../../src/features/polling/watch-list.ts';
import { replay } from '../../../src/features/rules/evaluation/evaluate.ts';
import { chooseRules } from '../../../src/features/rules/registry.ts';
import { pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { addCalls, dayOf } from '../../../src/workspaces/call-counts.ts';
import { engines, passLeaseTime, workspaceId } from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { useWatches } from '../../support/use-watches.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { cypress, diana, exactRules, hour, type Ports, start, vessel } from '../../support/watch-story.ts';

describe.each(engines)('polling, $engine', ({ engine, open }) => {
  const { store, fixture, divert, outboxRows: outbox, setMode, workspace, db, watched } = useWatches(open);
  const messages = async () =>
    (await outbox()).flatMap(({ kind, payload, thread_key }) =>
      kind === 'reply' ? [{ thread_key, payload }] : [],
    );
  const subjects = () => db().selectFrom('subjects').selectAll().orderBy('key').execute();
  const cardUpdates = async () => (await outbox()).filter(({ kind }) => kind === 'card-update').length;

  /** Watches like this one, each in a channel of its own. */
  const addCopies = async (watchId: string, count: number) => {
    await sql`
      with recursive copy (number) as (select 1 union all select number + 1 from copy where number < ${count})
      insert into watches (id, workspace_id, channel_id, destination, owner_id, title, rules, status, created_at)
      select id || '-' || number, workspace_id, channel_id || number, destination, owner_id, title, rules, status, created_at
      from watches cross join copy where id = ${watchId}`.execute(db());
    await sql`
      insert into followings (workspace_id, watch_id, subject_id)
      select workspace_id, watches.id, (select subject_id from followings where watch_id = ${watchId})
      from watches where id <> ${watchId}`.execute(db());
  };

  it('logs polls that failed once, with a reason', async () => {
    const logger = createStoreLogger();
    fixture.poller = fixture.openPoller({ logger });
    fixture.failure = new Error('The service does not answer');
    await fixture.watch([vessel()]);
    await fixture.watch([vessel(diana)], { channelId: 'C2' });
    await fixture.at(0);
    expect(logger.lines.filter(({ level }) => level !== 'debug')).toEqual([
      {
        level: 'warn',
        fields: { answered: 0, failed: 2, lost: 0, replies: 0, reason: 'The service does not answer' },
        message: 'polls failed; they are tried again',
      },
    ]);
  });

  it('polls a subject once, however many watches follow it, and notifies each of them', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 100] });
    const first = await fixture.watch([vessel()]);
    const second = await fixture.watch([vessel(), vessel(diana)], { channelId: 'C2' });
    expect(await fixture.at(0)).toEqual({ answered: 2, failed: 0, lost: 0, replies: 0 });
    expect(fixture.calls.sort()).toEqual([`vessel ${cypress}`, `vessel ${diana}`]);
    const { replies } = await fixture.at(6, { [cypress]: { DEHAM: [0.9, 90] } });
    expect(replies).toBe(2);
    expect((await messages()).map(({ thread_key }) => thread_key).sort()).toEqual(
      [first.id, second.id].sort(),
    );
    expect((await messages())[0]?.payload).toMatchObject({
      kind: 'reply',
      place: 'broadcast',
      subjects: [{ kind: 'vessel', key: String(cypress) }],
      events: [{ kind: 'diverted', was: { port: 'NLRTM', at: hour(0).toISOString() } }],
    });
    expect(await fixture.at(6)).toMatchObject({ answered: 0 });
  });

  // SQLite takes fewer values in a statement.
  it.runIf(engine === 'sqlite')(
    'notifies more followers of a vessel than fit into one statement',
    async () => {
      fixture.vessels.set(cypress, { NLRTM: [0.9, 100] });
      const { id } = await fixture.watch([vessel()]);
      await addCopies(id, 1_600);
      expect(await fixture.at(0)).toMatchObject({ answered: 1, failed: 0 });
      fixture.vessels.set(cypress, { DEHAM: [0.9, 90] });
      expect(await fixture.at(6)).toMatchObject({ answered: 1, failed: 0, replies: 1_601 });
    },
  );

  it('polls a list with one request, and stores the history of its vessels', async () => {
    fixture.lists.set('FEEDERS', { [cypress]: { NLRTM: [0.9, 100] }, [diana]: { DEHAM: [0.9, 50] } });
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }]);
    await fixture.at(0);
    fixture.lists.set('FEEDERS', { [cypress]: { BEANR: [0.9, 100] }, [diana]: { NLRTM: [0.9, 50] } });
    expect(await fixture.at(7)).toMatchObject({ answered: 1, replies: 1 });
    expect(fixture.calls).toEqual(['list FEEDERS', 'list FEEDERS']);
    const kept = await readHistory(workspace(), {
      subject: { kind: 'vessel', imo: diana },
      from: hour(0),
      filter: {},
    });
    expect(kept.map(({ at, predictions }) => [at, predictions[0]?.port])).toEqual([
      [hour(0), 'DEHAM'],
      [hour(7), 'NLRTM'],
    ]);
    expect(replay(kept, exactRules).map(({ events }) => events.map(({ kind }) => kind))).toEqual([
      ['diverted'],
    ]);
  });

  it('returns the latest answer, of lists too, whatever was notified', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 300] });
    fixture.lists.set('FEEDERS', { [diana]: { DEHAM: [0.9, 300] } });
    await fixture.watch([vessel(), { kind: 'shiplist', name: 'FEEDERS' }]);
    await fixture.at(0);
    fixture.vessels.set(cypress, { BEANR: [0.1, 290], NLRTM: [0.8, 303] });
    fixture.lists.set('FEEDERS', { [diana]: { DEHAM: [0.7, 301] } });
    expect(await fixture.at(7)).toMatchObject({ answered: 2, replies: 0 });
    const page = { limit: 1, withLatest: true };
    const { watches } = await listWatches(workspace(), {}, page);
    const { followedSubjects } = watches[0] ?? { followedSubjects: [] };
    expect(followedSubjects.map(({ latest }) => latest)).toEqual([
      new Map([[diana, [{ port: 'DEHAM', probability: 0.7, eta: hour(301) }]]]),
      new Map([
        [
          cypress,
          [
            { port: 'NLRTM', probability: 0.8, eta: hour(303) },
            { port: 'BEANR', probability: 0.1, eta: hour(290) },
          ],
        ],
      ]),
    ]);
    await db().deleteFrom('history').execute();
    const forgotten = await listWatches(workspace(), {}, page);
    expect(forgotten.watches[0]?.followedSubjects.map(({ latest }) => latest)).toEqual([null, null]);
  });

  /** Polls; the number of replies, and of updates of the card. */
  const updated = async (hours: number, ports?: Ports) => {
    await db().deleteFrom('outbox').execute();
    const { replies } = await fixture.at(hours, ports && { [cypress]: ports });
    return [replies, await cardUpdates()];
  };

  it('updates a card when what it says of the time is no longer true', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 3.6] });
    const due = [{ port: 'NLRTM' as Locode, at: hour(2.6) }];
    await fixture.watch([vessel()], { rules: chooseRules({ due }, { only: true }) });
    await fixture.at(0);
    // 3 h, then 2 h to the ETA.
    expect(await updated(0.3)).toEqual([0, 0]);
    expect(await updated(0.7)).toEqual([0, 1]);
    expect(await updated(1.1)).toEqual([0, 0]);
    expect(await updated(1.7)).toEqual([0, 1]);
    // The due date is over, then the ETA has passed.
    expect(await updated(2.65)).toEqual([0, 1]);
    expect(await updated(3.2)).toEqual([0, 0]);
    expect(await updated(3.61)).toEqual([0, 1]);
  });

  it('updates a card when another port leads, or is nearly as likely, without an alert', async () => {
    const first = { NLRTM: [0.6, 20.95], DEHAM: [0.3, 22.95] } as const;
    await watched(first);
    expect(await updated(0.26, { ...first, DEHAM: [0.4, 22.95] })).toEqual([0, 0]);
    expect(await updated(0.52, { NLRTM: [0.5, 20.95], DEHAM: [0.48, 22.95] })).toEqual([0, 1]);
    expect(await updated(0.78, { NLRTM: [0.44, 20.95], DEHAM: [0.5, 22.95] })).toEqual([0, 1]);
  });

  it('updates a card twice a day even if nothing has changed', async () => {
    await watched({ NLRTM: [0.9, 310] });
    expect(await updated(7)).toEqual([0, 0]);
    expect(await updated(14)).toEqual([0, 1]);
  });

  /** The service answers when the test says so. */
  const holdAnswers = () => {
    const asked = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    fixture.gate = () => {
      asked.resolve();
      return answered;
    };
    return { asked: asked.promise, answer };
  };

  it('keeps its lease while the service takes longer than that', async () => {
    fixture.vessels.set(cypress, { NLRTM: 0.9 });
    await fixture.watch([vessel()]);
    const service = holdAnswers();
    const leaseUntil = async () => Number((await subjects())[0]?.lease_until);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const slow = fixture.at(1);
    await service.asked;
    for (let passed = 0; passed < 60_000; passed += 10_000) {
      await passLeaseTime(store.database, 10_000);
      const before = await leaseUntil();
      vi.advanceTimersByTime(10_000);
      await waitUntil('it is held longer', async () => (await leaseUntil()) > before);
      expect(await fixture.openPoller().runDue(hour(1))).toMatchObject({ answered: 0, lost: 0 });
    }
    vi.useRealTimers();
    service.answer();
    expect(await slow).toMatchObject({ answered: 1, lost: 0 });
    expect(fixture.calls).toEqual([`vessel ${cypress}`]);
  });

  it('leaves a request whose turn did not come for the next round, which is no failure', async () => {
    fixture.vessels.set(cypress, { NLRTM: 0.9 }).set(diana, { NLRTM: 0.9 });
    await fixture.watch([vessel(), vessel(diana)]);
    const vesselPredictions: PollAnalytics['vesselPredictions'] = (imo, options) =>
      imo === diana
        ? new Promise((_, reject) => {
            const { signal } = options ?? {};
            const end = () => reject(signal?.reason);
            if (signal?.aborted) end();
            else signal?.addEventListener('abort', end);
          })
        : fixture.analytics.vesselPredictions(imo, options);
    const analytics = { ...fixture.analytics, vesselPredictions };
    const poller = fixture.openPoller({ analytics, maxWaitMs: 10 });
    const [, before] = await subjects();
    expect(await poller.runDue(hour(0), () => false)).toMatchObject({ answered: 1, failed: 0, lost: 0 });
    const [polled, waiting] = await subjects();
    expect(polled).toMatchObject({ key: String(cypress), polled_at: hour(0) });
    expect(waiting).toEqual(before);
    expect(await fixture.at(0)).toMatchObject({ answered: 1 });
  });

  it('commits nothing if another process took its lease', async () => {
    fixture.vessels.set(cypress, { NLRTM: 0.9 });
    await fixture.watch([vessel()]);
    const service = holdAnswers();
    fixture.poller = fixture.openPoller({ workers: 1 });
    const slow = fixture.at(1);
    await service.asked;
    await passLeaseTime(store.database, 30_000);
    fixture.gate = async () => {};
    expect(await fixture.openPoller({ workers: 1 }).runDue(hour(1))).toMatchObject({ answered: 1, lost: 0 });
    service.answer();
    expect(await slow).toMatchObject({ answered: 0, lost: 1 });
    expect(await db().selectFrom('history').select('key').execute()).toHaveLength(1);
  });

  it('waits longer after each failure, notifies “stale” once, and notifies of changes after it', async () => {
    await watched({ NLRTM: [0.9, 20] });
    fixture.failure = new Error('down');
    let replies = 0;
    for (let minutes = 15; minutes <= 24 * 60; minutes += 30) {
      replies += (await fixture.at(minutes / 60)).replies;
    }
    expect(replies).toBe(1);
    expect((await messages())[0]?.payload).toMatchObject({
      events: [{ kind: 'stale', since: hour(0).toISOString() }],
    });
    expect(fixture.calls.length).toBeLessThan(60);
    const [row] = await subjects();
    expect(row?.failing_since).toEqual(hour(0.25));
    fixture.failure = undefined;
    fixture.vessels.set(cypress, { NLRTM: [0.9, 40] });
    expect(await fixture.at(25)).toMatchObject({ answered: 1, replies: 1 });
    expect((await subjects())[0]).toMatchObject({ failing_since: null, attempts: 0 });
  });

  it('blames the service for no time in which nobody asked: the workspace was paused, or no bot ran', async () => {
    await watched({ NLRTM: [0.9, 20] });
    fixture.failure = new Error('down');
    let replies = (await fixture.at(72)).replies;
    for (let minutes = 1; minutes < 45; minutes += 1)
      replies += (await fixture.at(72 + minutes / 60)).replies;
    expect(replies).toBe(0);
    for (let minutes = 45; minutes < 90; minutes += 1)
      replies += (await fixture.at(72 + minutes / 60)).replies;
    expect(replies).toBe(1);
    expect((await messages())[0]?.payload).toMatchObject({
      events: [{ kind: 'stale', since: hour(72).toISOString() }],
    });
  });

  describe('an answer that cannot be stored', () => {
    /** Answers about this vessel have no valid time, which the history demands. */
    let undated: Imo | undefined;
    beforeEach(() => {
      const { analytics } = fixture;
      const vesselPredictions: PollAnalytics['vesselPredictions'] = async (imo, options) => {
        const answer = await analytics.vesselPredictions(imo, options);
        return imo === undated ? { ...answer, fetchedAt: new Date(Number.NaN) } : answer;
      };
      fixture.poller = fixture.openPoller({ analytics: { ...analytics, vesselPredictions } });
      undated = undefined;
    });

    it('is a failed poll: the others go on, it is polled again after the back-off, and becomes stale', async () => {
      const { id } = await fixture.watch([vessel()]);
      await fixture.watch([vessel(diana)], { channelId: 'C2' });
      await fixture.at(0, { [cypress]: { NLRTM: [0.9, 20] }, [diana]: { NLRTM: [0.9, 20] } });
      fixture.vessels.set(diana, { DEHAM: [0.9, 20] });
      undated = cypress;
      expect(await fixture.at(0.25)).toEqual({ answered: 1, failed: 1, lost: 0, replies: 1 });
      const ofCypress = async () => (await subjects()).find(({ key }) => key === String(cypress));
      expect(await ofCypress()).toMatchObject({
        attempts: 1,
        due_at: hour(0.25 + 1 / 60),
        failing_since: hour(0.25),
        polled_at: hour(0),
        lease_token: null,
      });
      let replies = 0;
      for (let minutes = 16; minutes <= 90; minutes += 1) replies += (await fixture.at(minutes / 60)).replies;
      expect(fixture.calls.filter((call) => call === `vessel ${cypress}`).length).toBeLessThan(9);
      expect(replies).toBe(1);
      expect((await messages()).at(-1)).toMatchObject({
        thread_key: id,
        payload: { events: [{ kind: 'stale', since: hour(0).toISOString() }] },
      });
      fixture.vessels.set(cypress, { DEHAM: [0.9, 20] });
      undated = undefined;
      expect(await fixture.at(3)).toMatchObject({ failed: 0, replies: 1 });
      expect(await ofCypress()).toMatchObject({ attempts: 0, failing_since: null });
    });

    it('releases its subject with the back-off if not even its failure can be stored', async () => {
      await fixture.watch([vessel()]);
      const polled_at = hour(-30);
      await db().updateTable('subjects').set({ polled_at }).execute();
      fixture.failure = new Error('down');
      // The reply that says “stale” has the id of a message that stands in the outbox already.
      const about = { id: 'taken', channelId: 'C1', now: hour(0) };
      const taken = pendingMessage({ ...about, message: { kind: 'card' }, dueAt: hour(0) });
      await workspace().insertInto('outbox', taken).execute();
      let ids = 0;
      fixture.poller = fixture.openPoller({ newId: () => (ids++ === 0 ? 'lease' : 'taken'), workers: 1 });
      expect(await fixture.at(0)).toEqual({ answered: 0, failed: 1, lost: 0, replies: 0 });
      expect((await subjects())[0]).toMatchObject({ attempts: 1, due_at: hour(1 / 60), lease_token: null });
    });
  });

  it('claims no more subjects once its round is over, and polls them in the next one', async () => {
    await fixture.watch([vessel()]);
    await fixture.watch([vessel(diana)]);
    const poller = fixture.openPoller({ batch: 1, workers: 1 });
    expect(await poller.runDue(hour(0), () => false)).toMatchObject({ answered: 1 });
    expect(await poller.runDue(hour(0))).toMatchObject({ answered: 1 });
  });

  it('tries nothing else while the store is unavailable', async () => {
    await fixture.watch([vessel()]);
    let isAway = false;
    let tries = 0;
    const line: KyselyPlugin = {
      transformQuery({ node }) {
        if (!isAway) return node;
        tries += 1;
        throw new StoreUnavailable('the database does not answer');
      },
      transformResult: async ({ result }) => result,
    };
    fixture.gate = async () => {
      isAway = true;
    };
    fixture.poller = fixture.openPoller({
      store: storeOf(store.database.db.withPlugin(line), workspaceId),
      workers: 1,
    });
    await expect(fixture.at(0)).rejects.toThrow('does not answer');
    expect(tries).toBe(1);
  });

  describe('a watch that cannot be read', () => {
    it('is left out: the others that follow the same vessel are notified, and it is polled as before', async () => {
      const broken = await fixture.watch([vessel()]);
      const spoilt = await fixture.watch([vessel()], { channelId: 'C2' });
      const whole = await watched({ NLRTM: [0.9, 100] }, { channelId: 'C3' });
      const [rules, state] = ['{"etaMoved":"soon"}', '{"kind":"of a later version"}'];
      await db().updateTable('watches').set({ rules }).where('id', '=', broken.id).execute();
      await db().updateTable('followings').set({ state }).where('watch_id', '=', spoilt.id).execute();
      fixture.vessels.set(cypress, { DEHAM: [0.9, 90] });
      expect(await fixture.at(6)).toEqual({ answered: 1, failed: 0, lost: 0, replies: 1 });
      expect((await messages()).map(({ thread_key }) => thread_key)).toEqual([whole.id]);
      await fixture.store.stop(whole.id, fixture.by());
      expect(await fixture.at(12)).toMatchObject({ answered: 1, replies: 0 });
      expect((await subjects())[0]?.due_at.getTime()).toBeLessThan(hour(18).getTime());
    });
  });

  it('an answer that is not newer, as after a clock rollback, changes nothing', async () => {
    await fixture.watch([vessel()]);
    await fixture.at(5, { [cypress]: { NLRTM: [0.9, 100] } });
    fixture.vessels.set(cypress, { DEHAM: [0.9, 100] });
    await db().updateTable('subjects').set({ due_at: start }).execute();
    expect(await fixture.at(4)).toMatchObject({ answered: 1, replies: 0 });
    expect((await subjects())[0]?.polled_at).toEqual(hour(5));
    await db().updateTable('subjects').set({ due_at: start }).execute();
    expect(await fixture.at(6)).toMatchObject({ replies: 1 });
  });

  it('polls nothing without an account: the subjects stay due, and nothing counts as a failure', async () => {
    const imos = Array.from({ length: 7 }, (_, index) => (9_000_001 + index) as Imo);
    await fixture.watch(imos.map((imo) => vessel(imo)));
    let hasAccount = false;
    const poller = fixture.openPoller({ refreshAccount: async () => hasAccount, batch: 3 });
    const report = await poller.runDue(hour(0));
    expect(report).toEqual({ answered: 0, failed: 0, lost: 0, replies: 0 });
    expect(fixture.calls).toEqual([]);
    const due = { attempts: 0, failing_since: null, lease_token: null, due_at: hour(0) };
    expect(await subjects()).toMatchObject(imos.map(() => due));
    hasAccount = true;
    expect(await poller.runDue(hour(100))).toMatchObject({ answered: 7, replies: 0 });
  });

  it('leaves a subject due if its account is disconnected during the poll', async () => {
    await fixture.watch([vessel()]);
    fixture.failure = new NoAccountError({ installerId: undefined });
    expect(await fixture.at(0)).toMatchObject({ answered: 0, failed: 0 });
    expect(await subjects()).toMatchObject([{ attempts: 0, failing_since: null, due_at: hour(0) }]);
  });

  it('a clock rollback of an hour makes nothing wait that hour longer', async () => {
    await fixture.watch([vessel()]);
    await fixture.at(5, { [cypress]: { NLRTM: [0.9, 10] }, [diana]: { NLRTM: [0.9, 10] } });
    expect((await subjects())[0]?.due_at).toEqual(hour(5.25));
    await fixture.at(4);
    expect((await subjects())[0]?.due_at).toEqual(hour(4.25));
    // It stays so while the clock goes on.
    const calls = fixture.calls.length;
    await fixture.at(4.2);
    expect(fixture.calls).toHaveLength(calls);
    await fixture.at(4.25);
    expect(fixture.calls).toHaveLength(calls + 1);
    // The same holds after failures, and for a process that starts after the rollback.
    fixture.failure = Object.assign(new Error('429'), { retryAfterMs: 3_600_000 });
    await fixture.at(10);
    expect((await subjects())[0]?.due_at).toEqual(hour(11));
    fixture.poller = fixture.openPoller();
    await fixture.at(9);
    expect((await subjects())[0]?.due_at).toEqual(hour(10));
  });

  it('polls within the budget, or without one every 15 minutes near an ETA', async () => {
    await watched({ NLRTM: [0.9, 10] });
    expect((await subjects())[0]?.due_at).toEqual(hour(0.25));
    fixture.poller = fixture.openPoller({ dailyCalls: 24 });
    await fixture.at(0.25);
    expect((await subjects())[0]?.due_at).toEqual(hour(1.25));
    fixture.poller = fixture.openPoller({ fixedMinutes: 0.5 });
    await fixture.at(1.25);
    expect((await subjects())[0]?.due_at).toEqual(hour(1.25 + 0.5 / 60));
  });

  it('leaves digests what they used of the budget the day before, up to half of it', async () => {
    const countDigestCalls = (calls: number) =>
      addCalls(store.database.db, [
        { workspaceId, day: dayOf(hour(-24).getTime()), kind: 'digest', key: 'd1', channelId: null, calls },
      ]);
    await watched({ NLRTM: [0.9, 10] });
    await countDigestCalls(8);
    fixture.poller = fixture.openPoller({ dailyCalls: 24 });
    await fixture.at(0.25);
    expect((await subjects())[0]?.due_at).toEqual(hour(0.25 + 1.5));
    await countDigestCalls(1_000);
    await fixture.at(1.75);
    expect((await subjects())[0]?.due_at).toEqual(hour(1.75 + 2));
  });

  it('polls when a snooze ends, and clears it when there is news', async () => {
    const { id } = await watched({ NLRTM: [0.9, 500] });
    await fixture.store.change(id, { snooze: { kind: 'until', at: hour(1) } }, fixture.by());
    fixture.vessels.set(cypress, { DEHAM: [0.9, 500] });
    expect(await fixture.at(0.1)).toMatchObject({ answered: 1, replies: 0 });
    expect((await subjects())[0]?.due_at).toEqual(hour(1));
    expect(await fixture.find(id)).toMatchObject({ snooze: { kind: 'until' } });
    expect(await fixture.at(1)).toMatchObject({ replies: 1 });
    expect(await fixture.find(id)).toMatchObject({ snooze: null });
  });

  it('ends a watch “until next port” when its last vessel has changed its port', async () => {
    fixture.vessels.set(cypress, { NLRTM: 0.9 }).set(diana, { NLRTM: 0.9 });
    const rules = chooseRules({ untilNextPort: true });
    const { id } = await fixture.watch([vessel(), vessel(diana)], { rules });
    await fixture.at(0);
    await fixture.at(7, { [cypress]: { DEHAM: 0.9 } });
    expect((await fixture.find(id))?.status).toBe('active');
    await fixture.at(14, { [diana]: { DEHAM: 0.9 } });
    expect((await fixture.find(id))?.status).toBe('ended');
    expect(await fixture.at(21, { [diana]: { BEANR: 0.9 } })).toMatchObject({ replies: 0 });
  });

  it('posts replies by the mode of the channel, and queues one card update', async () => {
    await watched({ NLRTM: [0.9, 500] });
    const places: unknown[] = [];
    const modes = ['thread', 'broadcast-critical', 'new-message'] as const;
    for (const [index, mode] of modes.entries()) {
      await setMode(mode);
      await divert(7 * (index + 1), ['DEHAM', 'BEANR', 'GBFXT'][index] ?? '');
      places.push((await messages()).at(-1)?.payload);
    }
    expect(places).toMatchObject([{ place: 'thread' }, { place: 'broadcast' }, { place: 'channel' }]);
    expect(await cardUpdates()).toBe(1);
  });

  describe('a vessel in two watches of a channel', () => {
    const listed = (port: string) => ({ [cypress]: { [port]: [0.9, 500] } as const });
    const notified = async () =>
      (await messages()).map(({ thread_key, payload }) => {
        const message = watchMessage.parse(payload);
        return [thread_key, message.kind === 'reply' && message.place];
      });

    it('is shown there once, for the older watch, and notified in both threads', async () => {
      await fixture.at(0, { [cypress]: { NLRTM: [0.9, 500] } });
      const old = await fixture.watch([vessel()]);
      await fixture.at(1);
      const young = await fixture.watch([vessel(), vessel(diana)]);
      const elsewhere = await fixture.watch([vessel()], { channelId: 'C2' });
      await fixture.at(2);
      await fixture.at(9, { [cypress]: { DEHAM: [0.9, 500] } });
      expect((await notified()).sort()).toEqual(
        [
          [old.id, 'broadcast'],
          [young.id, 'thread'],
          [elsewhere.id, 'broadcast'],
        ].sort(),
      );
    });

    it('is shown once if the two are polled apart, and again when it changes again', async () => {
      fixture.vessels.set(cypress, { NLRTM: [0.9, 500] });
      fixture.lists.set('FEEDERS', listed('NLRTM'));
      const list = await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }]);
      await fixture.at(0);
      fixture.lists.set('FEEDERS', listed('DEHAM'));
      const alone = await fixture.watch([vessel()]);
      await fixture.at(3);
      await fixture.at(7);
      await fixture.at(10, { [cypress]: { DEHAM: [0.9, 500] } });
      expect(await notified()).toEqual([
        [list.id, 'broadcast'],
        [alone.id, 'thread'],
      ]);
      await fixture.at(17, { [cypress]: { BEANR: [0.9, 500] } });
      expect((await notified()).slice(2)).toEqual([[alone.id, 'broadcast']]);
    });

    it('is shown for each if their news differ', async () => {
      fixture.vessels.set(cypress, { NLRTM: [0.9, 500] });
      const due = [{ port: 'NLRTM' as Locode, at: hour(600) }];
      await fixture.watch([vessel()]);
      await fixture.watch([vessel()], { rules: chooseRules({ due }, { only: true }) });
      await fixture.at(0);
      await fixture.at(7, { [cypress]: { DEHAM: [0.9, 500] } });
      expect((await notified()).map(([, place]) => place)).toEqual(['broadcast', 'broadcast']);
    });
  });

  it('shows the news of a port once in a channel that also watches its group, and notifies both threads', async () => {
    await setMode('new-message');
    const at = (port: string) => ({ kind: 'port', port: port as Locode }) as const;
    const group = await fixture.watch([at('NLRTM'), at('BEANR')]);
    await fixture.at(0, { [cypress]: { NLRTM: [0.3, 100] } });
    const alone = await fixture.watch([at('NLRTM')]);
    await fixture.at(7);
    await fixture.at(14, { [cypress]: { NLRTM: [0.8, 100] } });
    await fixture.at(21);
    const shown = (await messages()).map(({ thread_key, payload }) => [
      thread_key,
      watchMessage.parse(payload),
    ]);
    expect(shown).toMatchObject([
      [group.id, { events: [{ kind: 'newly-expected', imo: cypress }], place: 'channel' }],
      [alone.id, { events: [{ kind: 'newly-expected', imo: cypress }], place: 'thread' }],
    ]);
  });

  it.each([
    ['NLRTM', 'NLRTM'],
    // A code without predictions, in the group that the other one leads.
    ['CNSGH', 'CNSHA'],
  ])('a watch of the port %s notifies of vessels newly expected at %s', async (port, predicted) => {
    await fixture.watch([{ kind: 'port', port: port as Locode }]);
    await fixture.at(0, { [cypress]: { [predicted]: [0.3, 100] } });
    await fixture.at(7, { [cypress]: { [predicted]: [0.8, 100] } });
    await fixture.at(14);
    expect((await messages())[0]?.payload).toMatchObject({
      events: [{ kind: 'newly-expected', imo: cypress }],
    });
  });

  it('goes on while people change the same watches', async () => {
    const imos = [cypress, diana, 9811000 as Imo, 9839430 as Imo];
    const watches = await Promise.all([1, 2, 3, 4].map(() => fixture.watch(imos.map((imo) => vessel(imo)))));
    await fixture.at(0);
    const another = await store.another();
    const second = createWatchFixture(another, { next: 500_000 });
    second.vessels = fixture.vessels;
    for (let round = 1; round <= 12; round += 1) {
      for (const imo of imos) fixture.vessels.set(imo, { [round % 2 ? 'NLRTM' : 'DEHAM']: [0.9, round] });
      second.clock.hours = 7 * round;
      second.clock.realMs = fixture.clock.realMs + 7 * 3_600_000;
      const changes = watches.map(({ id }, index) => {
        const snooze = index % 2 ? null : { kind: 'until' as const, at: hour(7 * round) };
        return round === 12 && index === 3
          ? fixture.store.stop(id, fixture.by())
          : fixture.store.change(id, { snooze }, fixture.by());
      });
      await Promise.all([fixture.at(7 * round), second.poller.runDue(hour(7 * round)), ...changes]);
    }
    expect((await listWatches(workspace(), {}, { limit: 10 })).total).toBe(3);
    expect(engine === 'sqlite' || (await messages()).length > 0).toBe(true);
  });
});
