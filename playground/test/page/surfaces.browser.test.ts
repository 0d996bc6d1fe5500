import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { noBrowser } from '../support/page-browser.ts';
import { brokenWords, overflows } from '../support/page-layout.ts';
import { pageSession } from '../support/page-session.ts';
import { type Received, registerViewsApp } from '../support/page-views-app.ts';

const BEN = 'U0BEN0001';
const OPS = 'C0OPS00001';
const HOUR_MS = 3_600_000;
const NAMES_FILE = 'names-of-every-vessel-that-we-handle-this-year.csv';

describe.skipIf(noBrowser)(`modals, Home and the rest${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const received: Received = { submitted: [], homeOpened: 0 };
  let at = Date.UTC(2026, 10, 21, 12);
  let speed = 1;
  const clock = {
    now: () => new Date(at),
    speed: () => speed,
    advance: async (hours: number) => {
      at += hours * HOUR_MS;
    },
    setSpeed: (next: number) => {
      speed = next;
    },
  };
  const commands = ['/watch', '/digest'].map((command) => ({
    command,
    description: 'Follow',
    usageHint: '',
    shouldEscape: true,
  }));
  const shortcut = { description: 'Follow it', name: 'Watch a vessel' };
  const session = pageSession(
    {
      commands,
      clock,
      shortcuts: [
        { ...shortcut, type: 'global', callbackId: 'watch_vessel' },
        { ...shortcut, type: 'message', callbackId: 'watch_message' },
      ],
    },
    (app) => registerViewsApp(app, received),
  );
  const { slack, page, composer, messages, button, become } = session;

  const dialog = (name = 'Watch a vessel') => page().getByRole('dialog', { name });
  const field = (name: string) => dialog().getByRole('textbox', { name });
  const picker = (name: string) => dialog().getByRole('combobox', { name });
  const open = async () => {
    await composer().fill('/watch');
    await composer().press('Enter');
    await dialog().waitFor();
  };
  const direct = () =>
    page().getByRole('navigation', { name: 'Workspace' }).getByRole('button', { name: 'Your app' }).click();

  beforeEach(() => {
    received.submitted = [];
    received.homeOpened = 0;
  });

  describe('a modal', () => {
    it('is filled in with the keyboard alone, shows an error next to its field, and closes once accepted', async () => {
      await open();
      // The first field has the focus.
      await page().keyboard.type('DS CYPRES');
      await page().keyboard.press('Enter');
      await dialog().getByText('Did you mean DS CYPRESS?').waitFor();
      await expect.poll(() => field('vessel').getAttribute('aria-invalid')).toBe('true');
      await page().keyboard.type('S');
      await dialog().getByText('Did you mean DS CYPRESS?').waitFor({ state: 'detached' });
      await picker('channel').focus();
      // Typing replaces the selection.
      await page().keyboard.type('chart');
      await page().keyboard.press('Enter');
      expect(await picker('channel').inputValue()).toBe('#plans');
      await picker('rules').press('Enter');
      await page().keyboard.press('Enter');
      await page().keyboard.press('ArrowDown');
      await page().keyboard.press('Enter');
      // Escape closes the list first, not the modal.
      await page().keyboard.press('Escape');
      await page().getByRole('listbox').waitFor({ state: 'detached' });
      await dialog().getByRole('radio', { name: 'PORT' }).press('Space');
      await dialog().getByRole('button', { name: 'Watch' }).press('Enter');
      await dialog().waitFor({ state: 'detached' });
      expect(received.submitted).toMatchObject([
        {
          vessel: { v: { value: 'DS CYPRESS' } },
          channel: { v: { selected_conversation: 'C0PLANS001' } },
          rules: { v: { selected_options: [{ value: 'eta' }, { value: 'below' }] } },
          until: { v: { selected_option: { value: 'port' } } },
        },
      ]);
    });

    it('checks required fields before anything is sent to the app', async () => {
      await open();
      await dialog().getByRole('button', { name: 'Watch' }).click();
      await dialog().getByText('Please complete this required field.').waitFor();
      expect(received.submitted).toEqual([]);
    });

    it('keeps its text while another modal is on top; Escape closes one, ✕ closes all', async () => {
      await open();
      await field('vessel').fill('half a na');
      await dialog().getByRole('button', { name: 'preview' }).click();
      await dialog('Preview').getByText('Looks like this').waitFor();
      await page().keyboard.press('Escape');
      await dialog('Preview').waitFor({ state: 'detached' });
      expect(await field('vessel').inputValue()).toBe('half a na');
      await dialog().getByRole('button', { name: 'preview' }).click();
      await dialog('Preview').getByRole('button', { name: 'Back' }).waitFor();
      await dialog('Preview').getByRole('button', { name: 'Close all' }).click();
      await page().getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('survives a reload with what is filled in, and can then be submitted', async () => {
      await open();
      await field('vessel').fill('DS CYPRESS');
      await picker('channel').focus();
      await page().keyboard.type('chart');
      await page().keyboard.press('Enter');
      await dialog().getByRole('button', { name: 'preview' }).click();
      await dialog('Preview').waitFor();
      await page().reload();
      await dialog('Preview').getByRole('button', { name: 'Back' }).click();
      await dialog().waitFor();
      await page().reload();
      await dialog().waitFor();
      expect(await field('vessel').inputValue()).toBe('DS CYPRESS');
      expect(await picker('channel').inputValue()).toBe('#plans');
      await picker('rules').press('Enter');
      await page().keyboard.press('Enter');
      await page().keyboard.press('Escape');
      await dialog().getByRole('button', { name: 'Watch' }).press('Enter');
      await dialog().waitFor({ state: 'detached' });
      expect(received.submitted).toMatchObject([
        {
          vessel: { v: { value: 'DS CYPRESS' } },
          channel: { v: { selected_conversation: 'C0PLANS001' } },
        },
      ]);
      await page().reload();
      await composer().waitFor();
      expect(await page().getByRole('dialog').count()).toBe(0);
      await expect.poll(() => page().evaluate('sessionStorage.getItem("playground-view-values")')).toBe('{}');
    });

    it('is updated by the app while typing, and keeps the text', async () => {
      await composer().fill('/digest');
      await composer().press('Enter');
      await dialog().waitFor();
      await page().keyboard.type('lookup 9461477');
      await dialog().getByText('Read as lookup 9461477').waitFor();
      await page().keyboard.type(' compare');
      await dialog().getByText('Read as lookup 9461477 compare').waitFor();
      expect(await field('line').inputValue()).toBe('lookup 9461477 compare');
    });

    it('traps the focus, and returns it', async () => {
      await open();
      await page().locator('dialog :focus').waitFor();
      const inside =
        'document.activeElement?.closest("dialog") !== null || document.activeElement === document.body';
      for (let presses = 0; presses < 15; presses += 1) {
        await page().keyboard.press('Tab');
        expect(await page().evaluate(inside)).toBe(true);
      }
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
      await page().locator('textarea:focus').waitFor();
    });

    it('belongs to one user, and fits a phone', async () => {
      await page().setViewportSize({ width: 390, height: 700 });
      await open();
      expect(await page().evaluate('document.documentElement.scrollWidth')).toBe(390);
      await dialog().getByRole('button', { name: 'Watch' }).click();
      await dialog().getByText('Please complete this required field.').waitFor();
      await page().setViewportSize({ width: 1280, height: 800 });
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
      await slack().playground.say({ userId: BEN, channelId: OPS, text: '/watch' });
      await expect.poll(() => slack().playground.views(BEN).length).toBe(1);
      expect(await page().getByRole('dialog').count()).toBe(0);
      await become('Ben Okafor');
      await dialog().waitFor();
    });
  });

  it('the Home tab shows what the app has published, and its opening is sent once', async () => {
    await direct();
    await button('Home').click();
    await page().getByText('Watches, published').waitFor();
    await button('refresh').click();
    await page().getByText('Watches, refreshed').waitFor();
    expect(received.homeOpened).toBe(1);
    await button('Messages').click();
    await composer().waitFor();
  });

  it('shortcuts open a modal: a global one from the composer, one on a message', async () => {
    await button('Shortcuts').click();
    await page()
      .getByRole('menuitem', { name: /Watch a vessel/ })
      .click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'Where is DS CYPRESS?' });
    await messages().filter({ hasText: 'DS CYPRESS' }).hover();
    await button('More message actions').click();
    await page()
      .getByRole('menuitem', { name: /Watch a vessel/ })
      .click();
    await dialog().waitFor();
    const labels = slack()
      .playground.wire()
      .map((entry) => entry.label);
    expect(labels).toContain('message shortcut watch_message');
  });

  it("on a phone, a table scrolls without breaking words, and a long word doesn't widen a message", async () => {
    await page().setViewportSize({ width: 375, height: 800 });
    const header = ['Vessel', 'Next port', 'Probability', 'ETA', 'In'];
    const row = ['DUNLIN PASSAGE', 'Laem Chabang', '99%', 'Sat 21 Nov 19:45 LT', 'passed'];
    const rows = [header, row].map((cells) => cells.map((text) => ({ type: 'raw_text' as const, text })));
    const word = { type: 'mrkdwn' as const, text: 'W'.repeat(300) };
    await slack().app.client.chat.postMessage({
      channel: OPS,
      text: 'a table',
      blocks: [
        { type: 'table', rows },
        { type: 'section', text: word },
      ],
    });
    await messages().getByText('DUNLIN PASSAGE').waitFor();
    expect(await page().evaluate(brokenWords)).toEqual([]);
    expect(await page().evaluate(overflows('.block-table-scroll'))).toBe(true);
    expect(await page().evaluate(overflows('.message'))).toBe(false);
  });

  it('a file is sent to the app in a direct message, and the answer can be downloaded', async () => {
    await direct();
    const content = Buffer.from('imo,name\n');
    await page()
      .locator('input[type=file]')
      .setInputFiles({ name: NAMES_FILE, mimeType: 'text/csv', buffer: content });
    await page().getByRole('list', { name: 'Attached files' }).getByText(NAMES_FILE).waitFor();
    await button('Send').click();
    await page().getByText('Names imported').waitFor();
    await page().setViewportSize({ width: 375, height: 800 });
    expect(await page().evaluate(overflows('.files'))).toBe(false);
    const downloading = page().waitForEvent('download');
    await page().getByRole('link', { name: 'Download vessels.csv' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('vessels.csv');
    expect((await readFile(await download.path())).toString()).toBe('imo,name\n9461477,DS CYPRESS\n');
    expect(await page().getByRole('list', { name: 'Attached files' }).count()).toBe(0);
  });

  it('the clock of the invented world can be moved, and explains itself', async () => {
    await button(/^World clock: Sat, 21 Nov 2026, 12:00 UTC/).click();
    await button('Forward 6 h').click();
    await button(/^World clock: Sat, 21 Nov 2026, 18:00 UTC/).waitFor();
    await button('60×').click();
    await expect.poll(() => speed).toBe(60);
    await page().getByRole('dialog', { name: 'World clock' }).getByText('the times of messages').waitFor();
  });

  it('messages show the time of the invented world, also after a reload', async () => {
    at = Date.UTC(2026, 10, 14, 9);
    speed = 1;
    await page().reload();
    await composer().waitFor();
    const days = page().locator('.divider-day');
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'a week ago' });
    at += 7 * 24 * HOUR_MS;
    await slack().playground.say({ userId: BEN, channelId: OPS, text: 'now' });
    for (let loads = 0; loads < 2; loads += 1) {
      await messages().getByText('now', { exact: true }).waitFor();
      await expect.poll(() => messages().getByRole('time').allInnerTexts()).toEqual(['10:00', '10:00']);
      await page().reload();
    }
    await expect.poll(() => days.allInnerTexts()).toEqual(['Saturday 14 November', 'Today']);
  });

  it('a channel can be archived and unarchived, and the app removed and invited', async () => {
    const choose = async (name: RegExp) => {
      await button('Channel actions').click();
      await page().getByRole('menuitem', { name }).click();
    };
    await choose(/^Archive/);
    await page().getByText('#ops is archived, so nobody can post in it.').waitFor();
    await choose(/^Unarchive/);
    await composer().waitFor();
    await choose(/^Remove Your app/);
    await button('4 members').waitFor();
    await composer().fill('/invite @yo');
    await composer().press('Tab');
    await composer().press('Enter');
    await button('5 members').waitFor();
  });
});
