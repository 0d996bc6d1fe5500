import type { ManyWorkspacesConfig, OneWorkspaceConfig } from '../../config/config.ts';
import { isLoopback } from '../../config/setting.ts';
import { networkReasonOf } from '../../errors.ts';
import { checkAppToken, checkBotToken, checkClient } from '../../slack/connection/clients.ts';
import { agentScope, requiredScopes, scopesOf, whatIsMissing } from '../../slack/install/scopes.ts';
import {
  answerWithinMs,
  type Finding,
  fail,
  inWords,
  networkRemedy,
  pass,
  type Section,
  warn,
  whyUnreachable,
} from './finding.ts';

/** Tries the tokens, or the client of an app that many workspaces install. */
export const checkSlack: Section = async ({ config: { slack, isAgent, publicUrl } }) => {
  if (slack === 'playground')
    return [pass('No Slack settings: npm start opens the playground (README: your own Slack workspace)')];
  try {
    const findings = slack.kind === 'many' ? await tryClient(slack) : await tryTokens(slack, isAgent);
    return [...findings, ...(publicUrl === undefined ? [] : [await checkPublicAddress(publicUrl)])];
  } catch (error) {
    const reason = networkReasonOf(error);
    return [
      fail(
        `Slack can't be reached at ${new URL(slack.apiUrl).host}: ${reason}`,
        networkRemedy(reason, 'SLACK_API_URL'),
      ),
    ];
  }
};

async function tryTokens(slack: OneWorkspaceConfig, isAgent: boolean): Promise<Finding[]> {
  const { apiUrl, botToken, appToken } = slack;
  const owner = await checkBotToken({ apiUrl, token: botToken });
  const bot =
    'refusal' in owner
      ? [refusedBot(owner.refusal)]
      : [
          pass(`SLACK_BOT_TOKEN works: ${owner.workspace}, as ${owner.bot}`),
          ...(owner.scopes ? checkScopes(owner.scopes, { isHttp: slack.mode === 'http', isAgent }) : []),
        ];
  if (appToken === undefined) return [...bot, delivery];
  const app = await checkAppToken({ apiUrl, token: appToken });
  return [...bot, 'refusal' in app ? refusedApp(app.refusal) : await checkSocketHost(app.url)];
}

/** A connection of its own would get deliveries that are meant for the bot, so this only asks the host for anything. */
async function checkSocketHost(url: string): Promise<Finding> {
  const address = URL.parse(url.replace(/^ws/, 'http'));
  const reason = address ? await whyUnreachable(address.origin) : undefined;
  if (reason === undefined) return pass('SLACK_APP_TOKEN works: Socket Mode');
  return fail(
    `SLACK_APP_TOKEN works, but the host of Socket Mode, ${address?.host}, can't be reached: ${reason}`,
    networkRemedy(reason, 'SLACK_API_URL'),
  );
}

/** Nothing but a delivery shows whether the signing secret is right. */
const delivery = pass(
  'Slack delivers over HTTP to /slack/events; SLACK_SIGNING_SECRET is set, and its first delivery will try it',
);

function refusedBot(code: string): Finding {
  const text = `Slack refuses SLACK_BOT_TOKEN (${code})`;
  if (code === 'account_inactive' || code === 'token_revoked')
    return fail(
      text,
      'The app was uninstalled: install it again, then copy the new token (OAuth & Permissions).',
    );
  if (code === 'token_expired')
    return fail(
      text,
      'Token rotation is on, which needs SLACK_CLIENT_ID: see docs/hosting.md, or use another app.',
    );
  return fail(text, 'Copy it again from “OAuth & Permissions” of your Slack app.');
}

function refusedApp(code: string): Finding {
  if (code === 'missing_scope')
    return fail(
      'SLACK_APP_TOKEN lacks the scope connections:write, so Socket Mode is refused',
      'Generate a token with that scope under “Basic Information” → “App-Level Tokens”.',
    );
  if (code === 'socket_mode_not_enabled')
    return fail(
      'Socket Mode is off in your Slack app',
      'Turn it on under “Socket Mode” of your Slack app, or use SLACK_SIGNING_SECRET instead of SLACK_APP_TOKEN.',
    );
  return fail(
    `Slack refuses SLACK_APP_TOKEN (${code})`,
    'Copy it again from “Basic Information” → “App-Level Tokens” of your Slack app.',
  );
}

function checkScopes(granted: readonly string[], app: { isHttp: boolean; isAgent: boolean }): Finding[] {
  const missing = whatIsMissing(granted, app);
  const required = missing.filter(({ scope }) => requiredScopes.includes(scope));
  // Slack gives it to every agent.
  const used = [...scopesOf(app), agentScope];
  const unused = granted.filter((scope) => !used.includes(scope)).toSorted();
  const findings = missing
    .filter(({ scope }) => !requiredScopes.includes(scope))
    .map(({ scope, consequence }) =>
      warn(
        `The app lacks the scope ${scope}: ${consequence}`,
        scope === agentScope ? declareAgent : addScopes,
      ),
    );
  if (!app.isAgent && granted.includes(agentScope))
    findings.push(
      warn(`The app has the scope ${agentScope}, as an agent has, but SLACK_AGENT is not set`, setAgent),
    );
  if (required.length > 0) {
    const names = required.map(({ scope }) => scope);
    findings.unshift(fail(`The app lacks ${scopesInWords(names)}, which Landfall needs`, addScopes));
  }
  if (unused.length > 0)
    findings.push(
      warn(
        `The app has ${scopesInWords(unused)}, which Landfall doesn't use`,
        'Remove what nothing else needs under “OAuth & Permissions”, then reinstall the app: a leaked token can then do less.',
      ),
    );
  return findings.length > 0 ? findings : [pass('The app has the scopes that Landfall uses, and no others')];
}

const declareAgent = 'Declare the app an agent (docs/agent.md), or remove SLACK_AGENT.';
/** For an app that Slack treats as an agent. */
export const setAgent =
  "Set SLACK_AGENT=true, so that Landfall answers in threads: a Slack app can't stop being an agent (docs/agent.md).";
const addScopes =
  'Add what is missing under “OAuth & Permissions” (or paste manifest.yml), then reinstall the app.';

const scopesInWords = (scopes: readonly string[]): string =>
  `the scope${scopes.length === 1 ? '' : 's'} ${inWords(scopes)}`;

async function tryClient(slack: ManyWorkspacesConfig): Promise<Finding[]> {
  const refusal = await checkClient(slack);
  if (refusal === undefined)
    return [pass(`Slack knows the app; workspaces install it at ${slack.publicUrl}/slack/install`)];
  const setting = refusal === 'bad_client_secret' ? 'SLACK_CLIENT_SECRET' : 'SLACK_CLIENT_ID and its secret';
  return [
    fail(
      `Slack refuses ${setting} (${refusal})`,
      'Copy SLACK_CLIENT_ID and SLACK_CLIENT_SECRET again from “Basic Information” of your Slack app.',
    ),
  ];
}

const check =
  'Start Landfall and check its DNS name, the certificate and the proxy in front (docs/hosting.md).';

/** From here; Slack may see it differently. A server that hides /healthz answers all the same. */
async function checkPublicAddress(publicUrl: string): Promise<Finding> {
  try {
    const { status } = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(answerWithinMs) });
    if (status >= 500)
      return warn(`${publicUrl} answers, but Landfall behind it does not (status ${status})`, check);
  } catch (error) {
    return warn(`PUBLIC_URL ${publicUrl} can't be reached from here: ${networkReasonOf(error)}`, check);
  }
  return isLoopback(new URL(publicUrl).hostname)
    ? warn(
        `PUBLIC_URL is ${publicUrl}, which only this machine reaches`,
        'Slack needs an https address that the internet reaches.',
      )
    : pass(`PUBLIC_URL ${publicUrl} answers`);
}
