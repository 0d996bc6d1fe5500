import { ApiError } from '../blocks/content.ts';
import { isTrue, type JsonObject, nonEmptyString } from '../json.ts';
import { type Method, pageOf } from '../web-api/method.ts';
import type { World } from '../world/world.ts';
import type { Codes, Consent } from './codes.ts';
import { type Issued, TOKEN_SECONDS } from './installs.ts';
import type { Registry } from './registry.ts';

interface Options {
  clientId: string;
  clientSecret: string;
  worlds: readonly World[];
  registry: Registry;
  codes: Codes;
  /** Ends the installation that serves a workspace. The app's last events follow the answer. */
  end: (teamId: string, how: 'revoke' | 'uninstall') => void;
}

/** The methods by which an app gets its tokens, refreshes them and gives them up. */
export function oauthMethods(options: Options): Record<string, Method> {
  return {
    'oauth.v2.access': { token: 'none', run: (args) => access(options, args) },
    'auth.teams.list': {
      token: 'bot',
      run(args, { grant }) {
        const teams = options.worlds.flatMap(({ team }) => (grant.teamIds.includes(team.id) ? [team] : []));
        const { items, next } = pageOf(teams, args, 100);
        return {
          teams: items.map(({ id, name }) => ({ id, name })),
          response_metadata: { next_cursor: next },
        };
      },
    },
    'auth.revoke': {
      token: 'bot',
      run(args, { grant }) {
        if (isTrue(args.test)) return { revoked: false };
        options.end(grant.teamIds[0] ?? '', 'revoke');
        return { revoked: true };
      },
    },
    'apps.uninstall': {
      token: 'bot',
      run(args, { grant }) {
        checkClient(options, args);
        options.end(grant.teamIds[0] ?? '', 'uninstall');
        return {};
      },
    },
  };
}

function checkClient({ clientId, clientSecret }: Options, args: JsonObject): void {
  if (args.client_id !== clientId) throw new ApiError('invalid_client_id');
  if (args.client_secret !== clientSecret) throw new ApiError('bad_client_secret');
}

function access(options: Options, args: JsonObject): JsonObject {
  checkClient(options, args);
  const { registry, codes } = options;
  const grantType = nonEmptyString(args.grant_type) ?? 'authorization_code';
  if (grantType === 'refresh_token') {
    const issued = registry.installs.refresh(nonEmptyString(args.refresh_token) ?? '');
    return answer(options, issued);
  }
  if (grantType !== 'authorization_code') throw new ApiError('invalid_grant_type');
  const consent = codes.take(nonEmptyString(args.code) ?? '');
  if (!consent) throw new ApiError('invalid_code');
  if (consent.redirectUri !== nonEmptyString(args.redirect_uri)) throw new ApiError('bad_redirect_uri');
  // The organisation may have changed since the consent.
  const organisation = registry.organisation(consent.placeId);
  if (consent.isOrgWide ? !organisation : organisation && registry.installs.active(organisation.id)) {
    throw new ApiError(consent.isOrgWide ? 'invalid_code' : 'cannot_install_an_org_installed_app');
  }
  const issued = registry.installs.add(installOf(consent), registry.settings().rotation);
  return { ...answer(options, issued), authed_user: { id: consent.installerId } };
}

const installOf = ({ placeId, isOrgWide, installerId, scopes }: Consent) => ({
  id: placeId,
  isOrgWide,
  installerId,
  scopes,
});

function answer({ registry, worlds }: Options, { install, token, refreshToken }: Issued): JsonObject {
  const isServed = ({ team }: World) => registry.serving(team.id) === install;
  const world = worlds.find(isServed);
  if (!world) throw new Error('The playground has no workspace.');
  const organisation = registry.organisation(install.id);
  return {
    access_token: token,
    token_type: 'bot',
    scope: install.scopes.join(','),
    bot_user_id: registry.bot(world).botUserId,
    app_id: world.app.id,
    team: install.isOrgWide ? null : { id: world.team.id, name: world.team.name },
    enterprise: organisation ? { id: organisation.id, name: organisation.name } : null,
    is_enterprise_install: install.isOrgWide,
    ...(refreshToken ? { refresh_token: refreshToken, expires_in: TOKEN_SECONDS } : {}),
  };
}
