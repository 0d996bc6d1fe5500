import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPlayground, type Playground, twoWorkspaces } from '../../src/index.ts';
import {
  authorizeUrl,
  bearer,
  call,
  client,
  codeIn,
  FLEET,
  FREIGHT,
  INES,
  install,
  MAYA,
  NORDERNEY,
  OMAR,
  OPS,
  oauthOf,
  oauthOptions,
  REDIRECT,
} from '../support/oauth.ts';

const options = oauthOptions();
let now = 0;
let slack: Playground;
beforeEach(async () => {
  now = 1_790_000_000_000;
  slack = await createPlayground({ ...options, workspaces: twoWorkspaces(), now: () => now });
});
afterEach(() => slack.close());

const maya = { placeId: FREIGHT, userId: MAYA };
const ines = { placeId: NORDERNEY, userId: INES };
const allow = (by: Parameters<ReturnType<typeof oauthOf>['allow']>[1] = maya) =>
  oauthOf(slack).allow(authorizeUrl(slack), by);
const exchange = (form: Record<string, string>, headers = {}) =>
  call(slack, 'oauth.v2.access', { ...client(slack), redirect_uri: REDIRECT, ...form }, headers);
const authTest = (token: string) => call(slack, 'auth.test', {}, bearer(token));

async function page(path: string, body?: object) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${slack.url}/playground/${path}`, body ? init : {});
  // The tests check the answers field by field.
  return (await response.json()) as Record<string, unknown>;
}
const request = (query: Record<string, string> = {}) =>
  page(`oauth/request${new URL(authorizeUrl(slack, query)).search}`);

describe('the consent', () => {
  test('/oauth/v2/authorize leads to the consent page with its whole query', async () => {
    const answer = await fetch(authorizeUrl(slack), { redirect: 'manual' });
    expect(answer.status).toBe(302);
    const { pathname, search } = new URL(answer.headers.get('location') ?? '', slack.url);
    expect([pathname, search]).toEqual(['/consent.html', new URL(authorizeUrl(slack)).search]);
  });

  test('names each workspace with its people, and each scope in plain English', async () => {
    expect((await request()).placeId).toBeUndefined();
    expect(await request({ team: NORDERNEY })).toMatchObject({
      appName: 'Your app',
      placeId: NORDERNEY,
      places: [
        {
          id: FREIGHT,
          name: 'Harbour Freight',
          isInstalled: false,
          people: [{ id: MAYA, isAdmin: true }, { id: OMAR, isAdmin: false }, {}, {}],
        },
        { id: NORDERNEY, name: 'Norderney Lines', people: [{ id: INES, isAdmin: true }, {}, {}] },
      ],
      scopes: [
        {
          scope: 'commands',
          text: 'Add slash commands and shortcuts that people can use',
          isOptional: false,
        },
        { scope: 'chat:write', isOptional: false },
        { scope: 'users:read' },
        { scope: 'channels:read' },
        { scope: 'files:read', isOptional: true },
      ],
    });
  });

  test('offers other scopes as optional than the manifest, if the options say so', async () => {
    await slack.close();
    const oauth = { optionalScopes: ['users:read'] };
    slack = await createPlayground({ ...options, workspaces: twoWorkspaces(), oauth });
    const { scopes } = await request();
    expect(scopes).toContainEqual(expect.objectContaining({ scope: 'users:read', isOptional: true }));
    expect(scopes).toContainEqual(expect.objectContaining({ scope: 'files:read', isOptional: false }));
  });

  test.each([
    ['an unknown client', { client_id: '1.2' }, 'Invalid client_id parameter: no app has this client ID.'],
    [
      'another redirect URL',
      { redirect_uri: 'http://evil.example/' },
      "bad_redirect_uri: http://evil.example/ doesn't match a redirect URL of the app.",
    ],
    [
      'a script as redirect URL',
      { redirect_uri: 'javascript:alert(1)' },
      "bad_redirect_uri: javascript:alert(1) doesn't match a redirect URL of the app.",
    ],
    ['no scope', { scope: '' }, 'no_scopes: the app asks for no permission.'],
    [
      'a scope that no app has',
      { scope: 'chat:write,All Files' },
      'invalid_scope: Slack knows no scope named All Files.',
    ],
  ])('%s is refused before anything can be allowed', async (_name, query, error) => {
    expect(await request(query)).toEqual({ ok: false, error });
    const parameters = Object.fromEntries(new URL(authorizeUrl(slack, query)).searchParams);
    const body = { query: parameters, ...maya, declined: [] };
    expect(await page('oauth/allow', body)).toEqual({ ok: false, error });
    expect(await page('oauth/cancel', { query: parameters })).toEqual({ ok: false, error });
  });

  test('an admin returns to the app with a code and the state; a member is told that they can not', async () => {
    const query = Object.fromEntries(new URL(authorizeUrl(slack)).searchParams);
    const allowed = await page('oauth/allow', { query, ...maya, declined: [] });
    expect(allowed.url).toMatch(
      /^http:\/\/127\.0\.0\.1:9\/slack\/oauth_redirect\?code=T0FREIGHT1\.\w+&state=s1$/,
    );
    expect(await page('oauth/allow', { query, ...maya, userId: OMAR, declined: [] })).toEqual({
      ok: false,
      error: 'Only an admin of Harbour Freight can install apps.',
    });
    expect(await page('oauth/allow', { query, ...maya, userId: INES, declined: [] })).toMatchObject({
      ok: false,
      error: 'There is no such workspace or person.',
    });
  });

  test('Cancel returns to the app with access_denied', () => {
    expect(oauthOf(slack).cancel(authorizeUrl(slack))).toBe(`${REDIRECT}?error=access_denied&state=s1`);
  });

  test('the page of another site can neither read nor allow', async () => {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
    const url = `${slack.url}/playground/oauth/allow`;
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(403);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetch(url, { method: 'POST', headers: form, body: 'x=1' })).status).toBe(415);
  });
});

describe('oauth.v2.access', () => {
  test('exchanges a code once', async () => {
    const code = codeIn(allow());
    const answer = await exchange({ code });
    expect(answer).toEqual({
      ok: true,
      access_token: expect.stringMatching(/^xoxb-/),
      token_type: 'bot',
      scope: 'commands,chat:write,users:read,channels:read,files:read',
      bot_user_id: 'U0HFAPP',
      app_id: 'A0APP00001',
      team: { id: FREIGHT, name: 'Harbour Freight' },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: MAYA },
    });
    expect(await exchange({ code })).toEqual({ ok: false, error: 'invalid_code' });
    expect(await authTest(String(answer.access_token))).toMatchObject({
      ok: true,
      team_id: FREIGHT,
      user_id: 'U0HFAPP',
      bot_id: 'B0HFAPP',
      is_enterprise_install: false,
    });
  });

  test('takes the client from HTTP Basic authentication too', async () => {
    const { client_id, client_secret } = client(slack);
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
    const form = { code: codeIn(allow()), redirect_uri: REDIRECT };
    const headers = { authorization: `Basic ${basic}` };
    expect(await call(slack, 'oauth.v2.access', form, headers)).toMatchObject({ ok: true });
  });

  test.each([
    ['another client', { client_id: '1.2' }, 'invalid_client_id'],
    ['a wrong secret', { client_secret: 'x' }, 'bad_client_secret'],
    ['an unknown grant', { grant_type: 'password' }, 'invalid_grant_type'],
    ['an unknown code', { code: 'x' }, 'invalid_code'],
    ['another redirect URL', { redirect_uri: `${REDIRECT}/other` }, 'bad_redirect_uri'],
    [
      'an unknown refresh token',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      'invalid_refresh_token',
    ],
  ])('%s is refused', async (_name, form, error) => {
    expect(await exchange({ code: codeIn(allow()), ...form })).toEqual({ ok: false, error });
  });

  test('a code is valid for ten minutes', async () => {
    const code = codeIn(allow());
    now += 10 * 60_000;
    expect(await exchange({ code })).toEqual({ ok: false, error: 'invalid_code' });
  });

  test('no secret, code or token is in the inspector', async () => {
    const { token } = await install(slack, maya);
    await authTest(token);
    const shown = JSON.stringify(slack.wire());
    expect(shown).toContain('oauth.v2.access');
    for (const secret of [token, client(slack).client_secret, 'T0FREIGHT1.'])
      expect(shown).not.toContain(secret);
  });
});

describe('scopes', () => {
  test('a declined optional scope is missing until a re-install adds it to the same token', async () => {
    const first = await install(slack, { ...maya, declined: ['files:read', 'chat:write'] });
    expect(first).toMatchObject({ scope: 'commands,chat:write,users:read,channels:read' });
    const response = await fetch(`${slack.apiUrl}files.info`, {
      method: 'POST',
      headers: bearer(first.token),
    });
    expect(response.headers.get('x-oauth-scopes')).toBe('commands,chat:write,users:read,channels:read');
    expect(response.headers.get('x-accepted-oauth-scopes')).toBe('files:read');
    expect(await response.json()).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'files:read',
      provided: 'commands,chat:write,users:read,channels:read',
    });
    const second = await install(slack, maya, { scope: 'commands,files:read' });
    expect(second).toMatchObject({ token: first.token, scope: `${first.scope},files:read` });
    expect(await call(slack, 'files.info', { file: 'F0' }, bearer(first.token))).toMatchObject({
      error: 'file_not_found',
    });
  });

  test('each token reaches its own workspace only', async () => {
    const [freight, norderney] = [await install(slack, maya), await install(slack, ines)];
    const read = (token: string, channel: string) =>
      call(slack, 'conversations.info', { channel }, bearer(token));
    expect(await read(freight.token, OPS)).toMatchObject({
      channel: { name: 'ops', context_team_id: FREIGHT },
    });
    expect(await read(norderney.token, FLEET)).toMatchObject({ channel: { name: 'fleet' } });
    expect(await read(norderney.token, OPS)).toEqual({ ok: false, error: 'channel_not_found' });
    expect(await call(slack, 'users.info', { user: MAYA }, bearer(norderney.token))).toMatchObject({
      error: 'user_not_found',
    });
  });
});

describe('rotation', () => {
  beforeEach(() => oauthOf(slack).change({ rotation: true }));
  const refresh = (refresh_token: unknown) =>
    exchange({ grant_type: 'refresh_token', refresh_token: String(refresh_token) });

  test('a token lives for 12 hours, and a refresh token works once', async () => {
    const first = await install(slack, maya);
    expect(first).toMatchObject({
      access_token: expect.stringMatching(/^xoxe\.xoxb-1-/),
      refresh_token: expect.stringMatching(/^xoxe-1-/),
      expires_in: 43_200,
    });
    now += 12 * 3_600_000 - 1;
    expect(await authTest(first.token)).toMatchObject({ ok: true });
    now += 1;
    expect(await authTest(first.token)).toEqual({ ok: false, error: 'token_expired' });
    const old = first.refresh_token;
    const second = await refresh(old);
    expect(second).toMatchObject({ ok: true, team: { id: FREIGHT }, expires_in: 43_200 });
    expect(await authTest(String(second.access_token))).toMatchObject({ ok: true });
    expect(await refresh(old)).toEqual({ ok: false, error: 'invalid_refresh_token' });
    expect(await refresh(second.refresh_token)).toMatchObject({ ok: true });
  });

  test('the previous token still works after a refresh, the one before does not', async () => {
    const first = await install(slack, maya);
    const second = await refresh(first.refresh_token);
    expect(await authTest(first.token)).toMatchObject({ ok: true });
    await refresh(second.refresh_token);
    expect(await authTest(first.token)).toEqual({ ok: false, error: 'invalid_auth' });
  });

  test('tokens can be made to expire now; those without rotation never do', async () => {
    const rotating = await install(slack, maya);
    oauthOf(slack).change({ rotation: false });
    const lasting = await install(slack, ines);
    oauthOf(slack).expireTokens();
    expect(await authTest(rotating.token)).toEqual({ ok: false, error: 'token_expired' });
    expect(await authTest(lasting.token)).toMatchObject({ ok: true });
  });
});

describe('the end of an installation', () => {
  test('auth.revoke and apps.uninstall end only the own workspace', async () => {
    const [freight, norderney] = [await install(slack, maya), await install(slack, ines)];
    expect(await call(slack, 'auth.revoke', { test: '1' }, bearer(freight.token))).toEqual({
      ok: true,
      revoked: false,
    });
    expect(await call(slack, 'auth.revoke', {}, bearer(freight.token))).toEqual({ ok: true, revoked: true });
    expect(await authTest(freight.token)).toEqual({ ok: false, error: 'token_revoked' });
    const uninstall = (form: object) =>
      call(slack, 'apps.uninstall', { ...client(slack), ...form }, bearer(norderney.token));
    expect(await uninstall({ client_secret: 'x' })).toEqual({ ok: false, error: 'bad_client_secret' });
    expect(await authTest(norderney.token)).toMatchObject({ ok: true });
    expect(await uninstall({})).toEqual({ ok: true });
    expect(await authTest(norderney.token)).toEqual({ ok: false, error: 'account_inactive' });
    const again = await install(slack, maya);
    expect(again.token).not.toBe(freight.token);
    expect(await authTest(freight.token)).toEqual({ ok: false, error: 'token_revoked' });
  });
});

test('/app_redirect opens the app in the workspace, as whoever installed it', async () => {
  await install(slack, ines);
  const open = async (query: string) =>
    (await fetch(`${slack.url}/app_redirect${query}`, { redirect: 'manual' })).headers.get('location');
  expect(await open(`?app=A0APP00001&team=${NORDERNEY}`)).toBe('/#/U0NLINES/D0NLINES');
  expect(await open(`?app=A0APP00001&team=${FREIGHT}`)).toBe('/#/U0HFMAYA/D0HFMAYA');
  expect(await open('?app=A0APP00001&team=T0OTHER')).toBe('/');
});
