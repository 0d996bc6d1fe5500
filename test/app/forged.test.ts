import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outsideNotice } from '../../src/answers/slack/notices.ts';
import { readView } from '../support/form-driver.ts';
import { direct } from '../support/statements/direct.ts';
import { openSqlite, type TestStore } from '../support/store-engines.ts';
import {
  type CannedService,
  goodPassword,
  startCannedService,
} from '../support/two-workspaces/canned-service.ts';
import {
  type Clickable,
  click,
  clickablesIn,
  runShortcut,
  say,
  sendEvent,
  submit,
  typeCommand,
} from '../support/two-workspaces/deliveries.ts';
import { outcomeOf } from '../support/two-workspaces/outcome.ts';
import { type Process, startProcess, type TeamId, teamIds } from '../support/two-workspaces/process.ts';
import { channels, people, type Recorded, type SeenView } from '../support/two-workspaces/recorded-slack.ts';

// Workspace T1 has much, and T2 nothing. T2 sends what only T1 has. All ids of channels and people are the same.
const { ada, ben } = people;
const { ops, connect } = channels;

let store: TestStore;
let service: CannedService;
let bot: Process;
let step = 0;

beforeAll(async () => {
  store = await openSqlite();
  service = await startCannedService();
  bot = await startProcess({
    ...store,
    service,
    accounts: { T1: accountOf('key-one'), T2: accountOf('key-second') },
  });
  bot.begin('0000a');
  for (const team of teamIds) {
    await bot.install(team);
    await bot.connect(team);
  }
  await fillFirst();
});
afterAll(async () => {
  await bot.stop();
  await service.close();
  await store.close();
});

const accountOf = (apiKey: string) => ({ apiKey, password: goodPassword });

/** The admin of the workspace, with a delivery that has ids of its own. */
function by(team: TeamId) {
  step += 1;
  return { team, userId: team === 'T1' ? ada : ben, step };
}

async function done(delivery: Promise<unknown>): Promise<void> {
  await delivery;
  await bot.settled();
}

async function passHours(hours: number): Promise<void> {
  bot.clock.ms += hours * 3_600_000;
  await bot.runDue();
  await bot.settled();
}

/** T1 has everything that a workspace can have, and has opened every form. */
async function fillFirst(): Promise<void> {
  for (const line of [
    'vessel name 9461477 SECRET STAR',
    'vessel name 9811000 SECRET PRIDE',
    'vessel fleet SECRETS add 9461477, 9811000',
    'watch 9461477',
    'watch 9461477 eta 6h',
    'watch fleet:SECRETS',
    'watch 9755933',
    'watch stop 9755933',
    'digest add "Secret digest" daily 10:00 UTC: nextport 9461477; portcalls NLRTM',
    'digest add "Removed secret" daily 11:00 UTC: nextport 9461477',
    'digest remove 2',
    'landfall settings',
    'landfall account',
    'vessel fleets',
    'watch list',
    'digest list',
    'nextport 9461477',
  ])
    await done(typeCommand(bot, by('T1'), { channelId: ops, line }));
  await done(typeCommand(bot, by('T1'), { channelId: connect, line: 'watch 9461477' }));
  // Where outsiders read, the bot asks first.
  const yes = allClickables('T1').find(({ action }) => action.action_id.startsWith('outsiders:'));
  if (!yes) throw new Error('no question');
  await done(click(bot, by('T1'), yes));
  await passHours(0);
  service.accounts.set('key-one', { version: 1, isForbidden: false });
  await passHours(30);
  for (const userId of [ada, ben])
    await done(sendEvent(bot, by('T1'), { type: 'app_home_opened', user: userId, tab: 'home' }));
  const goToDigests = allClickables('T1').find(
    ({ on, action }) =>
      'view' in on && on.view.userId === ben && action.action_id.startsWith('home:go:digests'),
  );
  if (goToDigests) await done(click(bot, { ...by('T1'), userId: ben }, goToDigests));
  for (const clickable of allClickables('T1'))
    if (/form:|date t1-/.test(JSON.stringify(clickable.action))) await done(click(bot, by('T1'), clickable));
}

/** With every option of every menu. */
function allClickables(team: TeamId): Clickable[] {
  const all = [0, 1, 2, 3, 4].flatMap((choice) => clickablesIn(bot.slackOf(team), choice));
  return [...new Map(all.map((clickable) => [JSON.stringify(clickable), clickable])).values()];
}

const formsOf = (team: TeamId): SeenView[] =>
  bot.slackOf(team).views.filter(({ callback_id }) => callback_id.startsWith('form:'));

/** The same ids, with other names: a secret that is shown all the same was read from T1. */
const unnamed = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll('SECRET', 'FORGED')
      .replaceAll(/secret/gi, 'forged'),
  );

function formOfFirst(name: string, metadata = ''): SeenView {
  const found = formsOf('T1').find(
    (view) => view.callback_id === `form:${name}` && view.private_metadata.includes(metadata),
  );
  if (!found) throw new Error(`T1 has no form ${name}`);
  return unnamed(found);
}

/** What T2 is shown after a delivery. Fails if T1 gets or loses anything, or if T2 is shown anything of T1. */
async function shownBy(deliver: () => Promise<void>): Promise<string> {
  const before = await outcomeOf(bot, 'T1');
  const { transcript } = bot.slackOf('T2');
  const from = transcript.length;
  await done(deliver());
  await passHours(0);
  const added = transcript.slice(from);
  expect(await outcomeOf(bot, 'T1')).toEqual(before);
  expect(JSON.stringify(added)).not.toMatch(/secret|of T1|https:..T1/i);
  return added.flatMap(wordsOf).join('\n');
}

function wordsOf({ args: { text, errors, view } }: Recorded): string[] {
  if (errors) return [JSON.stringify(errors)];
  if (text) return [String(text)];
  // A view as the bot sent it.
  return view
    ? readView(view as Parameters<typeof readView>[0])
        .split('\n')
        .slice(1, 2)
    : [];
}

test('the id of a change in the audit log of another workspace', async () => {
  const ofFirst = bot.db.selectFrom('audit').select('id').where('workspace_id', '=', 'T1');
  const { id } = await ofFirst.limit(1).executeTakeFirstOrThrow();
  const line = `landfall audit entry ${id}`;
  expect(await shownBy(() => typeCommand(bot, by('T2'), { channelId: ops, line }))).toBe(
    'This change is no longer stored. You could try: List the changes.',
  );
});

describe('in a channel that both workspaces share over Slack Connect, where messages have one id', () => {
  test.each([
    ['watch stop', /^Which watch\? No watches in this channel yet/],
    ['', /^Ask me where vessels call next/],
  ])('“%s” in the thread of a card of another workspace', async (line, shown) => {
    const card = bot.slackOf('T1').messages.find(({ channelId }) => channelId === connect);
    const reply = { channelId: connect, line, threadTs: card?.ts };
    expect(await shownBy(() => say(bot, by('T2'), reply))).toMatch(shown);
  });

  test('a person of one workspace clicks and writes to the bot of the other', async () => {
    const sender = () => ({ ...by('T1'), userId: ben, homeTeam: 'T2' as const });
    const { transcript, messages } = bot.slackOf('T1');
    const card = messages.find(({ channelId, blocks }) => channelId === connect && blocks.length > 0);
    const stop = allClickables('T1').find(
      ({ on, action }) =>
        'message' in on && on.message === card && JSON.stringify(action).includes('watch:ask-to-stop'),
    );
    if (!stop) throw new Error('no card with a button');
    const { rows } = await outcomeOf(bot, 'T1');
    const from = transcript.length;
    await done(click(bot, sender(), stop));
    await done(say(bot, sender(), { channelId: connect, line: 'watch stop all', threadTs: undefined }));
    expect((await outcomeOf(bot, 'T1')).rows).toEqual(rows);
    const { text } = outsideNotice;
    expect(transcript.slice(from).flatMap(wordsOf)).toEqual([text, text]);
  });

  test('the bot leaves it in one workspace, and stays in the other', async () => {
    bot.slackOf('T2').closed.add(connect);
    await shownBy(() => sendEvent(bot, by('T2'), { type: 'channel_left', channel: connect }));
  });
});

test('a message in which only another workspace knows a vessel by its name', async () => {
  const message = { channelId: ops, ts: '1.1', isEphemeral: false, text: 'SECRET STAR is late', blocks: [] };
  const shown = await shownBy(() => runShortcut(bot, by('T2'), { message }));
  // The field is empty.
  expect(shown).toBe('what: What to watch');
});

test('a response URL of another workspace gets only what belongs to the sender', async () => {
  const url = bot.giveUrl('T1', 'stolen', { channelId: ops, ts: '', isEphemeral: true });
  await done(typeCommand(bot, by('T2'), { channelId: ops, line: 'vessel list', url }));
  expect(bot.slackOf('T1').transcript.at(-1)).toMatchObject({
    method: 'response stolen',
    args: { text: expect.stringMatching(/^No vessel has a name here yet/) },
  });
});

describe('requests with the same ids, at the same time in both workspaces', () => {
  const inBoth = async (deliver: (sender: ReturnType<typeof by>) => Promise<void>) => {
    const sender = by('T1');
    await done(Promise.all([deliver(sender), deliver({ ...sender, team: 'T2' })]));
  };

  test('add a digest in each', async () => {
    const line = 'digest add "Same in both" daily 10:00 UTC: nextport 9461477';
    await inBoth((sender) => typeCommand(bot, sender, { channelId: ops, line }));
    const rows = await direct(bot.db)
      .selectFrom('digests')
      .select('workspace_id')
      .where('title', '=', 'Same in both')
      .orderBy('workspace_id')
      .execute();
    expect(rows.map(({ workspace_id }) => workspace_id)).toEqual(['T1', 'T2']);
  });

  test('submit the same form, and each gets its own answer', async () => {
    const view = formOfFirst('watch', 'watchId');
    await inBoth((sender) => submit(bot, sender, { view, fill: 1 }));
    const answerIn = (team: TeamId) =>
      bot.slackOf(team).transcript.findLast(({ method }) => method === 'acknowledged');
    expect([answerIn('T1'), answerIn('T2')].flatMap((answer) => answer ?? []).map(wordsOf)).toEqual([
      ['*The watch of SECRET STAR in <#C0CONNECT> already has these rules*'],
      ['That watch has been stopped.'],
    ]);
  });
});

test('every kind of button, option and form of another workspace', async () => {
  const kindOf = ({ on, action: { action_id, selected_option } }: Clickable) =>
    JSON.stringify(['view' in on ? on.view.callback_id : '', action_id, { ...selected_option, value: '' }]);
  const clickables = new Map(allClickables('T1').map((clickable) => [kindOf(clickable), clickable]));
  await shownBy(async () => {
    for (const clickable of clickables.values()) await done(click(bot, by('T2'), unnamed(clickable)));
    for (const view of formsOf('T1')) await done(submit(bot, by('T2'), { view: unnamed(view), fill: 1 }));
  });
});
