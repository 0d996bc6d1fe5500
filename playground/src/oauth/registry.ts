import type { Enterprise, FindGrant } from '../web-api/grant.ts';
import type { Authorization, Installation } from '../web-api/installation.ts';
import type { World } from '../world/world.ts';
import { createInstalls, type Install, type Installs } from './installs.ts';
import type { InstallSettings } from './settings.ts';

/** The organisation that the workspaces belong to while the setting is on, and the app's bot user in it. */
const ORGANISATION: Enterprise = { id: 'E0COASTAL1', name: 'Coastal Group', domain: 'coastal-group' };
const ORGANISATION_BOT = { botId: 'B0COASTAL1', botUserId: 'U0COASTAL1' };

/** Who installed the app where, and what that means for each workspace. */
export interface Registry {
  installs: Installs;
  settings(): InstallSettings;
  /** Throws if the app is installed org-wide and the workspaces would leave the organisation. */
  change(settings: Partial<InstallSettings>): void;
  /** While the setting is on; undefined for a workspace that is apart from it. */
  organisation(teamId?: string): Enterprise | undefined;
  /** The installation that serves a workspace: its own, or the organisation's. */
  serving(teamId: string): Install | undefined;
  /** The app's bot user in a workspace: each has its own, but an org-wide installation has one. */
  bot(world: World): { botId: string; botUserId: string };
  forTeam(world: World): Installation;
  findGrant: FindGrant;
  /** Takes over what an earlier run saved. */
  restore(saved: { installs: Install[]; settings: InstallSettings }): void;
}

export function createRegistry(options: {
  worlds: readonly World[];
  rotation: boolean;
  now: () => number;
  /** Called after each change of installations or settings. */
  onChange: () => void;
}): Registry {
  const { worlds, onChange } = options;
  let settings: InstallSettings = {
    rotation: options.rotation,
    organisation: false,
    apart: [],
    revokedFirst: true,
  };
  const ownBots = new Map(worlds.map(({ team, app }) => [team.id, app]));
  const installs = createInstalls({ now: options.now, onChange });
  const organisation = (teamId = '') =>
    settings.organisation && !settings.apart.includes(teamId) ? ORGANISATION : undefined;
  const serving = (teamId: string) =>
    installs.active(teamId) ?? installs.active(organisation(teamId)?.id ?? '');

  function bot({ team, app }: World): { botId: string; botUserId: string } {
    const isOrgWide = serving(team.id)?.isOrgWide ?? false;
    return isOrgWide ? ORGANISATION_BOT : (ownBots.get(team.id) ?? app);
  }

  function authorization(world: World): Authorization {
    const isOrgWide = serving(world.team.id)?.isOrgWide ?? false;
    const { botUserId } = bot(world);
    return { teamId: world.team.id, botUserId, enterprise: organisation(world.team.id), isOrgWide };
  }

  return {
    installs,
    settings: () => settings,
    change(changes) {
      if (changes.organisation === false && installs.active(ORGANISATION.id)) {
        throw new Error(`Uninstall the app from ${ORGANISATION.name} first.`);
      }
      settings = { ...settings, ...changes };
      onChange();
    },
    organisation,
    serving,
    bot,
    forTeam: (world) => ({
      isActive: () => serving(world.team.id) !== undefined,
      authorization: () => authorization(world),
      end(reason) {
        const install = serving(world.team.id);
        if (!install) return undefined;
        const last = authorization(world);
        installs.end(install, reason);
        return install.isOrgWide ? { ...last, teamId: install.id } : last;
      },
      setAccess({ isGranted }) {
        const { id } = world.team;
        const others = settings.apart.filter((teamId) => teamId !== id);
        const apart = isGranted ? others : [...others, id];
        const isChange = apart.length !== settings.apart.length;
        settings = { ...settings, apart };
        onChange();
        if (!isChange || !installs.active(ORGANISATION.id)) return undefined;
        const { botUserId } = ORGANISATION_BOT;
        return { teamId: ORGANISATION.id, botUserId, enterprise: ORGANISATION, isOrgWide: true };
      },
      restore() {
        throw new Error('This workspace installs the app by OAuth.');
      },
    }),
    findGrant(token) {
      const install = installs.find(token);
      const scopes = new Set(install.scopes);
      if (!install.isOrgWide) return { kind: 'bot', scopes, teamIds: [install.id] };
      const teamIds = worlds.map(({ team }) => team.id).filter((id) => organisation(id));
      return { kind: 'bot', scopes, teamIds, organisation: ORGANISATION };
    },
    restore(saved) {
      settings = saved.settings;
      installs.restore(saved.installs);
    },
  };
}
