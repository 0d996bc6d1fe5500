import type { AuthorizeQuery, ConsentReply } from '../page-api/consent-api.ts';
import type { OAuth } from './oauth.ts';
import type { PlaygroundOAuth } from './playground-oauth.ts';

export function createHandle(
  { registry, consents, setInstallUrl }: OAuth,
  client: { clientId: string; clientSecret: string; authorizationUrl: string },
): PlaygroundOAuth {
  return {
    ...client,
    setInstallUrl,
    settings: registry.settings,
    change: registry.change,
    expireTokens: registry.installs.expireTokens,
    isInstalled: (teamId) => registry.serving(teamId) !== undefined,
    allow: (authorizeUrl, { declined = [], ...by }) =>
      urlOf(consents.allow({ query: queryOf(authorizeUrl), declined, ...by })),
    cancel: (authorizeUrl) => urlOf(consents.cancel(queryOf(authorizeUrl))),
  };
}

const queryOf = (authorizeUrl: string): AuthorizeQuery =>
  Object.fromEntries(new URL(authorizeUrl).searchParams);

function urlOf(reply: ConsentReply): string {
  if (!reply.ok) throw new Error(reply.error);
  return reply.url;
}
