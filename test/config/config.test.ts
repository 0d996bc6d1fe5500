import { describe, expect, test } from 'vitest';
import { ConfigError, createConfig } from '../../src/config/config.ts';

const account = {
  ANALYTICS_BASE_URL: 'https://analytics.example',
  ANALYTICS_API_KEY: 'key-0123456789',
  ANALYTICS_USER_ID: 'u1',
  ANALYTICS_PASSWORD: 'hunter2hunter2',
};
const socketMode = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    createConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('createConfig', () => {
  test('with nothing set, everything is embedded', () => {
    const config = createConfig({});
    expect(config).toMatchObject({
      slack: 'playground',
      analytics: 'sandbox',
      port: 3000,
      host: '127.0.0.1',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('a forgotten variable never gives real Slack the sandbox', () => {
    expect(problemsOf(socketMode)).toEqual([
      'ANALYTICS_BASE_URL is missing: the address of the service (or sandbox, for invented data)',
    ]);
    expect(createConfig({ ...socketMode, ANALYTICS_BASE_URL: 'sandbox' }).analytics).toBe('sandbox');
  });

  test('in production nothing embedded starts unless named', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'SLACK_BOT_TOKEN is needed in production, or SLACK_CLIENT_ID for many workspaces (or SLACK_API_URL=playground for the embedded Slack)',
      'ANALYTICS_BASE_URL is missing: the address of the service (or sandbox, for invented data)',
    ]);
    const named = { NODE_ENV: 'production', SLACK_API_URL: 'playground', ANALYTICS_BASE_URL: 'sandbox' };
    expect(createConfig(named)).toMatchObject({ slack: 'playground', analytics: 'sandbox' });
  });

  test('the playground listens on loopback only, whatever HOST says, unless it is named', () => {
    const unnamed = createConfig({ ...account, HOST: '0.0.0.0' });
    expect(unnamed).toMatchObject({ slack: 'playground', host: '127.0.0.1' });
    expect(unnamed.warnings).toEqual([
      'HOST is 0.0.0.0, but the playground listens on 127.0.0.1 only: anybody who reaches it can act as any user. Set SLACK_API_URL=playground to open it anyway.',
    ]);
    const named = createConfig({ ...account, HOST: '0.0.0.0', SLACK_API_URL: 'playground' });
    expect(named).toMatchObject({ slack: 'playground', host: '0.0.0.0', warnings: [] });
    expect(createConfig({ HOST: '::1' })).toMatchObject({ host: '::1', warnings: [] });
    expect(createConfig({ ...account, ...socketMode, HOST: '0.0.0.0' })).toMatchObject({
      host: '0.0.0.0',
      warnings: [],
    });
  });

  test('an address of Slack without a token does not start the playground', () => {
    expect(problemsOf({ ...account, SLACK_API_URL: 'https://slack.example/api/' })).toEqual([
      'SLACK_BOT_TOKEN is missing, though other Slack settings are given: it starts with xoxb-',
      'SLACK_SIGNING_SECRET is missing (or set SLACK_APP_TOKEN to use Socket Mode)',
    ]);
  });

  test('warns of an unencrypted address of the service, except on loopback', () => {
    const warningsOf = (url: string) => createConfig({ ...account, ANALYTICS_BASE_URL: url }).warnings;
    expect(warningsOf('http://analytics.example/v1')).toEqual([
      'The address of the service starts with http://, so accounts go over the network unencrypted. Use https://',
    ]);
    for (const url of ['https://a.example', 'http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:80'])
      expect(warningsOf(url)).toEqual([]);
    expect(warningsOf('http://127.0.0.1.example')).toHaveLength(1);
  });

  test('refuses a value that is invalid in a header or an address, and does not show it', () => {
    const wrong = { ANALYTICS_API_KEY: 'kéy', ANALYTICS_BASE_URL: 'https://u:hunter2@analytics.example' };
    expect(problemsOf({ ...account, ...wrong })).toEqual([
      'ANALYTICS_BASE_URL should be an address without a user, a password, a query or a fragment',
      'ANALYTICS_API_KEY should be printable ASCII characters, without spaces',
    ]);
    expect(problemsOf({ ...account, ...socketMode, SLACK_BOT_TOKEN: 'xoxb-1\u00a0' })).toEqual([]);
    expect(problemsOf({ ...account, ...socketMode, SLACK_BOT_TOKEN: 'xoxb-1 2' })).toEqual([
      'SLACK_BOT_TOKEN should be printable ASCII characters, without spaces',
    ]);
    expect(problemsOf({ ...account, ANALYTICS_BASE_URL: 'https://analytics.example/?v=1' })).toHaveLength(1);
  });

  test('a real workspace and the playground have separate stores', () => {
    expect(createConfig({ LANDFALL_DATA_DIR: '/d' }).storeDir).toBe('/d/playground');
    expect(createConfig({ ...account, ...socketMode, LANDFALL_DATA_DIR: '/d' }).storeDir).toBe(
      '/d/workspace',
    );
    expect(createConfig({ LANDFALL_DATA_DIR: ':memory:' }).storeDir).toBeUndefined();
  });

  test('an empty value counts as not set', () => {
    expect(createConfig({ SLACK_BOT_TOKEN: '', PORT: ' ' })).toMatchObject({
      slack: 'playground',
      port: 3000,
    });
  });

  test('refuses half an account and half a Slack app, and names each key', () => {
    expect(problemsOf({ ANALYTICS_BASE_URL: 'https://a.example', ANALYTICS_USER_ID: 'u1' })).toEqual([
      'ANALYTICS_API_KEY is missing: it belongs to the account at ANALYTICS_BASE_URL',
      'ANALYTICS_PASSWORD is missing: it belongs to the account at ANALYTICS_BASE_URL',
    ]);
    expect(problemsOf({ ...account, SLACK_APP_TOKEN: 'xapp-1' })).toEqual([
      'SLACK_BOT_TOKEN is missing, though other Slack settings are given: it starts with xoxb-',
    ]);
    expect(problemsOf({ ...account, SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual([
      'SLACK_SIGNING_SECRET is missing (or set SLACK_APP_TOKEN to use Socket Mode)',
    ]);
    expect(problemsOf({ ANALYTICS_PASSWORD: 'p' })).toEqual([
      'ANALYTICS_BASE_URL is missing, though an account is given: the address of the service',
    ]);
  });

  describe('many workspaces', () => {
    const many = {
      ...account,
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 'client-secret-0123',
      SLACK_SIGNING_SECRET: '12345678',
      PUBLIC_URL: 'https://landfall.example/',
    };
    const links = { PRIVACY_URL: 'https://a.example/privacy', SUPPORT_URL: 'mailto:help@a.example' };

    test('take a client id, its secret, a signing secret and a public address', () => {
      const { slack, warnings } = createConfig({ ...many, ...links });
      expect(slack).toEqual({
        kind: 'many',
        clientId: '1.2',
        clientSecret: 'client-secret-0123',
        signingSecret: '12345678',
        publicUrl: 'https://landfall.example',
        apiUrl: 'https://slack.com/api/',
        authorizationUrl: 'https://slack.com/oauth/v2/authorize',
        links: { privacy: links.PRIVACY_URL, support: links.SUPPORT_URL, status: undefined },
      });
      expect(warnings).toEqual([]);
    });

    test('the consent page is on the host of the Web API', () => {
      const { slack } = createConfig({ ...many, SLACK_API_URL: 'http://127.0.0.1:3001/api/' });
      expect(slack).toMatchObject({ authorizationUrl: 'http://127.0.0.1:3001/oauth/v2/authorize' });
    });

    test.each([
      'http://127.0.0.1:3000',
      'http://localhost:3000',
      'http://[::1]',
      'https://a.example:8443',
    ])('may have the address %s', (PUBLIC_URL) => {
      expect(createConfig({ ...many, PUBLIC_URL }).slack).toMatchObject({ publicUrl: PUBLIC_URL });
    });

    test.each([
      [
        'http://landfall.example',
        'an https address, such as https://landfall.example.com (http only on loopback)',
      ],
      ['landfall.example', 'an https address, such as https://landfall.example.com (http only on loopback)'],
      ['https://a.example/bot', 'an address without a user, a password, a path, a query or a fragment'],
      ['https://me:secret@a.example', 'an address without a user, a password, a path, a query or a fragment'],
    ])('may not have the address %s', (PUBLIC_URL, problem) => {
      expect(problemsOf({ ...many, PUBLIC_URL })).toEqual([`PUBLIC_URL should be ${problem}`]);
    });

    test('a missing part is named', () => {
      expect(problemsOf({ ...account, SLACK_CLIENT_ID: '1.2' })).toEqual([
        'SLACK_CLIENT_SECRET is missing: many workspaces need it (Basic Information of your Slack app)',
        'SLACK_SIGNING_SECRET is missing: many workspaces need it (Basic Information of your Slack app)',
        'PUBLIC_URL is missing: Slack sends people back there after an install, such as https://landfall.example.com',
      ]);
      expect(problemsOf({ ...many, SLACK_CLIENT_ID: '' })).toEqual([
        'SLACK_CLIENT_ID is missing: many workspaces need it (Basic Information of your Slack app)',
      ]);
    });

    test('tokens of one workspace do not go with them, nor the playground', () => {
      expect(problemsOf({ ...many, ...socketMode })).toEqual([
        'SLACK_BOT_TOKEN is for one workspace, and SLACK_CLIENT_ID (many workspaces) gets a token at each install: remove one',
        'SLACK_APP_TOKEN is for Socket Mode, and SLACK_CLIENT_ID (many workspaces) needs HTTP delivery: remove one',
      ]);
      expect(problemsOf({ ...many, SLACK_API_URL: 'playground' })).toEqual([
        'SLACK_API_URL is playground, so SLACK_SIGNING_SECRET, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET must not be set',
      ]);
    });

    test('warn of links that the install page lacks, and of a store that is lost', () => {
      expect(createConfig({ ...many, LANDFALL_DATA_DIR: ':memory:' }).warnings).toEqual([
        'LANDFALL_DATA_DIR is :memory:, so every workspace has to install the app again after a restart.',
        'The page where workspaces install the app has no link for PRIVACY_URL and SUPPORT_URL.',
      ]);
      expect(problemsOf({ ...many, SUPPORT_URL: 'help@a.example' })).toEqual([
        'SUPPORT_URL should be an https address, or mailto: and a mail address',
      ]);
    });
  });

  test('with only an address, admins connect their accounts there', () => {
    const config = createConfig({ ...socketMode, ANALYTICS_BASE_URL: 'https://analytics.example/v1/' });
    expect(config.analytics).toBeUndefined();
    expect(config.accounts).toEqual({ isShared: false, addresses: ['https://analytics.example/v1'] });
    expect(createConfig({ ...account, ...socketMode })).toMatchObject({
      analytics: { baseUrl: 'https://analytics.example' },
      accounts: { addresses: ['https://analytics.example'] },
    });
    expect(createConfig({}).accounts).toEqual({ isShared: false, addresses: ['sandbox'] });
  });

  test('admins may connect an account only at the addresses of the settings', () => {
    const ACCOUNT_ADDRESSES = 'https://a.example/, https://b.example/v1,https://a.example';
    const addresses = ['https://a.example', 'https://b.example/v1'];
    expect(createConfig({ ...socketMode, ACCOUNT_ADDRESSES })).toMatchObject({
      analytics: undefined,
      accounts: { addresses },
    });
    expect(createConfig({ ...account, ACCOUNT_ADDRESSES }).accounts.addresses).toEqual(addresses);
    expect(createConfig({ ...account, ACCOUNT_ADDRESSES: 'http://a.example' }).warnings).toHaveLength(1);
    expect(problemsOf({ ANALYTICS_BASE_URL: 'sandbox', ACCOUNT_ADDRESSES })).toEqual([
      'ACCOUNT_ADDRESSES must not be set with the sandbox: it has the only address there',
    ]);
    for (const wrong of ['a.example', 'sandbox', 'https://a.example,,', 'https://u:hunter2@a.example'])
      expect(problemsOf({ ...account, ACCOUNT_ADDRESSES: wrong })).toEqual([
        'ACCOUNT_ADDRESSES should be http or https addresses, separated by commas, without users, passwords, queries or fragments',
      ]);
  });

  test('only an account can be shared', () => {
    expect(createConfig({ ...account, ...socketMode, ACCOUNTS: 'shared' }).accounts.isShared).toBe(true);
    expect(createConfig({ ACCOUNTS: 'shared' }).accounts.isShared).toBe(true);
    expect(
      problemsOf({ ...socketMode, ANALYTICS_BASE_URL: 'https://a.example', ACCOUNTS: 'shared' }),
    ).toEqual([
      'ACCOUNTS is shared, so ANALYTICS_BASE_URL, _API_KEY, _USER_ID and _PASSWORD are needed: the account that is shared',
    ]);
    expect(problemsOf({ ACCOUNTS: 'mine' })).toEqual(['ACCOUNTS should be one of own, shared']);
  });

  test('a database needs an encryption key; watches have limits', () => {
    const DATABASE_URL = 'postgres://landfall:hunter2@db/landfall';
    expect(problemsOf({ DATABASE_URL })).toEqual([
      'LANDFALL_ENCRYPTION_KEY is missing: with DATABASE_URL it is needed (make one with openssl rand -base64 32)',
    ]);
    const key = 'A'.repeat(43);
    const config = createConfig({ DATABASE_URL, LANDFALL_ENCRYPTION_KEY: `${key}=, ${'0f'.repeat(32)}` });
    expect(config).toMatchObject({ databaseUrl: DATABASE_URL, leaseMs: 30_000 });
    expect(config.watches).toEqual({
      pollMinutes: undefined,
      maxPerChannel: 1000,
      dailyCalls: undefined,
      historyDays: 400,
    });
    expect(config.digests).toEqual({ maxPerChannel: 50 });
    expect(createConfig({ WATCH_POLL_MINUTES: '0.5', ANALYTICS_DAILY_CALLS: '2000' }).watches).toMatchObject({
      pollMinutes: 0.5,
      dailyCalls: 2000,
    });
    expect(
      problemsOf({
        DATABASE_URL: 'mysql://db',
        LANDFALL_ENCRYPTION_KEY: 'short',
        WATCH_POLL_MINUTES: 'often',
      }),
    ).toEqual([
      'DATABASE_URL should be the address of a PostgreSQL database: it starts with postgres://',
      'LANDFALL_ENCRYPTION_KEY should be 32 bytes in base64 or hex (openssl rand -base64 32), several keys separated by commas',
      'WATCH_POLL_MINUTES should be auto, or minutes from 0.01 to 10080',
    ]);
  });

  test('the metrics have a port of their own', () => {
    expect(problemsOf({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT should be another port than PORT']);
    expect(createConfig({ PORT: '0', METRICS_PORT: '0' }).metricsPort).toBe(0);
  });

  test('one message names every faulty key and shows no value', () => {
    const env = {
      ...account,
      SLACK_BOT_TOKEN: 'my-secret-token',
      SLACK_SIGNING_SECRET: 'tiny',
      ANALYTICS_BASE_URL: 'nowhere',
      ANALYTICS_MAX_IN_FLIGHT: '0',
      LEASE_MS: '4999',
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      SANDBOX_SPEED: 'fast',
    };
    expect(problemsOf(env)).toEqual([
      'SLACK_BOT_TOKEN should be a bot token: it starts with xoxb-',
      'SLACK_SIGNING_SECRET should be the signing secret of your Slack app',
      'ANALYTICS_BASE_URL should be an http or https address, or the word sandbox',
      'ANALYTICS_MAX_IN_FLIGHT should be at least 1',
      'LEASE_MS should be at least 5000',
      'PORT should be a whole number from 0 to 65535',
      'SANDBOX_SPEED should be a number from 0 to 100000',
      'LOG_LEVEL should be one of trace, debug, info, warn, error, silent',
    ]);
    const message = new ConfigError(problemsOf(env)).message;
    for (const value of ['my-secret-token', 'tiny', 'hunter2', 'key-0123', 'nowhere'])
      expect(message).not.toContain(value);
  });
});
