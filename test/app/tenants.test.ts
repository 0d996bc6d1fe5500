import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { organisationAdminsNote } from '../../src/answers/slack/answer-message.ts';
import { outsideNotice, unavailableNotice } from '../../src/answers/slack/notices.ts';
import { freight, norderney, startManyBot } from '../support/many-workspaces.ts';

const organisation = 'E0COASTAL1';
const shared = norderney.ops;

let bot: Awaited<ReturnType<typeof startManyBot>>;
beforeEach(async () => {
  bot = await startManyBot({ env: { ACCOUNTS: 'shared' } });
});
afterEach(() => bot.stop());

const watchesOf = async ({ admin, ops }: typeof freight) => (await bot.say(admin, ops, '/watch list')).text;
const teamsListings = () => bot.playground.wire().filter(({ label }) => label === 'auth.teams.list').length;
const mention = async (userId: string, text: string) => {
  await bot.playground.say({ userId, channelId: shared, text: `@Landfall ${text}` });
  await bot.settled();
};
/** What the bot said in the shared channel to all, or to this person. */
const answersTo = (userId: string) =>
  bot.playground
    .messages(shared)
    .filter(({ ephemeralTo, userId: by }) => by === 'U0COASTAL1' && (ephemeralTo ?? userId) === userId)
    .map(({ text }) => text);

/**
 * Harbour Freight has installed the app for itself, and Norderney Lines through its organisation. They share a channel of
 * which Harbour Freight is the host, so deliveries from there name its workspace first.
 */
async function shareChannel(): Promise<void> {
  bot.oauth.change({ organisation: true, apart: [freight.teamId] });
  await bot.install(freight);
  await bot.say(freight.admin, freight.ops, '/watch 9461477');
  await bot.install({ ...norderney, teamId: organisation });
  const { controls } = bot.playground;
  await controls.addMember(shared);
  await controls.share(shared, { hostTeamId: freight.teamId });
  await controls.addMember(shared, freight.member);
}

/** Each way in which a delivery of the organisation names Harbour Freight. */
async function deliver(): Promise<void> {
  const { playground } = bot;
  await mention(norderney.admin, 'nextport 9755933');
  await mention(norderney.admin, 'watch list');
  await mention(freight.member, 'watch list');
  for (const { ts: messageTs, blocks } of playground.messages(shared)) {
    const [, actionId] = /"type":"button","action_id":"([^"]+)"/.exec(JSON.stringify(blocks) ?? '') ?? [];
    if (actionId) await playground.click({ userId: freight.member, channelId: shared, messageTs, actionId });
  }
  await playground.say({ userId: freight.member, channelId: shared, text: '/watch list' });
  await bot.settled();
}

test('a channel that an organisation shares with a workspace that has installed the app itself serves the organisation, and neither shows nor takes anything of that workspace, also at its uninstall', async () => {
  await shareChannel();
  await deliver();
  expect(answersTo(norderney.admin)).toEqual([
    // This bot runs at the real time, so its ports are those of today.
    expect.stringMatching(/MSC DIANA (?:→|· Undecided:) [A-Z]/),
    expect.stringMatching(/^No watches/),
  ]);
  expect(answersTo(freight.member).slice(2)).toEqual(Array.from({ length: 4 }, () => outsideNotice.text));
  // At the install, at the first delivery, and once the workspace is added.
  expect(teamsListings()).toBe(3);
  expect(await watchesOf(freight)).toContain('DS CYPRESS');
  expect(await watchesOf(norderney)).toMatch(/^No watches/);
  await bot.playground.controls.uninstall(norderney.teamId);
  bot.advance(2_000);
  expect(await watchesOf(freight)).toContain('DS CYPRESS');
});

describe('an organisation that installed the app', () => {
  beforeEach(async () => {
    bot.oauth.change({ organisation: true });
    await bot.install({ ...norderney, teamId: organisation });
    await bot.playground.controls.addMember(freight.ops);
  });

  test('is asked to try again while Slack does not say whether a workspace is one of its own', async () => {
    bot.playground.faults.next('auth.teams.list', { error: 'internal_error' });
    expect(await watchesOf(freight)).toBe(unavailableNotice.text);
    bot.advance(6_000);
    expect(await watchesOf(freight)).toMatch(/^No watches/);
  });

  test('loses the data of a workspace with the access to it, and none of another', async () => {
    for (const { admin, ops } of [freight, norderney]) await bot.say(admin, ops, '/watch 9461477');
    await bot.playground.controls.revokeAccess(freight.teamId);
    await bot.settled();
    expect(await watchesOf(norderney)).toContain('DS CYPRESS');
    await bot.playground.controls.grantAccess(freight.teamId);
    await bot.playground.controls.addMember(freight.ops);
    await bot.settled();
    expect(await watchesOf(freight)).toMatch(/^No watches/);
  });

  test('lets an admin in several workspaces change settings only as an admin of the organisation', async () => {
    const ines = bot.playground.workspaces
      .flatMap(({ users }) => users)
      .find(({ id }) => id === norderney.admin);
    if (!ines) throw new Error('the playground has no Ines');
    ines.otherTeamIds = [freight.teamId];
    const allow = () => bot.say(ines.id, norderney.ops, '/landfall settings guests full');
    const refused = await allow();
    expect(refused.text).toContain('Only workspace admins choose what guests may do. Nothing was saved.');
    expect(refused.text).toContain(organisationAdminsNote);
    ines.orgRole = 'admin';
    bot.advance(3_700_000);
    expect((await allow()).text).not.toContain('Nothing was saved');
  });
});
