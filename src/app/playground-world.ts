import { createWorld, type PageTexts, type World } from 'bolt-playground';
import { ownLines } from '../errors.ts';
import { commands } from '../features/index.ts';

/** A ship, which the page shows for Landfall. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">
<rect width="36" height="36" rx="8" fill="#0b4f6c"/>
<path d="M7 21h22l-3 6a2 2 0 0 1-2 1H12a2 2 0 0 1-2-1z" fill="#fff"/>
<path d="M12 15h5v4h-5zM19 15h5v4h-5zM15 9h6v4h-6z" fill="#f2c14e"/>
</svg>`;

const names = { id: 'A0LANDFALL', name: 'landfall', realName: 'Landfall' };

/** Harbour & Co: five people (one is a guest, and one belongs to another organisation) and four channels. */
export function oneWorkspace(): World {
  const outsideTeam = { id: 'T0PARTNER', name: 'Partner Lines', domain: 'partner-lines' };
  const app = { ...names, botId: 'B0LANDFALL', botUserId: 'U0LANDFALL0001' };
  const [ada, ben, chen] = ['U0ADA0001', 'U0BEN0001', 'U0CHEN0001'] as const;
  const [dora, eve, bot] = ['U0DORA0001', 'U0EVE0001', app.botUserId] as const;
  return createWorld({
    team: { id: 'T0HARBOUR', name: 'Harbour & Co', domain: 'harbour-co' },
    outsideTeam,
    app,
    people: [
      { id: ada, name: 'ada', realName: 'Ada Lindqvist', zone: 'Europe/Berlin', isAdmin: true },
      { id: ben, name: 'ben', realName: 'Ben Okafor', zone: 'America/New_York', locale: 'en-US' },
      { id: chen, name: 'chen', realName: 'Chen Wei', zone: 'Asia/Singapore' },
      { id: dora, name: 'dora', realName: 'Dora Partner', zone: 'Europe/Athens', teamId: outsideTeam.id },
      { id: eve, name: 'eve', realName: 'Eve Santos', zone: 'Europe/Lisbon', isGuest: true },
    ],
    channels: [
      {
        ...{ id: 'C0OPS00001', name: 'ops', topic: 'Vessels we handle this week' },
        memberIds: [ada, ben, chen, eve, bot],
      },
      {
        ...{ id: 'C0CHARTER1', name: 'chartering', topic: 'Fixtures and trade lanes' },
        memberIds: [ada, ben, chen, bot],
      },
      {
        ...{ id: 'C0CARRIERS', name: 'carriers-shared', topic: 'Joint services with Partner Lines' },
        ...{ memberIds: [ada, ben, dora, bot], isShared: true },
      },
      {
        ...{ id: 'C0PRIVATE1', name: 'private-desk', topic: "Landfall isn't in this channel" },
        ...{ memberIds: [ada, ben], kind: 'private' },
      },
    ],
  });
}

/** A forwarder and a carrier, which know nothing of each other, without Landfall. One person of each is an admin. */
export function twoWorkspaces(): [World, World] {
  return [freight(), norderney()];
}

function freight(): World {
  const [maya, omar, grace, tom] = ['U0HFMAYA', 'U0HFOMAR', 'U0HFGRACE', 'U0HFTOM'] as const;
  return createWorld({
    team: { id: 'T0FREIGHT1', name: 'Harbour Freight', domain: 'harbour-freight' },
    outsideTeam: { id: 'T0OUTSIDEHF', name: 'Partner Lines', domain: 'partner-lines' },
    app: { ...names, botId: 'B0HFLANDFALL', botUserId: 'U0HFLANDFALL' },
    people: [
      { id: maya, name: 'maya', realName: 'Maya Brandt', zone: 'Europe/Berlin', isAdmin: true },
      { id: omar, name: 'omar', realName: 'Omar Haddad', zone: 'Asia/Dubai' },
      { id: grace, name: 'grace', realName: 'Grace Lim', zone: 'Asia/Singapore' },
      { id: tom, name: 'tom', realName: 'Tom Okafor', zone: 'America/New_York', locale: 'en-US' },
    ],
    channels: [
      {
        ...{ id: 'C0HFOPS', name: 'ops', topic: 'Vessels we handle this week' },
        memberIds: [maya, omar, grace, tom],
      },
      {
        ...{ id: 'C0HFIMPORTS', name: 'imports', topic: 'Arrivals, customs and trucks' },
        memberIds: [maya, omar, grace, tom],
      },
      {
        ...{ id: 'C0HFMANAGEMENT', name: 'management', topic: 'Contracts and costs' },
        ...{ memberIds: [maya, omar], kind: 'private' },
      },
    ],
  });
}

function norderney(): World {
  const [ines, karl, yuki] = ['U0NLINES', 'U0NLKARL', 'U0NLYUKI'] as const;
  return createWorld({
    team: { id: 'T0NORDERN1', name: 'Norderney Lines', domain: 'norderney-lines' },
    outsideTeam: { id: 'T0OUTSIDENL', name: 'Partner Lines', domain: 'partner-lines' },
    app: { ...names, botId: 'B0NLLANDFALL', botUserId: 'U0NLLANDFALL' },
    people: [
      { id: ines, name: 'ines', realName: 'Ines Duarte', zone: 'Europe/Lisbon', isAdmin: true },
      { id: karl, name: 'karl', realName: 'Karl Janssen', zone: 'Europe/Berlin' },
      { id: yuki, name: 'yuki', realName: 'Yuki Tanaka', zone: 'Asia/Tokyo' },
    ],
    channels: [
      {
        ...{ id: 'C0NLFLEET', name: 'fleet', topic: 'Where our vessels are and where they go' },
        memberIds: [ines, karl, yuki],
      },
      {
        ...{ id: 'C0NLSCHEDULES', name: 'schedules', topic: 'Proforma schedules and omissions' },
        memberIds: [ines, karl, yuki],
      },
      {
        ...{ id: 'C0NLCREWING', name: 'crewing', topic: 'Crew changes' },
        ...{ memberIds: [ines, karl], kind: 'private' },
      },
    ],
  });
}

/** What the page says. Direct messages need neither the slash nor the word `landfall`. */
export const pageTexts: PageTexts = {
  clockNote: 'Vessels, ETAs, scheduled work and the times of messages follow this clock.',
  examples: [
    ...commands.flatMap(({ wish, examples: [line] }) =>
      wish ? { line: `/${line}`, label: wish.words } : [],
    ),
    { line: `/${ownLines.help}`, label: 'See what else Landfall can do' },
  ].map((example) => ({ ...example, inDirectMessage: example.line.replace(/^\/(landfall )?/, '') })),
};
