import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/connect.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { budgetNotice, checkBudget } from '../../../src/features/polling/call-plan.ts';
import type { Person } from '../../../src/workspaces/permissions.ts';
import { limitOf } from '../../support/call-limit.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { useWatches } from '../../support/use-watches.ts';
import { diana, hour, vessel } from '../../support/watch-story.ts';

/** Polled once a minute. */
const callsOfVessel = 1_440;

describe.each(engines)('the budget alarm on $engine', ({ open }) => {
  const { store, fixture, outboxRows, db } = useWatches(open);
  let admins: readonly string[];
  let guest: string | undefined;
  beforeEach(async () => {
    admins = ['U1'];
    guest = undefined;
    await fixture.watch([vessel()]);
    await everyMinute();
  });
  const everyMinute = () => db().updateTable('subjects').set({ interval_minutes: 1 }).execute();

  /** `share`: percent of the budget that one vessel needs; undefined for no budget. */
  const alarm = (
    share: number | undefined,
    { database = store.database, newId = fixture.newId }: { database?: Database; newId?: () => string } = {},
  ) => ({
    check: (now: Date) => {
      const dailyCalls = share === undefined ? undefined : (100 * callsOfVessel) / share;
      const services = {
        store: storeOf(database.db, workspaceId),
        settings: { pollMinutes: undefined },
        limit: limitOf(dailyCalls),
        slack,
        realNow: () => 0,
        newId,
        logger: createStoreLogger(),
      };
      return checkBudget(now, { services });
    },
  });

  const slack = {
    asksOnly: async (name: string) => name === guest,
    personOf: async (name: string): Promise<Person> => {
      const isAdmin = admins.includes(name);
      const others = { isGuest: false, isOutside: false, isGone: name === 'U0GONE', isUnknown: false };
      return { name, zone: 'UTC', isAdmin, ...others };
    },
  };

  const notices = async () => {
    const rows = (await outboxRows()).filter(({ kind }) => kind === 'budget-notice');
    return rows.map(({ channel_id: to, payload }) => ({ to, ...budgetNotice.parse(payload) }));
  };
  /** Who was notified, and of what percentage. */
  const sent = async () =>
    (await notices()).map(
      ({ to, plannedCalls, dailyCalls }) => `${to} ${Math.round((100 * plannedCalls) / dailyCalls)}`,
    );

  it('notifies each admin who uses Landfall once at 80% and once at 100%, however often it is checked', async () => {
    admins = ['U1', 'U2', 'U3', 'U0GONE'];
    const change = { workspace_id: workspaceId, at: hour(0), action: 'fleet.add', subject: 'A' };
    for (const actor_id of ['U2', 'U0GONE'])
      await db()
        .insertInto('audit')
        .values({ ...change, id: actor_id, actor_id, channel_id: null, before: null, after: null })
        .execute();
    const story = [79, 81, 90, 76, 85, 101, 200, 95, 110];
    for (const [hours, share] of story.entries())
      for (let round = 0; round < 2; round += 1) await alarm(share).check(hour(hours));
    expect(await sent()).toEqual(['U1 81', 'U2 81', 'U1 101', 'U2 101']);
  });

  it('reports a level again only after the need has fallen 10 points below it, and at most once a day', async () => {
    const story = [
      [0, 85],
      [1, 69],
      [2, 84],
      [23, 69],
      [26, 83],
      [50, 75],
      [51, 82],
    ] as const;
    for (const [hours, share] of story) await alarm(share).check(hour(hours));
    expect(await sent()).toEqual(['U1 85', 'U1 83']);
  });

  it('is sent once by several instances that check at the same moment', async () => {
    // SQLite has one bot.
    const other = await store.another().catch(() => store.database);
    for (const [hours, share] of [90, 150].entries())
      await Promise.all(
        [store.database, other, other].map((database) => alarm(share, { database }).check(hour(hours))),
      );
    expect(await sent()).toEqual(['U1 90', 'U1 150']);
  });

  it('commits the level and its messages together', async () => {
    const newId = () => {
      throw new Error('the process dies');
    };
    await expect(alarm(90, { newId }).check(hour(0))).rejects.toThrow('the process dies');
    expect(await sent()).toEqual([]);
    await alarm(90).check(hour(1));
    expect(await sent()).toEqual(['U1 90']);
  });

  it('names the watches that need the most, but nothing of a personal one', async () => {
    const personal = { channelId: 'D1', destination: 'direct-message' } as const;
    await fixture.watch([vessel(diana)], { title: 'MSC DIANA', ...personal });
    await everyMinute();
    await alarm(60).check(hour(0));
    const [notice] = await notices();
    expect(notice?.users).toHaveLength(2);
    expect(notice?.users).toContainEqual({ title: 'DS CYPRESS', channelId: 'C1', calls: callsOfVessel });
    expect(notice?.users).toContainEqual({ calls: callsOfVessel });
  });

  it('goes to the owners of watches if no admin uses Landfall, without the watches: they may not be in their channels', async () => {
    admins = [];
    await fixture.watch([vessel(diana)], { title: 'MSC DIANA', channelId: 'C0SECRET' });
    await everyMinute();
    await alarm(60).check(hour(0));
    const [notice] = await notices();
    expect(notice).toMatchObject({ to: 'U1', plannedCalls: 2 * callsOfVessel });
    expect(JSON.stringify(notice)).not.toMatch(/DS CYPRESS|MSC DIANA|C0SECRET/);
  });

  it('is silent without a budget, and says nothing to guests, who see no costs', async () => {
    await alarm(undefined).check(hour(0));
    admins = [];
    guest = 'U1';
    await alarm(100).check(hour(0));
    expect(await notices()).toEqual([]);
  });
});
