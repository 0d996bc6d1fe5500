import type { InstallParts } from './app-side.ts';
import { ApiError } from './blocks/content.ts';
import type { Setup } from './core.ts';
import type { FindGrant } from './web-api/grant.ts';
import { createFixedInstallation } from './web-api/installation.ts';

/** The installation of the only workspace: one bot token with the manifest's scopes, and one app token. */
export function createOnlyInstallation({ worlds: [world], manifest, secrets }: Setup): {
  parts: InstallParts;
  findGrant: FindGrant;
} {
  const scopes = manifest && new Set(manifest.botScopes);
  const teamIds = [world.team.id];
  const installation = createFixedInstallation(() => ({
    teamId: world.team.id,
    botUserId: world.app.botUserId,
    enterprise: undefined,
    isOrgWide: false,
  }));
  return {
    parts: { installation },
    findGrant(token) {
      if (token === secrets.appToken) return { kind: 'app', scopes: undefined, teamIds };
      if (token !== secrets.botToken) throw new ApiError('invalid_auth');
      const refusal = installation.refusal();
      if (refusal) throw new ApiError(refusal);
      return { kind: 'bot', scopes, teamIds };
    },
  };
}
