import fc from 'fast-check';
import { backOff, createLease, release } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { recordChanges } from '../../src/workspaces/audit.ts';
import { channelModes, visibilities } from '../../src/workspaces/settings.ts';
import { saveChannelSettings } from './channel-settings.ts';
import { channelId, command, imos, index, optional, page, text, userId } from './store-command.ts';
import { passLeaseTime, workspaceId } from './store-engines.ts';
import { digestCommands, messageCommands } from './store-message-commands.ts';
import { watchCommands } from './store-watch-commands.ts';
import { dueTables } from './store-world.ts';

const anyDate = fc.date({ noInvalidDate: true });

const time = [
  command('time passes', fc.constantFrom(0.5, 6, 13, 24), async (world, hours) => world.pass(hours)),
  command('leases pass', fc.constantFrom(30_000, 600_000, -600_000, -3_600_000), ({ database }, ms) =>
    passLeaseTime(database, ms),
  ),
];

const claims = [
  command(
    'claim',
    fc.record({
      table: fc.constantFrom(...dueTables),
      limit: fc.integer({ min: 1, max: 3 }),
      leaseMs: fc.constantFrom(30_000, 600_000),
    }),
    (world, { table, ...options }) => world.claim(table, options),
  ),
  command(
    'end a claim',
    fc.record({
      at: fc.nat({ max: 20 }),
      attempts: index,
      how: fc.constantFrom('release', 'backOff', 'markSending', 'markSent', 'markRefused', 'postAgain'),
    }),
    async (world, { at, attempts, how }) => {
      const claim = world.claims[at % Math.max(1, world.claims.length)];
      if (!claim) return undefined;
      const { db } = world.database;
      const { leaseToken } = claim;
      const row = world.outboxRow(claim);
      const claimed = { table: claim.table, id: claim.row.id, leaseToken, attempts };
      if (how === 'backOff') return await backOff(storeOf(db, workspaceId), claimed);
      if (!row || how === 'release')
        return await release(storeOf(db, workspaceId), { ...claimed, dueAt: world.now() });
      if (how === 'markSending') return await world.rows.markSending(row, leaseToken);
      if (how === 'markSent')
        return await world.rows.markSent(row, { leaseToken, ts: `${at}.5`, now: world.now() });
      if (how === 'postAgain') return await world.rows.postAgain(row, { leaseToken, kind: 'card' });
      const realNow = new Date(world.realNow());
      return await world.rows.markRefused(
        { row, code: 'is_archived', now: world.now(), realNow },
        leaseToken,
      );
    },
  ),
  command(
    'lease of a name',
    fc.record({
      key: fc.constantFrom('', '🚢'),
      token: fc.constantFrom('a', 'b'),
      how: fc.constantFrom('acquire', 'acquire', 'renew', 'release'),
    }),
    async ({ database: { db } }, { how, ...name }) =>
      createLease(storeOf(db, workspaceId), { ...name })[how](30_000),
  ),
];

const others = [
  command(
    'record a change',
    fc.record({
      at: anyDate,
      actorId: userId,
      subject: text,
      channelId: optional(channelId),
      before: fc.jsonValue(),
      after: optional(fc.jsonValue()),
    }),
    ({ database: { db }, newId }, { channelId: channel, ...entry }) =>
      recordChanges(storeOf(db, workspaceId), [
        {
          ...entry,
          id: newId(),
          action: 'test',
          ...(channel !== undefined && { channelId: channel }),
        },
      ]),
  ),
  command(
    'list changes',
    fc.record({ filter: fc.record({ channelId, actorId: userId }, { requiredKeys: [] }), page }),
    ({ audit }, { filter: scope, page: options }) => audit.list(scope, options),
  ),
  command(
    'name vessels',
    fc.array(fc.record({ imo: fc.constantFrom(...imos), name: text }), { minLength: 1, maxLength: 4 }),
    async ({ names, now }, named) => {
      await names.save(named, { actorId: 'U1', now: now() });
      return await names.list();
    },
  ),
  command(
    'change settings',
    fc.record({
      channelId,
      change: fc.record(
        { mode: fc.constantFrom(...channelModes), visibility: fc.constantFrom(...visibilities) },
        { requiredKeys: [] },
      ),
    }),
    ({ database: { db }, newId, now }, { channelId: channel, change }) =>
      saveChannelSettings(
        db,
        { workspaceId, channelId: channel },
        { change, actorId: 'U1', now: now(), id: newId() },
      ),
  ),
];

/** What the bot does with its store, in any order. */
export const storeCommands = [
  ...time,
  ...claims,
  ...watchCommands,
  ...messageCommands,
  ...digestCommands,
  ...others,
];
