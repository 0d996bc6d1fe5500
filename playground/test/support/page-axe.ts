import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import axeCore, { type AxeResults, type RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Those of WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Dark differs from light in colours only (see dark-styles.test.ts): the other rules would find the same again. */
const colorRules = axeCore
  .getRules(TAGS)
  .filter(({ tags }) => tags.includes('cat.color'))
  .map(({ ruleId }) => ruleId);
const RULES: Record<'light' | 'dark', RunOnly> = {
  light: { type: 'tag', values: TAGS },
  dark: { type: 'rule', values: colorRules },
};

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

interface Options {
  /** Puts the page into the state to check where a change of the window's size ends it, as it closes a menu. */
  before?: () => Promise<void>;
  /** Rows far outside of the window are not rendered, so not checked either. */
  height?: number;
}

/** What axe finds in light and dark, on a desktop and on a phone, a line each. */
export async function violations(
  page: Page,
  { before = async () => {}, height = 900 }: Options = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height });
    await before();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(twoFrames);
      const where = `${colorScheme} ${width}`;
      for (const { id, nodes } of (await run(page, RULES[colorScheme])).violations) {
        found.push(...nodes.map(({ html, failureSummary }) => `${where} ${id}: ${html} ${failureSummary}`));
      }
    }
  }
  return found;
}

async function run(page: Page, runOnly: RunOnly): Promise<AxeResults> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const options = { runOnly, resultTypes: ['violations'] };
  const results = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(JSON.stringify)`);
  return JSON.parse(String(results)) as AxeResults; // The script is that of the same package.
}
