import { once } from 'node:events';
import { connect } from 'node:net';
import { type Config, ConfigError, createConfig } from '../../config/config.ts';
import { proxyHost } from '../../config/proxy.ts';
import { messageOf, networkReasonOf } from '../../errors.ts';
import { setProxy } from '../proxy.ts';
import { checkAccount } from './account.ts';
import { checkClock } from './clock.ts';
import { answerWithinMs, type Checkup, type Finding, fail, pass, type Section, warn } from './finding.ts';
import { checkManifest } from './manifest.ts';
import { checkSettings, explainProblems } from './settings.ts';
import { checkSlack } from './slack.ts';
import { checkStore } from './store.ts';

export interface Report extends Finding {
  section: string;
}

/** Whether something listens there. Whether it lets Landfall out, the next sections find. */
const checkProxy: Section = async ({ config: { proxy }, env }) => {
  if (proxy) {
    const hosts = new Set([proxy.https, ...(proxy.http === undefined ? [] : [proxy.http])].map(proxyHost));
    return await Promise.all([...hosts].map((host) => checkHost(host, env.no_proxy || env.NO_PROXY)));
  }
  if (env.all_proxy || env.ALL_PROXY)
    return [warn('ALL_PROXY is set, but Landfall does not read it', 'Set HTTPS_PROXY instead.')];
  return [pass('No proxy: connections are direct')];
};

/** In the order that a start needs them. */
const sections: Record<string, Section> = {
  Proxy: checkProxy,
  Slack: checkSlack,
  Manifest: checkManifest,
  Account: checkAccount,
  Store: checkStore,
  Clock: checkClock,
};

/**
 * Tries the settings and all that they lead to, one thing after the other, also while Landfall runs: it changes nothing.
 * Sends what it asks through the proxy of the settings, as the bot does.
 */
export async function* diagnose(options: {
  env: Record<string, string | undefined>;
  /** The path of `.env`; undefined to skip its check. */
  envFile?: string;
  /** The text of manifest.yml. */
  manifest: string;
  realNow?: () => number;
}): AsyncGenerator<Report> {
  const { env, envFile, manifest, realNow = Date.now } = options;
  let config: Config;
  try {
    config = createConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield* named('Settings', explainProblems(error.problems, { env, envFile }));
    return;
  }
  yield* named('Settings', checkSettings(config, envFile));
  setProxy(config.proxy);
  const checkup: Checkup = { config, env, manifest, realNow };
  for (const [name, check] of Object.entries(sections)) yield* named(name, await checked(check, checkup));
}

const named = (section: string, findings: Finding[]): Report[] =>
  findings.map((finding) => ({ section, ...finding }));

/** A fault of one section does not hide what the others find. */
async function checked(check: Section, checkup: Checkup): Promise<Finding[]> {
  try {
    return await check(checkup);
  } catch (error) {
    return [fail(`This could not be checked: ${messageOf(error)}`, 'Please report it: this is a bug.')];
  }
}

const marks = { ok: '✓', warning: '!', failure: '✗' } as const;

/** With the name of its section, if it is the first one there, and what to do about it. */
export function lineOf({ section, level, text, remedy }: Report, previous: Report | undefined): string {
  const heading = section === previous?.section ? '' : `${previous ? '\n' : ''}${section}\n`;
  return `${heading}  ${marks[level]} ${text}\n${remedy === undefined ? '' : `      ${remedy}\n`}`;
}

/** The next thing to do. */
export function lastLine(reports: readonly Report[]): string {
  const first = reports.find(({ level }) => level === 'failure');
  if (first?.remedy) return `\nNext: ${first.remedy}\n`;
  const warnings = reports.filter(({ level }) => level === 'warning').length;
  if (warnings === 0) return '\nAll is well: npm start\n';
  return `\nLandfall can start, with ${warnings === 1 ? '1 warning' : `${warnings} warnings`}: npm start\n`;
}

async function checkHost(host: string, except: string | undefined): Promise<Finding> {
  const { hostname, port } = new URL(`http://${host}`);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerWithinMs) });
    return pass(`Connections go through the proxy ${host}${except ? `, except to ${except}` : ''}`);
  } catch (error) {
    return fail(
      `The proxy ${host} can't be reached: ${networkReasonOf(error)}`,
      'Check HTTPS_PROXY, or remove it to connect directly.',
    );
  } finally {
    socket.on('error', () => {}).destroy();
  }
}
