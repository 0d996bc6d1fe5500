import { expect, it } from 'vitest';
import type { SlackContext } from '../../../src/slack/context.ts';
import { admit } from '../../../src/slack/people/admit.ts';
import type { Person } from '../../../src/workspaces/permissions.ts';
import type { GuestRights } from '../../../src/workspaces/settings.ts';

const member: Person = {
  name: 'Ada',
  zone: 'Europe/Berlin',
  isAdmin: false,
  isGuest: false,
  isOutside: false,
  isGone: false,
  isUnknown: false,
};
const people = {
  member,
  guest: { ...member, isGuest: true },
  outsider: { ...member, isOutside: true },
  unknown: { ...member, zone: undefined, isOutside: true, isUnknown: true },
};
/** What the payload says of the person's team. */
const teams = {
  inside: { teamId: 'T1' },
  organisation: { teamId: 'T2', enterpriseId: 'E1' },
  outside: { teamId: 'T2' },
  elsewhere: { teamId: 'T2', enterpriseId: 'E2' },
  unnamed: { teamId: undefined },
};

/** `full`; for who may only ask, the code of the refusal; or why they are not served. */
async function admission(
  team: keyof typeof teams,
  person: keyof typeof people,
  rights: GuestRights | undefined,
): Promise<string> {
  const readGuestRights = async () => {
    if (!rights) throw new Error('the setting is not needed');
    return rights;
  };
  const slack = {
    installation: { teamId: 'T1', enterpriseId: 'E1' },
    ctx: { services: { guests: { getCached: readGuestRights } } },
    isPaused: async () => false,
    recordUse: () => undefined,
  } as unknown as SlackContext; // `admit` uses no more of it
  try {
    const { actor, admit: check } = await admit({ id: 'U1', ...teams[team] }, people[person], slack);
    check({ repeatable: true });
    check({ onlyAsks: true, repeatable: false });
    if (!actor.asksOnly) check({});
    else
      expect(() => check({ repeatable: true, onlyAsks: false })).toThrow(
        expect.objectContaining({ isPersonal: true }),
      );
    return actor.asksOnly ? 'only asks' : 'full';
  } catch (error) {
    const { code, outcome, isPersonal } = Object(error);
    return outcome ?? `${code}${isPersonal ? ', in private' : ''}`;
  }
}

it.each([
  ['outside', 'member', undefined, 'outside'],
  ['elsewhere', 'member', undefined, 'outside'],
  ['outside', 'unknown', undefined, 'outside'],
  ['inside', 'outsider', undefined, 'outside'],
  ['unnamed', 'outsider', undefined, 'outside'],
  ['inside', 'member', undefined, 'full'],
  ['organisation', 'member', undefined, 'full'],
  ['unnamed', 'member', undefined, 'full'],
  ['inside', 'guest', 'full', 'full'],
  ['inside', 'guest', 'ask', 'only asks'],
  ['inside', 'guest', 'none', 'guest'],
  ['inside', 'unknown', 'ask', 'only asks'],
  ['inside', 'unknown', 'full', 'only asks'],
  // They may be a guest.
  ['inside', 'unknown', 'none', 'unknown-person, in private'],
  ['unnamed', 'unknown', 'full', 'unknown-person, in private'],
] as const)('team %s, %s, guests %s: %s', async (team, person, rights, expected) => {
  expect(await admission(team, person, rights)).toBe(expected);
});
