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
async function personOf(user: object) {
  const fetch = async () => Response.json({ ok: true, user });
  const client = new WebClient('xoxb-1', { fetch });
  return await createLookups({ client, installation, realNow: () => 0, logger: silentLogger }).personOf('U1');
}

const inOrganisation = (...teams: string[]) => ({ enterprise_user: { enterprise_id: 'E1', teams } });

test.each([
  ['of this workspace', { team_id: 'T1' }, true],
  ['of this workspace and of another one', { team_id: 'T2', ...inOrganisation('T2', 'T1') }, true],
  ['of another workspace of the organisation', { team_id: 'T2', ...inOrganisation('T2') }, false],
  ['of a workspace that Slack does not name', {}, true],
])('an admin %s: %j', async (_, user, isAdmin) => {
  expect(await personOf({ id: 'U1', is_admin: true, ...user })).toMatchObject({ isAdmin, isOutside: false });
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
