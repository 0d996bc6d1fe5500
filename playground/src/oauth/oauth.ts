import type { InstallParts } from '../app-side.ts';
import type { Setup, WorkspaceCore } from '../core.ts';
import type { JsonObject } from '../json.ts';
import type { PlaygroundOptions } from '../options.ts';
import type { PageState } from '../page-api/page-api.ts';
import type { Method } from '../web-api/method.ts';
import { createPresence } from '../world/presence.ts';
import { SLACKBOT, type World } from '../world/world.ts';
import { createCodes } from './codes.ts';
import { type Consents, createConsents } from './consent.ts';
import { oauthMethods } from './oauth-methods.ts';
import { createRegistry, type Registry } from './registry.ts';
import { readSavedApp } from './saved.ts';
import { scopeText } from './scope-texts.ts';

/** The app's installations in several workspaces. */
export interface OAuth {
  registry: Registry;
  consents: Consents;
  methods: Record<string, Method>;
  setInstallUrl(url: string): void;
  partsFor(workspace: WorkspaceCore): InstallParts;
  /** The page's address for the app in a workspace, as its installer. Undefined: there is no such workspace. */
  addressOf(teamId: string): string | undefined;
  /** What the data file remembers. */
  save(): JsonObject;
  restore(saved: unknown): void;
}

const UNNAMED = { name: 'The app', description: '', optionalScopes: [], redirectUrls: [], rotation: false };

const firstUserOf = ({ users }: World): string =>
  users.find(({ isBot, id }) => !isBot && id !== SLACKBOT)?.id ?? '';

const optionalOf = (oauth: PlaygroundOptions['oauth']) =>
  oauth?.optionalScopes && { optionalScopes: oauth.optionalScopes };

export function createOAuth(
  setup: Setup,
  workspaces: readonly WorkspaceCore[],
  on: {
    /** Called after each change. */
    change: () => void;
    end: (teamId: string, how: 'revoke' | 'uninstall') => void;
  },
): OAuth {
  const { options, worlds, now, clientId, secrets } = setup;
  const manifest = { ...(setup.manifest ?? UNNAMED), ...optionalOf(options.oauth) };
  let { installUrl } = options.oauth ?? {};
  const presences = workspaces.map(({ store, views, agent }) => ({
    world: store.world,
    views,
    agent,
    presence: createPresence(store),
  }));
  const applyChange = () => {
    for (const { world, views, agent, presence } of presences) {
      const isInstalled = registry.serving(world.team.id) !== undefined;
      presence.update(isInstalled ? registry.bot(world) : undefined);
      if (isInstalled) continue;
      views.clear();
      agent.clear();
    }
  };
  const onChange = () => {
    applyChange();
    for (const { live } of workspaces) live.appChanged();
    on.change();
  };
  const registry = createRegistry({ worlds, rotation: manifest.rotation, now, onChange });
  const codes = createCodes(now);
  applyChange();

  function pageState(teamId: string): Partial<PageState> {
    const install = registry.serving(teamId);
    const installer = workspaces.map(({ store }) => store.user(install?.installerId ?? '')).find(Boolean);
    const expiresAt = install?.tokens.at(-1)?.expiresAt;
    const organisation = install?.isOrgWide ? registry.organisation()?.name : undefined;
    return {
      workspaces: worlds.map((world) => ({
        id: world.team.id,
        name: world.team.name,
        isInstalled: registry.serving(world.team.id) !== undefined,
        userId: firstUserOf(world),
      })),
      app: {
        name: manifest.name,
        ...(installUrl && { installUrl }),
        settings: registry.settings(),
        ...(install && {
          install: {
            installerName: installer?.realName ?? 'somebody',
            installedAt: new Date(install.installedAt).toISOString(),
            scopes: install.scopes.map((scope) => ({ scope, text: scopeText(scope) })),
            ...(organisation && { organisation }),
            ...(expiresAt !== undefined && { tokenExpiresAt: new Date(expiresAt).toISOString() }),
          },
        }),
      },
    };
  }

  return {
    registry,
    setInstallUrl(url) {
      installUrl = url;
      onChange();
    },
    consents: createConsents({
      clientId,
      redirectUrls: options.oauth?.redirectUrls ?? manifest.redirectUrls,
      manifest,
      worlds,
      registry,
      codes,
    }),
    methods: oauthMethods({ ...secrets, clientId, worlds, registry, codes, end: on.end }),
    partsFor: ({ store: { world } }) => ({
      installation: registry.forTeam(world),
      lastEvents: () =>
        registry.settings().revokedFirst
          ? ['tokens_revoked', 'app_uninstalled']
          : ['app_uninstalled', 'tokens_revoked'],
      pageState: () => pageState(world.team.id),
    }),
    addressOf(teamId) {
      const store = workspaces.find(({ store: { world } }) => world.team.id === teamId)?.store;
      if (!store) return undefined;
      const installerId = registry.serving(teamId)?.installerId ?? '';
      const userId = store.user(installerId)?.id ?? firstUserOf(store.world);
      return `/#/${userId}/${store.directMessage(userId)?.id ?? ''}`;
    },
    save: () => ({
      installs: registry.installs.list(),
      settings: registry.settings(),
      channels: Object.fromEntries(
        presences.map(({ world, presence }) => [world.team.id, presence.channelIds()]),
      ),
    }),
    restore(value) {
      const saved = readSavedApp(value);
      if (!saved) return;
      registry.restore(saved);
      for (const { world, presence } of presences) {
        if (registry.serving(world.team.id)) presence.restore(saved.channels[world.team.id] ?? []);
      }
    },
  };
}
