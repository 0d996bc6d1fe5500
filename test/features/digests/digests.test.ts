import { beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import type { WorkCtx } from '../../../src/features/ctx.ts';
import * as digests from '../../../src/features/digests/digests.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import type { Actor } from '../../../src/workspaces/permissions.ts';
import { createDigestFixture, type DigestFixture, everyDay } from '../../support/digest-fixture.ts';
import { refusalOf } from '../../support/refusal.ts';
import { openSqlite } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { createWatchServiceHarness } from '../../support/watch-service-harness.ts';

const store = useWorkspace(openSqlite);
let fixture: DigestFixture;
let ctx: WorkCtx;
let checked: string[];
let setWhoMayAdd: (channelId: string, whoMayAdd: 'members' | 'admins') => Promise<unknown>;

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

/** As `/digest restore` does. */
async function restoreDigest(...[ref, actor, of]: Parameters<typeof digests.chooseRemoved>) {
  const { id } = await digests.chooseRemoved(ref, actor, of);
  return await digests.digestActs.restore.act(id, actor, of);
}

beforeEach(() => {
  fixture = createDigestFixture(store.database);
  checked = [];
  const { channels, settings, services } = createWatchServiceHarness(
    createWatchFixture(store.database),
    store.database,
    {
      settings: { maxDigestsPerChannel: 5 },
      slack: {
        checkChannel: async (channelId) => void checked.push(channelId),
        async checkOwner({ userId, channelId }) {
          if (!channels.get(userId)?.has(channelId))
            throw new UserError({ code: 'bad-owner', message: 'Not there.' });
        },
        audienceOf: async () => 'outside',
      },
    },
  );
  channels.set('U1', new Set(['C1', 'C2'])).set('U2', new Set(['C2']));
  setWhoMayAdd = (channelId, whoMayAdd) => settings.change(channelId, { whoMayAdd }, { ...admin, channelId });
  const registry = {
    parseLine: (line: string) => ({ line, privacy: line.startsWith('internal') ? 'internal' : 'open' }),
    vessels: async () => createVesselDirectory([]),
  };
  // What these functions use.
  ctx = { services, registry } as unknown as WorkCtx;
});

it('refuses lines with answers that some people in the channel may not see, except in personal digests', async () => {
  const lines = ['nextport 9461477', 'internal'];
  expect(await refusalOf(digests.addDigest({ ...request('C1'), lines }, ada, ctx))).toContain(
    '“internal” is not shown',
  );
  const { id } = await digests.addDigest(request('C1'), ada, ctx);
  expect(await refusalOf(digests.changeDigest(id, { lines }, ada, ctx))).toContain('“internal” is not shown');
  expect(await digests.changeDigest(id, { title: 'Evening' }, ada, ctx)).toMatchObject({ lines: ['usage'] });
  expect(await digests.addDigest({ ...request('U1'), lines }, ada, ctx)).toMatchObject({
    channelId: 'U1',
    lines,
  });
});

describe('permissions', () => {
  it('let members add, and the owner, admins and members change, as the channel settings say', async () => {
    const { pause, resume, run } = digests.digestActs;
    const { id } = await digests.addDigest(request('C1'), ada, ctx);
    expect(checked).toEqual(['C1']);
    expect(await refusalOf(digests.addDigest(request('C1'), ben, ctx))).toMatch(/^bad-channel/);
    expect(await refusalOf(pause.act(id, ben, ctx))).toMatchInlineSnapshot(
      `"not-allowed | You can't change that digest: you are not in its channel. Nothing was saved. | Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise."`,
    );
    await pause.act(id, admin, ctx);
    const other = await digests.addDigest(request('C2'), ada, ctx);
    await pause.act(other.id, ben, ctx);
    await setWhoMayAdd('C2', 'admins');
    expect(await refusalOf(digests.addDigest(request('C2'), ada, ctx))).toMatchInlineSnapshot(
      `"not-allowed | You can't add digests to that channel. Nothing was saved. | By the channel's settings, only workspace admins can. They can change that too."`,
    );
    await digests.addDigest(request('C2', 'Theirs'), { ...admin, channelId: 'C2' }, ctx);
    expect(await refusalOf(resume.act(other.id, ben, ctx))).toMatch(
      /^not-allowed \| You can't change the digest “/,
    );
    expect(await refusalOf(run.act(other.id, { ...ben, channelId: 'C2' }, ctx))).toMatch(/^not-allowed/);
    expect(await resume.act(other.id, ada, ctx)).toMatchObject({ status: 'active' });
  });

  it('hide a personal digest from everybody but its owner, even from admins', async () => {
    await setWhoMayAdd('C1', 'admins');
    const own = await digests.addDigest(request('U1', 'My ships'), ada, ctx);
    for (const other of [ben, admin, { ...admin, channelId: 'U1' }]) {
      expect(await refusalOf(digests.digestActs.remove.act(own.id, other, ctx))).toMatch(
        /^unknown-digest \| That digest has been/,
      );
    }
    expect(await refusalOf(digests.addDigest(request('U1'), ben, ctx))).toMatch(/^bad-channel/);
    await digests.digestActs.remove.act(own.id, { ...ada, channelId: 'C2' }, ctx);
    expect(await fixture.store.find({ id: own.id })).toBeUndefined();
  });
});

it('shows people who have left a channel only their own digests there', async () => {
  const left = { ...ben, channelId: 'C1', mayHaveLeft: true };
  await digests.addDigest(request('C1', 'hers'), ada, ctx);
  await digests.addDigest(request('C1', 'his'), { ...ben, channelId: 'C1' }, ctx);
  const titles = async (scope: 'channel' | 'all') =>
    (await digests.listDigests(scope, left, page, ctx)).digests.map(({ title }) => title);
  expect(await titles('channel')).toEqual(['his']);
  expect(await titles('all')).toEqual(['his']);
  expect(await refusalOf(digests.chooseDigest({ title: 'hers' }, left, ctx))).not.toContain('1 hers');
  expect(await digests.chooseDigest(undefined, left, ctx)).toMatchObject({ title: 'his' });
  expect(await refusalOf(restoreDigest({ title: 'hers' }, left, ctx))).toContain(
    'Nothing like that was removed',
  );
});

it('restores a digest only for people who may change it', async () => {
  const here = { ...ada, channelId: 'C1' };
  const { id, number } = await digests.addDigest(request('C1'), here, ctx);
  await digests.digestActs.remove.act(id, here, ctx);
  await setWhoMayAdd('C1', 'admins');
  expect(await refusalOf(restoreDigest({ number }, { ...ben, channelId: 'C1' }, ctx))).toMatch(
    /^not-allowed/,
  );
  expect(await restoreDigest(undefined, here, ctx)).toMatchObject({ id });
});

it('hands a digest over only to somebody in its channel; a personal digest stays with its owner', async () => {
  const here = { ...ben, channelId: 'C2' };
  const { id } = await digests.addDigest(request('C2'), here, ctx);
  expect(await digests.changeDigest(id, { ownerId: 'U1' }, here, ctx)).toMatchObject({
    ownerId: 'U1',
    chosenBy: 'U2',
  });
  const other = await digests.addDigest(request('C1'), ada, ctx);
  expect(await refusalOf(digests.changeDigest(other.id, { ownerId: 'U2' }, ada, ctx))).toBe(
    'bad-owner | Not there. | ',
  );
  const own = await digests.addDigest(request('U1'), ada, ctx);
  expect(await refusalOf(digests.changeDigest(own.id, { ownerId: 'U2' }, ada, ctx))).toMatch(
    /^bad-owner \| Only its owner sees this digest/,
  );
  expect(await fixture.store.find({ id: own.id })).toMatchObject({ ownerId: 'U1' });
});
