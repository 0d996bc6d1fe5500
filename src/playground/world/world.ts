export interface User {
  id: string;
  name: string;
  realName: string;
  /** IANA name. */
  zone: string;
  teamId: string;
  isAdmin: boolean;
  isBot: boolean;
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

/**
 * Harbour & Co: five people (one is a guest, and one belongs to another organisation), four channels, and a DM
 * between each person and the bot.
 */
export function defaultWorld(): World {
  const team = { id: 'T0HARBOUR', name: 'Harbour & Co', domain: 'harbour-co' };
  const outsideTeam = { id: 'T0PARTNER', name: 'Partner Lines', domain: 'partner-lines' };
  const person = (name: string, realName: string, zone: string, teamId = team.id, isAdmin = false): User => ({
    id: `U0${name.toUpperCase()}0001`,
    name,
    realName,
    zone,
    teamId,
    isAdmin,
    isBot: false,
  });
  const bot = { ...person('landfall', 'Landfall', 'UTC'), isBot: true };
  const slackbot = { ...person('slackbot', 'Slackbot', 'UTC'), id: SLACKBOT };
  const ada = person('ada', 'Ada Lindqvist', 'Europe/Berlin', team.id, true);
  const ben = person('ben', 'Ben Okafor', 'America/New_York');
  const chen = person('chen', 'Chen Wei', 'Asia/Singapore');
  const dora = person('dora', 'Dora Partner', 'Europe/Athens', outsideTeam.id);
  const eve = { ...person('eve', 'Eve Santos', 'Europe/Lisbon'), isGuest: true };
  const ids = (...users: User[]) => users.map((user) => user.id);
  return {
    team,
    outsideTeam,
    app: { id: 'A0LANDFALL', botId: 'B0LANDFALL', botUserId: bot.id },
    users: [ada, ben, chen, dora, eve, bot, slackbot],
    channels: [
      channel('C0OPS00001', 'ops', 'Vessels we handle this week', ids(ada, ben, chen, eve, bot)),
      channel('C0CHARTER1', 'chartering', 'Fixtures and trade lanes', ids(ada, ben, chen, bot)),
      {
        ...channel(
          'C0CARRIERS',
          'carriers-shared',
          'Joint services with Partner Lines',
          ids(ada, ben, dora, bot),
        ),
        isShared: true,
      },
      {
        ...channel('C0PRIVATE1', 'private-desk', "Landfall isn't in this channel", ids(ada, ben)),
        kind: 'private',
      },
      ...[ada, ben, chen, dora, eve].map((user) => dm(user.id, bot.id)),
    ],
  };
}

/** A user's DM with the bot. Its id is derived from the user's. */
export function dm(userId: string, botUserId: string): Channel {
  return { id: `D${userId.slice(1)}`, name: '', kind: 'dm', topic: '', memberIds: [userId, botUserId] };
}

function channel(id: string, name: string, topic: string, memberIds: string[]): Channel {
  return { id, name, kind: 'public', topic, memberIds };
}
