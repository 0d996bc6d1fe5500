import type { KnownBlock } from '@slack/types';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { registerPageApp } from '../support/page-app.ts';
import { noBrowser } from '../support/page-browser.ts';
import { isTallerThanItsBox } from '../support/page-layout.ts';
import { pageSession } from '../support/page-session.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';
const BEN = 'U0BEN0001';

describe.skipIf(noBrowser)(`the page in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const commands = [
    { command: '/lookup', description: 'Where next', usageHint: '<vessel>', shouldEscape: true },
    { command: '/silent', description: 'Does nothing', usageHint: '', shouldEscape: true },
  ];
  const session = pageSession({ commands, rateLimit: false }, registerPageApp);
  const { slack, page, composer, messages, thread, button, become } = session;

  const ask = async () => {
    await composer().fill('/lookup 9461477');
    await composer().press('Enter');
    await messages().getByText('asked 1 times').waitFor();
  };

  it('says what it is, and shows examples in an empty channel', async () => {
    await page().getByText('This is not Slack').waitFor();
    expect(await page().getByRole('list', { name: 'Examples' }).getByRole('button').allInnerTexts()).toEqual([
      expect.stringContaining('/lookup 9461477'),
    ]);
    await button(/lookup 9461477/).click();
    expect(await composer().inputValue()).toBe('/lookup 9461477');
    await page().locator('textarea:focus').waitFor();
  });

  it('completes a command with the keyboard, and shows the answer only to the person who asked', async () => {
    await composer().press('/');
    await page()
      .getByRole('option', { name: /lookup/ })
      .waitFor();
    await composer().press('Escape');
    await page().getByRole('listbox').waitFor({ state: 'detached' });
    await composer().fill('');
    await composer().press('/');
    await composer().press('ArrowDown');
    expect(await page().getByRole('option', { selected: true }).innerText()).toContain('/silent');
    await composer().press('ArrowUp');
    await composer().press('Tab');
    expect(await composer().inputValue()).toBe('/lookup ');
    await page().getByText('<vessel>').waitFor();
    await composer().pressSequentially('9461477');
    await composer().press('Enter');
    const answer = messages().filter({ hasText: 'DS CYPRESS' });
    await answer.getByText('Only visible to you').waitFor();
    // Escaped text is shown as typed, not as a mention.
    await answer.getByText('asked 1 times & <!channel>').waitFor();
    await become('Ben Okafor');
    expect(await messages().count()).toBe(0);
  });

  it('a button replaces its message', async () => {
    await ask();
    await button('Refresh').click();
    await messages().getByText('asked 2 times').waitFor();
    expect(await messages().count()).toBe(1);
  });

  it('opens an overflow menu with mouse and keyboard', async () => {
    await ask();
    await button('More actions').focus();
    await page().keyboard.press('Enter');
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await page().getByText('You chose portcalls').waitFor();
    await button('More actions').click();
    await page().keyboard.press('Escape');
    await page().getByRole('menu').waitFor({ state: 'detached' });
  });

  it('asks for confirmation before a click that requires it', async () => {
    await ask();
    await button('Stop').click();
    const dialog = page().getByRole('dialog', { name: 'Stop it?' });
    await dialog.getByRole('button', { name: 'No' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button('Stop').click();
    await dialog.getByRole('button', { name: 'Stop it' }).click();
    await page().getByText('Stopped.').waitFor();
    // The denied click wasn't sent.
    expect(
      slack()
        .playground.wire()
        .filter(({ label }) => label === 'block_actions stop'),
    ).toHaveLength(1);
  });

  it("doesn't show a dismissed answer again", async () => {
    await ask();
    await button('Dismiss message').click();
    await expect.poll(() => messages().count()).toBe(0);
    await become('Ben Okafor');
    await become('Ada Lindqvist');
    expect(await messages().count()).toBe(0);
  });

  it('shows another user what is unread, with a line above the new messages', async () => {
    await ask();
    await button('Share in channel').click();
    await page().getByText('Shared by Ada').waitFor();
    await button(/^plans/).click();
    await become('Ben Okafor');
    await button(/^ops 1 unread/).click();
    await page().getByRole('log').getByText('New', { exact: true }).waitFor();
    await page().getByText('Shared by Ada').waitFor();
    await button(/^ops$/).waitFor();
    // Writing in the channel says that all above has been read.
    await composer().fill('thank you');
    await composer().press('Enter');
    await page().getByRole('log').getByText('New', { exact: true }).waitFor({ state: 'detached' });
  });

  it('still knows after a reload what is unread', async () => {
    await button(/^plans/).click();
    await page().getByRole('main', { name: '#plans' }).waitFor();
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'did you see this?' });
    await button(/^ops 1 unread/).waitFor();
    await page().reload();
    await button(/^ops 1 unread/).click();
    await page().getByRole('log').getByText('New', { exact: true }).waitFor();
    await page().reload();
    await messages().getByText('did you see this?').waitFor();
    expect(await page().getByRole('log').getByText('New', { exact: true }).count()).toBe(0);
  });

  it('opens a channel at what is new, and a message where its link says, and marks a thread with new replies', async () => {
    const { client } = slack().app;
    const first = await client.chat.postMessage({ channel: OPS, text: 'the first' });
    const thread_ts = first.ts ?? '';
    await messages().getByText('the first').waitFor();
    await button(/^plans/).click();
    const reply = await client.chat.postMessage({ channel: OPS, thread_ts, text: 'a new reply' });
    for (let n = 1; n <= 80; n += 1) await client.chat.postMessage({ channel: OPS, text: `news ${n}` });
    await button(/^ops 80 unread/).click();
    const list = page().getByRole('log', { name: 'Messages in #ops' });
    // Not the button of the thread, which says “New” as well.
    const line = list.locator(':not(button) > :text-is("New")');
    await expect.poll(() => inSight(line)).toBe(true);
    await expect.poll(() => inSight(list.getByText('news 1', { exact: true }))).toBe(true);
    await button('Latest messages').click();
    await expect.poll(() => inSight(list.getByText('news 80', { exact: true }))).toBe(true);
    const link = async (message_ts = '') =>
      (await client.chat.getPermalink({ channel: OPS, message_ts })).permalink ?? '';
    const [toFirst, toReply] = [await link(thread_ts), await link(reply.ts)];
    await client.chat.postMessage({ channel: OPS, text: `<${toFirst}|see the first>` });
    await list.getByRole('link', { name: 'see the first' }).click();
    await expect.poll(() => inSight(list.getByText('the first', { exact: true }))).toBe(true);
    const replies = list.getByRole('button', { name: /1 reply/ });
    expect(await replies.innerText()).toMatch(/^New\s*1 reply\s*Last reply \d\d:\d\d$/);
    await replies.click();
    await thread().getByText('New', { exact: true }).waitFor();
    await expect.poll(() => replies.innerText()).toMatch(/^1 reply/);
    const tab = await session.visit(toReply);
    await tab.getByRole('complementary', { name: 'Thread' }).getByText('a new reply').waitFor();
    await tab.close();
  });

  it('goes to the answer when something is sent, also from the messages that are new', async () => {
    await button(/^plans/).click();
    for (let n = 1; n <= 40; n += 1)
      await slack().playground.say({ userId: BEN, channelId: OPS, text: `news ${n}` });
    await button(/^ops 40 unread/).click();
    await expect.poll(() => inSight(messages().getByText('news 1', { exact: true }))).toBe(true);
    await ask();
    await expect.poll(() => inSight(messages().getByText('asked 1 times'))).toBe(true);
    await messages().first().hover();
    await page().mouse.wheel(0, -2000);
    await button('Latest messages').waitFor();
    // A command that nothing answers goes there, too: its failure would stand there.
    await composer().fill('/silent');
    await composer().press('Enter');
    await expect.poll(() => inSight(messages().getByText('asked 1 times'))).toBe(true);
    // Another channel still opens at what is new.
    await button(/^plans/).click();
    await slack().playground.say({
      userId: BEN,
      channelId: OPS,
      text: `late news${'\nand more'.repeat(60)}`,
    });
    await button(/^ops 1 unread/).click();
    await expect.poll(() => inSight(messages().getByText('asked 1 times'))).toBe(false);
    await button('Latest messages').waitFor();
  });

  const inSight = async (text: Locator): Promise<boolean> => {
    const list = await page().getByRole('log', { name: 'Messages in #ops' }).boundingBox();
    const box = (await text.count()) === 1 ? await text.boundingBox() : null;
    return !!list && !!box && box.y >= list.y && box.y + box.height <= list.y + list.height;
  };

  it('shows the actions of a message on hover, on focus and on a tap, and moves nothing', async () => {
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'one' });
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'two' });
    const second = messages().filter({ hasText: 'two' });
    const opacityIn = (tab: Page) =>
      tab.evaluate('getComputedStyle([...document.querySelectorAll(".message-tools")].at(-1)).opacity');
    const opacity = () => opacityIn(page());
    const place = () => second.getByText('two').boundingBox();
    await second.waitFor();
    await composer().hover();
    await expect.poll(opacity).toBe('0');
    const before = await place();
    await second.hover();
    await expect.poll(opacity).toBe('1');
    expect(await place()).toEqual(before);
    await composer().hover();
    await second.getByRole('button', { name: 'Reply in thread' }).focus();
    await page().keyboard.press('Shift');
    await expect.poll(opacity).toBe('1');
    expect(await place()).toEqual(before);
    await composer().focus();
    await expect.poll(opacity).toBe('0');
    const phone = await session.visit(slack().playground.url, { hasTouch: true, isMobile: true });
    const row = phone.getByRole('article').filter({ hasText: 'two' });
    await row.waitFor();
    expect(await opacityIn(phone)).toBe('0');
    await row.getByText('two').tap();
    await row.getByRole('button', { name: 'Reply in thread' }).tap();
    await phone.getByRole('complementary', { name: 'Thread' }).waitFor();
    await phone.close();
  });

  it('opens the thread with the answer to a mention, and replies in it', async () => {
    await composer().fill('@la');
    await composer().press('Tab');
    await composer().pressSequentially('hello');
    await composer().press('Enter');
    await messages()
      .getByRole('button', { name: /1 reply/ })
      .click();
    await thread().getByText('At your service.').waitFor();
    await thread().getByRole('combobox').fill('thank you');
    await thread().getByRole('combobox').press('Enter');
    await thread().getByText('2 replies').waitFor();
    // The channel shows the parent only.
    expect(await messages().count()).toBe(1);
    await page().keyboard.press('Escape');
    await thread().waitFor({ state: 'detached' });
  });

  it("shows Slack's errors for failed commands, in a channel and in a thread", async () => {
    await composer().fill('/nope');
    await composer().press('Enter');
    await page().getByRole('alert').waitFor();
    expect(await page().getByRole('alert').innerText()).toContain('/nope');
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'a parent' });
    await messages().filter({ hasText: 'a parent' }).hover();
    await button('Reply in thread').last().click();
    await thread().getByRole('combobox').fill('/lookup 9461477');
    await thread().getByRole('combobox').press('Enter');
    await thread().getByText('/lookup is not supported in threads. Sorry!').waitFor();
  });

  it('shows live messages of other people, and requests in the inspector', async () => {
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'See <b> & https://example.com/a' });
    await messages().getByText('See <b> &').waitFor();
    expect(await messages().getByRole('link').getAttribute('href')).toBe('https://example.com/a');
    await button(/^Inspector/).click();
    await page().getByLabel('bot → service').check();
    await page().getByText("Calls to the service don't appear here").waitFor();
    await page().getByLabel('All', { exact: true }).check();
    await ask();
    const inspector = page().getByRole('region', { name: 'Inspector' });
    await inspector
      .getByRole('button', { name: /slash \/lookup/ })
      .first()
      .click();
    await inspector.getByText('"command": "/lookup"').waitFor();
    expect(await inspector.innerText()).not.toContain(slack().playground.botToken);
    // Slack's client sends blocks as JSON text.
    const blocks: KnownBlock[] = [{ type: 'divider', block_id: 'line' }];
    await slack().app.client.chat.postEphemeral({ channel: OPS, user: ADA, text: 'posted', blocks });
    await inspector.getByRole('button', { name: /chat\.postEphemeral/ }).click();
    await inspector.getByText('"block_id": "line"').waitFor();
  });

  it('reconnects automatically after an outage, with the messages posted meanwhile', async () => {
    await session.stop();
    await page().getByText('Connection to the playground lost').waitFor();
    await session.start();
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'back again' });
    await messages().getByText('back again').waitFor();
    await page().getByText('Connection to the playground lost').waitFor({ state: 'detached' });
    // The browser itself logs each refused connection.
    session.ignoreError('ERR_CONNECTION_REFUSED');
  });

  it('shows people of another organisation only their channels', async () => {
    await become('Dora Partner');
    const channels = page().getByRole('navigation').getByRole('list').first().getByRole('button');
    expect(await channels.allInnerTexts()).toEqual(['partners-shared']);
    await page().getByRole('main').getByText('Shared with another organisation').waitFor();
  });

  it('warns when the app is disconnected', async () => {
    await slack().app.stop();
    await page().getByText("The bot isn't connected").waitFor();
    await session.stop();
    session.ignoreError('ERR_CONNECTION_REFUSED');
  });

  it('restores user and channel from its URL, and falls back to the first user', async () => {
    await become('Chen Wei');
    await button(/^plans/).click();
    await page().reload();
    await button(/You are Chen Wei/).waitFor();
    await page().getByRole('main', { name: '#plans' }).waitFor();
    await page().goto(`${slack().playground.url}/#/U0NOBODY`);
    await page().reload();
    await button(/You are Ada Lindqvist/).waitFor();
    // An unknown user gets 404, which the browser logs.
    session.ignoreError('404');
  });

  it('works on a phone: the sidebar opens and closes, and nothing is wider than the screen', async () => {
    await page().setViewportSize({ width: 390, height: 800 });
    await slack().playground.say({ userId: ADA, channelId: OPS, text: `a long word ${'x'.repeat(300)}` });
    await messages().first().waitFor();
    expect(await page().evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect((await page().getByRole('banner').boundingBox())?.height).toBeLessThan(32);
    await button('Show channels').click();
    await page().getByRole('navigation').getByRole('button', { name: 'Your app' }).click();
    await page().getByRole('combobox', { name: 'Message Your app' }).waitFor();
    await button('Show channels').waitFor();
  });

  it('keeps a menu inside the window, and shows the top of an empty channel', async () => {
    await page().setViewportSize({ width: 390, height: 330 });
    await page().reload();
    await page().getByRole('list', { name: 'Examples' }).waitFor();
    expect(await page().evaluate('document.querySelector(".list").scrollTop')).toBe(0);
    expect(await page().evaluate(isTallerThanItsBox('.list'))).toBe(true);
    await button('Channel actions').click();
    const box = await page().getByRole('menu').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 390)).toBeLessThan(390);
  });
});
