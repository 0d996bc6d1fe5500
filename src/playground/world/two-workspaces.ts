import { type Channel, dm, SLACKBOT, type User, type World } from './world.ts';

/** A forwarder and a carrier, which know nothing of each other. One person of each is an admin. */
export function twoWorkspaces(): [World, World] {
  return [
    workspace({
      team: { id: 'T0FREIGHT1', name: 'Harbour Freight', domain: 'harbour-freight' },
      key: 'HF',
      people: [
        { name: 'maya', realName: 'Maya Brandt', zone: 'Europe/Berlin', isAdmin: true },
        { name: 'omar', realName: 'Omar Haddad', zone: 'Asia/Dubai' },
        { name: 'grace', realName: 'Grace Lim', zone: 'Asia/Singapore' },
        { name: 'tom', realName: 'Tom Okafor', zone: 'America/New_York' },
      ],
      channels: [
        { name: 'ops', topic: 'Vessels we handle this week' },
        { name: 'imports', topic: 'Arrivals, customs and trucks' },
        { name: 'management', topic: 'Contracts and costs', isPrivate: true },
      ],
    }),
    workspace({
      team: { id: 'T0NORDERN1', name: 'Norderney Lines', domain: 'norderney-lines' },
      key: 'NL',
      people: [
        { name: 'ines', realName: 'Ines Duarte', zone: 'Europe/Lisbon', isAdmin: true },
        { name: 'karl', realName: 'Karl Janssen', zone: 'Europe/Berlin' },
        { name: 'yuki', realName: 'Yuki Tanaka', zone: 'Asia/Tokyo' },
      ],
      channels: [
        { name: 'fleet', topic: 'Where our vessels are and where they go' },
        { name: 'schedules', topic: 'Proforma schedules and omissions' },
        { name: 'crewing', topic: 'Crew changes', isPrivate: true },
      ],
    }),
  ];
}

interface Plan {
  team: World['team'];
  /** Part of the ids. */
  key: string;
  people: { name: string; realName: string; zone: string; isAdmin?: boolean }[];
  channels: { name: string; topic: string; isPrivate?: boolean }[];
}

function workspace({ team, key, people, channels }: Plan): World {
  const user = (name: string, realName: string, zone: string, isAdmin = false): User => ({
    id: `U0${key}${name.toUpperCase()}`,
    name,
    realName,
    zone,
    teamId: team.id,
    isAdmin,
    isBot: false,
  });
  const members = people.map(({ name, realName, zone, isAdmin }) => user(name, realName, zone, isAdmin));
  const bot = { ...user('landfall', 'Landfall', 'UTC'), isBot: true };
  const slackbot = { ...user('slackbot', 'Slackbot', 'UTC'), id: SLACKBOT };
  const memberIds = members.map(({ id }) => id);
  return {
    team,
    outsideTeam: { id: `T0OUTSIDE${key}`, name: 'Partner Lines', domain: 'partner-lines' },
    app: { id: 'A0LANDFALL', botId: `B0${key}LANDFALL`, botUserId: bot.id },
    users: [...members, bot, slackbot],
    channels: [
      ...channels.map(
        ({ name, topic, isPrivate }): Channel => ({
          id: `C0${key}${name.toUpperCase()}`,
          name,
          kind: isPrivate ? 'private' : 'public',
          topic,
          memberIds: memberIds.slice(0, isPrivate ? 2 : memberIds.length),
        }),
      ),
      ...members.map(({ id }) => dm(id, bot.id)),
    ],
  };
}
