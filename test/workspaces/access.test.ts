import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../src/database/workspace-store.ts';
import { type Access, type Actor, createAccess } from '../../src/workspaces/permissions.ts';
import type { WhoMayAdd } from '../../src/workspaces/settings.ts';
import { saveChannelSettings } from '../support/channel-settings.ts';
import { engines, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';

const now = new Date('2026-11-21T09:00:00Z');
/** On the Home tab, so Slack has to say which channels they are in. */
const member: Actor = { userId: 'U2', isAdmin: false, channelId: 'U2' };
const nonMember: Actor = { userId: 'U5', isAdmin: false, channelId: 'U5' };
const admin: Actor = { userId: 'U9', isAdmin: true, channelId: 'U9' };
const here = (actor: Actor): Actor => ({ ...actor, channelId: 'C1' });

describe.each(engines)('access, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let access: Access;
  let asked: string[];
  beforeEach(async () => {
    const other = { id: 'T2', name: 'Other', created_at: now };
    await store.database.db.insertInto('workspaces').values(other).execute();
    asked = [];
    access = createAccess({
      store: storeOf(store.database.db, workspaceId),
      async getJoinedChannels(userId) {
        asked.push(userId);
        return new Set(userId === 'U2' ? ['C1'] : []);
      },
    });
  });

  let changes = 0;
  const choose = (whoMayAdd: WhoMayAdd, where: { workspaceId?: string; channelId?: string } = {}) => {
    changes += 1;
    const by = { change: { whoMayAdd }, actorId: 'U9', now, id: `change ${changes}` };
    return saveChannelSettings(store.database.db, { workspaceId, channelId: 'C1', ...where }, by);
  };

  it('a person who writes in a channel is in it; Slack is asked about everybody else', async () => {
    expect(await access.mayUse('C1', here(nonMember))).toBe(true);
    expect(asked).toEqual([]);
    expect(await access.mayUse('C1', member)).toBe(true);
    expect(await access.mayUse('C1', nonMember)).toBe(false);
    expect(await access.mayUse('C1', { ...nonMember, channelId: 'C2' })).toBe(false);
    expect(asked).toEqual(['U2', 'U5', 'U5']);
    // They may have left it.
    expect(await access.mayUse('C1', { ...here(nonMember), mayHaveLeft: true })).toBe(false);
    expect(await access.mayUse('C1', { ...here(member), mayHaveLeft: true })).toBe(true);
  });

  it('people may change what is personal to them, without a request to Slack', async () => {
    const elsewhere = { ...member, channelId: 'C2' };
    expect(await access.mayUse('U2', elsewhere)).toBe(true);
    expect(await access.mayAdd('U2', elsewhere)).toBe(true);
    const own = { ownerId: 'U2', channelId: 'U2', isPersonal: true };
    expect(await access.mayChange(own, elsewhere)).toBe(true);
    expect(asked).toEqual([]);
    expect(await access.mayChange(own, admin)).toBe(false);
  });

  it("members may add, or only admins among them, as the channel's settings say", async () => {
    const may = () => Promise.all([member, here(admin), admin].map((actor) => access.mayAdd('C1', actor)));
    await choose('admins', { channelId: 'C2' });
    await choose('admins', { workspaceId: 'T2' });
    expect(await may()).toEqual([true, true, false]);
    await choose('admins');
    expect(await may()).toEqual([false, true, false]);
  });

  it('owners and admins may change a watch, without a request to Slack, and so may members', async () => {
    const thing = { ownerId: 'U5', channelId: 'C1', isPersonal: false };
    const may = (actor: Actor) => access.mayChange(thing, actor);
    expect([await may(nonMember), await may(admin)]).toEqual([true, true]);
    expect(asked).toEqual([]);
    expect([await may(member), await may({ ...nonMember, userId: 'U6' })]).toEqual([true, false]);
    await choose('admins');
    expect([await may(nonMember), await may(admin), await may(member)]).toEqual([true, true, false]);
  });
});
