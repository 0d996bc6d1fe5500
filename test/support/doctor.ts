import { readFileSync } from 'node:fs';
import type { Playground } from 'bolt-playground';
import { diagnose, type Report } from '../../src/app/doctor/diagnose.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

export const manifest = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8');

/** The whole report. By default nothing is stored. */
export const report = (
  env: Record<string, string>,
  options: Partial<Parameters<typeof diagnose>[0]> = {},
): Promise<Report[]> =>
  Array.fromAsync(diagnose({ env: { LANDFALL_DATA_DIR: ':memory:', ...env }, manifest, ...options }));

/** `✓ text`, of one section. */
export const linesOf = (reports: readonly Report[], section: string): string[] =>
  reports.filter((one) => one.section === section).map(({ level, text }) => `${marks[level]} ${text}`);

const marks = { ok: '✓', warning: '!', failure: '✗' };

/** What is wrong or risky, with what to do about it. */
export const wrong = (reports: readonly Report[]): Report[] => reports.filter(({ level }) => level !== 'ok');

/** One workspace of the local Slack. */
export const slackSettings = (slack: Playground): Record<string, string> => ({
  SLACK_API_URL: slack.apiUrl,
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_APP_TOKEN: slack.appToken,
});

export const accountSettings = ({ url, credentials }: Sandbox): Record<string, string> => ({
  ANALYTICS_BASE_URL: url,
  ANALYTICS_API_KEY: credentials.apiKey,
  ANALYTICS_USER_ID: credentials.userId,
  ANALYTICS_PASSWORD: credentials.password,
});
