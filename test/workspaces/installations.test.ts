import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox, renewSeals } from '../../src/database/secrets.ts';
import type { Installations } from '../../src/workspaces/installations.ts';
import { takeInstallState } from '../../src/workspaces/save-installation.ts';
import { finishUninstalls } from '../../src/workspaces/workspaces.ts';
import { countRows, fillEveryTable, tablesOfWorkspaces } from '../support/every-table.ts';
import { failAfter } from '../support/fail-after.ts';
import {
  createFakeOAuth,
  type FakeOAuth,
  granted,
  hourMs,
  key as oldKey,
  openInstallations,
  orgWide,
  start,
} from '../support/installation.ts';
import { engines } from '../support/store-engines.ts';
import { useEmptyStore } from '../support/use-store.ts';

const newKey = randomBytes(32);
const second = 1_000;
const at = (ms: number) => new Date(start + ms);
const here = { teamId: 'T1', isEnterpriseInstall: false };
const inOrg = (teamId: string) => ({ teamId, enterpriseId: 'E1', isEnterpriseInstall: true });
const nothing = Object.fromEntries(tablesOfWorkspaces.map((table) => [table, 0]));

describe.each(engines)('installations, $engine', ({ open }) => {
  const store = useEmptyStore(open);
  let oauth: FakeOAuth;
  let clock: { now: number };
  let installations: Installations;
  beforeEach(async () => {
    oauth = createFakeOAuth();
    clock = { now: start };
    installations = openInstallations(store.database, { oauth, clock });
  });

  const rowIds = async () =>
    (await store.database.db.selectFrom('workspaces').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );
  const pass = (ms = second) => {
    clock.now += ms;
  };
  const uninstalled = (ms: number) =>
    ({ kind: 'uninstalled', teamId: 'T1', enterpriseId: undefined, isOrgWide: false, at: at(ms) }) as const;
  const revoked = (ms: number) => ({ ...uninstalled(ms), kind: 'revoked' }) as const;
  const orgUninstalled = (ms: number) =>
    ({ kind: 'uninstalled', teamId: undefined, enterpriseId: 'E1', isOrgWide: true, at: at(ms) }) as const;

  describe('of a workspace', () => {
    it('is found by its team, and its token can be read', async () => {
      expect(await installations.find(here)).toBeUndefined();
      pass(2 * second);
      expect(await installations.save(granted())).toEqual({ installationId: 'T1', scopesBefore: undefined });
      const found = {
        teamId: 'T1',
        teamName: 'Harbour & Co',
        enterpriseId: undefined,
        installationId: 'T1',
        isOrgWide: false,
        botUserId: 'U0BOT',
        botId: 'B0BOT',
        isPaused: false,
        addedAt: new Date(clock.now),
        isRevoked: false,
      };
      expect(await installations.find(here)).toEqual(found);
      expect(await installations.get('T1')).toEqual(found);
      expect(await installations.botToken('T1')).toBe('xoxb-first');
      expect(await installations.find({ teamId: 'T2', isEnterpriseInstall: false })).toBeUndefined();
      expect(await installations.find({ isEnterpriseInstall: false })).toBeUndefined();
    });

    it('installed again with more scopes has the new token, in other processes within a second', async () => {
      const other = openInstallations(await store.another(), { oauth, clock });
      await installations.save(granted());
      expect(await other.botToken('T1')).toBe('xoxb-first');
      const more = granted({
        token: 'xoxb-more',
        scopes: ['commands', 'files:read'],
        installedAt: at(second),
      });
      expect((await installations.save(more)).scopesBefore).toEqual(['chat:write', 'commands']);
      expect(await installations.botToken('T1')).toBe('xoxb-more');
      pass(second + 1);
      expect(await other.botToken('T1')).toBe('xoxb-more');
    });

    it('the newest of two installs counts, whichever is saved first', async () => {
      await installations.save(granted({ token: 'xoxb-new', installedAt: at(5 * second) }));
      await installations.save(granted({ token: 'xoxb-old', installedAt: at(second) }));
      expect(await installations.botToken('T1')).toBe('xoxb-new');
    });

    it('goes on with the data of a workspace whose token was in the settings', async () => {
      const workspace = { id: 'T1', name: 'Harbour', created_at: at(-hourMs), guests: 'full' };
      await store.database.db.insertInto('workspaces').values(workspace).execute();
      expect(await installations.get('T1')).toBeUndefined();
      await installations.save(granted());
      const row = await store.database.db.selectFrom('workspaces').selectAll().executeTakeFirst();
      expect(row).toMatchObject({ guests: 'full', created_at: at(-hourMs), installation_id: 'T1' });
    });

    it('holds its tokens sealed, and can be read after a change of the key, once they are sealed again', async () => {
      await installations.save(granted({ refreshToken: 'xoxe-secret' }));
      const { db } = store.database;
      const rows = JSON.stringify(await db.selectFrom('installations').selectAll().execute());
      expect(rows).not.toMatch(/xox|secret/);
      expect(await renewSeals(db, createSecretBox([newKey, oldKey]))).toBe(1);
      const box = createSecretBox([newKey]);
      expect(await openInstallations({ db }, { oauth, clock, box }).botToken('T1')).toBe('xoxb-first');
    });
  });

  it('have a state that is used once, however many requests come at once, and forgotten when it has long expired', async () => {
    const { db } = await store.another();
    const dbs = Array.from({ length: 10 }, (_, index) => (index % 2 ? db : store.database.db));
    const used = await Promise.all(dbs.map((one) => takeInstallState(one, 'state', at(0))));
    expect(used.filter(Boolean)).toHaveLength(1);
    const minute = 60 * second;
    expect(await takeInstallState(db, 'state', at(11 * minute))).toBe(false);
    expect(await takeInstallState(db, 'another state', at(61 * minute))).toBe(true);
    expect(await db.selectFrom('used_install_states').select('expires_at').execute()).toEqual([
      { expires_at: at(121 * minute) },
    ]);
  });

  describe('of an organisation', () => {
    it('makes the row of each workspace at its first delivery, once', async () => {
      await installations.save(orgWide());
      expect(await installations.get('T7')).toBeUndefined();
      const found = await Promise.all([1, 2, 3].map(() => installations.find(inOrg('T7'))));
      for (const one of found)
        expect(one).toMatchObject({
          teamId: 'T7',
          installationId: 'E1',
          isOrgWide: true,
          enterpriseId: 'E1',
        });
      await installations.find(inOrg('T8'));
      expect(await installations.get('T8')).toMatchObject({ teamId: 'T8', installationId: 'E1' });
      expect(await installations.botToken('E1')).toBe('xoxb-org');
    });

    it('does not serve another organisation, or a workspace that is not delivered through it', async () => {
      await installations.save(orgWide());
      const foreign = { teamId: 'T7', enterpriseId: 'E2', isEnterpriseInstall: true };
      expect(await installations.find(foreign)).toBeUndefined();
      expect(
        await installations.find({ teamId: 'T7', enterpriseId: 'E1', isEnterpriseInstall: false }),
      ).toBeUndefined();
    });

    it('adds only workspaces that Slack lists, and is asked once a minute, however many others there are', async () => {
      await installations.save(orgWide());
      oauth.listings = 0;
      for (const teamId of ['T2', 'T3', 'T4', 'T2'])
        expect(await installations.find(inOrg(teamId))).toBeUndefined();
      expect(await installations.find(inOrg('T7'))).toBeDefined();
      expect(await rowIds()).toEqual(['T7']);
      // Once more after it was added, as Slack may have taken it away meanwhile.
      expect(oauth.listings).toBe(2);
      oauth.teams.add('T2');
      pass(59 * second);
      expect(await installations.find(inOrg('T2'))).toBeUndefined();
      pass(2 * second);
      expect(await installations.find(inOrg('T2'))).toMatchObject({ teamId: 'T2' });
      expect(oauth.listings).toBe(4);
    });

    it('does not install while Slack does not say, adds nothing, and asks again soon, but not for each delivery', async () => {
      const fault = () => Promise.reject(new Error('Slack is down'));
      oauth.listingFault = fault;
      await expect(installations.save(orgWide())).rejects.toThrow('Slack is down');
      await expect(installations.botToken('E1')).rejects.toThrow('no valid token');
      oauth.listingFault = undefined;
      await installations.save(orgWide());
      oauth.listings = 0;
      oauth.listingFault = fault;
      for (const teamId of ['T7', 'T8', 'T2'])
        await expect(installations.find(inOrg(teamId))).rejects.toThrow('Slack is down');
      expect(oauth.listings).toBe(1);
      expect(await rowIds()).toEqual([]);
      oauth.listingFault = undefined;
      pass(6 * second);
      expect(await installations.find(inOrg('T7'))).toBeDefined();
    });

    it('never takes a workspace that has an installation, or is of another organisation', async () => {
      await installations.save(granted());
      await installations.save(granted({ teamId: 'T8', enterpriseId: 'E2', token: 'xoxb-other' }));
      await store.database.db
        .insertInto('workspaces')
        .values({ id: 'T7', name: 'Other', created_at: at(0), enterprise_id: 'E2' })
        .execute();
      await installations.save(orgWide());
      // Slack lists all three.
      for (const teamId of ['T1', 'T8', 'T7'])
        expect(await installations.find(inOrg(teamId))).toBeUndefined();
      expect((await installations.get('T1'))?.installationId).toBe('T1');
      expect((await installations.get('T8'))?.installationId).toBe('T8');
      expect(await installations.get('T7')).toBeUndefined();
      await installations.endOlderThan(orgUninstalled(hourMs));
      expect(await rowIds()).toEqual(['T1', 'T7', 'T8']);
    });

    it('adopts a workspace whose token was in the settings', async () => {
      const workspace = { id: 'T7', name: 'Harbour', created_at: at(-hourMs), guests: 'full' };
      await store.database.db.insertInto('workspaces').values(workspace).execute();
      await installations.save(orgWide());
      expect(await installations.find(inOrg('T7'))).toMatchObject({ installationId: 'E1' });
    });

    it('takes over only those of its workspaces that Slack lists', async () => {
      await installations.save(granted({ enterpriseId: 'E1' }));
      await installations.save(granted({ teamId: 'T2', enterpriseId: 'E1', token: 'xoxb-own' }));
      await installations.save(orgWide({ installedAt: at(second) }));
      expect((await installations.get('T1'))?.installationId).toBe('E1');
      expect((await installations.get('T2'))?.installationId).toBe('T2');
      expect(await installations.botToken('T2')).toBe('xoxb-own');
      const rows = await store.database.db.selectFrom('installations').select('id').orderBy('id').execute();
      expect(rows.map(({ id }) => id)).toEqual(['E1', 'T2']);
      oauth.teams.add('T2');
      expect(await installations.endUnlisted('E1')).toEqual({ outcome: 'ignored' });
      expect((await installations.get('T2'))?.installationId).toBe('E1');
    });

    it.each([
      'the organisation ends',
      'it lists its workspaces',
    ])('gives a workspace back that an earlier version moved, when %s', async (when) => {
      await installations.save(granted({ teamId: 'T2', token: 'xoxb-own' }));
      await installations.save(orgWide());
      const moved = { installation_id: 'E1', enterprise_id: 'E1' };
      await store.database.db.updateTable('workspaces').set(moved).where('id', '=', 'T2').execute();
      await installations.find(inOrg('T7'));
      if (when === 'the organisation ends') await installations.endOlderThan(orgUninstalled(hourMs));
      else await installations.endUnlisted('E1');
      pass(2 * second);
      const own = { installationId: 'T2', enterpriseId: undefined, isOrgWide: false };
      expect(await installations.get('T2')).toMatchObject(own);
      expect(await installations.botToken('T2')).toBe('xoxb-own');
    });

    it('added by two processes at once, is there once', async () => {
      const other = openInstallations(await store.another(), { oauth, clock });
      await installations.save(orgWide());
      const found = await Promise.all(
        [installations, other, installations, other].map(({ find }) => find(inOrg('T7'))),
      );
      for (const one of found) expect(one).toMatchObject({ teamId: 'T7', installationId: 'E1' });
      expect(await rowIds()).toEqual(['T7']);
    });

    it('loses a workspace, and its data, when Slack takes it away, and no other', async () => {
      await installations.save(orgWide());
      for (const teamId of ['T7', 'T8']) await installations.find(inOrg(teamId));
      await installations.save(granted({ teamId: 'T2', token: 'xoxb-own' }));
      const { db } = store.database;
      const before = await countRows(db, 'T8');
      oauth.teams.delete('T7');
      expect(await installations.endUnlisted('E1')).toEqual({ outcome: 'ended', workspaceIds: ['T7'] });
      expect(await countRows(db, 'T7')).toEqual(nothing);
      expect(await countRows(db, 'T8')).toEqual(before);
      expect(await installations.find(inOrg('T7'))).toBeUndefined();
      expect(await installations.endUnlisted('E1')).toEqual({ outcome: 'ignored' });
      oauth.teams.add('T7');
      await installations.endUnlisted('E1');
      expect(await installations.find(inOrg('T7'))).toBeDefined();
      expect(await rowIds()).toEqual(['T2', 'T7', 'T8']);
    });

    it('loses no workspace while Slack does not say', async () => {
      await installations.save(orgWide());
      await installations.find(inOrg('T7'));
      oauth.teams.clear();
      oauth.listingFault = () => Promise.reject(new Error('Slack is down'));
      expect(await installations.endUnlisted('E1')).toEqual({ outcome: 'ignored' });
      // Nor does it to an empty list that no event announced.
      oauth.listingFault = undefined;
      oauth.accepted.add('xoxb-org');
      await installations.endRevoked();
      expect(await rowIds()).toEqual(['T7']);
      await installations.endUnlisted('E1');
      expect(await rowIds()).toEqual([]);
    });

    it('loses it too if the event was lost, when Slack is asked about its installations', async () => {
      await installations.save(orgWide());
      for (const teamId of ['T7', 'T8']) await installations.find(inOrg(teamId));
      oauth.accepted.add('xoxb-org');
      oauth.teams.delete('T7');
      await installations.endRevoked();
      expect(await rowIds()).toEqual(['T8']);
    });

    it('that ends or loses a workspace while that is added, keeps no row of it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 6 }), fc.boolean(), async (delay, isWhole) => {
          const { db } = store.database;
          oauth.teams.add('T7');
          pass(hourMs);
          await installations.save(orgWide({ installedAt: new Date(clock.now) }));
          const adding = installations.find(inOrg('T7'));
          for (let turn = 0; turn < delay; turn += 1) await setImmediate();
          oauth.teams.delete('T7');
          if (isWhole) await installations.endOlderThan(orgUninstalled(clock.now - start + hourMs));
          else await installations.endUnlisted('E1');
          await adding;
          expect(await countRows(db, 'T7')).toEqual(nothing);
        }),
        { numRuns: 20 },
      );
    });

    it('ends with all its workspaces; the uninstall of one that it took over ends nothing', async () => {
      await installations.save(granted({ enterpriseId: 'E1' }));
      await installations.save(orgWide({ installedAt: at(second) }));
      oauth.accepted.add('xoxb-org');
      await installations.find(inOrg('T7'));
      const ofTeam = { ...uninstalled(2 * second), enterpriseId: 'E1' };
      expect(await installations.endOlderThan(ofTeam)).toEqual({ outcome: 'ignored' });
      oauth.accepted.clear();
      expect(await installations.endOlderThan(orgUninstalled(3 * second))).toEqual({
        outcome: 'ended',
        workspaceIds: expect.arrayContaining(['T1', 'T7']),
      });
      for (const id of ['T1', 'T7']) expect(await installations.get(id)).toBeUndefined();
      expect(await countRows(store.database.db, 'T7')).toEqual(nothing);
      pass(2 * second);
      expect(await installations.find(inOrg('T7'))).toBeUndefined();
    });

    it.each([
      true,
      false,
    ])('goes on while Slack accepts its token, and ends once it is refused, if Slack names one of its workspaces (%s)', async (isOrgWide) => {
      await installations.save(orgWide());
      await installations.find(inOrg('T7'));
      oauth.accepted.add('xoxb-org');
      const ofTeam = { ...orgUninstalled(hourMs), teamId: 'T7', isOrgWide };
      expect(await installations.endOlderThan(ofTeam)).toEqual({ outcome: 'ignored' });
      oauth.accepted.clear();
      expect(await installations.endOlderThan(ofTeam)).toEqual({ outcome: 'ended', workspaceIds: ['T7'] });
    });

    it('goes on with all its workspaces while Slack does not say whether it accepts its token', async () => {
      await installations.save(orgWide());
      await installations.find(inOrg('T7'));
      oauth.accepts = async () => undefined;
      const ended = orgUninstalled(hourMs);
      for (const event of [ended, { ...ended, kind: 'revoked' } as const])
        expect(await installations.endOlderThan(event)).toEqual({ outcome: 'ignored' });
      expect(await installations.find(inOrg('T7'))).toMatchObject({ isRevoked: false });
    });
  });

  describe('that ends', () => {
    it('ends soon after the install if Slack refuses its token, or says nothing', async () => {
      await installations.save(granted());
      oauth.accepts = async () => undefined;
      expect((await installations.endOlderThan(uninstalled(-second))).outcome).toBe('ignored');
      expect((await installations.endOlderThan(uninstalled(second))).outcome).toBe('ended');
    });

    it('revoked, does nothing and keeps its data until it is installed again', async () => {
      await installations.save(granted());
      await store.database.db.updateTable('workspaces').set({ guests: 'full' }).execute();
      await installations.find(here);
      await installations.endOlderThan(revoked(hourMs));
      expect(await installations.find(here)).toMatchObject({ isRevoked: true });
      await expect(installations.botToken('T1')).rejects.toThrow('no valid token');
      await installations.save(granted({ token: 'xoxb-again', installedAt: at(2 * hourMs) }));
      expect(await installations.find(here)).toMatchObject({ isRevoked: false });
      expect(await installations.botToken('T1')).toBe('xoxb-again');
      expect(await store.database.db.selectFrom('workspaces').select('guests').execute()).toEqual([
        { guests: 'full' },
      ]);
    });

    it('revoked, is deleted after 30 days, and not before', async () => {
      await installations.save(granted());
      await installations.endOlderThan(revoked(hourMs));
      clock.now = start + hourMs + 30 * 24 * hourMs;
      await installations.endRevoked();
      expect((await installations.get('T1'))?.isRevoked).toBe(true);
      pass();
      await installations.endRevoked();
      expect(await countRows(store.database.db, 'T1')).toEqual(nothing);
    });

    it('counts as revoked once Slack refuses its token, as the event may have been lost', async () => {
      await installations.save(granted());
      pass();
      oauth.accepted.add('xoxb-first');
      await installations.checkToken('T1');
      expect((await installations.get('T1'))?.isRevoked).toBe(false);
      oauth.accepted.clear();
      await installations.checkToken('T1');
      expect((await installations.get('T1'))?.isRevoked).toBe(true);
    });

    it('is found out by asking Slack now and then, a part of the installations each time', async () => {
      const ids = Array.from({ length: 310 }, (_, index) => `T${String(index).padStart(3, '0')}`);
      await Promise.all(ids.map((teamId) => installations.save(granted({ teamId, token: `of ${teamId}` }))));
      for (const id of ids) if (id !== 'T005' && id !== 'T305') oauth.accepted.add(`of ${id}`);
      const revoked = store.database.db
        .selectFrom('installations')
        .select('id')
        .where('revoked_at', 'is not', null);
      const dead = async () => (await revoked.orderBy('id').execute()).map(({ id }) => id);
      pass();
      await installations.endRevoked();
      expect(await dead()).toEqual(['T005']);
      await installations.endRevoked();
      expect(await dead()).toEqual(['T005', 'T305']);
    });
  });

  describe('with rows in every table', () => {
    const fill = async (rows: number) => {
      await fillEveryTable(store.database, { workspaceId: 'T1', rows });
      await fillEveryTable(store.database, { workspaceId: 'T2', rows: 3 });
      // The fixture's token can't be opened, and its dates are any.
      await store.database.db
        .updateTable('installations')
        .set({ installed_at: at(-hourMs) })
        .execute();
      await installations.save(granted());
    };

    it('leaves no row if the process dies after any statement: the event or the next start goes on', async () => {
      await fill(3);
      const other = await countRows(store.database.db, 'T2');
      let deaths = 0;
      for (; ; deaths += 1) {
        const db = store.database.db.withPlugin(failAfter(deaths));
        const dying = openInstallations({ db }, { oauth, clock });
        const died = await dying.endOlderThan(uninstalled(hourMs)).catch(String);
        if (typeof died !== 'string') break;
        if (!(await installations.get('T1'))) break;
      }
      expect(deaths).toBeGreaterThan(1);
      expect(await store.database.db.selectFrom('installations').select('id').execute()).toEqual([
        { id: 'T2' },
      ]);
      await finishUninstalls(store.database.db);
      expect(await countRows(store.database.db, 'T1')).toEqual(nothing);
      expect(await countRows(store.database.db, 'T2')).toEqual(other);
    });

    it('starts anew when it is installed again while its rows are being deleted', async () => {
      await fill(3);
      const dying = openInstallations({ db: store.database.db.withPlugin(failAfter(8)) }, { oauth, clock });
      await expect(dying.endOlderThan(uninstalled(hourMs))).rejects.toThrow('process has ended');
      await installations.save(granted({ token: 'xoxb-again', installedAt: at(2 * hourMs) }));
      expect(await installations.botToken('T1')).toBe('xoxb-again');
      const { installations: own, workspaces, ...rest } = await countRows(store.database.db, 'T1');
      expect([own, workspaces]).toEqual([1, 1]);
      expect(Object.values(rest).filter((rows) => rows > 0)).toEqual([]);
    });
  });
});
