import type { Controls } from '../interactions/controls.ts';
import type { AdminRequest, PageReply } from '../page-api/page-api.ts';
import type { User } from '../world/world.ts';
import type { Registry } from './registry.ts';

/** Does what the page's admin panel asks. Only an admin of a workspace can end the installation there. */
export function createAdminister(options: {
  registry: Registry;
  controls: Pick<Controls, 'uninstall' | 'revokeToken'>;
  findUser: (userId: string) => User | undefined;
}): (request: AdminRequest) => Promise<PageReply> {
  const { registry, controls } = options;
  return async (request) => {
    const user = options.findUser(request.userId);
    if (!user || user.isBot) return { ok: false, error: 'There is no such user.' };
    switch (request.action) {
      case 'expire':
        registry.installs.expireTokens();
        return { ok: true };
      case 'change':
        return change(registry, request.settings);
      case 'uninstall':
      case 'revoke':
        if (!user.isAdmin) return { ok: false, error: 'Only an admin of this workspace can do this.' };
        await controls[request.action === 'revoke' ? 'revokeToken' : 'uninstall'](user.teamId);
        return { ok: true };
    }
  };
}

function change(registry: Registry, settings: Parameters<Registry['change']>[0]): PageReply {
  try {
    registry.change(settings);
    return { ok: true };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}
