import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ada, ben, dora, ops, startBot, type TestBot } from '../../support/bot.ts';
import { driveForms } from '../../support/form-driver.ts';
import { driveHome } from '../../support/home-driver.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe.each(['socket', 'http'] as const)('the Home tab (%s)', (mode) => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot(mode, { timing: { workingMs: 300 } });
  });
  afterAll(() => bot.stop());

  test('an empty tab has three first steps, each with its button', async () => {
    const home = driveHome(bot, ada);
    await home.open();
    const words = await home.see('Welcome to Landfall');
    expect(words).toContain('No watches here yet');
    expect(words).toContain('invented data');
    await home.press('Watch a vessel …');
    await driveForms(bot, ada).see('What to watch');
    await driveForms(bot, ada).close();
  });

  test('shows at once what is added anywhere', async () => {
    const home = driveHome(bot, ada);
    await bot.say(ada, ops, '/watch 9461477');
    await home.see('DS CYPRESS');
    await bot.runDue();
    await bot.say(ada, ops, '/digest add "Morning" weekdays 08:00: usage');
    expect(await home.see('Digests 1')).not.toContain('Welcome');
  });

  test('Snooze, Wake and Edit of a watch of a channel', async () => {
    const home = driveHome(bot, ada);
    expect(home.read()).toContain('API calls a day');
    expect(home.options('DS CYPRESS')).toEqual([
      'Snooze 1 hour',
      'Snooze until …',
      'Snooze until 24 h before the ETA',
      'Edit …',
      'Stop …',
    ]);
    await home.choose('DS CYPRESS', 'Snooze 1 hour');
    expect(await home.see(/Snoozed until .* UTC\*: DS CYPRESS in/)).toContain('snoozed until');
    await home.choose('DS CYPRESS', 'Wake now');
    await home.see('Awake again');
    await home.choose('DS CYPRESS', 'Edit …');
    await driveForms(bot, ada).see('DS CYPRESS');
    await driveForms(bot, ada).close();
  });

  test('Stop asks first, then the watch is gone', async () => {
    const home = driveHome(bot, ada);
    const modal = driveForms(bot, ada);
    await bot.say(ada, ops, '/watch 9755933');
    await home.see('MSC DIANA');
    await home.choose('MSC DIANA', 'Stop …');
    await modal.see('Stop the watch of');
    await modal.press('Stop it');
    await modal.see('is no longer watched');
    await home.see('Watches 1');
    expect(home.read()).not.toContain('MSC DIANA');
    await modal.press('Undo');
    await modal.see('is watched again, on a new card');
    await home.see('MSC DIANA');
    await bot.say(ada, ops, '/watch stop 9755933');
    await home.see('Watches 1');
  });

  test('a digest: paused, resumed, run now, removed', async () => {
    const home = driveHome(bot, ada);
    const modal = driveForms(bot, ada);
    await home.press(/^Digests/);
    await home.see('Morning');
    await home.choose('Morning', 'Pause');
    await home.see(/Paused: “Morning”.*🟠 Paused/s);
    await home.choose('Morning', 'Resume');
    await home.see('Resumed: “Morning”');
    const posted = bot.after(
      () => home.choose('Morning', 'Run now'),
      ({ channelId, text }) => channelId === ops && text.includes('Morning'),
    );
    await home.see('On its way');
    await posted;
    await home.choose('Morning', 'Remove …');
    await modal.see('Remove the digest');
    await modal.press('Remove it');
    await home.see('No digests here yet');
  });

  test('a slow answer says so; an answer about a vessel can be refreshed', async () => {
    const home = driveHome(bot, ada);
    const answersSlowly = async (ask: () => Promise<void>) => {
      const before = bot.sandbox.requests.total;
      const held = bot.sandbox.faults.hold();
      await ask();
      await home.see('Working on it …');
      held.remove();
      await home.see('Forecast as of');
      expect(home.read()).not.toContain('Working on it …');
      expect(bot.sandbox.requests.total).toBeGreaterThan(before);
    };
    await home.press(/^Vessel names/);
    await home.see(/1–12 of \d+ shown/);
    await answersSlowly(() => home.choose('ALDER ANCHORAGE', 'Where does it call next?'));
    await answersSlowly(() => home.press('Refresh'));
  });

  test('a forgotten name can be restored', async () => {
    const home = driveHome(bot, ada);
    await home.choose('ALDER ANCHORAGE', 'Forget the name');
    await home.see('Forgotten: ALDER ANCHORAGE');
    await home.press('Undo');
    await home.see('is now called ALDER ANCHORAGE');
  });

  test('typing in a form does not redraw the tab', async () => {
    const home = driveHome(bot, ada);
    const drawn = () => bot.playground.wire().filter(({ label }) => label === 'views.publish').length;
    await home.press('Watch a vessel …');
    const form = driveForms(bot, ada);
    await form.see('What to watch');
    const before = drawn();
    await form.fill('what', '9461477');
    await form.see('DS CYPRESS');
    await form.close();
    await home.press(/^Watches/);
    await home.see('Only mine');
    expect(drawn() - before).toBe(1);
  });

  test('an owner sees a change by somebody else too', async () => {
    const home = driveHome(bot, ada);
    await home.see('DS CYPRESS');
    await bot.say(ben, ops, '/watch snooze 9461477 1h');
    await home.see('snoozed until');
    await bot.say(ben, ops, `/watch hand over 9461477 to <@${ben}>`);
    await home.see(`by <@${ben}>`);
    await bot.say(ben, ops, `/watch hand over 9461477 to <@${ada}>`);
    await home.see(`by <@${ada}>`);
  });

  test('a forbidden action is refused before a question or a form', async () => {
    const settings = async (whoMayAdd: 'admins' | 'members') => {
      const { ts: messageTs } = await bot.say(ada, ops, '/landfall settings');
      await bot.playground.click({ userId: ada, channelId: ops, messageTs, actionId: 'form:channel' });
      const form = driveForms(bot, ada);
      await form.see('Alerts of watches');
      await form.fill('whoMayAdd', whoMayAdd);
      await form.submit();
      await form.see('Settings saved');
      await form.close();
    };
    await settings('admins');
    const home = driveHome(bot, ben);
    await home.open();
    await home.see('DS CYPRESS');
    for (const option of ['Stop …', 'Edit …', 'Snooze until …']) {
      await home.press(/^Watches/);
      await waitUntil('the refusal is gone', () => !home.read().includes("You can't"));
      await home.choose('DS CYPRESS', option);
      await home.see("You can't change the watch of DS CYPRESS.");
      expect(bot.playground.views(ben).filter(({ type }) => type === 'modal')).toEqual([]);
    }
    await settings('members');
  });

  test('people have separate tabs; a person outside its channel can not change a watch', async () => {
    const mine = driveHome(bot, ada);
    await mine.press(/^Watches/);
    await mine.see('DS CYPRESS');
    await mine.press('Only mine');
    await mine.see('In all my channels');
    const bens = driveHome(bot, ben);
    await bens.open();
    await bens.see('DS CYPRESS');
    await bens.press('Only mine');
    await bens.see('No watches here yet');
  });

  test('a person of another organisation reads that they are not served, and nothing else', async () => {
    const home = driveHome(bot, dora);
    await home.open();
    expect(await home.see('only answers people in the organisation')).not.toContain('CYPRESS');
  });
});
