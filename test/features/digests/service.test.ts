import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { createDigestService, type DigestService } from '../../../src/features/digests/service.ts';
import { createChannelSettingsService } from '../../../src/features/settings/service.ts';
import { createAccess } from '../../../src/workspaces/access.ts';
import type { Actor } from '../../../src/workspaces/permissions.ts';
import { createDigestRoom, everyDay } from '../../support/digest-room.ts';
import { openEmbedded, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';

let store: TestStore;
let desk: DigestService;
let checked: string[];
let setWhoMayAdd: (channelId: string, whoMayAdd: 'members' | 'admins') => Promise<unknown>;

/** Ada is in C1 and C2, Ben in C2. */
const channels = new Map([
  ['U1', new Set(['C1', 'C2'])],
  ['U2', new Set(['C2'])],
]);
/** On the Home tab one is in no channel. */
const ada: Actor = { userId: 'U1', isAdmin: false, channelId: 'U1' };
const ben: Actor = { userId: 'U2', isAdmin: false, channelId: 'U2' };
const admin: Actor = { userId: 'U9', isAdmin: true, channelId: 'U9' };

const request = (channelId: string, title = 'Morning') => ({
  channelId,
  title,
  lines: ['usage'],
  schedule: { days: everyDay, minutes: [480] },
  zone: 'UTC',
  onlyNews: false,
});
const page = { limit: 10, offset: 0 };

beforeAll(async () => {
  store = await openEmbedded();
});
afterAll(() => store.close());
beforeEach(async () => {
  const { db } = store.database;
  await db.deleteFrom('workspaces').execute();
  await seedWorkspace(store.database);
  const room = createDigestRoom(store.database);
  const access = createAccess({
    db,
    workspaceId,
    channelsOf: async (userId) => channels.get(userId) ?? new Set(),
  });
  const now = () => room.clock.now;
  const settings = createChannelSettingsService({
    db,
    workspaceId,
    access,
    now,
    newId: room.newId,
    realNow: Date.now,
  });
  setWhoMayAdd = (channelId, whoMayAdd) => settings.change(channelId, { whoMayAdd }, { ...admin, channelId });
  checked = [];
  desk = createDigestService({
    store: room.store,
    workspaceId,
    access,
    checkChannel: async (channelId) => void checked.push(channelId),
    checkLines: async ({ lines }) => {
      if (lines.includes('usage 2026-10'))
        throw new UserError({ code: 'not-allowed', message: 'Not there.' });
    },
    checkOwner: async ({ userId, channelId }) => {
      if (!channels.get(userId)?.has(channelId))
        throw new UserError({ code: 'bad-owner', message: 'Not there.' });
    },
    now,
  });
});

const refusal = async (done: Promise<unknown>): Promise<string> => {
  const error = await done.catch((reason: unknown) => reason);
  if (!(error instanceof UserError)) throw new Error('it was not refused', { cause: error });
  return `${error.code} | ${error.message} | ${error.hint}`;
};

it('takes no lines that are not answered to who reads there; to oneself they are', async () => {
  const lines = ['nextport 9461477', 'usage 2026-10'];
  expect(await refusal(desk.add({ ...request('C1'), lines }, ada))).toContain('Not there.');
  const { id } = await desk.add(request('C1'), ada);
  expect(await refusal(desk.change(id, { lines }, ada))).toContain('Not there.');
  expect(await desk.change(id, { title: 'Evening' }, ada)).toMatchObject({ lines: ['usage'] });
  expect(await desk.add({ ...request('U1'), lines }, ada)).toMatchObject({ channelId: 'U1', lines });
});

describe('who may', () => {
  it('add to a channel: those who are in it, from wherever they ask', async () => {
    await desk.add(request('C1'), ada);
    expect(checked).toEqual(['C1']);
    expect(await refusal(desk.add(request('C1'), ben))).toMatchInlineSnapshot(
      `"bad-channel | You are not in that channel, or Landfall is not, so nothing was saved. | Join it, and type /invite @Landfall there; then try again."`,
    );
    await setWhoMayAdd('C2', 'admins');
    expect(await refusal(desk.add(request('C2'), ada))).toMatchInlineSnapshot(
      `"not-allowed | You can't add digests to that channel. Nothing is saved. | By its settings workspace admins alone may; they can change that too."`,
    );
    await desk.add(request('C2'), { ...admin, channelId: 'C2' });
    expect(checked).toEqual(['C1', 'C2']);
  });

  it('change it: its owner, admins, and those in its channel unless that has it otherwise', async () => {
    const { id } = await desk.add(request('C1'), ada);
    expect(await refusal(desk.pause(id, ben))).toMatchInlineSnapshot(
      `"not-allowed | You can't change that digest: you are not in its channel. Nothing is saved. | Its owner can, workspace admins can, and everybody in its channel unless its settings say otherwise."`,
    );
    await desk.pause(id, admin);
    await desk.resume(id, { ...ben, channelId: 'C1' });
    const other = await desk.add(request('C2'), ada);
    await desk.pause(other.id, ben);
    await setWhoMayAdd('C2', 'admins');
    expect(await refusal(desk.resume(other.id, ben))).toMatch(
      /^not-allowed \| You can't change the digest “/,
    );
    expect(await refusal(desk.runNow(other.id, { ...ben, channelId: 'C2' }))).toMatch(/^not-allowed/);
    expect(await desk.resume(other.id, ada)).toMatchObject({ status: 'active' });
  });

  it('touch one to oneself: its owner alone; for others, admins too, it is not there', async () => {
    await setWhoMayAdd('C1', 'admins');
    const own = await desk.add(request('U1', 'My ships'), ada);
    for (const other of [ben, admin, { ...admin, channelId: 'U1' }]) {
      expect(await refusal(desk.remove(own.id, other))).toMatch(/^unknown-digest \| This digest has been/);
    }
    expect(await refusal(desk.add(request('U1'), ben))).toMatch(/^bad-channel/);
    await desk.remove(own.id, { ...ada, channelId: 'C2' });
    expect(await desk.find(own.id)).toBeUndefined();
  });
});

it('shows who has left a channel nothing there but what is their own', async () => {
  const left = { ...ben, channelId: 'C1', mayHaveLeft: true };
  await desk.add(request('C1', 'hers'), ada);
  await desk.add(request('C1', 'his'), { ...ben, channelId: 'C1' });
  const titles = async (filter: 'channel' | 'all') =>
    (await desk.listFor(filter, left, page)).digests.map(({ title }) => title);
  expect(await titles('channel')).toEqual(['his']);
  expect(await titles('all')).toEqual(['his']);
  expect(await refusal(desk.pick({ title: 'hers' }, left))).not.toContain('1 hers');
  expect(await desk.pick(undefined, left)).toMatchObject({ title: 'his' });
  expect(await refusal(desk.restore({ title: 'hers' }, left))).toContain('Nothing like that was removed');
});

describe('a number', () => {
  const here = { ...ada, channelId: 'C1' };

  it('that was removed means no other digest, and is had back by restoring it', async () => {
    await desk.add(request('C1', 'one'), here);
    const { id } = await desk.add(request('C1', 'two'), here);
    await desk.remove(id, here);
    expect(await desk.add(request('C1', 'three'), here)).toMatchObject({ number: 3 });
    const gone = await desk.pick({ number: 2 }, here).catch((error: unknown) => error);
    expect(gone).toMatchObject({
      code: 'unknown-digest',
      message: 'Digest 2 of this channel has been removed.',
      choices: [
        { label: '1 one', line: 'digest show 1' },
        { label: '3 three', line: 'digest show 3' },
      ],
    });
    expect(await refusal(desk.pick({ number: 4 }, here))).toContain('There is no digest 4 in this channel.');
    expect(await refusal(desk.restore({ number: 2 }, { ...admin, channelId: 'C2' }))).toContain(
      'Nothing like that was removed from this channel.',
    );
    expect(await desk.restore({ number: 2 }, here)).toMatchObject({ id, number: 2, title: 'two' });
    expect(await desk.pick({ number: 2 }, here)).toMatchObject({ id });
  });

  it('is restored by those who may change the digest alone', async () => {
    const { id, number } = await desk.add(request('C1'), here);
    await desk.remove(id, here);
    await setWhoMayAdd('C1', 'admins');
    expect(await refusal(desk.restore({ number }, { ...ben, channelId: 'C1' }))).toMatch(/^not-allowed/);
    expect(await desk.restore(undefined, here)).toMatchObject({ id });
  });
});

describe('a new owner', () => {
  it('is in the channel, and a digest to oneself has none', async () => {
    const here = { ...ben, channelId: 'C2' };
    const { id } = await desk.add(request('C2'), here);
    expect(await desk.change(id, { ownerId: 'U1' }, here)).toMatchObject({ ownerId: 'U1', chosenBy: 'U2' });
    const other = await desk.add(request('C1'), ada);
    expect(await refusal(desk.change(other.id, { ownerId: 'U2' }, ada))).toBe(
      'bad-owner | Not there. | undefined',
    );
    const own = await desk.add(request('U1'), ada);
    expect(await refusal(desk.change(own.id, { ownerId: 'U2' }, ada))).toMatch(
      /^bad-owner \| Nobody else would see this digest/,
    );
    expect(await desk.find(own.id)).toMatchObject({ ownerId: 'U1' });
  });
});

it('lists those of a channel, those one made, and those of all one’s channels with one’s own', async () => {
  await desk.add(request('C1', 'one'), ada);
  await desk.add(request('C2', 'two'), ben);
  await desk.add(request('U1', 'mine'), ada);
  await desk.add(request('U2', 'his'), ben);
  const titles = async (filter: 'channel' | 'mine' | 'all', actor: Actor) =>
    (await desk.listFor(filter, actor, page)).digests.map(({ title }) => title);
  expect(await titles('channel', { ...ada, channelId: 'C2' })).toEqual(['two']);
  expect(await titles('mine', ada)).toEqual(['one', 'mine']);
  expect(await titles('all', ada)).toEqual(['one', 'two', 'mine']);
  expect(await titles('all', ben)).toEqual(['two', 'his']);
  expect(await desk.listFor('all', ada, { limit: 1, offset: 1 })).toMatchObject({
    digests: [{ title: 'two' }],
    total: 3,
  });
  // Where one is no more, too.
  await desk.add(request('C9', 'left'), { ...ada, channelId: 'C9' });
  expect(await titles('all', ada)).toEqual(['one', 'two', 'left', 'mine']);
});
