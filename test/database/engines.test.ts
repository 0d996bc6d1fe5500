import fc from 'fast-check';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { backOff, claimDue, createLease, type DueTable, release } from '../../src/database/due.ts';
import { type Schema, type TableName, tableNames } from '../../src/database/schema.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { UserError } from '../../src/errors.ts';
import { forgetHistory, readHistory } from '../../src/features/history/history.ts';
import { readCallPlan } from '../../src/features/polling/call-plan.ts';
import { listWatches } from '../../src/features/polling/watch-list.ts';
import { chooseRules } from '../../src/features/rules/registry.ts';
import { createRowStates, createWaitsForNone } from '../../src/outbox/order.ts';
import { createOutbox, dueMessages } from '../../src/outbox/outbox.ts';
import { createKinds, type OutboxRow, PostError, pendingMessage } from '../../src/outbox/outgoing-message.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { createAuditLog, recordChanges } from '../../src/workspaces/audit.ts';
import { anyCharacter } from '../support/any-character.ts';
import { saveChannelSettings } from '../support/channel-settings.ts';
import { createDigestFixture } from '../support/digest-fixture.ts';
import { pausingOf } from '../support/pausing.ts';
import { direct } from '../support/statements/direct.ts';
import {
  databaseNow,
  openPostgres,
  openSqlite,
  passLeaseTime,
  seedWorkspace,
  type TestStore,
  workspaceId,
} from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { createFleets, createVesselNames } from '../support/vessel-stores.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';
import { createWatchSlack, outgoingOf } from '../support/watch-slack.ts';
import { hour } from '../support/watch-story.ts';

type World = Awaited<ReturnType<typeof createStoreWorld>>;

const pick = <const T extends readonly unknown[]>(values: T, n: number): T[number] =>
  values[n % values.length];
const imos = [9461477 as Imo, 9755933 as Imo, 9811000 as Imo] as const; // real vessels' numbers
const dueTables = ['subjects', 'digests', 'outbox'] as const;

/** An empty workspace with everything that writes to its store. In two worlds, the same actions make the same ids. */
async function createStoreWorld({ database }: TestStore) {
  const { db } = database;
  await db.deleteFrom('workspaces').execute();
  await seedWorkspace(database);
  const ids = { next: 0 };
  const watches = createWatchFixture(database, ids);
  const digests = createDigestFixture(database, ids);
  const slack = createWatchSlack();
  const { newId, followFleets } = watches;
  const realNow = () => watches.clock.realMs;
  const store = storeOf(db, workspaceId);
  const outgoing = outgoingOf(db, newId);
  const kinds = createKinds(outgoing);
  const poster = { store, poster: slack, realNow, newId, logger: createStoreLogger(), outgoing };
  return {
    ...{ database, store, watches, digests, slack, newId, kinds },
    now: () => hour(watches.clock.hours),
    realNow: () => new Date(realNow()),
    // One worker and one message at a time: the same order on both engines.
    poller: watches.openPoller({ workers: 1 }),
    outbox: createOutbox({ ctx: undefined, ...poster, concurrency: 1 }),
    rows: createRowStates({ ctx: undefined, store, kinds, realNow }),
    pausing: pausingOf(db, newId),
    names: createVesselNames({ store, newId, realNow, followFleets }),
    fleets: createFleets({ store, newId, followFleets }),
    claims: [] as { table: DueTable; leaseToken: string; row: Selectable<Schema[DueTable]> }[],
  };
}

/** The id of a row, or one that no row has. */
async function idAt({ database }: World, table: 'watches' | 'digests' | 'outbox', n: number) {
  // Any of these tables.
  const query = direct(database.db).selectFrom(table as 'watches');
  const rows = await query.select('id').orderBy('id').execute();
  return rows[n % Math.max(1, rows.length)]?.id ?? 'none';
}

const scopeOf = (n: number) =>
  pick(
    [
      {},
      { channelId: 'C1' },
      { ownerId: 'U1' },
      { anyOf: { ownerId: 'U2', channelIds: ['C2'] } },
      { anyOf: { ownerId: 'U1', channelIds: [] } },
    ],
    n,
  );
const pageOf = (n: number) => ({ limit: 1 + ((n >> 2) % 3), offset: n % 2 });
const about = (n: number) => ({
  ...{ channelId: `C${1 + (n % 2)}`, ownerId: `U${1 + (n % 3 === 0 ? 1 : 0)}` },
  destination: 'channel' as const,
});

/** What the bot does with its store; `n` chooses among the possible values, `text` is what people type. */
const actions: Record<string, (world: World, n: number, text: string) => Promise<unknown>> = {
  async 'time passes'({ watches, digests, now }, n) {
    const hours = pick([0.5, 6, 13, 24], n);
    watches.clock.hours += hours;
    watches.clock.realMs += hours * 3_600_000;
    digests.clock.now = now();
  },
  'leases pass': ({ database }, n) =>
    passLeaseTime(database, pick([30_000, 600_000, -600_000, -3_600_000], n)),
  async claim({ store, kinds, claims, newId, now, realNow }, n) {
    const table = pick(dueTables, n);
    const leaseToken = newId();
    const rows = await claimDue({
      ...{ store, table, leaseToken, limit: 1 + ((n >> 2) % 3), leaseMs: pick([30_000, 600_000], n >> 2) },
      ...(table === 'outbox'
        ? {
            now: realNow(),
            where: sql<SqlBool>`${dueMessages.where} and ${createWaitsForNone(kinds, store)}`,
          }
        : { now: now() }),
    });
    claims.push(...rows.map((row) => ({ table, leaseToken, row })));
    return rows.map(({ id, attempts }) => [id, attempts]);
  },
  async 'end a claim'({ claims, store, rows, now, realNow }, n) {
    const claim = claims[n % Math.max(1, claims.length)];
    if (!claim) return undefined;
    const { table, leaseToken } = claim;
    const claimed = { table, id: claim.row.id, leaseToken, attempts: n % 6 };
    if (n % 5 === 0) return await backOff(store, claimed);
    if (table !== 'outbox' || n % 5 === 1) return await release(store, { ...claimed, dueAt: now() });
    const row = claim.row as OutboxRow; // of its table
    if (n % 5 === 2) return [await rows.markSending(row, leaseToken)];
    if (n % 5 === 3) return await rows.markSent(row, { leaseToken, ts: `${n}.5`, now: now() });
    return n % 2
      ? await rows.postAgain(row, { leaseToken, kind: 'card' })
      : await rows.markRefused({ row, code: 'is_archived', now: now(), realNow: realNow() }, leaseToken);
  },
  'a lease of a name': ({ store }, n) =>
    createLease(store, { key: pick(['', '🚢'], n), token: pick(['a', 'b', 'b'], n) })[
      pick(['acquire', 'acquire', 'renew', 'release'], n)
    ](30_000),
  watch: ({ watches }, n, title) =>
    watches.store.create(
      {
        ...{ ...about(n), title, cardTs: '1.5', rules: chooseRules({}) },
        fleet: pick([null, 'NORTH', 'SOUTH'], n),
        portGroup: null,
        condition: n % 4 === 0 ? { port: 'NLRTM' as Locode, imos: [...imos] } : null,
        subjects: [
          { kind: 'vessel', imo: pick(imos, n) },
          ...(n % 2 ? [{ kind: 'shiplist' as const, name: 'FEEDERS é' }] : []),
          ...(n % 3 ? [{ kind: 'port' as const, port: 'NLRTM' as Locode }] : []),
        ],
      },
      watches.by(),
    ),
  'change a watch': async (world, n) =>
    world.watches.store.change(
      await idAt(world, 'watches', n),
      pick(
        [
          { ownerId: 'U2', snooze: { kind: 'until-next-port' } as const },
          { snooze: null },
          { rules: chooseRules({ etaMoved: { hours: 6, isScaled: false } }) },
          { rules: chooseRules({ untilNextPort: true }) },
        ],
        n,
      ),
      world.watches.by(),
    ),
  'act on a watch': async (world, n) =>
    world.watches.store[pick(['stop', 'refresh', 'resume'], n)](
      await idAt(world, 'watches', n),
      world.watches.by(),
    ),
  'change a fleet': ({ fleets, watches }, n) =>
    fleets[pick(['add', 'add', 'remove'], n)](
      { name: pick(['NORTH', 'SOUTH'], n), imos: n % 2 ? [...imos] : [pick(imos, n)] },
      watches.by(),
    ),
  'list watches': ({ store }, n) =>
    listWatches(
      store,
      { ...scopeOf(n), ...(n % 4 === 0 && { subject: { kind: 'vessel', imo: pick(imos, n) } }) },
      { ...pageOf(n), withLatest: n % 2 === 0 },
    ),
  poll({ watches, poller, now }, n) {
    const port = pick(['NLRTM', 'DEHAM', 'BEANR'], n);
    watches.vessels.set(pick(imos, n), { [port]: [0.9, n % 2 ? 5 : 300], GBFXT: [0.05, 300] });
    return poller.runDue(now());
  },
  'read history': async ({ store, now }, n) => [
    await readHistory(store, { subject: { kind: 'vessel', imo: pick(imos, n) }, from: hour(6), filter: {} }),
    // Each engine adds up in its own order.
    Math.round((await readCallPlan({ store, limit: undefined, now })).plannedCalls * 1e6),
  ],
  'forget history': ({ database }, n) => forgetHistory(database.db, hour(pick([1, 30], n))),
  async 'write a message'(world, n, text) {
    const row = pendingMessage({
      ...{ id: world.newId(), channelId: about(n).channelId, isInChannel: n % 2 === 0 },
      threadKey: n % 3 ? await idAt(world, n % 2 ? 'watches' : 'digests', n) : null,
      message: { kind: pick(['reply', 'card', 'notice', 'digest', 'of a later version'], n), ...{ text } },
      now: world.now(),
      dueAt: world.realNow(),
    });
    const goes_before = n % 4 ? null : await idAt(world, 'outbox', n);
    await world.store.insertInto('outbox', { ...row, goes_before }).execute();
  },
  async send({ slack, outbox, now }, n) {
    slack.onPost = () =>
      pick(
        [
          undefined,
          undefined,
          'cut',
          new Error('socket hang up'),
          new PostError({ code: 'is_archived', isPermanent: true }),
          new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs: 3_000 }),
        ],
        n,
      );
    return [await outbox.runDue(now()), slack.posted.map(({ id, ts }) => [id, ts]), slack.lookups];
  },
  'a channel is gone': ({ pausing, now, realNow }, n) =>
    pausing.markUnavailable({
      ...{ channelId: about(n).channelId, code: 'not_in_channel', now: now(), realNow: realNow() },
    }),
  'add a digest': ({ digests, watches }, n, title) =>
    digests.store.create(
      {
        ...{ ...about(n), title, lines: [title, 'usage'], zone: 'Europe/Berlin', onlyNews: n % 2 === 0 },
        ...(n % 5 === 0 && { id: 'given' }),
        schedule: pick(
          [
            { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [480] } as const,
            { days: { kind: 'month', dates: [31] }, minutes: [0, 720] } as const,
          ],
          n,
        ),
      },
      watches.by(),
    ),
  'change a digest': async (world, n, title) =>
    world.digests.store.change(
      await idAt(world, 'digests', n),
      pick([{ title }, { lines: [title] }, { onlyNews: true }], n),
      world.watches.by(),
    ),
  async 'act on a digest'(world, n) {
    const id = await idAt(world, 'digests', n);
    const how = pick(['runNow', 'pause', 'resume', 'remove', 'restore'], n);
    const { store } = world.digests;
    return how === 'runNow' ? store.runNow(id, world.now()) : store[how](id, world.watches.by());
  },
  'list digests': async ({ digests: { store } }, n) => [
    await store.list({ ...scopeOf(n), ...pageOf(n), isRemoved: n % 2 === 0 }),
    await store.lastNumber({ channelId: about(n).channelId }),
  ],
  'record a change': ({ store, newId }, n, subject) =>
    recordChanges(store, [
      {
        ...{ id: newId(), at: new Date(n * 1e11), actorId: about(n).ownerId, subject, action: 'test' },
        ...{ before: { subject, n: n / 3 }, ...(n % 2 && { channelId: about(n).channelId, after: subject }) },
      },
    ]),
  'list changes': ({ store }, n) =>
    createAuditLog(store).list(pick([{}, { channelId: 'C1' }, { actorId: 'U1' }], n), pageOf(n)),
  async 'name vessels'({ names, now }, n, name) {
    await names.save([{ imo: pick(imos, n), name }], { actorId: 'U1', now: now() });
    return await names.list();
  },
  'change settings': ({ database: { db }, newId, now }, n) =>
    saveChannelSettings(
      db,
      { workspaceId, channelId: about(n).channelId },
      {
        ...{ actorId: 'U1', now: now(), id: newId() },
        change: pick([{ mode: 'thread' }, { visibility: 'public' }, { mode: 'new-message' }], n),
      },
    ),
};

/** To refuse something, or to find it unreadable, is an answer; other errors fail the test. */
const answerOf = (act: Promise<unknown>) =>
  act.catch((error: unknown) => {
    if (error instanceof UserError || error instanceof z.ZodError) return error.message;
    throw error;
  });

/** Left out: the tables of other tests' accounts, whose contents depend on the engine's clock. */
const compared = tableNames.filter((table) => !['logins', 'used_install_states'].includes(table));

/** As far as they can be the same in two stores, which were not written at the same moment. */
async function contentsOf({ database }: World): Promise<Record<string, string[]>> {
  const now = await databaseNow(database);
  const minutesLeft = (until: unknown) =>
    until instanceof Date ? Math.max(0, Math.ceil((until.getTime() - now) / 60_000)) : null;
  const contents: [TableName, string[]][] = [];
  for (const table of compared) {
    // Any of the tables.
    const query = direct(database.db).selectFrom(table as 'outbox');
    const rows = await query.selectAll().execute();
    const sequences = rows.map(({ sequence }) => sequence).sort((a, b) => a - b);
    const texts = rows.map((row) =>
      JSON.stringify({
        ...row,
        ...('sequence' in row && { sequence: sequences.indexOf(row.sequence) }),
        ...('lease_until' in row && { lease_until: minutesLeft(row.lease_until) }),
      }),
    );
    contents.push([table, texts.sort()]);
  }
  return Object.fromEntries(contents);
}

let stores: TestStore[];
beforeAll(async () => {
  stores = [await openSqlite(), await openPostgres()];
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

/** PostgreSQL's text has no NUL; Slack sends none. */
const someText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }).filter((value) => !value.includes('\0')),
  fc.constantFrom('', 'null', '0', "O'Brien; --", '{"a":1}', '🚢', 'e\u0301', '\ud800', '\u2028', '%_\\'),
);
const action = fc.tuple(fc.constantFrom(...Object.keys(actions)), fc.nat(999), someText);

it('both engines answer the same to the same actions, and store the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { size: 'max', maxLength: 100 }), async (story) => {
      const worlds = await Promise.all(stores.map(createStoreWorld));
      for (const [name, n, text] of story) {
        const answers = worlds.map((world) => answerOf(actions[name]?.(world, n, text) ?? expect.fail()));
        const [sqlite, postgres] = await Promise.all(answers);
        expect(postgres, `${name} ${n}`).toEqual(sqlite);
      }
      const [sqlite, postgres] = await Promise.all(worlds.map(contentsOf));
      expect(postgres).toEqual(sqlite);
    }),
    { numRuns: 12 },
  );
});
