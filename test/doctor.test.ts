import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnose, type Finding } from '../src/app/doctor.ts';
import { createPlayground, type Playground } from '../src/playground/playground.ts';
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { oauthOf, oauthOptions } from './support/playground-oauth.ts';

const manifestPath = new URL('../manifest.yml', import.meta.url).pathname;
const manifest = readFileSync(manifestPath, 'utf8');

let slack: Playground;
let sandbox: Sandbox;
beforeAll(async () => {
  slack = await createPlayground({ mode: 'socket', manifestPath });
  sandbox = await createSandbox();
});
afterAll(async () => {
  await slack.close();
  await sandbox.close();
});

/** A workspace and an account that are in order. */
const healthy = () => ({
  SLACK_API_URL: slack.apiUrl,
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_APP_TOKEN: slack.appToken,
  ANALYTICS_BASE_URL: sandbox.url,
  ANALYTICS_API_KEY: sandbox.credentials.apiKey,
  ANALYTICS_USER_ID: sandbox.credentials.userId,
  ANALYTICS_PASSWORD: sandbox.credentials.password,
});

async function report(env: Record<string, string>, text = manifest): Promise<Finding[]> {
  return Array.fromAsync(diagnose({ env, manifest: text }));
}

const wrong = (findings: Finding[]) => findings.filter(({ ok }) => !ok);

describe('npm run doctor', () => {
  test('finds no problem in correct settings, and reports what it checked', async () => {
    const findings = await report(healthy());
    expect(wrong(findings)).toEqual([]);
    expect(findings.map(({ text }) => text)).toEqual([
      'Settings can be read',
      expect.stringMatching(/^manifest.yml declares all \d+ commands$/),
      'Slack knows the app: Harbour & Co, as landfall (Socket Mode)',
      `The service answers at ${new URL(sandbox.url).host}`,
    ]);
  });

  test('without an account in the settings, an admin connects one', async () => {
    const { ANALYTICS_API_KEY: _, ANALYTICS_USER_ID: __, ANALYTICS_PASSWORD: ___, ...env } = healthy();
    const findings = await report(env);
    expect(wrong(findings)).toEqual([]);
    expect(findings.at(-1)?.text).toBe(
      'No analytics account in the settings: a workspace admin connects one in Slack',
    );
  });

  test('without settings it names the embedded services', async () => {
    const findings = await report({});
    expect(wrong(findings)).toEqual([]);
    expect(findings.map(({ text }) => text).join('\n')).toMatch(/playground[\s\S]*sandbox, invented data/);
  });

  test('warns of risky settings without calling them problems', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'landfall-doctor-'));
    const envFile = join(directory, '.env');
    await writeFile(envFile, '');
    await chmod(envFile, 0o644);
    const env = { HOST: '0.0.0.0' };
    const findings = await Array.fromAsync(diagnose({ env, envFile, manifest }));
    expect(wrong(findings)).toEqual([]);
    expect(findings.filter(({ isWarning }) => isWarning).map(({ text }) => text)).toEqual([
      expect.stringContaining('the playground listens on 127.0.0.1 only'),
      `Other users of this machine can read ${envFile} (mode 644). Run: chmod 600 ${envFile}`,
    ]);
    await rm(directory, { recursive: true });
  });

  test('names each wrong setting', async () => {
    const findings = await report({ ...healthy(), PORT: 'x', ANALYTICS_PASSWORD: '' });
    expect(wrong(findings).map(({ text }) => text)).toEqual([
      'PORT should be a whole number from 0 to 65535',
      'ANALYTICS_PASSWORD is missing: it belongs to the account at ANALYTICS_BASE_URL',
    ]);
  });

  test('many workspaces: Slack knows the client, or refuses its secret', async () => {
    const dir = oauthOptions();
    const many = await createPlayground({ ...dir, oauth: { redirectUrls: ['http://127.0.0.1:1'] } });
    const { clientId, clientSecret } = oauthOf(many);
    const { SLACK_BOT_TOKEN: _, SLACK_APP_TOKEN: __, ...service } = healthy();
    const env = {
      ...service,
      SLACK_API_URL: many.apiUrl,
      SLACK_CLIENT_ID: clientId,
      SLACK_CLIENT_SECRET: clientSecret,
      SLACK_SIGNING_SECRET: many.signingSecret,
      PUBLIC_URL: 'http://127.0.0.1:3000',
    };
    const findings = await report(env);
    expect(wrong(findings)).toEqual([]);
    expect(findings.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'The page where workspaces install the app has no link for PRIVACY_URL and SUPPORT_URL.',
        'Slack knows the app; workspaces install it at http://127.0.0.1:3000/slack/install',
      ]),
    );
    const [finding] = wrong(await report({ ...env, SLACK_CLIENT_SECRET: 'wrong' }));
    expect(finding?.text).toBe('Slack refused the app: bad_client_secret');
    expect(finding?.remedy).toContain('SLACK_CLIENT_SECRET');
    await many.close();
  });

  test('a token that Slack refuses', async () => {
    const [finding] = wrong(await report({ ...healthy(), SLACK_BOT_TOKEN: 'xoxb-wrong' }));
    expect(finding?.text).toBe('Slack refused: An API error occurred: invalid_auth');
    expect(finding?.remedy).toContain('SLACK_BOT_TOKEN');
  });

  test('a password that the service refuses, without showing it', async () => {
    const [finding] = wrong(await report({ ...healthy(), ANALYTICS_PASSWORD: 'not-the-password' }));
    expect(finding?.text).toMatch(/^The service did not answer: /);
    expect(finding?.text).not.toContain('not-the-password');
    expect(finding?.remedy).toContain('ANALYTICS_PASSWORD');
  });

  test('a manifest that lacks a command, and a scope that the app lacks', async () => {
    const old = manifest
      .replace('/nextport', '/nexport')
      .replace('- commands', '- commands\n      - pins:read');
    expect(wrong(await report(healthy(), old)).map(({ text }) => text)).toEqual([
      'manifest.yml lacks /nextport',
      'The Slack app of Harbour & Co, as landfall lacks the scopes pins:read',
    ]);
  });
});
