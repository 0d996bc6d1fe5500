import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Playground, PlaygroundOptions } from '../../src/index.ts';
import { twoWorkspaces } from '../../src/index.ts';

export const FREIGHT = 'T0FREIGHT1';
export const NORDERNEY = 'T0NORDERN1';
export const ORGANISATION = 'E0COASTAL1';
/** The admin and a member of Harbour Freight, and its #ops. */
export const MAYA = 'U0HFMAYA';
export const OMAR = 'U0HFOMAR';
export const OPS = 'C0HFOPS';
/** The admin of Norderney Lines, and its #fleet. */
export const INES = 'U0NLINES';
export const FLEET = 'C0NLFLEET';

export const REDIRECT = 'http://127.0.0.1:9/slack/oauth_redirect';

const manifest = `display_information: { name: Your app, description: Where a vessel calls next. }
features:
  slash_commands: [{ command: /lookup, should_escape: true }]
  app_home: { home_tab_enabled: true }
oauth_config:
  redirect_urls: [${new URL('/slack/', REDIRECT).href}]
  scopes: { bot: [commands, chat:write, users:read, channels:read], bot_optional: [files:read, channels:history] }
settings:
  event_subscriptions: { bot_events: [app_mention, message.im, app_uninstalled, tokens_revoked] }
`;

/** Two workspaces without the app, whose manifest has optional scopes. Removes its files after the tests. */
export function oauthOptions(): PlaygroundOptions & { mode: 'http'; manifest: string; dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'playground-oauth-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  return { mode: 'http', manifest, workspaces: twoWorkspaces(), dir };
}

export function oauthOf({ oauth }: Playground) {
  if (!oauth) throw new Error('this local Slack has one workspace');
  return oauth;
}

/** Where an app sends the browser. An empty value leaves its parameter out. */
export function authorizeUrl(slack: Playground, query: Record<string, string> = {}): string {
  const { authorizationUrl, clientId } = oauthOf(slack);
  const url = new URL(authorizationUrl);
  const all = {
    client_id: clientId,
    scope: 'commands,chat:write,users:read,channels:read,files:read',
    redirect_uri: REDIRECT,
    state: 's1',
    ...query,
  };
  for (const [name, value] of Object.entries(all)) if (value) url.searchParams.set(name, value);
  return url.href;
}

/** The answer of a Web API method to a form. */
export async function call(
  slack: Playground,
  method: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const body = new URLSearchParams(form);
  const response = await fetch(`${slack.apiUrl}${method}`, { method: 'POST', body, headers });
  // The tests check the answers field by field.
  return (await response.json()) as Record<string, unknown>;
}

/** The fields with which an app identifies itself. */
export const client = (slack: Playground) => {
  const { clientId, clientSecret } = oauthOf(slack);
  return { client_id: clientId, client_secret: clientSecret };
};

export const codeIn = (url: string): string => new URL(url).searchParams.get('code') ?? '';

/** Installs as a person does who allows everything but `declined`. Returns the answer of `oauth.v2.access`. */
export async function install(
  slack: Playground,
  by: { placeId: string; userId: string; declined?: string[] },
  query: Record<string, string> = {},
): Promise<Record<string, unknown> & { token: string }> {
  const code = codeIn(oauthOf(slack).allow(authorizeUrl(slack, query), by));
  const answer = await call(slack, 'oauth.v2.access', { ...client(slack), code, redirect_uri: REDIRECT });
  return { ...answer, token: String(answer.access_token) };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
