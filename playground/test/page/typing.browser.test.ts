import { describe, expect, it } from 'vitest';
import { registerPageApp } from '../support/page-app.ts';
import { noBrowser } from '../support/page-browser.ts';
import { pageSession } from '../support/page-session.ts';

describe.skipIf(noBrowser)(`typing on a slow machine${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const commands = [{ command: '/lookup', description: 'Where next', usageHint: '', shouldEscape: true }];
  const { page, composer } = pageSession({ commands, rateLimit: false }, registerPageApp);

  it('goes on behind a completed command before the page is drawn again', async () => {
    await composer().fill('/next');
    await page()
      .getByRole('option', { name: /lookup/ })
      .waitFor();
    await page().evaluate('globalThis.late = []; requestAnimationFrame = (run) => late.push(run)');
    await composer().press('Tab');
    await page().keyboard.type('9461');
    await page().evaluate('for (const run of late) run(0)');
    await page().keyboard.type('477');
    expect(await composer().inputValue()).toBe('/lookup 9461477');
  });
});
