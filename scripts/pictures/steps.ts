import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../test/support/wait-until.ts';
import type { ImageType, Look } from './looks.ts';
import type { Shot, Step } from './picture.ts';
import type { Stage } from './stage.ts';

const channel = (page: Page) => page.getByRole('main');
const still = { animations: 'disabled', caret: 'hide' } as const;
/** A WebP has a third of a PNG's size, without a visible difference. */
const encodings = { webp: { ...still, type: 'webp', quality: 75 }, png: { ...still, type: 'png' } } as const;
type Encoding = (typeof encodings)[ImageType];

const thread = (page: Page) => page.getByRole('complementary', { name: 'Thread' });
const messages = (page: Page, text: string) => channel(page).getByRole('article').filter({ hasText: text });

export async function perform(step: Step, stage: Stage): Promise<void> {
  const { page, started, tick } = stage;
  await tick();
  if ('type' in step) {
    const latest = channel(page).getByRole('button', { name: 'Latest messages' });
    if (await latest.isVisible()) await latest.click();
    const composer = channel(page).getByRole('combobox', { name: /^Message / });
    const last = channel(page).getByRole('article').last();
    const before = (await last.count()) > 0 ? await last.elementHandle() : null;
    await composer.fill(step.type);
    await composer.press('Escape');
    await composer.press('Enter');
    await waitUntil(`${step.type} shows “${step.shows}”`, async () => {
      await started.runDue();
      if ((await last.filter({ hasText: step.shows }).count()) === 0) return false;
      return before === null || (await last.evaluate((element, old) => element !== old, before));
    });
  } else if ('forwardUntil' in step) {
    await forwardUntil(step.forwardUntil, stage);
  } else if ('install' in step) {
    await install(stage);
  } else if ('openThread' in step) {
    const replies = page.getByRole('button', { name: /repl(?:y|ies)/ });
    // What is critical stands in the channel too, without a thread of its own.
    await messages(page, step.openThread).filter({ has: replies }).last().locator(replies).click();
    await thread(page).getByRole('article').nth(1).waitFor();
  } else {
    // A button's name for screen readers says more than its label.
    const label = page.getByText(step.click, { exact: true });
    // One with an icon has only that name.
    const named = page.getByRole('button', { name: step.click, exact: true });
    await page.getByRole('button').and(label).or(named).first().click();
    if (step.shows !== undefined) await channel(page).getByText(step.shows).waitFor();
  }
  await started.settled(5_000);
}

async function forwardUntil(text: string, { started, advance }: Stage): Promise<void> {
  const { playground } = started;
  if (!playground) throw new Error('the playground has not been started');
  const has = () =>
    playground.world.channels.some(({ id }) =>
      playground
        .messages(id)
        .some((message) => JSON.stringify([message.text, message.blocks]).includes(text)),
    );
  for (let hours = 0; !has(); hours += 6) {
    if (hours > 28 * 24) throw new Error(`nothing shows “${text}” within 28 days`);
    await advance(6);
  }
}

async function install({ page, started }: Stage): Promise<void> {
  await page.goto(started.publicUrl ?? '');
  await page.getByRole('link', { name: 'Add to Slack' }).first().click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('link', { name: 'Open Slack' }).click();
  await started.runDue();
  await page.getByRole('button', { name: 'Connect your account' }).click();
}

/** What a picture shows, when nothing on the page moves any more. */
export async function shoot(
  shot: Shot,
  { page, started }: Stage,
  look: Look & { type: ImageType },
): Promise<Buffer> {
  await started.settled(5_000);
  const size = page.viewportSize();
  await page.emulateMedia({ colorScheme: look.scheme });
  const height = shot.of === 'page' ? shot.height : (size?.height ?? 0);
  await page.setViewportSize({ width: look.widthPx, height });
  await page.mouse.move(0, 0);
  await page.evaluate(
    '(async () => { document.activeElement?.blur(); await document.fonts.ready; await Promise.all([...document.images].map((image) => image.decode())); })()',
  );
  const bytes = await screenshot(shot, page, encodings[look.type]);
  if (size) await page.setViewportSize(size);
  return bytes;
}

async function screenshot(shot: Shot, page: Page, encoding: Encoding): Promise<Buffer> {
  if (shot.of === 'page') return page.screenshot(encoding);
  if (shot.of === 'thread') return shootThread(page, encoding);
  return (await shown(shot, page)).screenshot(encoding);
}

async function shown(shot: Exclude<Shot, { of: 'page' }>, page: Page): Promise<Locator> {
  if (shot.of === 'message') return messages(page, shot.with).last();
  if (shot.of === 'last reply') return lastReply(page);
  if (shot.of === 'dialog') return page.getByRole('dialog').last();
  if (shot.of === 'region') return page.getByRole('region', { name: shot.name });
  return thread(page);
}

async function shootThread(page: Page, encoding: Encoding): Promise<Buffer> {
  const articles = thread(page).getByRole('article');
  const [first, last] = [await articles.first().boundingBox(), await articles.last().boundingBox()];
  if (!first || !last) throw new Error('the thread is not shown');
  return page.screenshot({ ...encoding, clip: { ...first, height: last.y + last.height - first.y } });
}

/** In a long thread, only what is near the visible part is drawn. */
async function lastReply(page: Page): Promise<Locator> {
  await thread(page).getByRole('log').evaluate('log => { log.scrollTop = log.scrollHeight; }');
  const buttons = page.getByRole('button', { name: /^Assign/ });
  const last = thread(page).getByRole('article').last();
  await waitUntil(
    'the end of the thread is drawn',
    async () => (await last.filter({ has: buttons }).count()) > 0,
  );
  return last;
}
