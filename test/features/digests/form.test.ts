import type { PageMessage } from 'bolt-playground';
import { describe, expect, it } from 'vitest';
import { ada, ben, buttonsOf, dmOf, ops, shared, startBot } from '../../support/bot.ts';
import { driveForms } from '../../support/form-driver.ts';
import { useStarted } from '../../support/use-started.ts';

const chen = 'U0CHEN0001';

/** The value of an option in the menu beside the first digest of a list. */
function optionOf({ blocks = [] }: PageMessage, label: string): string {
  const menus = blocks.flatMap((block) =>
    block.type === 'section' && block.accessory?.type === 'overflow' ? block.accessory.options : [],
  );
  return menus.find(({ text }) => text.text === label)?.value ?? '';
}

describe('the form of a digest', () => {
  const bot = useStarted(() => startBot('http'));
  const form = driveForms(bot, ada);

  /** Returns the answer: other messages may come meanwhile. */
  const say = (userId: string, line: string, channelId = ops) =>
    bot.say(userId, channelId, line, { match: ({ ephemeralTo }) => ephemeralTo === userId });
  const plan = async (channelId = ops) => {
    const offered = await say(ada, '/digest add', channelId);
    await bot.playground.click({
      userId: ada,
      channelId,
      messageTs: offered.ts,
      actionId: 'form:digest',
    });
    await form.see('# Add a digest');
  };

  it('adds and removes lines, checks each while it is typed, and keeps its text', async () => {
    await plan();
    // Without waiting, as a quick person does: the newest input wins.
    await form.fill('line-1', 'usag');
    await form.fill('line-1', 'usage');
    await form.press('Add a line');
    await form.see('Line 2');
    await form.see('✓ usage');
    await form.fill('line-2', 'portcals rotterdam');
    await form.see("🟠 “portcals rotterdam” isn't a command");
    await form.see('Did you mean /portcalls NLRTM');
    await form.fill('line-2', 'portcalls rotterdam next 3 days');
    await form.see('✓ portcalls NLRTM next 3 days');
    await form.press('Remove', 0);
    await form.see('line-2: Line 1 = portcalls rotterdam');
    expect(form.read()).not.toContain('usage\n✓');
    await form.press('Preview');
    const preview = await form.see('Nothing is saved or posted yet.');
    expect(preview.title?.text).toBe('Preview');
    expect(form.read()).toContain('Rotterdam: ');
    expect(form.read()).not.toContain('[Run now');
    await form.close();
    await form.fill('title', 'Morning');
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('Digest saved: ');
    expect(form.read()).toContain('`portcalls NLRTM next 3 days`');
    await form.press('Undo');
    await form.see('Digest removed: “Morning”');
    await form.close();
    expect(form.top()).toBeUndefined();
  });

  it('shows all errors at once, each beside its field, and gives no preview until they are corrected', async () => {
    await plan();
    await form.fill('days', 'some');
    await form.see('Tick the days');
    await form.fill('times', 'noonish');
    await form.see("“noonish” isn't a valid day, date or time of day.");
    await form.fill('zone', 'Atlantis');
    await form.fill('line-1', 'watch 9461477');
    await form.see('🟠 “watch 9461477” changes something');
    await form.fill('title', 'a "b" c');
    await form.press('Preview');
    await form.see('🟠 Complete the form to preview it.');
    await form.fill('weekdays', ['6']);
    expect(await form.submit()).toEqual({
      ok: false,
      error: '',
      errors: {
        times: expect.stringContaining("“noonish” isn't a valid day, date or time of day."),
        zone: expect.stringContaining("“Atlantis” isn't a valid time zone."),
        'line-1': expect.stringContaining('a digest can only contain lines that ask'),
        title: "A title can't contain a quotation mark.",
      },
    });
    await form.close();
    expect((await say(ada, '/digest list')).text).toContain('No digests in this channel yet');
  });

  it('previews a line that fails with its reference, and the other lines', async () => {
    bot.sandbox.faults.malformed('html', { endpoint: '/tradelane-analytics/*' });
    await plan();
    await form.fill('line-1', 'lane Singapore Rotterdam');
    await form.press('Add a line');
    await form.see('Line 2');
    await form.fill('line-2', 'nextport 9461477');
    await form.press('Preview');
    await form.see(/could not be answered: The analytics service sent something unreadable \(ref \w{6}\)/);
    expect(form.read()).toMatch(/^DS CYPRESS/m);
    expect(bot.log.some(({ surface, outcome }) => surface === 'preview' && outcome === 'failed')).toBe(true);
    bot.sandbox.faults.clear();
    await form.close();
    await form.close();
  });

  it('adds a personal digest in a direct message, on dates of the month', async () => {
    await plan(dmOf(ada));
    expect(form.read()).toContain('where: Send it = me');
    await form.fill('days', 'dates');
    await form.see('dates: Dates of the month');
    await form.fill('dates', '1, 15th, last day');
    await form.fill('times', '6:00, 18:30');
    await form.fill('zone', 'singapore');
    await form.see('(Asia/Singapore time)');
    await form.fill('news', ['only']);
    await form.fill('line-1', 'nextport watched');
    await form.see('✓ nextport watched');
    await form.submit();
    await form.see('Watched vessels');
    expect(form.read()).toContain('on the 1st, 15th, last day 06:00, 18:30 Asia/Singapore · only with news');
    expect(form.read()).toContain('Sent to you by direct message');
    await form.press('Undo');
    await form.see('Digest removed');
    await form.close();
  });

  it('edits a digest that is paused meanwhile, which stays paused, or removed, which is reported', async () => {
    await say(ada, '/digest add "Morning" mon,thu 07:30 Asia/Kolkata: usage; nextport 9461477');
    const shown = await say(ada, '/digest show');
    const edit = { userId: ada, channelId: ops, messageTs: shown.ts, actionId: 'form:digest' };
    await bot.playground.click(edit);
    await form.see('# Edit digest');
    expect(form.read()).toContain('weekdays: Days of the week = 1,4');
    expect(form.read()).toContain('line-2: Line 2 = nextport 9461477');
    await say(ben, '/digest pause');
    await form.fill('times', '09:00');
    await form.press('Preview');
    await form.see(/Digest \d+ by ada · paused/);
    await form.close();
    await form.submit();
    await form.see('Digest changed: ');
    expect(form.read()).toContain('mon,thu 09:00 Asia/Kolkata');
    expect(form.read()).toContain('paused');
    await form.press('Undo');
    await form.see('mon,thu 07:30 Asia/Kolkata');
    await form.close();

    await bot.playground.click(edit);
    await form.see('# Edit digest');
    await say(ben, '/digest remove');
    await form.submit();
    await form.see('That digest has been removed.');
    expect(bot.playground.views(ada)).toHaveLength(2);
    await form.close();
    await form.close();
    const late = await bot.after(
      () => bot.playground.click(edit),
      ({ ephemeralTo }) => ephemeralTo === ada,
    );
    expect(late.text).toContain('That digest has been removed.');
  });

  it('refuses channels that the person is not in, or in which the bot cannot post', async () => {
    await say(ada, '/digest add "Morning" mon 08:00: usage');
    const list = await say(chen, '/digest list');
    const planning = { userId: chen, channelId: ops, messageTs: list.ts, actionId: 'form:digest' };
    await bot.playground.click(planning);
    const hers = driveForms(bot, chen);
    await hers.see('# Add a digest');
    await bot.click(ada, await bot.say(ada, shared, '/watch 9755933'), 'Post it here');
    await hers.fill('line-1', 'nextport watched');
    await hers.press('Add a line');
    await hers.see('Line 2');
    await hers.fill('line-2', 'watch list');
    await hers.fill('channel', shared);
    await hers.press('Preview');
    await hers.see('You are not in that channel, or Landfall is not (ref');
    expect(hers.read()).not.toContain('DIANA');
    await hers.close();
    await hers.fill('line-1', 'usage');
    await hers.fill('line-2', 'nextport watched');
    await hers.fill('channel', shared);
    expect(await hers.submit()).toMatchObject({
      errors: { channel: expect.stringContaining('You are not in that channel') },
    });
    await hers.close();
    // The form of a personal digest does not open for others.
    const own = await bot.say(ada, dmOf(ada), 'digest add "Mine" mon 08:00: usage', {
      match: ({ text }) => text.includes('Mine'),
    });
    const edit = buttonsOf(own).find(({ text }) => text?.text === 'Edit');
    const menu = { userId: chen, channelId: ops, messageTs: list.ts, actionId: 'more' };
    expect(edit?.value).toContain('digestId');
    const menuEdit = await bot.playground.click({ ...menu, optionValue: `form:digest ${edit?.value}` });
    expect(menuEdit.ok).toBe(false);
    await bot.playground.click({ ...menu, optionValue: optionOf(list, 'Edit') });
    await hers.see('# Edit digest');
    await hers.close();
    await bot.say(ada, dmOf(ada), 'digest remove');
    await say(ada, '/digest remove');
  });
});
