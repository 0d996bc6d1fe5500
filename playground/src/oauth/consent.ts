import type { Manifest } from '../manifest.ts';
import type {
  AllowRequest,
  AuthorizeQuery,
  ConsentPageState,
  ConsentPlace,
  ConsentReply,
} from '../page-api/consent-api.ts';
import { pageUser } from '../world/render.ts';
import { SLACKBOT, type World } from '../world/world.ts';
import type { Codes } from './codes.ts';
import { allowedRedirect, withQuery } from './redirect.ts';
import type { Registry } from './registry.ts';
import { isScope, scopeText } from './scope-texts.ts';

/** The decision of a person whom `/oauth/v2/authorize` asks. Errors are texts for that person. */
export interface Consents {
  page(query: AuthorizeQuery): ConsentPageState | { ok: false; error: string };
  allow(request: AllowRequest): ConsentReply;
  cancel(query: AuthorizeQuery): ConsentReply;
}

export function createConsents(options: {
  clientId: string;
  redirectUrls: readonly string[];
  manifest: Pick<Manifest, 'name' | 'description' | 'optionalScopes'>;
  worlds: readonly World[];
  registry: Registry;
  codes: Codes;
}): Consents {
  const { manifest, worlds, registry } = options;

  function read(query: AuthorizeQuery): { redirect: string; scopes: string[] } | { error: string } {
    if (query.client_id !== options.clientId) {
      return { error: 'Invalid client_id parameter: no app has this client ID.' };
    }
    const redirect = allowedRedirect(query.redirect_uri, options.redirectUrls);
    if (!redirect) {
      const given = query.redirect_uri ?? '(none)';
      return { error: `bad_redirect_uri: ${given} doesn't match a redirect URL of the app.` };
    }
    const scopes = [...new Set((query.scope ?? '').split(',').filter(Boolean))];
    const unknown = scopes.find((scope) => !isScope(scope));
    if (unknown) return { error: `invalid_scope: Slack knows no scope named ${unknown}.` };
    return scopes.length > 0 ? { redirect, scopes } : { error: 'no_scopes: the app asks for no permission.' };
  }

  function places(): ConsentPlace[] {
    const organisation = registry.organisation();
    const inOrganisation = organisation && registry.installs.active(organisation.id);
    const teams = worlds.map((world): ConsentPlace => {
      const { id, name } = world.team;
      const isInstalled = registry.installs.active(id) !== undefined;
      const refusal =
        inOrganisation && registry.organisation(id)
          ? `${manifest.name} is installed for all of ${organisation.name}.`
          : '';
      const people = peopleOf(world);
      return { id, name, isOrganisation: false, people, isInstalled, ...(refusal && { refusal }) };
    });
    if (!organisation) return teams;
    const own = teams.find(({ id, isInstalled }) => isInstalled && registry.organisation(id));
    const refusal = own ? `Uninstall ${manifest.name} from ${own.name} first.` : '';
    const { id, name } = organisation;
    const people = worlds.filter(({ team }) => registry.organisation(team.id)).flatMap(peopleOf);
    const isInstalled = inOrganisation !== undefined;
    return [...teams, { id, name, isOrganisation: true, people, isInstalled, ...(refusal && { refusal }) }];
  }

  return {
    page(query) {
      const request = read(query);
      if ('error' in request) return { ok: false, error: request.error };
      const offered = places();
      const wanted = offered.find(({ id }) => id === query.team);
      return {
        appName: manifest.name,
        appDescription: manifest.description,
        ...(wanted && { placeId: wanted.id }),
        places: offered,
        scopes: request.scopes.map((scope) => ({
          scope,
          text: scopeText(scope),
          isOptional: manifest.optionalScopes.includes(scope),
        })),
      };
    },
    allow({ query, placeId, userId, declined }) {
      const request = read(query);
      if ('error' in request) return { ok: false, error: request.error };
      const place = places().find(({ id }) => id === placeId);
      const user = place?.people.find(({ id }) => id === userId);
      if (!place || !user) return { ok: false, error: 'There is no such workspace or person.' };
      if (place.refusal) return { ok: false, error: place.refusal };
      if (!user.isAdmin) return { ok: false, error: `Only an admin of ${place.name} can install apps.` };
      const isDeclined = (scope: string) =>
        declined.includes(scope) && manifest.optionalScopes.includes(scope);
      const code = options.codes.issue({
        placeId,
        isOrgWide: place.isOrganisation,
        installerId: userId,
        scopes: request.scopes.filter((scope) => !isDeclined(scope)),
        redirectUri: query.redirect_uri,
      });
      return { ok: true, url: withQuery(request.redirect, { code, state: query.state }) };
    },
    cancel(query) {
      const request = read(query);
      if ('error' in request) return { ok: false, error: request.error };
      return {
        ok: true,
        url: withQuery(request.redirect, { error: 'access_denied', state: query.state }),
      };
    },
  };
}

/** Those who belong to the workspace itself. */
const peopleOf = (world: World) =>
  world.users
    .filter((user) => !user.isBot && user.id !== SLACKBOT && user.teamId === world.team.id && !user.isGuest)
    .map((user) => pageUser(user, world));
