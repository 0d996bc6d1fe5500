import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchangeLimit } from '../../../src/slack/install/install-pages.ts';
import { createBrowser, type InstallApp, startInstallApp } from '../../support/install-app.ts';
import { FREIGHT, INES, MAYA, NORDERNEY, ORGANISATION, oauthOptions } from '../../support/oauth.ts';

const options = oauthOptions();
const freight = { placeId: FREIGHT, userId: MAYA };
let app: InstallApp;
let browser: ReturnType<typeof createBrowser>;
beforeEach(async () => {
  app = await startInstallApp(options);
  browser = createBrowser();
});
afterEach(() => app.stop());

const start = async (query = '') => {
  const answer = await browser.get(`${app.url}/slack/install${query}`);
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
};
/** How often Slack is asked for a token from now on. */
const countExchanges = () => {
  let count = 0;
  app.slackFault.answer = async () => {
    count += 1;
    return undefined;
  };
  return () => count;
};
const install = async (by: { placeId: string; userId: string; declined?: string[] } = freight) =>
  await browser.get(app.oauth.allow(await start(), by));

describe('an install', () => {
  test('ends on a page that names the workspace, with a link to the app', async () => {
    const { status, title, page } = await install();
    expect([status, title]).toEqual([200, 'Landfall is installed in Harbour Freight']);
    expect(page).toMatch(/href="http[^"]+\/app_redirect\?app=A\w+&amp;team=T0FREIGHT1"/);
    expect(await app.installations.find({ teamId: FREIGHT, isEnterpriseInstall: false })).toMatchObject({
      teamName: 'Harbour Freight',
      isOrgWide: false,
    });
    expect(app.installed).toHaveLength(1);
    expect(app.installed[0]).toMatchObject({
      granted: { installerId: MAYA },
      saved: { installationId: FREIGHT },
    });
  });

  test("is dated by Slack's clock, not by ours", async () => {
    app.clock.now -= 86_400_000;
    await install();
    const ageMs = Date.now() - (app.installed[0]?.granted.installedAt.getTime() ?? 0);
    expect(Math.abs(ageMs)).toBeLessThan(3_600_000);
  });

  test('reloaded, its page says that the app is installed; nothing is stored again', async () => {
    const back = app.oauth.allow(await start(), freight);
    await browser.get(back);
    const again = await browser.get(back);
    expect([again.status, again.title]).toEqual([200, 'Landfall is installed in Harbour Freight']);
    expect(again.text).toContain('there is nothing more to install');
    expect(app.installed).toHaveLength(1);
    expect(await createBrowser().get(back)).toMatchObject({ status: 400, title: 'This install has expired' });
    app.clock.now += 3_600_000;
    expect(await browser.get(back)).toMatchObject({ status: 400, title: 'This install has expired' });
  });

  test('of an organisation says so', async () => {
    app.oauth.change({ organisation: true });
    const { title, text } = await install({ placeId: ORGANISATION, userId: INES });
    expect(title).toMatch(/^Landfall is installed in the organisation /);
    expect(text).toContain('An admin of the organisation chooses the workspaces');
    const source = { teamId: FREIGHT, enterpriseId: ORGANISATION, isEnterpriseInstall: true };
    expect(await app.installations.find(source)).toMatchObject({
      isOrgWide: true,
      installationId: ORGANISATION,
    });
  });

  test('again, with more scopes, stores and names them', async () => {
    await install({ ...freight, declined: ['files:read', 'channels:history'] });
    const { title, text } = await install();
    expect(title).toBe('Landfall is up to date in Harbour Freight');
    expect(text).toContain('It may now also use: channels:history , files:read .');
    await install();
    const [first, ...others] = app.installed.map(({ saved }) => saved.scopesBefore);
    expect(first).toBeUndefined();
    expect(others).toEqual([
      expect.not.arrayContaining(['files:read']),
      expect.arrayContaining(['channels:history', 'files:read']),
    ]);
  });

  test('asks Slack for the scopes of the manifest, and for the workspace that a link names, but for no other text', async () => {
    expect(new URL(await start(`?team=${FREIGHT}`)).searchParams.get('team')).toBe(FREIGHT);
    const { searchParams } = new URL(await start('?team=x%26scope%3Dadmin'));
    expect(searchParams.get('team')).toBeNull();
    expect(searchParams.get('scope')?.split(',')).toEqual(
      expect.arrayContaining(['commands', 'files:write']),
    );
  });
});

describe('an install that fails', () => {
  const nothingStored = async () => {
    expect(app.installed).toEqual([]);
    expect(await app.installations.get(FREIGHT)).toBeUndefined();
  };

  const backWith = async (change: (query: URLSearchParams) => void) => {
    const back = new URL(app.oauth.allow(await start(), freight));
    change(back.searchParams);
    return back.href;
  };

  test.each([
    ['as the person cancels', async () => app.oauth.cancel(await start()), 200, 'Nothing was installed'],
    [
      'without a state, as from an admin page of Slack',
      () => backWith((query) => query.delete('state')),
      ...([400, 'Please start the install here'] as const),
    ],
    [
      'with a code that Slack does not know',
      () => backWith((query) => query.set('code', 'made.up')),
      ...([400, 'This link was used already'] as const),
    ],
  ])('%s', async (_, back, status, title) => {
    expect(await browser.get(await back())).toMatchObject({ status, title });
    await nothingStored();
  });

  test.each([
    [
      'refuses it for a reason of its own, which is shown escaped',
      async () => Response.json({ ok: false, error: '<b>team_not_allowed' }),
      ...([400, 'Slack refused the install', '&lt;b&gt;team_not_allowed'] as const),
    ],
    ['is down', async () => Promise.reject(new TypeError('fetch failed')), 502, 'Slack did not answer', ''],
    ['answers 503', async () => new Response('', { status: 503 }), 502, 'Slack did not answer', ''],
    [
      'limits our requests',
      async () => new Response('', { status: 429, headers: { 'retry-after': '5' } }),
      ...([502, 'Slack did not answer', ''] as const),
    ],
  ])('as Slack %s', async (_, fault, status, title, words) => {
    app.slackFault.answer = fault;
    expect(await install()).toMatchObject({ status, title, page: expect.stringContaining(words) });
    await nothingStored();
  });

  test.each([
    ['without anything', '', ''],
    ['with a reason of Slack', '?error=invalid_scope', '"code":"invalid_scope"'],
    ['with a made-up reason, which is not logged', '?error=<b>', ''],
  ])('%s: it offers the right start', async (_, query, logged) => {
    const answer = await browser.get(`${app.url}/slack/oauth_redirect${query}`);
    expect(answer).toMatchObject({ status: 400, title: 'Please start the install here' });
    if (logged) expect(app.log.join('')).toContain(logged);
    else expect(app.log.filter((line) => line.includes('Slack sent'))).toEqual([]);
    await nothingStored();
  });

  test("with another browser's state", async () => {
    const back = app.oauth.allow(await start(), freight);
    const victim = createBrowser();
    await victim.get(`${app.url}/slack/install`);
    expect(await victim.get(back)).toMatchObject({ status: 400, title: 'This install has expired' });
    await nothingStored();
  });

  test('with a state that somebody else signed', async () => {
    const back = app.oauth.allow(await start(), freight);
    app.configure({ signingSecret: 'another signing secret' });
    expect(await browser.get(back)).toMatchObject({ status: 400, title: 'This install has expired' });
    await nothingStored();
  });

  const comeBack = async (url: string, code: string, cookies = browser.cookies) => {
    const back = new URL(url);
    back.searchParams.set('code', code);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, headers } = await fetch(back, { redirect: 'manual', headers: { cookie } });
    return { status, retryAfter: headers.get('retry-after'), setCookie: headers.get('set-cookie') };
  };

  test('with many codes for one state: Slack is asked about the first alone, also after a restart', async () => {
    const asked = countExchanges();
    const back = app.oauth.allow(await start(), freight);
    // This client keeps the cookie of the state, which a browser deletes.
    const codes = Array.from({ length: 20 }, (_, index) => `made.${index}`);
    await Promise.all(codes.map((code) => comeBack(back, code)));
    app.configure({});
    expect(await comeBack(back, 'made.up')).toMatchObject({ status: 400 });
    expect(asked()).toBe(1);
    expect(await browser.get(back)).toMatchObject({ title: 'This link was used already' });
    expect(app.log.join('')).toContain('its state was used before');
    await nothingStored();
  });

  test('as others come back with made-up codes: after some, Slack is not asked, and a reload a minute later works', async () => {
    const asked = countExchanges();
    for (let index = 0; index < exchangeLimit.max + 5; index += 1)
      await comeBack(app.oauth.allow(await start(), freight), `made.${index}`);
    expect(asked()).toBe(exchangeLimit.max);
    const back = app.oauth.allow(await start(), freight);
    const busy = await comeBack(back, 'made.up');
    expect(busy).toEqual({ status: 503, retryAfter: '60', setCookie: null });
    expect(await browser.get(back)).toMatchObject({ status: 503, title: 'Too many installs at once' });
    app.clock.now += 60_000;
    expect(await browser.get(back)).toMatchObject({ title: 'Landfall is installed in Harbour Freight' });
  });

  test('as the client secret is wrong, which is the fault of whoever runs it', async () => {
    app.configure({ clientSecret: 'wrong' });
    const answer = await install();
    expect(answer).toMatchObject({ status: 500, title: 'Something broke on our side' });
    const ref = /with this reference: ([2-9A-Z]{6})\./.exec(answer.text)?.[1];
    expect(app.log.join('')).toContain(`"ref":"${ref}","code":"bad_client_secret"`);
  });

  test('as it can not be stored', async () => {
    app.saving.save = async () => Promise.reject(new Error('the database does not answer'));
    expect(await install()).toMatchObject({ status: 500, title: 'Something broke on our side' });
    expect(app.installed).toEqual([]);
  });
});

describe('the pages', () => {
  test('the landing page says what Landfall is, and links to the install and to the operator', async () => {
    const { status, page, text } = await browser.get(`${app.url}/`);
    expect(status).toBe(200);
    expect(text).toContain('Know where your vessels call next');
    expect(text).toContain('an example with invented data');
    expect(page).toContain('<a class="button" href="/slack/install">Add to Slack</a>');
    expect(page).toContain('href="https://a.example/privacy"');
    expect(page).toContain('href="mailto:help@a.example?subject=%22Landfall%22"'.replaceAll('%22', '&quot;'));
    expect(page).not.toContain('Status');
  });

  test('the landing page says which account is needed', async () => {
    const whatYouNeed = async (offer: Parameters<typeof app.configure>[1]) => {
      app.configure({}, offer);
      return /What you need (.*?) Landfall shows/.exec((await browser.get(`${app.url}/`)).text)?.[1];
    };
    expect(await whatYouNeed({})).toMatchInlineSnapshot(
      `"An admin of your Slack workspace, who installs Landfall. You also need an account at the Vessel Schedule Analytics Service, where the predictions come from: the admin connects it after the install."`,
    );
    expect(await whatYouNeed({ isAccountIncluded: true })).toMatchInlineSnapshot(
      `"An admin of your Slack workspace, who installs Landfall. The predictions come from the Vessel Schedule Analytics Service. You need no account there, but the admin can connect yours."`,
    );
    expect(await whatYouNeed({ isInvented: true })).toMatchInlineSnapshot(
      `"An admin of your Slack workspace, who installs Landfall. This Landfall runs a sandbox: all vessels and figures are invented. After the install, the admin connects one of its two accounts, which the form names."`,
    );
    expect(await whatYouNeed({ isInvented: true, isAccountIncluded: true })).toMatchInlineSnapshot(
      `"An admin of your Slack workspace, who installs Landfall. This Landfall runs a sandbox: all vessels and figures are invented. You need no account."`,
    );
  });

  test('run and load nothing, and keep their address to themselves', async () => {
    for (const path of ['/', '/slack/oauth_redirect']) {
      const { headers, page } = await browser.get(`${app.url}${path}`);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(page).not.toMatch(/<script|<img|<link| on\w+=| style=/);
    }
  });

  test("the names of a workspace can't add markup", async () => {
    app.slackFault.answer = async () =>
      Response.json({
        ok: true,
        access_token: 'xoxb-1',
        scope: 'commands',
        bot_user_id: 'U1',
        bot_id: 'B1',
        app_id: 'A"><script>',
        team: { id: 'T1', name: '<script>alert(1)</script>' },
        authed_user: { id: 'U2' },
        is_enterprise_install: false,
      });
    const { page } = await install();
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('<script');
  });

  test('answer GET and HEAD only, and leave other paths alone', async () => {
    expect((await browser.get(`${app.url}/`, { method: 'POST' })).status).toBe(405);
    const head = await browser.get(`${app.url}/`, { method: 'HEAD' });
    expect([head.status, head.page]).toEqual([200, '']);
    const back = app.oauth.allow(await start(), freight);
    expect((await browser.get(back, { method: 'HEAD' })).status).toBe(405);
    expect((await browser.get(back)).title).toBe('Landfall is installed in Harbour Freight');
    expect((await browser.get(`${app.url}/elsewhere`)).status).toBe(404);
    expect((await browser.get(`${app.url}//`)).status).toBe(404);
  });

  test('no secret reaches the log', async () => {
    app.oauth.change({ rotation: true });
    const back = app.oauth.allow(await start(), freight);
    await browser.get(back);
    await browser.get(back);
    app.configure({ clientSecret: 'the-wrong-secret' });
    await install({ placeId: NORDERNEY, userId: INES });
    const code = new URL(back).searchParams.get('code') ?? '';
    const secrets = [
      code,
      app.config.clientSecret,
      'the-wrong-secret',
      app.config.signingSecret,
      'xoxb-',
      'xoxe',
    ];
    for (const secret of secrets) expect(app.log.join('')).not.toContain(secret);
  });
});
