import { type Config, ConfigError, createConfig } from '../../config/config.ts';
import { messageOf } from '../../errors.ts';
import { setProxy } from '../proxy.ts';
import { checkAccount } from './account.ts';
import { checkClock } from './clock.ts';
import { type Checkup, type Finding, fail, type Section } from './finding.ts';
import { checkManifest } from './manifest.ts';
import { checkProxy } from './proxy.ts';
import { checkSettings, explainProblems } from './settings.ts';
import { checkSlack } from './slack.ts';
import { checkStore } from './store.ts';

export interface Report extends Finding {
  section: string;
}

/** In the order in which a start needs them. */
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
