import type { KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../../src/database/workspace-store.ts';
import { UserError } from '../../../../src/errors.ts';
import { chooseRules } from '../../../../src/features/rules/registry.ts';
import type { Locode } from '../../../../src/reference/codes.ts';
import { direct } from '../../../support/statements/direct.ts';
import { engines, expireLeases, workspaceId } from '../../../support/store-engines.ts';
import { useWorkspace } from '../../../support/use-store.ts';
import { createFleets } from '../../../support/vessel-stores.ts';
import { createWatchFixture, type WatchFixture } from '../../../support/watch-fixture.ts';
import {
  ada,
  ben,
  createWatchServiceHarness,
  request,
  type WatchServiceHarness,
} from '../../../support/watch-service-harness.ts';
import { cypress, diana, vessel } from '../../../support/watch-story.ts';

describe.each(engines)('two requests for the same vessel at the same moment, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let fixture: WatchFixture;
  let one: WatchServiceHarness;
  let two: WatchServiceHarness;
  let ids: { next: number };
  beforeEach(async () => {
    const other = await store.another();
    ids = { next: 0 };
    fixture = createWatchFixture(store.database, ids);
    const wait = () => new Promise(setImmediate);
    one = createWatchServiceHarness(fixture, store.database, { wait });
    two = createWatchServiceHarness(createWatchFixture(other, ids), other, { wait });
    fixture.vessels.set(cypress, { NLRTM: [0.9, 300] });
  });

  const here = { ...ben, channelId: 'C1' };
  const cards = () => [...one.cards.posted, ...two.cards.posted].length - one.cards.removed.length;
  const watches = async () =>
    (await direct(store.database.db).selectFrom('watches').select('id').execute()).length;

  it('make one watch and one card; the second request finds them', async () => {
    const added = await Promise.all([one.service.add(request(), ada), two.service.add(request(), here)]);
    expect(added.map(({ kind }) => kind).sort()).toEqual(['added', 'same']);
    expect(await watches()).toBe(1);
    expect(cards()).toBe(1);
  });

  it('with other rules: the second request finds the watch of the first, and asks before it changes it', async () => {
    const rules = chooseRules({ etaMoved: { hours: 6, isScaled: false } });
    const added = await Promise.all([
      one.service.add(request(), ada),
      two.service.add(request({ rules }), here),
    ]);
    expect(added.map(({ kind }) => kind).sort()).toEqual(['added', 'question']);
    expect(await watches()).toBe(1);
    expect(cards()).toBe(1);
  });

  it('if one dies after posting its card, the other is refused, and succeeds once the turn has expired', async () => {
    const posted = Promise.withResolvers<void>();
    const woken = Promise.withResolvers<void>();
    const { post } = one.cards;
    one.cards.post = async (...card) => {
      const sent = await post(...card);
      posted.resolve();
      await woken.promise;
      return sent;
    };
    const dead = one.service.add(request(), ada);
    await Promise.race([posted.promise, dead]);
    const refused = await two.service.add(request(), here).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect(String(refused)).toContain('is being added to this channel just now');
    await expireLeases(store.database);
    const later = createWatchFixture(await store.another(), ids);
    const third = createWatchServiceHarness(later, await store.another());
    expect(await third.service.add(request(), here)).toMatchObject({ kind: 'added' });
    // It was only slow: its turn has expired, so its card is removed.
    woken.resolve();
    await expect(dead).rejects.toThrow('is being added to this channel just now');
    expect(one.cards.removed).toHaveLength(1);
    expect(await watches()).toBe(1);
  });

  it('a request waits without a deadline while Slack takes long to post cards', async () => {
    const posted = Promise.withResolvers<void>();
    const slack = Promise.withResolvers<void>();
    const { post } = one.cards;
    one.cards.post = async (...card) => {
      posted.resolve();
      await slack.promise;
      return await post(...card);
    };
    const first = one.service.add(request(), ada);
    await Promise.race([posted.promise, first]);
    let waited = 0;
    const wait = async () => {
      waited += 1;
      // Each wait takes a fifth of a second.
      if (waited === 100) slack.resolve();
      await new Promise(setImmediate);
    };
    const other = await store.another();
    const patient = createWatchServiceHarness(createWatchFixture(other, ids), other, { wait });
    let isPatient = false;
    const withDeadlinePaused = async <T>(waiting: Promise<T>): Promise<T> => {
      isPatient = true;
      return await waiting.finally(() => {
        isPatient = false;
      });
    };
    const { post: draw } = patient.cards;
    patient.cards.post = async (...card) => {
      expect(isPatient).toBe(false);
      return await draw(...card);
    };
    const second = patient.service.add(
      request({ title: 'MSC DIANA', subjects: [vessel(diana)] }),
      here,
      withDeadlinePaused,
    );
    expect((await Promise.all([first, second])).map(({ kind }) => kind)).toEqual(['added', 'added']);
    expect(waited).toBeGreaterThanOrEqual(100);
  });

  it('a fleet and its watches change together or not at all', async () => {
    let writesLeft = Number.POSITIVE_INFINITY;
    const broken = new Error('the connection broke');
    const line: KyselyPlugin = {
      transformQuery({ node }) {
        if (node.kind !== 'SelectQueryNode') writesLeft -= 1;
        if (writesLeft < 0) throw broken;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const fragile = { ...store.database, db: store.database.db.withPlugin(line) };
    const { newId, followFleets, by } = createWatchFixture(fragile, ids);
    const fleets = createFleets({ store: storeOf(fragile.db, workspaceId), newId, followFleets });
    const shown = async () => {
      const { watches } = await one.service.list('channel', ada, { limit: 2, offset: 0 });
      const stored = await createFleets({ store: storeOf(store.database.db, workspaceId), newId }).list();
      const followed = watches.map(({ condition, followedSubjects }) => ({
        condition,
        subjects: followedSubjects.map(({ subject }) => subject),
      }));
      return { stored, followed };
    };
    /** Breaks the connection before the first write, then before the second one, and so on, until `act` succeeds. */
    const despiteBreaks = async <T>(act: () => Promise<T>): Promise<T> => {
      const before = await shown();
      for (let writes = 0; writes < 50; writes += 1) {
        writesLeft = writes;
        try {
          const outcome = await act();
          expect(writes).toBeGreaterThan(4);
          return outcome;
        } catch (error) {
          if (error !== broken) throw error;
        }
        expect(await shown()).toEqual(before);
        await expireLeases(store.database);
      }
      throw new Error('it never succeeded');
    };
    const here = { fleet: 'NORTH', channelId: 'C1' };
    const condition = { port: 'NLRTM' as Locode, imos: [cypress] };
    const subjects = [{ kind: 'port', port: condition.port } as const];
    await fleets.add({ name: 'North', imos: [cypress] }, by());
    await one.service.add(request({ ...here, title: 'fleet North' }), ada);
    await one.service.add(request({ ...here, title: 'fleet North at NLRTM', condition, subjects }), ada);
    await despiteBreaks(() => fleets.add({ name: 'north', imos: [diana] }, by()));
    expect(await shown()).toEqual({
      stored: [{ name: 'North', imos: [cypress, diana] }],
      followed: [
        { condition: null, subjects: [vessel(), vessel(diana)] },
        { condition: { port: 'NLRTM', imos: [cypress, diana] }, subjects },
      ],
    });
    await despiteBreaks(() => fleets.remove({ name: 'north', imos: [cypress] }, by()));
    expect(await shown()).toMatchObject({
      followed: [{ subjects: [vessel(diana)] }, { condition: { port: 'NLRTM', imos: [diana] }, subjects }],
    });
  });

  it('requests in different channels do not wait for each other', async () => {
    const added = await Promise.all([
      one.service.add(request(), ada),
      two.service.add(request({ channelId: 'C2' }), ben),
    ]);
    expect(added.map(({ kind }) => kind)).toEqual(['added', 'added']);
    expect(await direct(store.database.db).selectFrom('leases').selectAll().execute()).toEqual([]);
  });
});
