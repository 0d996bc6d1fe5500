export interface User {
  id: string;
  name: string;
  realName: string;
  /** IANA name. */
  zone: string;
  /** Their language in Slack. Default: `en-GB`. */
  locale?: string;
  teamId: string;
  isAdmin: boolean;
  isBot: boolean;
  /** The account is deactivated. Slack still describes it. */
  isDeactivated?: boolean;
  /** In the organisation of the workspace, if there is one. */
  orgRole?: 'admin' | 'owner';
  /** The other workspaces of that organisation which they are in. */
  otherTeamIds?: string[];
  /** Sees only the channels that they are in. */
  isGuest?: boolean;
}

export interface Channel {
  id: string;
  /** Without the `#`; empty for a DM. */
  name: string;
  kind: 'public' | 'private' | 'dm';
  topic: string;
  memberIds: string[];
  /** Shared with another organisation (Slack Connect). */
  isShared?: boolean;
  isArchived?: boolean;
  /** The workspace of another organisation that shares the channel as its host. */
  hostTeamId?: string;
}

interface Team {
  id: string;
  name: string;
  domain: string;
}

/** The people, channels and app of the invented workspace. Ids look like Slack's and never change. */
export interface World {
  team: Team;
  /** The organisation at the other end of the shared channel. */
  outsideTeam: Team;
  app: { id: string; botId: string; botUserId: string };
  users: User[];
  channels: Channel[];
}

export const SLACKBOT = 'USLACKBOT';
