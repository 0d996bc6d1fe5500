import { describe, expect, it } from 'vitest';
import { mayAdd, mayChange, mayUse } from '../../src/workspaces/permissions.ts';

const here = new Set(['C1']);
const none = new Set<string>();
const people = {
  owner: { userId: 'U1', isAdmin: false, channels: none },
  member: { userId: 'U2', isAdmin: false, channels: here },
  'admin in it': { userId: 'U3', isAdmin: true, channels: here },
  'admin elsewhere': { userId: 'U4', isAdmin: true, channels: none },
  nonMember: { userId: 'U5', isAdmin: false, channels: none },
};
const who = (may: (person: (typeof people)['owner']) => boolean) =>
  Object.entries(people).flatMap(([name, person]) => (may(person) ? [name] : []));

describe('permission to', () => {
  const thing = { ownerId: 'U1', channelId: 'C1', isPersonal: false };

  it('use a channel: its members', () => {
    expect(who((person) => mayUse('C1', person))).toEqual(['member', 'admin in it']);
  });

  it('add: its members, or the admins among them', () => {
    expect(who((person) => mayAdd('C1', person, 'members'))).toEqual(['member', 'admin in it']);
    expect(who((person) => mayAdd('C1', person, 'admins'))).toEqual(['admin in it']);
  });

  it('change: the owner, admins, and members if members may add', () => {
    const always = ['owner', 'admin in it', 'admin elsewhere'];
    expect(who((person) => mayChange(thing, person, 'members')).toSorted()).toEqual(
      [...always, 'member'].toSorted(),
    );
    expect(who((person) => mayChange(thing, person, 'admins'))).toEqual(always);
  });

  it('change something personal: only its owner', () => {
    expect(who((person) => mayChange({ ...thing, isPersonal: true }, person, 'members'))).toEqual(['owner']);
    expect(who((person) => mayAdd('U1', person, 'admins'))).toEqual(['owner']);
    expect(who((person) => mayUse('U1', person))).toEqual(['owner']);
  });
});
