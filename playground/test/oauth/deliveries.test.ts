import { describe, expect, test } from 'vitest';
import { twoWorkspaces } from '../../src/index.ts';
import { httpApp } from '../support/http-app.ts';
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
  ORGANISATION,
  oauthOf,
  oauthOptions,
  REDIRECT,
} from '../support/oauth.ts';

const options = oauthOptions();
const app = httpApp();
const start = () => app.start({ ...options, workspaces: twoWorkspaces() });
const maya = { placeId: FREIGHT, userId: MAYA };
const ines = { placeId: NORDERNEY, userId: INES };
const wholeOrganisation = { placeId: ORGANISATION, userId: MAYA };

const say = (userId: string, channelId: string, text: string) => app.slack().say({ userId, channelId, text });
const post = (token: string, channel: string, fields: Record<string, string> = {}) =>
  call(app.slack(), 'chat.postMessage', { channel, text: 'hello', ...fields }, bearer(token));
const blocks = JSON.stringify([
  {
    type: 'actions',
    block_id: 'b',
    elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }],
  },
]);

describe('before the app is installed', () => {
  test('a workspace sends it nothing, and Slack knows none of its commands', async () => {
    const received = await start();
    const slack = app.slack();
    expect(await say(MAYA, OPS, '/lookup 9461477')).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^\/lookup is not a valid command\. In Slack, all messages that start with/,
      ),
    });
    expect(await say(MAYA, OPS, 'hello @Your app')).toMatchObject({ ok: true });
    await slack.openHome(MAYA, 'home');
    await slack.controls.archive(OPS);
    await slack.runDue();
    expect(received).toHaveLength(0);
    expect(slack.messages(OPS).map(({ text }) => text)).toEqual(['hello @Your app']);
    const state = slack.state(MAYA);
    expect(state?.app).toMatchObject({ name: 'Your app', settings: { rotation: false } });
    expect(state?.app?.install).toBeUndefined();
    expect(state?.commands.map(({ command }) => command)).not.toContain('/lookup');
    expect(state?.channels.map(({ name }) => name)).toEqual(['ops', 'imports', 'management']);
  });

  test('the only workspace of a playground has no OAuth', async () => {
    await app.start();
    expect(app.slack().oauth).toBeUndefined();
    expect(await call(app.slack(), 'oauth.v2.access', {})).toMatchObject({ error: 'unknown_method' });
    expect(app.slack().state()?.workspaces).toBeUndefined();
  });
});

describe('installed in one workspace', () => {
  test('deliveries and answers carry that workspace, and the other one stays without', async () => {
    const received = await start();
    const { token } = await install(app.slack(), maya);
    expect(app.slack().state(OMAR)).toMatchObject({
      workspaces: [
        { id: FREIGHT, isInstalled: true, userId: MAYA },
        { id: NORDERNEY, isInstalled: false, userId: INES },
      ],
      app: { install: { installerName: 'Maya Brandt' } },
    });
    expect(await say(MAYA, OPS, '/lookup 9461477')).toMatchObject({ ok: true });
    expect(received[0]?.form).toMatchObject({
      team_id: FREIGHT,
      team_domain: 'harbour-freight',
      user_id: MAYA,
      api_app_id: 'A0APP00001',
      is_enterprise_install: 'false',
    });
    expect(received[0]?.form).not.toHaveProperty('enterprise_id');
    await app.respond(received[0]?.form.response_url, { text: 'Rotterdam' });
    expect(app.slack().messages(OPS).at(-1)).toMatchObject({ text: 'Rotterdam', userId: 'U0HFAPP' });
    expect(await say(INES, FLEET, '/lookup 9461477')).toMatchObject({ ok: false });
    expect(await post(token, OPS)).toMatchObject({ error: 'not_in_channel' });
    expect(await say(MAYA, OPS, '/invite @Your app')).toEqual({ ok: true });
    expect(await say(MAYA, OPS, 'hello @Your app')).toMatchObject({ ok: true });
    await received.until(2);
    expect(received[1]?.json).toMatchObject({
      team_id: FREIGHT,
      context_enterprise_id: null,
      authorizations: [
        { enterprise_id: null, team_id: FREIGHT, user_id: 'U0HFAPP', is_enterprise_install: false },
      ],
      event: { type: 'app_mention', user: MAYA },
    });
  });

  test('the direct message with the app belongs to its workspace', async () => {
    const received = await start();
    await install(app.slack(), ines);
    expect(await say(INES, 'D0NLINES', 'usage')).toMatchObject({ ok: true });
    await received.until(1);
    expect(received[0]?.json).toMatchObject({
      team_id: NORDERNEY,
      event: { type: 'message', channel_type: 'im' },
    });
  });
});

describe('the end', () => {
  test.each([
    [true, ['tokens_revoked', 'app_uninstalled']],
    [false, ['app_uninstalled', 'tokens_revoked']],
  ])('of an installation sends the last events (tokens first: %s), then nothing', async (revokedFirst, types) => {
    const received = await start();
    const slack = app.slack();
    oauthOf(slack).change({ revokedFirst });
    const [freight, norderney] = [await install(slack, maya), await install(slack, ines)];
    await slack.controls.addMember(OPS);
    await post(freight.token, OPS, { blocks });
    const view = JSON.stringify({ type: 'home', blocks: [] });
    await call(slack, 'views.publish', { user_id: MAYA, view }, bearer(freight.token));
    expect(slack.home(MAYA)).toBeDefined();
    const [message] = slack.messages(OPS);
    await slack.controls.uninstall(FREIGHT);
    expect(received.map(({ json }) => [json.team_id, (json.event as { type: string }).type])).toEqual(
      types.map((type) => [FREIGHT, type]),
    );
    expect(received.map(({ json }) => json.event)).toContainEqual(
      expect.objectContaining({ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0HFAPP'] } }),
    );
    expect(await post(freight.token, OPS)).toEqual({ ok: false, error: 'account_inactive' });
    const click = { userId: MAYA, channelId: OPS, messageTs: message?.ts ?? '', actionId: 'go' };
    expect(await slack.click(click)).toEqual({
      ok: false,
      error: 'This app is no longer installed in this workspace.',
    });
    await say(MAYA, OPS, 'hello @Your app');
    await slack.runDue();
    expect(received).toHaveLength(2);
    expect(oauthOf(slack).isInstalled(FREIGHT)).toBe(false);
    expect(slack.state(MAYA)?.channels.map(({ kind }) => kind)).not.toContain('dm');
    expect(slack.home(MAYA)).toBeUndefined();
    expect(await call(slack, 'auth.test', {}, bearer(norderney.token))).toMatchObject({ ok: true });
    await slack.controls.uninstall(FREIGHT);
    expect(received).toHaveLength(2);
  });

  test('on the page is for admins', async () => {
    const received = await start();
    const slack = app.slack();
    await install(slack, maya);
    const administer = async (body: object) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${slack.url}/playground/admin`, init)).json();
    };
    expect(await administer({ userId: OMAR, action: 'uninstall' })).toEqual({
      ok: false,
      error: 'Only an admin of this workspace can do this.',
    });
    expect(await administer({ userId: INES, action: 'uninstall' })).toEqual({ ok: true });
    expect(oauthOf(slack).isInstalled(FREIGHT)).toBe(true);
    expect(await administer({ userId: MAYA, action: 'revoke' })).toEqual({ ok: true });
    expect(received.map(({ json }) => json.event)).toEqual([
      expect.objectContaining({ type: 'tokens_revoked' }),
    ]);
    expect(await administer({ userId: OMAR, action: 'change', settings: { rotation: true } })).toEqual({
      ok: true,
    });
    expect(oauthOf(slack).settings()).toMatchObject({ rotation: true, organisation: false });
    expect(await administer({ userId: OMAR, action: 'expire' })).toEqual({ ok: true });
  });
});

describe('an Enterprise organisation', () => {
  test('its workspaces are named with it, each with its own installation', async () => {
    const received = await start();
    oauthOf(app.slack()).change({ organisation: true });
    expect(await install(app.slack(), maya)).toMatchObject({
      team: { id: FREIGHT },
      enterprise: { id: ORGANISATION, name: 'Coastal Group' },
      is_enterprise_install: false,
    });
    await say(MAYA, OPS, '/lookup 9461477');
    expect(received[0]?.form).toMatchObject({
      team_id: FREIGHT,
      enterprise_id: ORGANISATION,
      enterprise_name: 'Coastal Group',
      is_enterprise_install: 'false',
    });
    expect(await say(INES, FLEET, '/lookup 9461477')).toMatchObject({ ok: false });
    expect(() => oauthOf(app.slack()).allow(urlFor(), wholeOrganisation)).toThrow(
      'Uninstall Your app from Harbour Freight first.',
    );
  });

  const urlFor = () => {
    const { authorizationUrl, clientId } = oauthOf(app.slack());
    return `${authorizationUrl}?client_id=${clientId}&scope=commands`;
  };

  test('one installation serves all its workspaces with one token and one bot user', async () => {
    const received = await start();
    const slack = app.slack();
    oauthOf(slack).change({ organisation: true });
    const { token, ...answer } = await install(slack, wholeOrganisation);
    expect(answer).toMatchObject({
      team: null,
      enterprise: { id: ORGANISATION },
      is_enterprise_install: true,
      bot_user_id: 'U0COASTAL1',
    });
    expect(await call(slack, 'auth.test', {}, bearer(token))).toMatchObject({
      team: 'Coastal Group',
      team_id: ORGANISATION,
      enterprise_id: ORGANISATION,
      user_id: 'U0COASTAL1',
      is_enterprise_install: true,
    });
    expect(() => oauthOf(slack).allow(urlFor(), maya)).toThrow(
      'Your app is installed for all of Coastal Group.',
    );
    for (const channel of [OPS, FLEET]) {
      await slack.controls.addMember(channel);
      expect(await post(token, channel, { blocks })).toMatchObject({ message: { user: 'U0COASTAL1' } });
    }
    const list = (form: Record<string, string>) => call(slack, 'users.list', form, bearer(token));
    expect(await list({})).toMatchObject({ ok: false, error: 'missing_argument' });
    expect(await list({ team_id: 'T0OTHER' })).toEqual({ ok: false, error: 'team_access_not_granted' });
    expect(await list({ team_id: NORDERNEY })).toMatchObject({ members: [{ id: INES }, {}, {}, {}, {}, {}] });
    expect(await call(slack, 'users.info', { user: INES }, bearer(token))).toMatchObject({
      user: { team_id: NORDERNEY },
    });

    await say(INES, FLEET, '/lookup 9461477');
    expect(received[0]?.form).toMatchObject({
      team_id: NORDERNEY,
      enterprise_id: ORGANISATION,
      is_enterprise_install: 'true',
    });
    const messageTs = slack.messages(FLEET)[0]?.ts ?? '';
    await slack.click({ userId: INES, channelId: FLEET, messageTs, actionId: 'go' });
    expect(received[1]?.json).toMatchObject({
      team: null,
      user: { id: INES, team_id: NORDERNEY },
      enterprise: { id: ORGANISATION },
      is_enterprise_install: true,
    });
    expect(await say(INES, FLEET, 'hello @Your app')).toMatchObject({ ok: true });
    await received.until(3);
    expect(received[2]?.json).toMatchObject({
      team_id: NORDERNEY,
      enterprise_id: ORGANISATION,
      authorizations: [{ enterprise_id: ORGANISATION, user_id: 'U0COASTAL1', is_enterprise_install: true }],
    });
  });

  test('a consent that the organisation has overtaken is refused', async () => {
    await start();
    const slack = app.slack();
    const { allow, change } = oauthOf(slack);
    const exchange = (url: string) =>
      call(slack, 'oauth.v2.access', { ...client(slack), code: codeIn(url), redirect_uri: REDIRECT });
    change({ organisation: true });
    const [ofTeam, ofAll] = [allow(authorizeUrl(slack), maya), allow(authorizeUrl(slack), wholeOrganisation)];
    change({ organisation: false });
    expect(await exchange(ofAll)).toEqual({ ok: false, error: 'invalid_code' });
    change({ organisation: true });
    await install(slack, wholeOrganisation);
    expect(await exchange(ofTeam)).toEqual({ ok: false, error: 'cannot_install_an_org_installed_app' });
  });

  test('uninstalling from one workspace ends it for all', async () => {
    const received = await start();
    const slack = app.slack();
    oauthOf(slack).change({ organisation: true });
    const { token } = await install(slack, wholeOrganisation);
    expect(() => oauthOf(slack).change({ organisation: false })).toThrow(
      'Uninstall the app from Coastal Group first.',
    );
    expect(await call(slack, 'apps.uninstall', client(slack), bearer(token))).toEqual({ ok: true });
    await received.until(2);
    expect(received[1]?.json).toMatchObject({
      team_id: ORGANISATION,
      event: { type: 'app_uninstalled' },
      authorizations: [{ enterprise_id: ORGANISATION, is_enterprise_install: true }],
    });
    expect(await post(token, FLEET)).toEqual({ ok: false, error: 'account_inactive' });
    expect([FREIGHT, NORDERNEY].map(oauthOf(slack).isInstalled)).toEqual([false, false]);
    oauthOf(slack).change({ organisation: false });
    expect((await install(slack, maya)).bot_user_id).toBe('U0HFAPP');
  });
});
