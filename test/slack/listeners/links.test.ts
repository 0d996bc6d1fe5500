import type { PageMessage, PageUnfurl } from 'bolt-playground';
import { beforeEach, describe, expect, test } from 'vitest';
import { ada, ben, dmOf, dora, eve, ops, privateDesk, shared, type TestBot } from '../../support/bot.ts';
import { useBot } from '../../support/use-bot.ts';

const cypress = 'https://www.vesselfinder.com/vessels/details/9461477';
const diana =
  'https://www.marinetraffic.com/en/ais/details/ships/shipid:1/mmsi:2/imo:9755933/vessel:MSC_DIANA';
const given = 'https://www.balticshipping.com/vessel/imo/9811000';
const fourth = 'https://www.vesseltracker.com/en/Ships/Msc-Gulsun-9839430.html';

let bot: TestBot;
beforeEach(async () => {
  bot = await useBot('socket');
});

const switchTo = (mode: 'off' | 'on' | 'composer') => bot.say(ada, ops, `/landfall settings links ${mode}`);

/** Posts a message and waits for what is under so many of its links; for none until later work of the bot is done. */
async function post(userId: string, channelId: string, text: string, count = 0): Promise<PageMessage> {
  const { ts } = await said(userId, channelId, text);
  if (count === 0) await settled();
  else await expect.poll(() => urlsOf(messageIn(channelId, ts)).length).toBe(count);
  return messageIn(channelId, ts);
}

async function said(userId: string, channelId: string, text: string): Promise<{ ts: string }> {
  const reply = await bot.playground.say({ userId, channelId, text });
  if (!reply.ok || reply.ts === undefined) throw new Error(`not posted: ${text}`);
  return { ts: reply.ts };
}

function messageIn(channelId: string, ts: string): PageMessage {
  const message = bot.playground.messages(channelId).find((each) => each.ts === ts);
  if (!message) throw new Error('the message is gone');
  return message;
}

/** The deliveries are acknowledged and their work is done, as after a command typed later. */
async function settled(): Promise<void> {
  await bot.playground.runDue();
  await bot.say(ben, dmOf(ben), `nextport 9461477 at Rotterdam`);
}

const linkLines = () => bot.log.filter(({ msg, surface }) => msg === 'command' && surface === 'link');
const urlsOf = ({ unfurls = [] }: PageMessage): string[] => unfurls.map(({ url }) => url);
const wordsOf = ({ blocks = [] }: PageUnfurl): string => JSON.stringify(blocks);
const buttonsOf = ({ blocks = [] }: PageUnfurl): string[] =>
  blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) => ('action_id' in element ? (element.action_id ?? []) : []))
      : [],
  );

const press = (userId: string, { channelId, ts }: PageMessage, unfurlUrl: string) =>
  bot.playground.click({ userId, channelId, messageTs: ts, unfurlUrl, actionId: 'refresh' });

describe('a link to a vessel', () => {
  test('shows nothing until an admin switches it on, and nothing more once it is off again', async () => {
    expect(urlsOf(await post(ada, ops, cypress))).toEqual([]);
    expect(linkLines()).toEqual([]);

    const refused = await bot.say(ben, ops, '/landfall settings links on');
    expect(refused.text).toContain(
      'Only workspace admins choose whether links to vessels show the next ports',
    );
    expect((await switchTo('on')).text).toContain(
      'Links to vessels show the next ports, in the whole workspace',
    );

    const message = await post(ben, ops, `Is she late? ${cypress}`, 1);
    expect(urlsOf(message)).toEqual([cypress]);
    const [unfurl] = message.unfurls ?? [];
    expect(unfurl && wordsOf(unfurl)).toMatch(/DS CYPRESS .*IMO 9461477.* · invented data/);
    expect(unfurl && buttonsOf(unfurl)).toEqual(['refresh']);
    expect(message).toMatchObject({ userId: ben, text: `Is she late? <${cypress}>` });
    expect(bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === undefined)).toEqual([]);
    expect(linkLines()).toMatchObject([{ outcome: 'answered', line: 'nextport 9461477' }]);

    await switchTo('off');
    expect(urlsOf(await post(ben, ops, cypress))).toEqual([]);
    const audit = await bot.say(ada, ops, '/landfall audit');
    expect(JSON.stringify(audit.blocks)).toMatch(/left alone.*show the next ports/);
  });
});

describe('where an admin has switched them on, a link to a vessel', () => {
  beforeEach(async () => void (await switchTo('on')));

  test('is answered for at most three vessels of a message, each once', async () => {
    const again = 'https://www.vesselfinder.com/?imo=9461477';
    const wrong = 'https://www.balticshipping.com/vessel/imo/9811001';
    const text = [cypress, again, wrong, diana, given, fourth].join(' ');
    expect(urlsOf(await post(ada, ops, text, 3)).toSorted()).toEqual([cypress, diana, given].toSorted());
    expect(linkLines()).toHaveLength(3);
  });

  test('is answered in the thread of its message', async () => {
    const { ts } = await said(ada, ops, 'which one?');
    const reply = await bot.playground.say({ userId: ben, channelId: ops, text: cypress, threadTs: ts });
    await expect.poll(() => urlsOf(messageIn(ops, (reply.ok && reply.ts) || ''))).toEqual([cypress]);
  });

  test('is left alone where outsiders read or the bot is no member, and if an outsider posts it', async () => {
    await switchTo('composer');
    expect(urlsOf(await post(ada, shared, cypress))).toEqual([]);
    expect(urlsOf(await post(dora, shared, cypress))).toEqual([]);
    expect(urlsOf(await post(ada, privateDesk, cypress))).toEqual([]);
    expect(linkLines()).toEqual([]);
    await bot.playground.controls.addMember(ops, dora);
    expect(urlsOf(await post(dora, ops, cypress))).toEqual([]);
    await expect.poll(linkLines).toMatchObject([{ outcome: 'outside' }]);
    expect(bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === dora)).toEqual([]);
  });

  test('is left alone as soon as its channel is shared, even if that was not known a moment ago', async () => {
    const before = await post(ada, ops, cypress, 1);
    expect(urlsOf(before)).toEqual([cypress]);
    await bot.playground.controls.share(ops);
    expect(urlsOf(await post(ada, ops, diana))).toEqual([]);
    const old = before.unfurls;
    const notice = await bot.after(() => press(ada, before, cypress));
    expect(notice).toMatchObject({ ephemeralTo: ada });
    expect(notice.text).toContain('People from another organisation can read this channel');
    expect(messageIn(ops, before.ts).unfurls).toEqual(old);
  });

  test('of a guest is answered as the workspace serves guests', async () => {
    expect(urlsOf(await post(eve, ops, cypress, 1))).toEqual([cypress]);
    await bot.say(ada, ops, '/landfall settings guests none');
    expect(urlsOf(await post(eve, ops, cypress))).toEqual([]);
    await expect.poll(linkLines).toMatchObject([{ outcome: 'answered' }, { outcome: 'guest' }]);
    expect(bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === eve)).toEqual([]);
  });

  test('keeps its answer in words if Slack refuses the blocks', async () => {
    bot.playground.faults.refuseBlocks(['section']);
    const message = await post(ada, ops, cypress, 1);
    expect(message.unfurls?.[0]?.text).toMatch(/^DS CYPRESS .*\(invented data\)$/);
  });
  test('shows nothing, and says nothing, while the service is down; the log has the reference', async () => {
    bot.sandbox.faults.malformed('html');
    const { ts } = await said(ada, ops, cypress);
    await expect.poll(linkLines).toMatchObject([{ outcome: 'failed' }]);
    expect(linkLines()[0]?.ref).toMatch(/^\w{6}$/);
    expect(urlsOf(messageIn(ops, ts))).toEqual([]);
    expect(bot.messages(ops).filter(({ text }) => !text.includes('in the whole workspace'))).toEqual([]);
  });
});

describe('Refresh under a link', () => {
  beforeEach(async () => void (await switchTo('on')));

  test('asks the service again, at most once a minute, and replaces only what is under that link', async () => {
    const message = await post(ada, ops, `${cypress} ${diana}`, 2);
    const under = (url: string) => messageIn(ops, message.ts).unfurls?.find((each) => each.url === url);
    const [first, other] = [under(cypress), under(diana)];
    bot.advance(120_000);
    await press(ben, message, cypress);
    await expect.poll(() => under(cypress)).not.toEqual(first);
    const refreshed = under(cypress);
    expect(refreshed && wordsOf(refreshed)).not.toContain('Refreshed');
    await press(ada, message, cypress);
    await expect.poll(() => JSON.stringify(under(cypress))).toContain('you can refresh again after a minute');
    expect(under(diana)).toEqual(other);
    expect(bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === undefined)).toEqual([]);
  });

  test('tells only the person who clicked what fails', async () => {
    const message = await post(ada, ops, cypress, 1);
    bot.sandbox.faults.malformed('html');
    const failure = await bot.after(() => press(ben, message, cypress));
    expect(failure).toMatchObject({ ephemeralTo: ben });
    expect(messageIn(ops, message.ts).unfurls).toEqual(message.unfurls);
    await switchTo('off');
    const refused = await bot.after(() => press(ben, message, cypress));
    expect(refused.text).toContain('Workspace admins have switched off what links show');
  });
});

describe('the composer', () => {
  beforeEach(async () => void (await switchTo('on')));

  const write = (userId: string, text: string) => bot.playground.write({ userId, text });

  test('shows a preview only where an admin chose that, and never to outsiders', async () => {
    await write(ada, cypress);
    await settled();
    expect(linkLines()).toEqual([]);
    await switchTo('composer');
    await write(ben, cypress);
    await expect.poll(() => bot.playground.previews(ben)).toMatchObject([{ url: cypress }]);
    expect(JSON.stringify(bot.playground.previews(ben))).toContain('DS CYPRESS');
    await write(dora, cypress);
    await expect.poll(linkLines).toMatchObject([{ outcome: 'answered' }, { outcome: 'outside' }]);
    expect(bot.playground.previews(dora)).toEqual([]);
    // Once the message is sent, Slack tells of its links again, and the rules of its channel count.
    expect(urlsOf(await post(ben, shared, cypress))).toEqual([]);
    expect(bot.playground.previews(ben)).toEqual([]);
  });
});
