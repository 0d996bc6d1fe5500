import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPlayground } from 'bolt-playground';
import { expect, test } from 'vitest';
import { lastLine, lineOf } from '../../../src/app/doctor/diagnose.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { accountSettings, linesOf, manifest, report, slackSettings, wrong } from '../../support/doctor.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useStarted } from '../../support/use-started.ts';

const slack = useStarted(() => createPlayground({ mode: 'socket', manifest }));
const sandbox = useStarted(createSandbox);

const healthy = () => ({ ...slackSettings(slack), ...accountSettings(sandbox) });

async function envFile(text: string, mode = 0o600): Promise<string> {
  const path = join(await useDirectory(), '.env');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

test('correct settings: every section says what it tried', async () => {
  const reports = await report(healthy());
  expect(wrong(reports)).toEqual([]);
  expect(reports.map(({ section, text }) => `${section}: ${text}`)).toEqual([
    'Settings: Settings can be read',
    'Proxy: No proxy: connections are direct',
    'Slack: SLACK_BOT_TOKEN works: Harbour & Co, as landfall',
    'Slack: The app has the scopes that Landfall uses, and no others',
    'Slack: SLACK_APP_TOKEN works: Socket Mode',
    'Manifest: manifest.yml fits this version: 8 commands, 14 scopes',
    'Manifest: The manifest of the Slack app itself is compared only if SLACK_CONFIG_TOKEN and SLACK_APP_ID are set',
    `Account: The service at ${new URL(sandbox.url).host} accepts the account and answers`,
    'Store: Nothing is stored: LANDFALL_DATA_DIR is :memory:',
    "Clock: This machine's clock agrees with Slack's",
    "Clock: This machine's clock agrees with the service's",
  ]);
});

test('without settings: every section names what is embedded', async () => {
  const reports = await report({});
  expect(wrong(reports)).toEqual([]);
  expect(linesOf(reports, 'Slack')).toEqual([
    '✓ No Slack settings: npm start opens the playground (README: your own Slack workspace)',
  ]);
  expect(linesOf(reports, 'Account')).toEqual([
    '✓ No analytics account: answers come from the sandbox, invented data',
  ]);
  expect(linesOf(reports, 'Clock')).toEqual([
    '✓ No other clock to compare with: Slack and the service are embedded',
  ]);
});

test('risky settings are warnings', async () => {
  const path = await envFile('', 0o644);
  const found = wrong(await report({ HOST: '0.0.0.0' }, { envFile: path }));
  expect(found.map(({ level, text, remedy }) => [level, text, remedy])).toEqual([
    ['warning', expect.stringContaining('the playground listens on 127.0.0.1 only'), expect.any(String)],
    ['warning', expect.stringMatching(/can read .*\.env \(mode 644\)/), `chmod 600 ${path}`],
  ]);
});

test('names in .env that nothing reads, with the nearest that something does', async () => {
  const path = await envFile(
    'SLACK_BOT_TOKENS=xoxb-1\nANALYTICS_BASEURL=x\nFAVOURITE_PORT=NLRTM\nPOSTGRES_PASSWORD=x\nTZ=UTC\nhttps_proxy=\nPORT=1\n',
  );
  const reports = await report({}, { envFile: path });
  expect(linesOf(reports, 'Settings').slice(1)).toEqual([
    "! .env sets ANALYTICS_BASEURL, which Landfall doesn't know: did you mean ANALYTICS_BASE_URL?",
    "! .env sets FAVOURITE_PORT, which Landfall doesn't know",
    "! .env sets SLACK_BOT_TOKENS, which Landfall doesn't know: did you mean SLACK_BOT_TOKEN?",
  ]);
  expect(wrong(reports).at(-1)?.remedy).toBe('Rename it to SLACK_BOT_TOKEN in .env.');
});

test('each wrong setting is named, and nothing else is tried', async () => {
  const reports = await report({ ...healthy(), PORT: 'x', ANALYTICS_PASSWORD: '' });
  expect(reports.map(({ level, text }) => [level, text])).toEqual([
    ['failure', 'PORT should be a whole number from 0 to 65535'],
    ['failure', 'ANALYTICS_PASSWORD is missing: it belongs to the account at ANALYTICS_BASE_URL'],
  ]);
});

test('tokens in the wrong place are recognised, without showing them', async () => {
  const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN = '' } = slackSettings(slack);
  const swapped = { ...healthy(), SLACK_BOT_TOKEN: SLACK_APP_TOKEN, SLACK_APP_TOKEN: SLACK_BOT_TOKEN };
  expect(await report(swapped)).toEqual([
    {
      section: 'Settings',
      level: 'failure',
      text: 'SLACK_BOT_TOKEN holds an app-level token, which belongs in SLACK_APP_TOKEN',
      remedy: 'Copy the token that starts with xoxb- from “OAuth & Permissions” of your Slack app.',
    },
    {
      section: 'Settings',
      level: 'failure',
      text: 'SLACK_APP_TOKEN holds a bot token, which belongs in SLACK_BOT_TOKEN',
      remedy: 'Copy the token that starts with xapp- from “Basic Information” of your Slack app.',
    },
  ]);
});

test.each([
  ['xoxp-1', "a person's token, which Landfall doesn't use"],
  ['xoxe.xoxp-1', 'an app configuration token, which belongs in SLACK_CONFIG_TOKEN'],
  [
    'xoxe.xoxb-1',
    'a bot token that expires; only the mode for many workspaces (SLACK_CLIENT_ID) refreshes it',
  ],
])('another token in the place of the bot token: %s', async (token, words) => {
  const [finding] = await report({ ...healthy(), SLACK_BOT_TOKEN: token });
  expect(finding?.text).toBe(`SLACK_BOT_TOKEN holds ${words}`);
});

test('the report: a heading for each section, the remedy below, and the next step', () => {
  const reports = [
    { section: 'Proxy', level: 'ok', text: 'none' },
    { section: 'Slack', level: 'warning', text: 'risky', remedy: 'Do A.' },
    { section: 'Slack', level: 'failure', text: 'broken', remedy: 'Do B.' },
  ] as const;
  expect(reports.map((one, index) => lineOf(one, reports[index - 1])).join('')).toBe(
    'Proxy\n  ✓ none\n\nSlack\n  ! risky\n      Do A.\n  ✗ broken\n      Do B.\n',
  );
  expect(lastLine(reports)).toBe('\nNext: Do B.\n');
  expect(lastLine(reports.slice(0, 2))).toBe('\nLandfall can start, with 1 warning: npm start\n');
  expect(lastLine(reports.slice(0, 1))).toBe('\nAll is well: npm start\n');
});
