import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { UserError } from '../../../src/errors.ts';
import { createDigestService, type DigestService } from '../../../src/features/digests/service.ts';
import type { Scope } from '../../../src/features/owned/scope.ts';
import { changeSettings } from '../../../src/features/settings/form.ts';
import { type Actor, createAccess } from '../../../src/workspaces/permissions.ts';
import { createChannelSettingsStore } from '../../../src/workspaces/settings.ts';
import { createDigestFixture, type DigestFixture, everyDay } from '../../support/digest-fixture.ts';
import { openSqlite, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';

let store: TestStore;
let fixture: DigestFixture;
let service: DigestService;
let checked: string[];
let setWhoMayAdd: (channelId: string, whoMayAdd: 'members' | 'admins') => Promise<unknown>;

/** Ada is in C1 and C2, Ben in C2. */
const channels = new Map([
  ['U1', new Set(['C1', 'C2'])],
  ['U2', new Set(['C2'])],
]);
/** On the Home tab, people are in no channel. */
const ada: Actor = { userId: 'U1', isAdmin: false, channelId: 'U1' };
const ben: Actor = { userId: 'U2', isAdmin: false, channelId: 'U2' };
const admin: Actor = { userId: 'U9', isAdmin: true, channelId: 'U9' };

const request = (channelId: string, title = 'Morning') => ({
  channelId,
  destination: channelId.startsWith('U') ? ('direct-message' as const) : ('channel' as const),
  title,
  lines: ['usage'],
  schedule: { days: everyDay, minutes: [480] },
  zone: 'UTC',
  onlyNews: false,
});
const page = { limit: 10, offset: 0 };

beforeAll(async () => {
  store = await openSqlite();
});
afterAll(() => store.close());
beforeEach(async () => {
  const { db } = store.database;
  await db.deleteFrom('workspaces').execute();
  await seedWorkspace(store.database);
  fixture = createDigestFixture(store.database);
  const access = createAccess({
    store: storeOf(db, workspaceId),
    getJoinedChannels: async (userId) => channels.get(userId) ?? new Set(),
  });
  const now = () => fixture.clock.now;
  const settings = createChannelSettingsStore({ store: storeOf(db, workspaceId), realNow: Date.now });
  const services = { channels: settings, access, now, newId: fixture.newId };
  setWhoMayAdd = (channelId, whoMayAdd) =>
    changeSettings(channelId, { whoMayAdd }, { ...admin, channelId }, { services });
  checked = [];
  service = createDigestService({
    digestStore: fixture.store,
    access,
    checkLines: async ({ lines }) => {
      if (lines.includes('usage 2026-10'))
        throw new UserError({ code: 'not-allowed', message: 'Not there.' });
    },
    slack: {
      checkChannel: async (channelId) => void checked.push(channelId),
      checkOwner: async ({ userId, channelId }) => {
        if (!channels.get(userId)?.has(channelId))
          throw new UserError({ code: 'bad-owner', message: 'Not there.' });
      },
      readersOf: async () => 'channel',
    },
    now,
  });
});

const refusal = async (done: Promise<unknown>): Promise<string> => {
  const error = await done.catch((reason: unknown) => reason);
  if (!(error instanceof UserError)) throw new Error('it was not refused', { cause: error });
  return `${error.code} | ${error.message} | ${error.hint}`;
};

it('refuses lines with answers that some people in the channel may not see, except in personal digests', async () => {
  const lines = ['nextport 9461477', 'usage 2026-10'];
  expect(await refusal(service.add({ ...request('C1'), lines }, ada))).toContain('Not there.');
  const { id } = await service.add(request('C1'), ada);
  expect(await refusal(service.change(id, { lines }, ada))).toContain('Not there.');
  expect(await service.change(id, { title: 'Evening' }, ada)).toMatchObject({ lines: ['usage'] });
  expect(await service.add({ ...request('U1'), lines }, ada)).toMatchObject({ channelId: 'U1', lines });
});

describe('permissions', () => {
  it('let members add to a channel, wherever they type the line', async () => {
    await service.add(request('C1'), ada);
    expect(checked).toEqual(['C1']);
    expect(await refusal(service.add(request('C1'), ben))).toMatchInlineSnapshot(
      `"bad-channel | You are not in that channel, or Landfall is not, so nothing was saved. | Join it, and type /invite @Landfall there; then try again."`,
    );
    await setWhoMayAdd('C2', 'admins');
    expect(await refusal(service.add(request('C2'), ada))).toMatchInlineSnapshot(
      `"not-allowed | You can't add digests to that channel. Nothing was saved. | By the channel's settings, only workspace admins can. They can change that too."`,
    );
    await service.add(request('C2'), { ...admin, channelId: 'C2' });
    expect(checked).toEqual(['C1', 'C2']);
  });

  it('let the owner, admins and, unless the channel settings forbid it, members change a digest', async () => {
    const { id } = await service.add(request('C1'), ada);
    expect(await refusal(service.pause(id, ben))).toMatchInlineSnapshot(
      `"not-allowed | You can't change that digest: you are not in its channel. Nothing was saved. | Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise."`,
    );
    await service.pause(id, admin);
    await service.resume(id, { ...ben, channelId: 'C1' });
    const other = await service.add(request('C2'), ada);
    await service.pause(other.id, ben);
    await setWhoMayAdd('C2', 'admins');
    expect(await refusal(service.resume(other.id, ben))).toMatch(
      /^not-allowed \| You can't change the digest “/,
    );
    expect(await refusal(service.runNow(other.id, { ...ben, channelId: 'C2' }))).toMatch(/^not-allowed/);
    expect(await service.resume(other.id, ada)).toMatchObject({ status: 'active' });
  });

  it('hide a personal digest from everybody but its owner, even from admins', async () => {
    await setWhoMayAdd('C1', 'admins');
    const own = await service.add(request('U1', 'My ships'), ada);
    for (const other of [ben, admin, { ...admin, channelId: 'U1' }]) {
      expect(await refusal(service.remove(own.id, other))).toMatch(/^unknown-digest \| This digest has been/);
    }
    expect(await refusal(service.add(request('U1'), ben))).toMatch(/^bad-channel/);
    await service.remove(own.id, { ...ada, channelId: 'C2' });
    expect(await fixture.store.find(own.id)).toBeUndefined();
  });
});

it('shows people who have left a channel only their own digests there', async () => {
  const left = { ...ben, channelId: 'C1', mayHaveLeft: true };
  await service.add(request('C1', 'hers'), ada);
  await service.add(request('C1', 'his'), { ...ben, channelId: 'C1' });
  const titles = async (scope: 'channel' | 'all') =>
    (await service.list(scope, left, page)).digests.map(({ title }) => title);
  expect(await titles('channel')).toEqual(['his']);
  expect(await titles('all')).toEqual(['his']);
  expect(await refusal(service.choose({ title: 'hers' }, left))).not.toContain('1 hers');
  expect(await service.choose(undefined, left)).toMatchObject({ title: 'his' });
  expect(await refusal(service.restore({ title: 'hers' }, left))).toContain('Nothing like that was removed');
});

describe('the number of a digest', () => {
  const here = { ...ada, channelId: 'C1' };

  it('is not given to another digest after a removal; a restored digest keeps it', async () => {
    await service.add(request('C1', 'one'), here);
    const { id } = await service.add(request('C1', 'two'), here);
    await service.remove(id, here);
    expect(await service.add(request('C1', 'three'), here)).toMatchObject({ number: 3 });
    const gone = await service.choose({ number: 2 }, here).catch((error: unknown) => error);
    expect(gone).toMatchObject({
      code: 'unknown-digest',
      message: 'Digest 2 of this channel has been removed.',
      choices: [
        { label: '1 one', line: 'digest show 1' },
        { label: '3 three', line: 'digest show 3' },
      ],
    });
    expect(await refusal(service.choose({ number: 4 }, here))).toContain(
      'There is no digest 4 in this channel.',
    );
    expect(await refusal(service.restore({ number: 2 }, { ...admin, channelId: 'C2' }))).toContain(
      'Nothing like that was removed from this channel.',
    );
    expect(await service.restore({ number: 2 }, here)).toMatchObject({ id, number: 2, title: 'two' });
    expect(await service.choose({ number: 2 }, here)).toMatchObject({ id });
  });

  it('can be restored only by people who may change the digest', async () => {
    const { id, number } = await service.add(request('C1'), here);
    await service.remove(id, here);
    await setWhoMayAdd('C1', 'admins');
    expect(await refusal(service.restore({ number }, { ...ben, channelId: 'C1' }))).toMatch(/^not-allowed/);
    expect(await service.restore(undefined, here)).toMatchObject({ id });
  });
});

describe('a new owner', () => {
  it('must be in the channel; a personal digest stays with its owner', async () => {
    const here = { ...ben, channelId: 'C2' };
    const { id } = await service.add(request('C2'), here);
    expect(await service.change(id, { ownerId: 'U1' }, here)).toMatchObject({
      ownerId: 'U1',
      chosenBy: 'U2',
    });
    const other = await service.add(request('C1'), ada);
    expect(await refusal(service.change(other.id, { ownerId: 'U2' }, ada))).toBe(
      'bad-owner | Not there. | undefined',
    );
    const own = await service.add(request('U1'), ada);
    expect(await refusal(service.change(own.id, { ownerId: 'U2' }, ada))).toMatch(
      /^bad-owner \| This digest is sent only to its owner/,
    );
    expect(await fixture.store.find(own.id)).toMatchObject({ ownerId: 'U1' });
  });
});

it('lists the digests of a channel, a person, or a person and all their channels', async () => {
  await service.add(request('C1', 'one'), ada);
  await service.add(request('C2', 'two'), ben);
  await service.add(request('U1', 'mine'), ada);
  await service.add(request('U2', 'his'), ben);
  const titles = async (scope: Scope, actor: Actor) =>
    (await service.list(scope, actor, page)).digests.map(({ title }) => title);
  expect(await titles('channel', { ...ada, channelId: 'C2' })).toEqual(['two']);
  expect(await titles('mine', ada)).toEqual(['one', 'mine']);
  expect(await titles('all', ada)).toEqual(['one', 'two', 'mine']);
  expect(await titles('all', ben)).toEqual(['two', 'his']);
  expect(await service.list('all', ada, { limit: 1, offset: 1 })).toMatchObject({
    digests: [{ title: 'two' }],
    total: 3,
  });
  // Includes their own digests in channels that they have left.
  await service.add(request('C9', 'left'), { ...ada, channelId: 'C9' });
  expect(await titles('all', ada)).toEqual(['one', 'two', 'left', 'mine']);
});
