import type { KnownBlock } from '@slack/types';
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckedBlock } from '../../src/blocks/block-checks.ts';
import { box, calls, card, chart, PNG, picture } from '../support/page-blocks.ts';
import { noBrowser } from '../support/page-browser.ts';
import { brokenWords, overflows } from '../support/page-layout.ts';
import { pageSession } from '../support/page-session.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';
const PHONE = { width: 390, height: 844 };

describe.skipIf(noBrowser)(`newer blocks${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let clicked: string[] = [];
  const session = pageSession(
    {
      rateLimit: false,
      routes: { '/map.png': () => new Response(PNG, { headers: { 'content-type': 'image/png' } }) },
    },
    (app) => {
      app.action(/./, async ({ ack, action }) => {
        await ack();
        if ('action_id' in action) clicked.push(action.action_id);
      });
    },
  );
  const { slack, page, messages, thread, button } = session;
  beforeEach(() => {
    clicked = [];
  });

  const client = () => slack().app.client;
  // A chart is a block that the client's types don't know yet.
  const known = (blocks: CheckedBlock[]) => blocks as KnownBlock[];
  const post = (...blocks: CheckedBlock[]) =>
    client().chat.postMessage({ channel: OPS, text: 'blocks', blocks: known(blocks) });
  const imageUrl = () => `${slack().playground.url}/map.png`;
  const table = () => messages().getByRole('table', { name: 'Expected at Rotterdam' });
  const column = async (index: number, within: Locator = table()) =>
    within.locator(`tbody tr > :nth-child(${index})`).allInnerTexts();

  describe('data_table', () => {
    it('has pages, whose rows are those of the app', async () => {
      await post(calls);
      await messages().getByText('1–20 of 46').waitFor();
      expect(await column(2)).toHaveLength(20);
      expect(await button('Previous').isDisabled()).toBe(true);
      await button('Next').click();
      await button('Next').click();
      await messages().getByText('41–46 of 46').waitFor();
      expect(await column(2)).toEqual([40, 41, 42, 43, 44, 45].map((index) => `VESSEL ${index}`));
      expect(await button('Next').isDisabled()).toBe(true);
    });

    it('is sorted by a click on a header, from the first page on', async () => {
      await post(calls);
      await button('Next').click();
      const header = table().getByRole('columnheader', { name: '%' });
      const shares = async () => (await column(3)).map((share) => Number.parseInt(share, 10));
      await header.getByRole('button').click();
      await messages().getByText('1–20 of 46').waitFor();
      expect(await header.getAttribute('aria-sort')).toBe('ascending');
      const ascending = await shares();
      expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
      await header.getByRole('button').click();
      expect(await header.getAttribute('aria-sort')).toBe('descending');
      expect((await shares())[0]).toBe(99);
      await header.getByRole('button').click();
      expect(await header.getAttribute('aria-sort')).toBe(null);
      expect((await column(2))[0]).toBe('VESSEL 00');
    });

    it('shows its first two columns on a phone, and scrolls to the others beside the first', async () => {
      await page().setViewportSize(PHONE);
      await post(calls);
      const frame = messages().getByRole('region', { name: 'Expected at Rotterdam' });
      const right = async (part: Locator) => {
        const bounds = await part.boundingBox();
        return bounds ? bounds.x + bounds.width : 0;
      };
      const cells = table().locator('tbody tr').nth(2).locator('> *');
      const edge = await right(frame);
      expect(await right(cells.nth(1))).toBeLessThanOrEqual(edge);
      expect(await right(cells.nth(3))).toBeGreaterThan(edge);
      expect(await page().evaluate(brokenWords)).toEqual([]);
      expect(await page().evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      expect(await page().evaluate(overflows('.message'))).toBe(false);
      const before = await cells.nth(0).boundingBox();
      await cells.nth(0).hover();
      await page().mouse.wheel(10_000, 0);
      await expect.poll(() => right(cells.nth(3))).toBeLessThanOrEqual(edge);
      expect((await cells.nth(0).boundingBox())?.x).toBe(before?.x);
    });
  });

  it('a data table on a phone has rows of one line, and lies under the button to the latest messages', async () => {
    await page().setViewportSize(PHONE);
    const postTable = (header: string[], row: string[]) => {
      const cells = (texts: string[]) => texts.map((text) => ({ type: 'raw_text' as const, text }));
      const rows = [cells(header), ...Array.from({ length: 40 }, () => cells(row))];
      return post({ type: 'data_table', caption: header.join(', '), page_size: 40, rows });
    };
    await postTable(['#', 'Port', 'ETA'], ['1', 'Southampton', 'Tue 24 Nov 16:37 LT (15:37 UTC)']);
    await postTable(['ETA', 'Vessel', '%'], ['Wed 16 Dec 16:03', '⚪ MARLOW ESTUARY', '15%']);
    await messages().getByText('ETA, Vessel, %', { exact: true }).waitFor();
    const heights = 'Array.from(document.querySelectorAll(".block-table tr"), (row) => row.offsetHeight)';
    // The function is a text, so its result has no type.
    expect(Math.max(...((await page().evaluate(heights)) as number[]))).toBeLessThan(40);
    await messages().last().hover();
    await page().mouse.wheel(0, -300);
    await button('Latest messages').waitFor();
    const { x = 0, y = 0, height = 0 } = (await button('Latest messages').boundingBox()) ?? {};
    // Its left end is above the column that stays in place.
    const topmost = `document.elementFromPoint(${x + 12}, ${y + height / 2}).closest('button')?.innerText`;
    expect(await page().evaluate(topmost)).toContain('Latest messages');
  });

  it('a data table on a phone breaks no word of a short column beside a long one', async () => {
    await page().setViewportSize(PHONE);
    const texts = [
      ['Vessel', 'Next port, ETA (LT)', 'In'],
      ['DS CYPRESS', 'Antwerp-Bruges (BEANR) · Sun 22 Nov 23:38 LT', '2 d'],
    ];
    const rows = texts.map((row) => row.map((text) => ({ type: 'raw_text' as const, text })));
    await post({ type: 'data_table', caption: 'Next ports', rows });
    await messages().getByText('DS CYPRESS').waitFor();
    expect(await page().evaluate(brokenWords)).toEqual([]);
  });

  it('a chart says all its values, can be shown as a table, and fits a phone', async () => {
    await page().setViewportSize(PHONE);
    await post(chart);
    await messages().getByText('Likely calls per day').waitFor();
    const drawing = messages().getByRole('img', { name: 'Bar chart. Calls: Sat 21 3.2, Sun 22 6.4.' });
    await drawing.waitFor();
    const height = async (index: number) =>
      (await drawing.locator('.chart-bar').nth(index).boundingBox())?.height ?? 0;
    expect((await height(1)) / (await height(0))).toBeCloseTo(2, 1);
    expect(await page().evaluate(overflows('.block-chart'))).toBe(false);
    await button('Show as table').click();
    expect(await messages().getByRole('row').allInnerTexts()).toEqual([
      '\tCalls',
      'Sat 21\t3.2',
      'Sun 22\t6.4',
    ]);
    await button('Show as table').click();
    await drawing.waitFor();
  });

  it('a container opens, and its button reaches the app', async () => {
    await post(box);
    const inside = messages().getByText('Maersk, 3 journeys');
    await messages().getByText('9 carriers with too few journeys').waitFor();
    expect(await inside.isVisible()).toBe(false);
    await messages().getByText('9 carriers with too few journeys').click();
    await inside.waitFor();
    await button('refresh').click();
    await expect.poll(() => clicked).toEqual(['refresh']);
  });

  it('a card shows its parts, and its button reaches the app', async () => {
    await post(card(imageUrl()));
    for (const words of ['EVER GIVEN → Le Havre 74%', 'Sat 19 Dec 01:43 LT', 'Rotterdam 61%'])
      await messages().getByText(words).waitFor();
    await messages().getByRole('img', { name: 'Act' }).waitFor();
    await button('acknowledge').click();
    await expect.poll(() => clicked).toEqual(['acknowledge']);
  });

  it('an image comes from the server that downloaded it; what is elsewhere leaves its alt text', async () => {
    await post(picture(imageUrl()));
    const image = messages().getByRole('img', { name: 'Map: Rotterdam 82%, Hamburg 9%' });
    await image.waitFor();
    await messages().getByText('Candidate ports').waitFor();
    await expect.poll(() => image.evaluate((element) => Reflect.get(element, 'naturalWidth'))).toBe(1);
    await post(picture('https://maps.example/a.png'));
    await messages().getByText('Map: Rotterdam 82%, Hamburg 9%').waitFor();
  });

  it('they look the same in a thread, to one person, and on Home', async () => {
    const { ts = '' } = await post(card(imageUrl()));
    const blocks = known([calls, chart, box, picture(imageUrl())]);
    await client().chat.postMessage({ channel: OPS, thread_ts: ts, text: 'reply', blocks });
    await button(/1 reply/).click();
    const shown = async (within: Locator) => {
      await within.getByRole('table', { name: 'Expected at Rotterdam' }).waitFor();
      await within.getByRole('img', { name: /^Bar chart/ }).waitFor();
      await within.getByText('9 carriers with too few journeys').waitFor();
      await within.getByRole('img', { name: /^Map/ }).waitFor();
    };
    await shown(thread());
    await client().chat.postEphemeral({ channel: OPS, user: ADA, text: 'for Ada', blocks });
    await shown(messages().filter({ hasText: 'Only visible to you' }));
    const home = { type: 'home' as const, blocks: [calls, card(imageUrl()), picture(imageUrl())] };
    await client().views.publish({ user_id: ADA, view: home });
    await page()
      .getByRole('navigation', { name: 'Workspace' })
      .getByRole('button', { name: 'Your app' })
      .click();
    await button('Home').click();
    const view = page().getByRole('region', { name: 'Home of Your app' });
    await view.getByRole('table', { name: 'Expected at Rotterdam' }).waitFor();
    await view.getByRole('img', { name: /^Map/ }).waitFor();
    await view.getByRole('button', { name: 'acknowledge' }).click();
    await expect.poll(() => clicked).toEqual(['acknowledge']);
  });
});
