import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { startManyBot } from '../support/many-workspaces.ts';
import { createWorkspacePage } from '../support/workspace-page.ts';

type WorkspacePage = ReturnType<typeof createWorkspacePage>;

/** The sandbox's world depends on its seed and time alone: from here on, the watched vessels change soon. */
const startsAt = Date.UTC(2030, 0, 7, 6);
const sandboxKey = 'sandbox-api-key';

const harbour = {
  name: 'Harbour Freight',
  admin: 'Maya Brandt',
  member: 'Omar Haddad',
  channel: 'ops',
  login: { userId: 'u1', password: 'sandbox-password' },
  /** What is watched there, and the alert that comes within six hours. */
  watched: { vessel: 'DUNLIN HAVEN', alert: '→ Singapore, ' },
};
const norderney = {
  name: 'Norderney Lines',
  admin: 'Ines Duarte',
  member: 'Karl Janssen',
  channel: 'fleet',
  login: { userId: 'u2', password: 'sandbox-password-2' },
  watched: { vessel: 'DUNLIN ISTHMUS', alert: 'Under 24 h to Singapore' },
  /** Its alert comes in the six hours after that. */
  alsoWatched: { vessel: 'CORAL ESTUARY', alert: 'Under 48 h to Rotterdam' },
};
type Team = typeof harbour | typeof norderney;
type Watched = Team['watched'];

const title = `two workspaces in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`;

describe.skipIf(noBrowser)(title, () => {
  let bot: Awaited<ReturnType<typeof startManyBot>>;
  let browser: Browser;
  let context: BrowserContext;
  const errors: string[] = [];

  beforeAll(async () => {
    [bot, browser] = await Promise.all([startManyBot(), launchBrowser()]);
    bot.sandbox.clock.advance(startsAt - bot.sandbox.clock.now().getTime());
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(45_000);
    context.on('weberror', (error) => errors.push(error.error().message));
    context.on('console', (message) => {
      // The page of the app that has no icon.
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        errors.push(message.text());
    });
    context.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (/^(?:http|ws)/.test(protocol) && hostname !== '127.0.0.1') errors.push(`request to ${hostname}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    await bot?.stop();
  });

  /** From the workspace without Landfall to the page that “Open Slack” leads to. */
  async function install(at: WorkspacePage, team: Team, declined: readonly string[]): Promise<WorkspacePage> {
    const landing = await opened(context, () =>
      at.notInstalled().getByRole('link', { name: 'Add Landfall' }).click(),
    );
    await landing.getByRole('heading', { level: 1, name: /Know where your vessels call next/ }).waitFor();
    await landing.getByRole('link', { name: 'Add to Slack' }).first().click();
    await landing.getByLabel('Workspace').selectOption(team.name);
    await landing.getByRole('heading', { name: new RegExp(`permission to access ${team.name}`) }).waitFor();
    await landing.getByText('Post messages, and edit or delete its own chat:write').waitFor();
    for (const scope of declined) await landing.getByRole('checkbox', { name: scope }).uncheck();
    await landing.getByRole('button', { name: 'Allow' }).click();
    await landing.getByRole('heading', { name: `Landfall is installed in ${team.name}` }).waitFor();
    for (const scope of declined) await landing.getByRole('listitem').filter({ hasText: scope }).waitFor();
    await landing.reload();
    await landing.getByText('there is nothing more to install').waitFor();
    await landing.getByRole('link', { name: 'Open Slack' }).click();
    await landing.getByRole('button', { name: new RegExp(`You are ${team.admin}`) }).waitFor();
    await at.notInstalled().waitFor({ state: 'detached' });
    await bot.runDue();
    await landing
      .getByRole('log', { name: /^Messages/ })
      .getByText(`Landfall is installed in ${team.name}`)
      .last()
      .waitFor();
    return createWorkspacePage(landing);
  }

  /** Fills the form that is open, first with a wrong password. */
  async function connect(page: Page, { login }: Team): Promise<void> {
    const form = page.getByRole('dialog', { name: 'Connect your account' });
    const field = (name: string) => form.getByRole('textbox', { name });
    // The form says which accounts the sandbox has.
    await form.getByText(`user id ${login.userId}, password ${login.password}`).first().waitFor();
    await field('API key').fill(sandboxKey);
    await field('User id').fill(login.userId);
    await field('Password').fill('a wrong one');
    await form.getByRole('button', { name: 'Connect' }).click();
    await form.getByText('The service refuses this user id and password').first().waitFor();
    expect(await field('Password').getAttribute('aria-invalid')).toBe('true');
    await field('Password').fill(login.password);
    await form.getByRole('button', { name: 'Connect' }).click();
    const done = page.getByRole('dialog', { name: 'Landfall' });
    await done.getByText('Connected to the sandbox').waitFor();
    await done.getByRole('button', { name: 'Close' }).last().click();
  }

  const askWhomToAsk = async (at: WorkspacePage, team: Team) => {
    await at.openChannel(team.channel);
    await at.become(team.member);
    await at.type('/nextport 9461477');
    await at.messages("Landfall isn't connected to the analytics service yet").waitFor();
    expect(await at.page.getByRole('button', { name: 'Connect your account' }).count()).toBe(0);
    await at.become(team.admin);
  };

  const ask = async (at: WorkspacePage, team: Team) => {
    await at.openChannel(team.channel);
    await at.type('/nextport 9461477');
    await at.messages('DS CYPRESS').getByRole('button', { name: 'Refresh' }).waitFor();
    await at.type('/usage');
    await at
      .messages(' requests, ')
      .filter({ hasText: `API account ${team.login.userId}` })
      .waitFor();
  };

  const card = (at: WorkspacePage, { vessel }: Watched): Locator =>
    at.messages(vessel).filter({ has: at.page.getByRole('combobox', { name: 'Snooze' }) });

  const watch = async (at: WorkspacePage, watched: Watched) => {
    await at.type(`/watch add ${watched.vessel} next leg eta 1h arriving 72h,48h,24h`);
    await card(at, watched).waitFor();
  };

  const readAlert = async (at: WorkspacePage, { channel }: Team, watched: Watched) => {
    await at.openChannel(channel);
    await card(at, watched)
      .getByRole('button', { name: /repl(?:y|ies)/ })
      .click();
    await at.thread().getByRole('article').filter({ hasText: watched.alert }).last().waitFor();
    await at.page.getByRole('button', { name: 'Close the thread' }).click();
  };

  test('each installs, connects its account and is alerted; what one ends, the other keeps', async () => {
    const first = createWorkspacePage(await context.newPage());
    await first.page.goto(bot.playground.url);
    await first.notInstalled().waitFor();

    const freight = await install(first, harbour, []);
    await askWhomToAsk(freight, harbour);
    const home = await freight.openHome();
    await home.getByRole('button', { name: 'Connect your account' }).click();
    await connect(freight.page, harbour);
    await home.getByText('@maya connected the account').waitFor();

    await first.openWorkspace(norderney.name);
    const lines = await install(first, norderney, ['files:write']);
    await askWhomToAsk(lines, norderney);
    await lines.type('/nextport 9461477');
    await lines
      .messages('Connect your account')
      .getByRole('button', { name: 'Connect your account' })
      .click();
    await connect(lines.page, norderney);

    await ask(freight, harbour);
    await freight.addApp();
    await watch(freight, harbour.watched);
    await ask(lines, norderney);
    await lines.addApp();
    await watch(lines, norderney.watched);
    await watch(lines, norderney.alsoWatched);
    await first.forward('Forward 6 h');
    await readAlert(freight, harbour, harbour.watched);
    await readAlert(lines, norderney, norderney.watched);

    await freight.uninstall();
    await freight.notInstalled().waitFor();
    await first.forward('Forward 6 h');
    await readAlert(lines, norderney, norderney.alsoWatched);
    const untouched = await lines.openHome();
    await untouched.getByText('@ines connected the account').waitFor();
    await untouched.getByText(norderney.watched.vessel).first().waitFor();

    await first.openWorkspace(harbour.name);
    const again = await install(first, harbour, []);
    const anew = await again.openHome();
    await anew.getByRole('button', { name: 'Connect your account' }).waitFor();
    expect(await anew.getByText(harbour.watched.vessel).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

async function opened(context: BrowserContext, act: () => Promise<void>): Promise<Page> {
  const page = context.waitForEvent('page');
  await act();
  return await page;
}
