import { describe, expect, test } from 'vitest';
import { ada, ben, ops, startBot } from '../../support/bot.ts';
import { driveForms } from '../../support/form-driver.ts';
import { driveHome } from '../../support/home-driver.ts';
import { useStarted } from '../../support/use-started.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe.each(['socket', 'http'] as const)('the Home tab (%s)', (mode) => {
  const bot = useStarted(() => startBot(mode, { timing: { workingMs: 300 } }));

  test('shows at once what is added anywhere', async () => {
    const home = driveHome(bot, ada);
    await home.open();
    await bot.say(ada, ops, '/watch 9461477');
    await home.see('DS CYPRESS');
    await bot.runDue();
    await bot.say(ada, ops, '/digest add "Morning" weekdays 08:00: usage');
    expect(await home.see('Digests 1')).not.toContain('Welcome');
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
    await home.see('Only my watches');
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
});
