import { WebAPIPlatformError } from '@slack/web-api';

/** What the app asks for at an install; manifest.yml has the same, docs/scopes.md the reasons. */
export const requiredScopes: readonly string[] = [
  'app_mentions:read',
  'channels:read',
  'chat:write',
  'commands',
  'groups:read',
  'im:history',
  'im:write',
  'users:read',
];

/** An installer may decline these. What doesn't work without them. */
const withoutScope: Record<string, string> = {
  'assistant:write': 'direct messages have no suggested prompts',
  'channels:history':
    "after a crash or a restore, Landfall can't look whether an alert was posted in a public channel, so it may appear twice",
  'files:read': "Landfall can't read a spreadsheet that you share with it",
  'files:write': 'tables, and the list of vessel names, are exported as text instead of a file',
  'groups:history':
    "after a crash or a restore, Landfall can't look whether an alert was posted in a private channel, so it may appear twice",
  'links:read': "links to vessels don't show the next ports",
  'links:write': "links to vessels don't show the next ports",
  'mcp:connect': "Slackbot can't ask Landfall for people",
};

/** Slack gives it only to an app that is declared an agent. */
export const agentScope = 'assistant:write';

/** What differs between the Slack apps that Landfall runs with. */
interface AppKind {
  /** Slack delivers over HTTP. In Socket Mode there is no address at which Slackbot could ask. */
  isHttp: boolean;
  isAgent: boolean;
}

export const optionalScopes = ({ isHttp, isAgent }: AppKind): string[] =>
  Object.keys(withoutScope).filter(
    (scope) => (isHttp || scope !== 'mcp:connect') && (isAgent || scope !== agentScope),
  );

export const scopesOf = (app: AppKind): string[] => [...requiredScopes, ...optionalScopes(app)];

/** What doesn't work since a scope of the app is not granted, a clause for each. */
export function whatIsMissing(
  granted: readonly string[],
  app: AppKind,
): { scope: string; consequence: string }[] {
  return scopesOf(app)
    .filter((scope) => !granted.includes(scope))
    .map((scope) => ({ scope, consequence: withoutScope[scope] ?? "Landfall can't work without it" }));
}

/** The scopes that a request needed, such as `files:read`; undefined if Slack refused it for another reason. */
export function missingScope(error: unknown): string | undefined {
  if (!(error instanceof WebAPIPlatformError) || error.data.error !== 'missing_scope') return undefined;
  const needed = 'needed' in error.data ? error.data.needed : '';
  return typeof needed === 'string' && needed !== '' ? needed : undefined;
}

/** Where an admin of the workspace or organisation grants what is missing; undefined without a public address. */
export function scopeLink(publicUrl: string | undefined, installationId: string): string | undefined {
  return publicUrl ? `${publicUrl}/slack/install?team=${encodeURIComponent(installationId)}` : undefined;
}

/** A sentence for the person who meets the missing scope. */
export function scopeAdvice(scope: string, link: string | undefined): string {
  return link === undefined
    ? `Tell whoever runs this bot: it needs the scope ${scope}.`
    : `An admin can allow it: ${link} (scope ${scope}).`;
}

/** The events that Slack has to send; manifest.yml subscribes to them. */
export const botEvents: readonly string[] = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'channel_archive',
  'channel_deleted',
  'channel_left',
  'channel_shared',
  'function_executed',
  'group_archive',
  'group_deleted',
  'group_left',
  'link_shared',
  'message.im',
  'team_access_granted',
  'team_access_revoked',
  'tokens_revoked',
];
