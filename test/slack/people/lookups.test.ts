import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../src/log.ts';
import { createLookups } from '../../../src/slack/people/lookups.ts';

const installation = {
  teamId: 'T1',
  teamName: 'One',
  enterpriseId: 'E1',
  botUserId: 'U0BOT',
  botId: undefined,
  isOrgWide: true,
};

/** Slack answers `users.info` with this person. */
async function personOf(user: object, { isOrgWide } = { isOrgWide: true }) {
  const fetch = async () => Response.json({ ok: true, user });
  const client = new WebClient('xoxb-1', { fetch });
  return await createLookups({
    client,
    installation: { ...installation, isOrgWide },
    realNow: () => 0,
    logger: silentLogger,
  }).personOf('U1');
}

const inOrganisation = (teams: string[], role: object = {}) => ({
  enterprise_user: { enterprise_id: 'E1', teams, ...role },
});

test.each([
  ['of this workspace alone', { team_id: 'T1', ...inOrganisation(['T1']) }, true],
  ['of this workspace, or of another one', { team_id: 'T1', ...inOrganisation(['T1', 'T2']) }, false],
  ['of another workspace, or of this one', { team_id: 'T2', ...inOrganisation(['T2', 'T1']) }, false],
  ['of another workspace of the organisation', { team_id: 'T2', ...inOrganisation(['T2']) }, false],
  ['of a workspace that Slack does not name', {}, false],
  ['of the organisation', { team_id: 'T2', ...inOrganisation(['T2', 'T1'], { is_admin: true }) }, true],
])('with the token of an organisation, an admin %s: %j', async (_, user, isAdmin) => {
  const person = { isAdmin, mayBeAdmin: !isAdmin, isOutside: false };
  expect(await personOf({ id: 'U1', is_admin: true, ...user })).toMatchObject(person);
});

test('an owner of the organisation is an admin; one of another organisation is not', async () => {
  const owner = { id: 'U1', team_id: 'T2', ...inOrganisation(['T2'], { is_owner: true }) };
  expect(await personOf(owner)).toMatchObject({ isAdmin: true });
  const elsewhere = { enterprise_id: 'E2', teams: ['T2'], is_owner: true };
  expect(await personOf({ ...owner, enterprise_user: elsewhere })).toMatchObject({ isAdmin: false });
  expect(await personOf({ ...owner, enterprise_user: { enterprise_id: 'E1', teams: ['T1'] } })).toMatchObject(
    {
      isAdmin: false,
      mayBeAdmin: false,
    },
  );
});

test.each([
  ['of this workspace', { team_id: 'T1' }, true],
  ['of this workspace and of another one', { team_id: 'T2', ...inOrganisation(['T2', 'T1']) }, true],
  ['of another workspace of the organisation', { team_id: 'T2', ...inOrganisation(['T2']) }, false],
])("with the workspace's own token, an admin %s: %j", async (_, user, isAdmin) => {
  const person = await personOf({ id: 'U1', is_admin: true, ...user }, { isOrgWide: false });
  expect(person).toMatchObject({ isAdmin, isOutside: false });
});

test("people's channels are cached by their number: those of a few people in thousands of channels, not of all", async () => {
  let requests = 0;
  const ids = Array.from({ length: 20_000 }, (_, index) => ({ id: `C${index}` }));
  const fetch = async (_: unknown, { body }: { body?: unknown } = {}) => {
    requests += 1;
    return Response.json({ ok: true, channels: String(body).includes('user=UFEW') ? ids.slice(0, 5) : ids });
  };
  const client = new WebClient('xoxb-1', { fetch: fetch as typeof globalThis.fetch }); // called with a string body
  const lookups = createLookups({ client, installation, realNow: () => 0, logger: silentLogger });
  const askTwice = async (prefix: string) => {
    requests = 0;
    const people = Array.from({ length: 8 }, (_, index) => `${prefix}${index}`);
    for (const id of [...people, people[0] ?? '']) await lookups.getJoinedChannels(id);
    return requests;
  };
  expect(await askTwice('UFEW')).toBe(8);
  expect(await askTwice('UMANY')).toBe(9);
});
