import { describe, expect, it } from 'vitest';
import { guestNotice, outsideNotice } from '../../../src/messages/frame/notices.ts';
import { admit } from '../../../src/slack/people/admit.ts';
import type { Person } from '../../../src/workspaces/person.ts';
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
const guest = { ...member, isGuest: true };
const outsider = { ...member, isOutside: true };
const unknown = { ...member, zone: undefined, isOutside: true, isUnknown: true };

const rights = (value: GuestRights) => async () => value;
const unasked = () => Promise.reject(new Error('the setting is not needed'));
const outside = { kind: 'declined', notice: outsideNotice, outcome: 'outside' };

describe('people of another organisation', () => {
  it.each([
    ['as the payload says', 'outside', member],
    ["as the payload says, whom Slack can't describe", 'outside', unknown],
    ['as Slack says', 'inside', outsider],
    ['as only Slack says', 'unknown', outsider],
  ] as const)('%s, are declined', async (_, home, person) => {
    expect(await admit(home, person, unasked)).toEqual(outside);
  });
});

describe("people whom Slack can't describe", () => {
  it('may ask if the payload says that they are of this workspace', async () => {
    for (const value of ['ask', 'full'] as const)
      expect(await admit('inside', unknown, rights(value))).toMatchObject({
        kind: 'ask-only',
        refusal: { code: 'unknown-person', isPersonal: true },
      });
  });

  it('are not answered if guests are not, since they may be guests', async () => {
    await expect(admit('inside', unknown, rights('none'))).rejects.toMatchObject({ code: 'unknown-person' });
  });

  it('are not answered if the payload names no workspace', async () => {
    await expect(admit('unknown', unknown, rights('full'))).rejects.toMatchObject({
      code: 'unknown-person',
      isPersonal: true,
    });
  });
});

describe('people of this workspace', () => {
  it.each([
    'inside',
    'unknown',
  ] as const)('are served; the setting for guests is not read (%s)', async (home) => {
    expect(await admit(home, member, unasked)).toEqual({ kind: 'full' });
  });

  it('who are guests are served as the setting says', async () => {
    expect(await admit('inside', guest, rights('full'))).toEqual({ kind: 'full' });
    expect(await admit('inside', guest, rights('ask'))).toMatchObject({
      kind: 'ask-only',
      refusal: { code: 'not-allowed', isPersonal: true },
    });
    expect(await admit('inside', guest, rights('none'))).toEqual({
      kind: 'declined',
      notice: guestNotice,
      outcome: 'guest',
    });
  });
});
