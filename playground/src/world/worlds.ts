import type { AppNames } from '../manifest.ts';
import { createWorld, type WorldPlan } from './create-world.ts';
import type { World } from './world.ts';

const unnamed: AppNames = { name: 'your_app', realName: 'Your app' };

/**
 * Harbour & Co: five people (one is a guest, and one belongs to another organisation), four channels, and a DM
 * between each person and the app.
 */
export function defaultWorld(names: AppNames = unnamed): World {
  const partner = { id: 'T0PARTNER', name: 'Partner Ltd', domain: 'partner-ltd' };
  const [ada, ben, chen, dora, eve] = [
    'U0ADA0001',
    'U0BEN0001',
    'U0CHEN0001',
    'U0DORA0001',
    'U0EVE0001',
  ] as const;
  const app = { id: 'A0APP00001', botId: 'B0APP00001', botUserId: 'U0APP00001', ...names };
  const bot = app.botUserId;
  return createWorld({
    team: { id: 'T0HARBOUR', name: 'Harbour & Co', domain: 'harbour-co' },
    outsideTeam: partner,
    app,
    people: [
      { id: ada, name: 'ada', realName: 'Ada Lindqvist', zone: 'Europe/Berlin', isAdmin: true },
      { id: ben, name: 'ben', realName: 'Ben Okafor', zone: 'America/New_York', locale: 'en-US' },
      { id: chen, name: 'chen', realName: 'Chen Wei', zone: 'Asia/Singapore' },
      { id: dora, name: 'dora', realName: 'Dora Partner', zone: 'Europe/Athens', teamId: partner.id },
      { id: eve, name: 'eve', realName: 'Eve Santos', zone: 'Europe/Lisbon', isGuest: true },
    ],
    channels: [
      { id: 'C0OPS00001', name: 'ops', topic: 'What we do this week', memberIds: [ada, ben, chen, eve, bot] },
      { id: 'C0PLANS001', name: 'plans', topic: 'What we do next', memberIds: [ada, ben, chen, bot] },
      {
        ...{ id: 'C0PARTNERS', name: 'partners-shared', topic: 'With Partner Ltd', isShared: true },
        memberIds: [ada, ben, dora, bot],
      },
      {
        ...{
          id: 'C0PRIVATE1',
          name: 'private-desk',
          topic: "The app isn't in this channel",
          kind: 'private',
        },
        memberIds: [ada, ben],
      },
    ],
  });
}

/** Two companies, which know nothing of each other, without the app. One person of each is an admin. */
export function twoWorkspaces(names: AppNames = unnamed): [World, World] {
  return [
    withoutApp({
      names,
      key: 'HF',
      team: { id: 'T0FREIGHT1', name: 'Harbour Freight', domain: 'harbour-freight' },
      people: [
        { name: 'maya', realName: 'Maya Brandt', zone: 'Europe/Berlin', isAdmin: true },
        { name: 'omar', realName: 'Omar Haddad', zone: 'Asia/Dubai' },
        { name: 'grace', realName: 'Grace Lim', zone: 'Asia/Singapore' },
        { name: 'tom', realName: 'Tom Okafor', zone: 'America/New_York', locale: 'en-US' },
      ],
      channels: [
        { name: 'ops', topic: 'What we do this week' },
        { name: 'imports', topic: 'Arrivals, customs and trucks' },
        { name: 'management', topic: 'Contracts and costs', isPrivate: true },
      ],
    }),
    withoutApp({
      names,
      key: 'NL',
      team: { id: 'T0NORDERN1', name: 'Norderney Lines', domain: 'norderney-lines' },
      people: [
        { name: 'ines', realName: 'Ines Duarte', zone: 'Europe/Lisbon', isAdmin: true },
        { name: 'karl', realName: 'Karl Janssen', zone: 'Europe/Berlin' },
        { name: 'yuki', realName: 'Yuki Tanaka', zone: 'Asia/Tokyo' },
      ],
      channels: [
        { name: 'fleet', topic: 'Where everything is' },
        { name: 'schedules', topic: 'Who works when' },
        { name: 'crewing', topic: 'Changes of crews', isPrivate: true },
      ],
    }),
  ];
}

interface Company {
  names: AppNames;
  /** Part of the ids. */
  key: string;
  team: World['team'];
  people: Omit<WorldPlan['people'][number], 'id'>[];
  channels: { name: string; topic: string; isPrivate?: boolean }[];
}

/** Everybody is in each public channel; two are in a private one. */
function withoutApp({ names, key, team, people, channels }: Company): World {
  const members = people.map((person) => ({ ...person, id: `U0${key}${person.name.toUpperCase()}` }));
  const memberIds = members.map(({ id }) => id);
  return createWorld({
    team,
    outsideTeam: { id: `T0OUTSIDE${key}`, name: 'Partner Ltd', domain: 'partner-ltd' },
    app: { id: 'A0APP00001', botId: `B0${key}APP`, botUserId: `U0${key}APP`, ...names },
    people: members,
    channels: channels.map(({ name, topic, isPrivate = false }) => ({
      id: `C0${key}${name.toUpperCase()}`,
      name,
      topic,
      kind: isPrivate ? 'private' : 'public',
      memberIds: memberIds.slice(0, isPrivate ? 2 : memberIds.length),
    })),
  });
}
