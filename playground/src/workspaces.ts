import type { AppSide } from './app-side.ts';
import type { Controls } from './interactions/controls.ts';
import type { Workspace } from './interactions/workspace.ts';
import type { Live } from './page-api/live.ts';

/** All workspaces of the playground as one: what a person does goes to the workspace of that person. */
export interface Workspaces {
  all: readonly AppSide[];
  ofUser(userId: string): AppSide | undefined;
  ofChannel(channelId: string): AppSide | undefined;
  ofTeam(teamId: string): AppSide | undefined;
  workspace: Workspace;
  controls: Controls;
  live: Pick<Live, 'accept'>;
}

export function joinWorkspaces(all: readonly [AppSide, ...AppSide[]]): Workspaces {
  const [first] = all;
  const ofUser = (userId: string) =>
    all.find(({ store }) => store.user(userId)?.teamId === store.world.team.id) ??
    all.find(({ store }) => store.user(userId));
  const ofChannel = (channelId: string) => all.find(({ store }) => store.channel(channelId));
  const ofTeam = (teamId: string) => all.find(({ store }) => store.world.team.id === teamId);
  // An unknown person or channel gets the first workspace's error.
  const by = ({ userId, channelId = '' }: { userId: string; channelId?: string }) => {
    // People of another workspace act in the channels that are shared with it.
    const shared = all.find(({ store }) => store.channel(channelId)?.isShared && store.user(userId));
    return (shared ?? ofUser(userId) ?? first).workspace;
  };
  const at = (channelId: string) => (ofChannel(channelId) ?? first).controls;
  const app = (teamId: string | undefined) => (teamId ? ofTeam(teamId)?.controls : first.controls);
  return {
    all,
    ofUser,
    ofChannel,
    ofTeam,
    workspace: {
      say: (request) => by(request).say(request),
      write: (request) => by(request).write(request),
      click: (request) => by(request).click(request),
      upload: (file) => by(file).upload(file),
      manage: (request) => by(request).manage(request),
      actInView: (request) => by(request).actInView(request),
      submitView: (request) => by(request).submitView(request),
      closeView: (request) => by(request).closeView(request),
      shortcut: (request) => by(request).shortcut(request),
      runStep: (request) => by(request).runStep(request),
      state: (userId) => (userId ? ofUser(userId)?.workspace.state(userId) : first.workspace.state()),
      openHome: (userId, tab) => by({ userId }).openHome(userId, tab),
    },
    controls: {
      archive: (channelId) => at(channelId).archive(channelId),
      unarchive: (channelId) => at(channelId).unarchive(channelId),
      share: (channelId, host) => at(channelId).share(channelId, host),
      addMember(channelId, userId) {
        const user = userId && ofUser(userId)?.store.user(userId);
        if (user) ofChannel(channelId)?.store.addUser(user);
        return at(channelId).addMember(channelId, userId);
      },
      removeMember: (channelId, userId) => at(channelId).removeMember(channelId, userId),
      revokeToken: async (teamId) => app(teamId)?.revokeToken(),
      uninstall: async (teamId) => app(teamId)?.uninstall(),
      grantAccess: async (teamId) => app(teamId)?.grantAccess(),
      revokeAccess: async (teamId) => app(teamId)?.revokeAccess(),
      reinstall: () => first.controls.reinstall(),
    },
    live: {
      accept(socket, userId) {
        (ofUser(userId) ?? first).live.accept(socket, userId);
      },
    },
  };
}
