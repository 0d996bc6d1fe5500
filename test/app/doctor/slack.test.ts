import { createPlayground, type Playground } from 'bolt-playground';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { asAgent, socketManifest } from '../../../src/app/manifest.ts';
import { linesOf, manifest, report, slackSettings, wrong } from '../../support/doctor.ts';
import { freePort } from '../../support/free-port.ts';
import { serve } from '../../support/local-server.ts';
import { oauthOf, oauthOptions } from '../../support/oauth.ts';
import { untilTestEnds, useStarted } from '../../support/use-started.ts';

const slack = useStarted(() => createPlayground({ mode: 'socket', manifest }));

const healthy = (of = slack): Record<string, string> => ({
  ...slackSettings(of),
  ANALYTICS_BASE_URL: 'sandbox',
});
const slackLines = async (env: Record<string, string>) => linesOf(await report(env), 'Slack');

/** What is behind PUBLIC_URL: answers every request with `status`. */
const answering = (status: number): Promise<string> =>
  serve((_, response) => response.writeHead(status).end());

/** A Slack whose app has the scopes of this manifest. */
async function slackWith(text: string): Promise<Playground> {
  const other = untilTestEnds(await createPlayground({ mode: 'socket', manifest: text }));
  return other;
}

describe('one workspace', () => {
  test('HTTP needs the signing secret, which only a delivery tries', async () => {
    const { SLACK_APP_TOKEN: _, ...env } = healthy();
    expect(await slackLines({ ...env, SLACK_SIGNING_SECRET: slack.signingSecret })).toEqual([
      '✓ SLACK_BOT_TOKEN works: Harbour & Co, as landfall',
      "! The app lacks the scope mcp:connect: Slackbot can't ask Landfall for people",
      '✓ Slack delivers over HTTP to /slack/events; SLACK_SIGNING_SECRET is set, and its first delivery will try it',
    ]);
    const [finding] = await report(env);
    expect(finding?.text).toBe('SLACK_SIGNING_SECRET is missing (or set SLACK_APP_TOKEN to use Socket Mode)');
  });

  test('a token that Slack refuses, each with its own remedy', async () => {
    const reports = await report({
      ...healthy(),
      SLACK_BOT_TOKEN: 'xoxb-wrong',
      SLACK_APP_TOKEN: 'xapp-wrong',
    });
    expect(linesOf(reports, 'Slack')).toEqual([
      '✗ Slack refuses SLACK_BOT_TOKEN (invalid_auth)',
      '✗ Slack refuses SLACK_APP_TOKEN (invalid_auth)',
    ]);
    expect(wrong(reports).map(({ remedy }) => remedy)).toEqual([
      'Copy it again from “OAuth & Permissions” of your Slack app.',
      'Copy it again from “Basic Information” → “App-Level Tokens” of your Slack app.',
    ]);
    expect(JSON.stringify(reports)).not.toMatch(/xoxb-wrong|xapp-wrong/);
  });

  test.each([
    ['missing_scope', 'SLACK_APP_TOKEN lacks the scope connections:write, so Socket Mode is refused'],
    ['socket_mode_not_enabled', 'Socket Mode is off in your Slack app'],
  ])('Socket Mode is refused: %s', async (error, text) => {
    slack.faults.next('apps.connections.open', { error });
    expect(await slackLines(healthy())).toContain(`✗ ${text}`);
  });

  test('an app that was uninstalled', async () => {
    slack.faults.next('auth.test', { error: 'account_inactive' });
    const [finding] = wrong(await report(healthy()));
    expect(finding).toMatchObject({
      text: 'Slack refuses SLACK_BOT_TOKEN (account_inactive)',
      remedy: 'The app was uninstalled: install it again, then copy the new token (OAuth & Permissions).',
    });
  });

  test('scopes that are missing, needed and optional, and one too many', async () => {
    const text = manifest
      .replace('      - users:read\n', '      - pins:read\n')
      .replace('      - files:read\n', '');
    expect(await slackLines(healthy(await slackWith(text)))).toEqual([
      '✓ SLACK_BOT_TOKEN works: Harbour & Co, as landfall',
      '✗ The app lacks the scope users:read, which Landfall needs',
      "! The app lacks the scope files:read: Landfall can't read a spreadsheet that you share with it",
      "! The app has the scope pins:read, which Landfall doesn't use",
      '✓ SLACK_APP_TOKEN works: Socket Mode',
    ]);
  });

  test('an agent, which the setting has to say, and the other way round', async () => {
    const agent = await slackWith(stringify(asAgent(socketManifest(manifest))));
    expect(await slackLines({ ...healthy(agent), SLACK_AGENT: 'true' })).toContain(
      '✓ The app has the scopes that Landfall uses, and no others',
    );
    expect(await slackLines(healthy(agent))).toContain(
      '! The app has the scope assistant:write, as an agent has, but SLACK_AGENT is not set',
    );
    expect(await slackLines({ ...healthy(), SLACK_AGENT: 'true' })).toContain(
      '! The app lacks the scope assistant:write: direct messages have no suggested prompts',
    );
  });

  test('a firewall between Landfall and the host of Socket Mode', async () => {
    const port = await freePort();
    const origin = await serve((_, response) => {
      const answer = { ok: true, url: `ws://127.0.0.1:${port}/link` };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    const SLACK_API_URL = `${origin}/api/`;
    expect((await slackLines({ ...healthy(), SLACK_API_URL })).at(-1)).toBe(
      `✗ SLACK_APP_TOKEN works, but the host of Socket Mode, 127.0.0.1:${port}, can't be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  test('nobody at the address of Slack', async () => {
    const port = await freePort();
    const env = { ...healthy(), SLACK_API_URL: `http://127.0.0.1:${port}/api/` };
    expect(await slackLines(env)).toEqual([
      `✗ Slack can't be reached at 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    ]);
  });
});

describe('many workspaces', () => {
  async function manySettings() {
    const many = untilTestEnds(
      await createPlayground({
        ...oauthOptions(),
        oauth: { redirectUrls: ['http://127.0.0.1:1'] },
      }),
    );
    const { clientId, clientSecret } = oauthOf(many);
    return {
      ANALYTICS_BASE_URL: 'sandbox',
      SLACK_API_URL: many.apiUrl,
      SLACK_CLIENT_ID: clientId,
      SLACK_CLIENT_SECRET: clientSecret,
      SLACK_SIGNING_SECRET: many.signingSecret,
    };
  }

  test('Slack knows the client, or refuses its secret', async () => {
    const PUBLIC_URL = await answering(404);
    const env = { ...(await manySettings()), PUBLIC_URL };
    const reports = await report(env);
    expect(linesOf(reports, 'Slack')[0]).toBe(
      `✓ Slack knows the app; workspaces install it at ${PUBLIC_URL}/slack/install`,
    );
    expect(linesOf(reports, 'Settings')).toContain(
      '! The page where workspaces install the app has no link for PRIVACY_URL and SUPPORT_URL.',
    );
    expect((await slackLines({ ...env, SLACK_CLIENT_SECRET: 'wrong' }))[0]).toBe(
      '✗ Slack refuses SLACK_CLIENT_SECRET (bad_client_secret)',
    );
  });

  test('PUBLIC_URL is tried: nobody there, Landfall not behind it, only this machine reaches it', async () => {
    const env = await manySettings();
    const port = await freePort();
    const at = async (PUBLIC_URL: string) => (await slackLines({ ...env, PUBLIC_URL })).at(-1);
    expect(await at(`http://127.0.0.1:${port}`)).toBe(
      `! PUBLIC_URL http://127.0.0.1:${port} can't be reached from here: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
    const gateway = await answering(502);
    expect(await at(gateway)).toBe(`! ${gateway} answers, but Landfall behind it does not (status 502)`);
    const local = await answering(200);
    expect(await at(local)).toBe(`! PUBLIC_URL is ${local}, which only this machine reaches`);
  });
});
