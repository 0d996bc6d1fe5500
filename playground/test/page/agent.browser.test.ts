import { beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { violations } from '../support/page-axe.ts';
import { noBrowser } from '../support/page-browser.ts';
import { overflows } from '../support/page-layout.ts';
import { pageSession } from '../support/page-session.ts';

const ADA = 'U0ADA0001';
const DM = 'D0ADA0001';
const prompt = (title: string) => ({ title, message: `${title} Please tell me.` });
const declared = ['Where will it call next?', 'Who is coming to Rotterdam?', 'What did it cost?'].map(prompt);
const manifest = stringify({
  display_information: { name: 'Your app' },
  features: {
    slash_commands: [{ command: '/lookup' }],
    app_home: { home_tab_enabled: true },
    agent_view: { agent_description: 'Answers questions about ships.', suggested_prompts: declared },
  },
  oauth_config: { scopes: { bot: ['chat:write', 'commands', 'im:history'] } },
  settings: { event_subscriptions: { bot_events: ['message.im', 'app_home_opened'] } },
});

describe.skipIf(noBrowser)(`an agent${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const session = pageSession({ manifest }, (app) => {
    app.command('/lookup', async ({ ack }) => ack('Rotterdam'));
  });
  const { page, composer, thread, button } = session;
  const slack = () => session.slack().playground;
  const client = () => session.slack().app.client;
  const log = () => page().getByRole('log', { name: 'Messages in Your app' });
  const prompts = (name = 'Suggested prompts') => page().getByRole('region', { name });
  const direct = () =>
    page().getByRole('navigation', { name: 'Workspace' }).getByRole('button', { name: 'Your app' }).click();
  const send = async (text: string) => {
    await composer().fill(text);
    await composer().press('Enter');
  };
  /** Ada's newest message. */
  const asked = async (text: string) =>
    (await slack().waitForMessage((message) => message.text === text && message.userId === ADA)).ts;
  const setStatus = (thread_ts: string, status: string, channel_id = DM) =>
    client().assistant.threads.setStatus({ channel_id, thread_ts, status });
  const suggest = (titles: string[], title?: string) =>
    client().assistant.threads.setSuggestedPrompts({
      channel_id: DM,
      prompts: titles.map(prompt),
      ...(title && { title }),
    });
  /** The tabs of this person's direct message with the app that the page has opened. */
  const openedTabs = (userId: string) => {
    const tabs = slack()
      .wire()
      .filter(({ label }) => label === 'event app_home_opened')
      .map(({ request }) => (request as { event: { user: string; tab: string } }).event) // As Slack sends it.
      .filter(({ user }) => user === userId)
      .map(({ tab }) => tab);
    // Tests have the development build, in which React runs the first effect of a component twice.
    return tabs.filter((tab, index) => tab !== tabs[index - 1]);
  };

  beforeEach(async () => {
    await suggest(declared.map(({ title }) => title));
    await direct();
    await prompts().waitFor();
  });

  it('suggests prompts, and a click on one sends its message and opens the thread', async () => {
    await log().getByText('Answers questions about ships.').waitFor();
    expect(await log().getByRole('list', { name: 'Examples' }).count()).toBe(0);
    expect(await prompts().getByRole('button').allInnerTexts()).toEqual(declared.map(({ title }) => title));
    expect(await violations(page())).toEqual([]);
    await page().setViewportSize({ width: 1280, height: 800 });
    await button('Who is coming to Rotterdam?').click();
    await thread().getByText('Who is coming to Rotterdam? Please tell me.').waitFor();
    expect(slack().messages(DM)).toMatchObject([{ userId: ADA, text: declared[1]?.message }]);
    // The conversation goes on there, so it has the focus.
    await expect.poll(() => page().evaluate('document.activeElement.placeholder')).toBe('Reply …');
  });

  it('prompts are in reach of the keyboard, just before the message field', async () => {
    await composer().focus();
    await page().keyboard.press('Shift+Tab');
    await page().keyboard.press('Enter');
    await thread().getByText('What did it cost? Please tell me.').waitFor();
  });

  it("shows the app's prompts and their title as soon as it sets them; other channels have none", async () => {
    await suggest(['Which vessels are late?'], 'Good morning, Ada');
    await prompts('Good morning, Ada').getByRole('button', { name: 'Which vessels are late?' }).waitFor();
    expect(await prompts().count()).toBe(0);
    await session.become('Ben Okafor');
    await direct();
    await prompts().getByRole('button', { name: 'Where will it call next?' }).waitFor();
    await page().getByRole('button', { name: /^ops/ }).click();
    await page().getByRole('combobox', { name: 'Message #ops' }).waitFor();
    expect(await prompts().count()).toBe(0);
    await session.become('Ada Lindqvist');
  });

  it.each([1280, 390, 320])('prompts cover nothing and push nothing away at %i px', async (width) => {
    for (let message = 1; message <= 12; message += 1)
      await slack().say({ userId: ADA, channelId: DM, text: `message ${message}` });
    await suggest(['A', 'B', 'C', 'D'].map((letter) => `${letter}: ${'how late is it '.repeat(8)}?`));
    await page().setViewportSize({ width, height: 640 });
    await button(/^D: how late/).waitFor();
    const boxOf = async (selector: string) => {
      const box = await page().locator(selector).boundingBox();
      if (!box) throw new Error(`${selector} isn't shown`);
      return { ...box, bottom: box.y + box.height };
    };
    const [list, region, field] = await Promise.all(['.list', '.prompts', '.composer'].map(boxOf));
    expect(list?.height).toBeGreaterThan(250);
    expect(region?.y).toBeGreaterThanOrEqual(list?.bottom ?? Number.NaN);
    expect(field?.y).toBeGreaterThanOrEqual(region?.bottom ?? Number.NaN);
    expect(field?.bottom).toBeLessThanOrEqual(640);
    expect(await page().evaluate(overflows('body'))).toBe(false);
    await page().locator('.row', { hasText: 'message 12' }).waitFor();
  });

  it("shows the app's status in the open thread until it answers", async () => {
    await send('next port of DS CYPRESS?');
    const ts = await asked('next port of DS CYPRESS?');
    // Screen readers announce what appears in an element that was there before.
    const empty = thread().getByRole('log').getByRole('status');
    await empty.waitFor({ state: 'attached' });
    expect(await empty.innerText()).toBe('');
    await setStatus(ts, 'is thinking …');
    const status = thread().getByRole('status').filter({ hasText: 'Your app is' });
    await status.getByText('Your app is thinking …').waitFor();
    // Once, and not under the message in the conversation too.
    expect(await page().getByText('Your app is thinking …').count()).toBe(1);
    await setStatus(ts, 'is asking the analytics service …');
    await status.getByText('Your app is asking the analytics service …').waitFor();
    const animations = () =>
      page().evaluate(
        "document.getAnimations().filter(({ animationName }) => animationName === 'status-sign').length",
      );
    await page().emulateMedia({ reducedMotion: 'no-preference' });
    expect(await animations()).toBe(3);
    await page().emulateMedia({ reducedMotion: 'reduce' });
    expect(await animations()).toBe(0);
    expect(await violations(page())).toEqual([]);
    await client().chat.postMessage({ channel: DM, thread_ts: ts, text: 'Rotterdam' });
    await thread().getByText('Rotterdam').waitFor();
    await status.waitFor({ state: 'detached' });
  });

  it('shows a status under the message in the conversation while its thread is not open', async () => {
    await send('one');
    const ts = await asked('one');
    await thread().getByText('one').waitFor();
    await button('Close the thread').click();
    await setStatus(ts, 'is thinking …');
    const status = log().getByRole('article').getByText('Your app is thinking …');
    await status.waitFor();
    expect(await violations(page())).toEqual([]);
    await page().setViewportSize({ width: 1280, height: 800 });
    await page().reload();
    await status.waitFor();
    await setStatus(ts, '');
    await status.waitFor({ state: 'detached' });
  });

  it('each message opens its own thread; a command, a reply and a message in a channel open none', async () => {
    await send('one');
    await thread().getByText('one').waitFor();
    await send('two');
    await thread().getByText('two').waitFor();
    await thread().getByRole('combobox').fill('and more');
    await thread().getByRole('combobox').press('Enter');
    await thread().getByText('and more').waitFor();
    expect(await thread().getByRole('article').count()).toBe(2);
    await button('Close the thread').click();
    await send('/lookup');
    await log().getByText('Rotterdam').waitFor();
    expect(await thread().count()).toBe(0);
    await page().getByRole('button', { name: /^ops/ }).click();
    await send('three');
    await page().getByRole('log', { name: 'Messages in #ops' }).getByText('three').waitFor();
    await setStatus(await asked('three'), 'is thinking …', 'C0OPS00001');
    await page().getByText('Your app is thinking …').waitFor();
    expect(await thread().count()).toBe(0);
  });

  it('notifies the app when the messages are opened: on loading, and after Home', async () => {
    const chen = 'U0CHEN0001';
    await page().goto('about:blank');
    await page().goto(`${slack().url}/#/${chen}/D0CHEN0001`);
    await expect.poll(() => openedTabs(chen)).toEqual(['messages']);
    await button('Home').click();
    await expect.poll(() => openedTabs(chen)).toEqual(['messages', 'home']);
    await page().getByRole('button', { name: /^ops/ }).click();
    await page().getByRole('combobox', { name: 'Message #ops' }).waitFor();
    await direct();
    await button('Messages').click();
    await expect.poll(() => openedTabs(chen)).toEqual(['messages', 'home', 'messages']);
  });
});
