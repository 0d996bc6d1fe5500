import { createServer, type Server } from 'node:http';
import { webApi } from '@slack/bolt';
import { InstallProvider, MemoryInstallationStore } from '@slack/oauth';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPlayground, type Playground, twoWorkspaces } from '../../src/index.ts';
import { quietLogger } from '../support/app.ts';
import { FREIGHT, INES, MAYA, NORDERNEY, ORGANISATION, oauthOf, oauthOptions } from '../support/oauth.ts';

const options = oauthOptions();
let slack: Playground;
let app: Server;
let url: string;
let installer: InstallProvider;

/** An app that has nothing but Bolt's own install pages, over plain http on loopback. */
beforeEach(async () => {
  app = createServer((request, response) => {
    const isInstall = request.url === '/slack/install';
    const handled = isInstall
      ? installer.handleInstallPath(
          request,
          response,
          {},
          { scopes: ['commands', 'chat:write'], redirectUri: `${url}/slack/oauth_redirect` },
        )
      : installer.handleCallback(request, response, {
          success: (_installation, _options, _request, answer) => answer.end('installed'),
          failure: (error, _options, _request, answer) => answer.writeHead(400).end(error.message),
        });
    handled.catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const address = app.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  slack = await createPlayground({ ...options, workspaces: twoWorkspaces(), oauth: { redirectUrls: [url] } });
  const { clientId, clientSecret, authorizationUrl } = oauthOf(slack);
  installer = new InstallProvider({
    clientId,
    clientSecret,
    authorizationUrl,
    stateSecret: 'a state secret of at least thirty-two characters',
    installationStore: new MemoryInstallationStore(),
    directInstall: true,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    logger: quietLogger,
  });
});
afterEach(async () => {
  app.closeAllConnections();
  app.close();
  await slack.close();
});

/** What the browser does: the app's install page, the decision, the way back with the cookie. */
async function browse(decide: (authorizeUrl: string) => string): Promise<{ status: number; text: string }> {
  const started = await fetch(`${url}/slack/install`, { redirect: 'manual' });
  const [cookie = ''] = started.headers.get('set-cookie')?.split(';') ?? [];
  const back = decide(started.headers.get('location') ?? '');
  const answer = await fetch(back, { headers: { cookie } });
  return { status: answer.status, text: await answer.text() };
}

const authTest = async (token: string | undefined) =>
  new webApi.WebClient(token, { slackApiUrl: slack.apiUrl, logger: quietLogger }).auth.test();

const inTeam = (teamId: string) => ({ teamId, enterpriseId: undefined, isEnterpriseInstall: false as const });

test('installs into both workspaces, and authorizes each with its own token', async () => {
  const { allow } = oauthOf(slack);
  for (const by of [
    { placeId: FREIGHT, userId: MAYA },
    { placeId: NORDERNEY, userId: INES },
  ]) {
    expect(await browse((to) => allow(to, by))).toEqual({ status: 200, text: 'installed' });
    const authorized = await installer.authorize(inTeam(by.placeId));
    expect(await authTest(authorized.botToken)).toMatchObject({
      team_id: by.placeId,
      bot_id: authorized.botId,
    });
  }
});

test('reports a cancelled consent', async () => {
  expect(await browse((to) => oauthOf(slack).cancel(to))).toEqual({
    status: 400,
    text: 'User cancelled the OAuth installation flow!',
  });
});

test('refreshes a token that is about to expire', async () => {
  oauthOf(slack).change({ rotation: true });
  await browse((to) => oauthOf(slack).allow(to, { placeId: FREIGHT, userId: MAYA }));
  const before = await installer.authorize(inTeam(FREIGHT));
  const { installationStore } = installer;
  const installation = await installationStore.fetchInstallation(inTeam(FREIGHT));
  if (installation.bot) installation.bot.expiresAt = 0;
  await installationStore.storeInstallation(installation);
  const after = await installer.authorize(inTeam(FREIGHT));
  expect(after.botToken).not.toBe(before.botToken);
  expect(await authTest(after.botToken)).toMatchObject({ team_id: FREIGHT });
});

test('installs org-wide', async () => {
  oauthOf(slack).change({ organisation: true });
  await browse((to) => oauthOf(slack).allow(to, { placeId: ORGANISATION, userId: INES }));
  const query = { enterpriseId: ORGANISATION, teamId: undefined, isEnterpriseInstall: true as const };
  const { botToken, teamId } = await installer.authorize(query);
  expect(teamId).toBeUndefined();
  expect(await authTest(botToken)).toMatchObject({
    is_enterprise_install: true,
    enterprise_id: ORGANISATION,
  });
});
