import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { asAgent, httpManifest, type Manifest, publicManifest } from '../../../src/app/manifest.ts';
import { linesOf, manifest, report, wrong } from '../../support/doctor.ts';
import { serve } from '../../support/local-server.ts';

const ours = (): Manifest => parse(manifest);
const lines = async (env: Record<string, string>, text = manifest) =>
  linesOf(await report(env, { manifest: text }), 'Manifest');

describe('manifest.yml, compared with the code', () => {
  test('what it lacks, what nothing uses, and what has other words', async () => {
    const text = manifest
      .replace('/nextport', '/nexport')
      .replace('What this API account was used for in a month', 'Usage')
      .replace('      - users:read\n', '      - pins:read\n')
      .replace('      - message.im\n', '')
      .replace('watch_vessel', 'watch_ship')
      .replace('    - vesselfinder.com\n', '');
    const reports = await report({}, { manifest: text });
    expect(linesOf(reports, 'Manifest')).toEqual([
      '✗ manifest.yml lacks the command /nextport',
      "! manifest.yml has the command /nexport, which Landfall doesn't use",
      '! manifest.yml has an old description or usage hint for /usage',
      '✗ manifest.yml lacks the shortcut watch_vessel (global)',
      "! manifest.yml has the shortcut watch_ship (global), which Landfall doesn't use",
      '✗ manifest.yml lacks the link domain vesselfinder.com',
      '✗ manifest.yml lacks the scope users:read',
      "! manifest.yml has the scope pins:read, which Landfall doesn't use",
      '✗ manifest.yml lacks the event message.im',
    ]);
    expect(wrong(reports)[0]?.remedy).toContain('npm run manifest');
  });

  test.each(['not: [closed', 'features: 3', ''])('a file that is no manifest: %j', async (text) => {
    const [line] = await lines({}, text);
    expect(line).toMatch(
      /^✗ manifest.yml (?:isn't the manifest of a Slack app|lacks the commands \/nextport,)/,
    );
  });
});

describe("the Slack app's own manifest, with an app configuration token", () => {
  const appId = 'A0LANDFALL';
  const configToken = 'xoxe.xoxp-1-config';

  /** A Slack that accepts every token, and has this manifest for the app. */
  async function slackWith(app: unknown): Promise<Record<string, string>> {
    const origin = await serve((request, response) => {
      const isExport = request.url === '/api/apps.manifest.export';
      const isAllowed = request.headers.authorization === `Bearer ${configToken}`;
      const answer =
        isExport && !isAllowed ? { ok: false, error: 'invalid_auth' } : { ok: true, manifest: app };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    return {
      SLACK_API_URL: `${origin}/api/`,
      SLACK_BOT_TOKEN: 'xoxb-1',
      ANALYTICS_BASE_URL: 'sandbox',
      SLACK_APP_ID: appId,
      SLACK_CONFIG_TOKEN: configToken,
    };
  }
  const socket = { SLACK_APP_TOKEN: 'xapp-1' };
  const http = { SLACK_SIGNING_SECRET: '0123456789' };
  const fits = '✓ The Slack app has the manifest that these settings need';
  const liveLine = async (env: Record<string, string>) => (await lines(env)).slice(1);

  test('the same, as Slack returns it: empty parts left out, characters escaped', async () => {
    const app = JSON.parse(JSON.stringify(ours()).replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    delete app.settings.token_rotation_enabled;
    expect(await liveLine({ ...(await slackWith(app)), ...socket })).toEqual([fits]);
  });

  test('an older one', async () => {
    const app = ours();
    app.features.slash_commands.shift();
    app.settings.event_subscriptions.bot_events.push('reaction_added');
    app.features.slash_commands.forEach((command) => {
      command.should_escape = command.command !== '/lane';
    });
    app.settings.interactivity.is_enabled = false;
    app.settings.org_deploy_enabled = false;
    const { ask_landfall: step } = app.functions ?? {};
    if (step) step.output_parameters.eta = { type: 'string' };
    delete app.settings.function_runtime;
    const reports = await report({ ...(await slackWith(app)), ...socket });
    expect(linesOf(reports, 'Manifest').slice(1)).toEqual([
      '✗ The Slack app lacks the command /nextport',
      "✗ The Slack app doesn't escape channels and people in /lane",
      '✗ The Slack app has other fields for the custom step ask_landfall',
      "✗ The Slack app doesn't run custom steps here (function_runtime: none)",
      "! The Slack app has the event reaction_added, which Landfall doesn't use",
      '✗ The Slack app turns interactivity off',
      '✗ The Slack app turns installation for whole organisations off',
    ]);
    expect(wrong(reports).find(({ section }) => section === 'Manifest')?.remedy).toBe(
      'Paste manifest.yml under “App Manifest” of your Slack app, then reinstall it.',
    );
  });

  test('an agent, which the setting has to say, and the other way round', async () => {
    const agent = await slackWith(asAgent(ours()));
    expect(await liveLine({ ...agent, ...socket, SLACK_AGENT: 'true' })).toEqual([fits]);
    const unset = await report({ ...agent, ...socket });
    expect(linesOf(unset, 'Manifest').slice(1)).toEqual([
      '! The Slack app is declared an agent, but SLACK_AGENT is not set',
    ]);
    expect(wrong(unset).find(({ section }) => section === 'Manifest')?.remedy).toMatch(
      /^Set SLACK_AGENT=true, .* can't stop being an agent/,
    );
    const plain = await report({ ...(await slackWith(ours())), ...socket, SLACK_AGENT: 'true' });
    expect(linesOf(plain, 'Manifest').slice(1)).toEqual([
      '✗ The Slack app lacks the scope assistant:write',
      '✗ The Slack app turns the agent view off',
    ]);
    expect(wrong(plain).find(({ section }) => section === 'Manifest')?.remedy).toBe(
      'Paste what npm run manifest -- --agent prints under “App Manifest” of your Slack app, then reinstall it.',
    );
  });

  test('HTTP: Socket Mode is on, and addresses differ', async () => {
    const PUBLIC_URL = 'http://127.0.0.1:9';
    const env = { ...http, PUBLIC_URL };
    expect(await liveLine({ ...(await slackWith(httpManifest(manifest, PUBLIC_URL))), ...env })).toEqual([
      fits,
    ]);
    const elsewhere = httpManifest(manifest, 'https://old.test');
    elsewhere.settings.socket_mode_enabled = true;
    delete elsewhere.settings.interactivity.request_url;
    const found = await liveLine({ ...(await slackWith(elsewhere)), ...env });
    expect(found).toEqual([
      '✗ The Slack app turns Socket Mode on',
      expect.stringMatching(
        /^✗ The Slack app sends events, \/nextport, .* and \/landfall to https:\/\/old.test\/slack\/events instead of http:\/\/127.0.0.1:9\/slack\/events$/,
      ),
      '✗ The Slack app sends interactivity to no address instead of http://127.0.0.1:9/slack/events',
    ]);
  });

  test('HTTP without PUBLIC_URL: all addresses have to be the one of the events', async () => {
    const app = httpManifest(manifest, 'https://some.test');
    expect(await liveLine({ ...(await slackWith(app)), ...http })).toEqual([fits]);
    const [command] = app.features.slash_commands;
    if (command) command.url = 'https://other.test/slack/events';
    expect(await liveLine({ ...(await slackWith(app)), ...http })).toEqual([
      '✗ The Slack app sends /nextport to https://other.test/slack/events instead of https://some.test/slack/events',
    ]);
  });

  test('many workspaces: the redirect URL, and whole organisations', async () => {
    const origin = 'http://127.0.0.1:9';
    const { SLACK_BOT_TOKEN: _, ...env } = await slackWith(
      publicManifest(manifest, { origin, rotation: true }),
    );
    const many = { SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'x', ...http, PUBLIC_URL: origin };
    expect(await liveLine({ ...env, ...many })).toEqual([fits]);
    const { SLACK_API_URL = '' } = await slackWith(httpManifest(manifest, origin));
    expect(await liveLine({ ...env, ...many, SLACK_API_URL })).toEqual([
      "! The Slack app has the custom step ask_landfall, which Landfall doesn't use",
      "! The Slack app has the event function_executed, which Landfall doesn't use",
      '✗ The Slack app lacks the redirect URL http://127.0.0.1:9/slack/oauth_redirect',
    ]);
  });

  test('a token that has expired is a warning', async () => {
    const env = { ...(await slackWith(ours())), ...socket, SLACK_CONFIG_TOKEN: 'xoxe.xoxp-old' };
    expect(await liveLine(env)).toEqual([
      '! Slack refuses SLACK_CONFIG_TOKEN (invalid_auth): it lasts 12 hours',
    ]);
  });
});
