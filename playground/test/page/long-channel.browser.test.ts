import type { KnownBlock } from '@slack/types';
import { beforeEach, describe, expect, it } from 'vitest';
import { registerPageApp } from '../support/page-app.ts';
import { noBrowser } from '../support/page-browser.ts';
import { pageSession } from '../support/page-session.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';
const BEN = 'U0BEN0001';
const COUNT = 800;

/** Rows come in portions, which takes a while on a busy machine. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 45_000 });

describe.skipIf(noBrowser)(`a long channel${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const session = pageSession({ rateLimit: false }, registerPageApp);
  const { slack, page, messages, button } = session;
  const list = () => page().getByRole('log', { name: /^Messages in #/ });
  const say = (text: string) => slack().playground.say({ userId: BEN, channelId: OPS, text });
  /** Pixels between the visible part and the end. */
  const fromEnd = () =>
    page().evaluate<number>(
      '(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector(".list"))',
    );
  /** Where the message's text is in the window. */
  const topOf = async (text: string) =>
    (await list().getByText(text, { exact: true }).boundingBox())?.y ?? Number.NaN;

  beforeEach(async () => {
    // An open page would draw each of them.
    await page().goto('about:blank');
    for (let n = 1; n <= COUNT; n += 1) {
      // Some are much higher than they are thought to be.
      const text = n % 7 === 0 ? `line ${n}${'\n\n\nand more'.repeat(n % 5)}` : `line ${n}`;
      // Her own are read: otherwise the channel opens at the first one that isn't.
      await slack().playground.say({ userId: ADA, channelId: OPS, text });
    }
    await page().goto(slack().playground.url);
    await list().getByText(`line ${COUNT}`, { exact: true }).waitFor();
    // Each message has its place in the list.
    await eventually(() => page().locator('.row').count()).toBe(COUNT);
  });

  it('opens at its end, and renders the messages near it only', async () => {
    await eventually(fromEnd).toBeLessThan(2);
    await eventually(() => messages().count()).toBeGreaterThan(10);
    expect(await messages().count()).toBeLessThan(150);
    await eventually(fromEnd).toBeLessThan(2);
  });

  it('scrolls to the oldest message and back, with few rendered on the way', async () => {
    await page().reload();
    await list().getByText(`line ${COUNT}`, { exact: true }).waitFor();
    // Older messages are still coming in above.
    await list().press('Home');
    await list().getByText('line 1', { exact: true }).waitFor();
    await page().getByText('This is the very beginning of this channel').waitFor();
    await eventually(() => messages().count()).toBeLessThan(150);
    await eventually(() => list().getByText(`line ${COUNT}`, { exact: true }).isVisible()).toBe(false);
    await button('Latest messages').click();
    await list().getByText(`line ${COUNT}`, { exact: true }).waitFor();
    await eventually(fromEnd).toBeLessThan(2);
  });

  it('keeps the place of somebody who reads further up, and follows the end otherwise', async () => {
    await say('one more');
    await list().getByText('one more', { exact: true }).waitFor();
    await eventually(fromEnd).toBeLessThan(2);
    await list().hover();
    await page().mouse.wheel(0, -2000);
    const read = await firstInSight();
    const before = await restingPlace(read);
    await say('and another');
    await eventually(() => page().locator('.row').count()).toBe(COUNT + 2);
    expect(Math.abs((await topOf(read)) - before)).toBeLessThan(2);
    await button('Latest messages').waitFor();
  });

  it("is found by the browser's search, as a whole", async () => {
    const hidden = page()
      .locator('[hidden="until-found"]')
      .filter({ hasText: /^line 100$/ });
    await eventually(() => hidden.count()).toBe(1);
    // What the browser does before it scrolls to a match. (Playwright can't open the search itself.)
    await hidden.dispatchEvent('beforematch', { bubbles: true });
    await messages().getByText('line 100', { exact: true }).waitFor({ state: 'attached' });
  });

  it('keeps the state of a message that somebody has used', async () => {
    const child_blocks: KnownBlock[] = [{ type: 'section', text: { type: 'mrkdwn', text: 'the details' } }];
    const container = {
      type: 'container',
      title: { type: 'plain_text', text: 'By endpoint' },
      is_collapsible: true,
      default_collapsed: true,
      child_blocks,
    };
    const blocks = [container] as unknown as KnownBlock[]; // @slack/types has no containers yet.
    await slack().app.client.chat.postMessage({ channel: OPS, text: 'a box', blocks });
    await messages().getByText('By endpoint').click();
    await messages().getByText('the details').waitFor();
    await list().focus();
    await page().keyboard.press('Home');
    await list().getByText('line 1', { exact: true }).waitFor();
    await button('Latest messages').click();
    await messages().getByText('the details').waitFor();
  });

  /** Where the message is once the list no longer scrolls. */
  async function restingPlace(text: string): Promise<number> {
    let before: number;
    let now = Number.NaN;
    await eventually(async () => {
      before = now;
      now = await topOf(text);
      return now > 0 && now === before;
    }).toBe(true);
    return now;
  }

  /** The text of the first short message in the visible part. */
  async function firstInSight(): Promise<string> {
    const top = (await list().boundingBox())?.y ?? 0;
    const inSight = async () => {
      for (const row of await messages()
        .filter({ hasText: /line \d+$/ })
        .all()) {
        const box = await row.boundingBox();
        const text = /line \d+$/.exec(await row.innerText())?.[0];
        if (box && box.y > top + 50 && text) return text;
      }
      return undefined;
    };
    await eventually(inSight).toBeDefined();
    return (await inSight()) ?? '';
  }
});
