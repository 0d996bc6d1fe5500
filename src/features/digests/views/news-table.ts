import { percent } from '../../../messages/formatting/probability.ts';
import { newestReferences, referenceNote } from '../../../messages/formatting/references.ts';
import { portTime, roundedDuration } from '../../../messages/formatting/times.ts';
import { type KnownVessel, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { capitalised } from '../../../messages/formatting/words.ts';
import { clip } from '../../../messages/limits.ts';
import { escaped, link } from '../../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../../messages/rich-blocks.ts';
import { hasProbablyCalled } from '../../../predictions/next-port.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portName, portOf } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { News } from '../digest-message.ts';

/** The vessels of the news. `url`: the thread of the watch that follows it in the channel. */
export type NewsVessels = ReadonlyMap<Imo, KnownVessel & { references?: readonly string[]; url?: string }>;

/** The rows of the table in the digest's message, and of each reply with more of them. */
const [rowsInMessage, rowsInReply] = [10, 25];

/** In the order of their urgency. */
const kinds = {
  diverted: { marker: '🔴', words: 'diverted' },
  moved: { marker: '🟠', words: 'moved' },
  lost: { marker: '🟠', words: 'no longer predicted' },
  gone: { marker: '🟠', words: 'no longer expected' },
  new: { marker: '⚪', words: 'new' },
  within: { marker: '⚪', words: 'now within the period' },
  nextLeg: { marker: '⚪', words: 'on the next leg' },
} as const;
type Kind = keyof typeof kinds;

const order = Object.keys(kinds);

/** `now`: when the digest ran. */
function kindOf(news: News, now: Date): Kind {
  switch (news.kind) {
    case 'next-port-changed': {
      const { was } = news;
      if (!was) return 'new';
      const isOver = hasProbablyCalled(was.eta, now);
      if (!news.now) return isOver ? 'nextLeg' : 'lost';
      return isOver ? 'nextLeg' : 'diverted';
    }
    case 'eta-moved':
      return 'moved';
    case 'new-arrival':
      return 'new';
    case 'now-within':
      return 'within';
    case 'no-longer-expected':
      return 'gone';
  }
}

/** The most urgent first. */
const sorted = (news: readonly News[], now: Date): News[] =>
  news.toSorted((one, other) => order.indexOf(kindOf(one, now)) - order.indexOf(kindOf(other, now)));

/** `🔴 1 diverted · 🟠 2 moved, 1 no longer expected · ⚪ 3 new`. */
export function newsCounts(news: readonly News[], now: Date): string {
  const counts = Object.entries(kinds).map(([kind, { marker, words }]) => {
    const count = news.filter((item) => kindOf(item, now) === kind).length;
    return { marker, count, text: `${count} ${words}` };
  });
  const byMarker = Map.groupBy(
    counts.filter(({ count }) => count > 0),
    ({ marker }) => marker,
  );
  return [...byMarker]
    .map(([marker, some]) => `${marker} ${some.map(({ text }) => text).join(', ')}`)
    .join(' · ');
}

/** The news that the digest's message shows, and those that each further message in its thread shows. */
export function newsByMessage(news: readonly News[], now: Date): { shown: News[]; replies: News[][] } {
  const all = sorted(news, now);
  const [shown, rest] = [all.slice(0, rowsInMessage), all.slice(rowsInMessage)];
  const count = Math.ceil(rest.length / rowsInReply);
  const replies = Array.from({ length: count }, (_, index) =>
    rest.slice(index * rowsInReply, (index + 1) * rowsInReply),
  );
  return { shown, replies };
}

/** One row for each: Vessel, What, ETA, Was. */
export function newsTable(news: readonly News[], vessels: NewsVessels, now: Date) {
  const rows = news.map((item) => rowOf(item, vessels, now));
  const hasReferences = rows.some(({ references }) => references.length > 0);
  const headers = ['Vessel', 'What', 'ETA', 'Was', ...(hasReferences ? ['Ref'] : [])];
  return dataTable({
    caption: 'What changed since the last digest',
    columns: headers.map((header) => ({ header })),
    rows: rows.map(({ vessel, references, url, marker, what, eta, etaText, was }): Cell[] => [
      url === undefined ? vessel : { url, text: vessel },
      `${marker} ${capitalised(what)}`,
      eta ? { value: eta.getTime(), text: etaText } : etaText,
      was,
      ...(hasReferences ? [newestReferences(references) || '–'] : []),
    ]),
    lines: rows.map((row) => {
      const name = row.url === undefined ? escaped(row.vessel) : link(row.url, row.vessel);
      return `${row.marker} ${name}: ${inWords(row)}`;
    }),
  });
}

/** One line for each, in plain words and escaped. */
export const newsLines = (news: readonly News[], vessels: NewsVessels, now: Date): string[] =>
  news.map((item) => {
    const row = rowOf(item, vessels, now);
    return `${escaped(row.vessel)}: ${inWords(row)}`;
  });

const inWords = ({ what, etaText, was, references }: Row): string =>
  [
    what,
    ...(etaText === '–' ? [] : [etaText]),
    ...(was === '–' ? [] : [`was ${was}`]),
    ...referenceNote(references),
  ]
    .map(escaped)
    .join(' · ');

interface Row {
  vessel: string;
  references: readonly string[];
  url: string | undefined;
  marker: string;
  what: string;
  eta: Date | null;
  etaText: string;
  was: string;
}

function rowOf(news: News, vessels: NewsVessels, now: Date): Row {
  const vessel = vessels.get(news.imo);
  const { marker } = kinds[kindOf(news, now)];
  const current = 'now' in news ? news.now : null;
  return {
    vessel: vesselShort(vessel ?? { imo: news.imo }),
    references: vessel?.references ?? [],
    url: vessel?.url,
    marker,
    what: clip(whatOf(news, now), 70),
    eta: current?.eta ?? null,
    etaText: current ? (timeOf(current, now) ?? 'ETA not given') : '–',
    was: wasOf(news, now),
  };
}

function whatOf(news: News, now: Date): string {
  switch (news.kind) {
    case 'next-port-changed': {
      if (!news.now) return 'no longer predicted';
      return kindOf(news, now) === 'nextLeg' ? `next leg to ${callOf(news.now)}` : `now ${callOf(news.now)}`;
    }
    case 'eta-moved':
      return movedBy(news);
    case 'new-arrival':
      return `new at ${callOf(news.now)}`;
    case 'now-within':
      return `within ${news.period} at ${callOf(news.now)}`;
    case 'no-longer-expected':
      return `no longer expected at ${portName(news.was.port)}`;
  }
}

function wasOf(news: News, now: Date): string {
  switch (news.kind) {
    case 'next-port-changed':
      return news.was ? withTime(callOf(news.was), news.was, now) : '–';
    case 'eta-moved':
      return timeOf(news.was, now) ?? '–';
    case 'no-longer-expected':
      return withTime(percent(news.was.probability), news.was, now);
    case 'new-arrival':
    case 'now-within':
      return '–';
  }
}

const callOf = ({ port, probability }: Prospect): string => `${portName(port)} ${percent(probability)}`;

const timeOf = ({ port, eta }: Prospect, now: Date): string | undefined =>
  eta === null ? undefined : portTime(eta, portOf(port)?.zone, now);

function withTime(words: string, prospect: Prospect, now: Date): string {
  const time = timeOf(prospect, now);
  return time === undefined ? words : `${words}, ${time}`;
}

/** `12 h later at Rotterdam`. */
function movedBy({ was, now: current, beyond }: Extract<News, { kind: 'eta-moved' }>): string {
  const at = `at ${portName(current.port)}${beyond === undefined ? '' : `, beyond ${beyond}`}`;
  if (!was.eta || !current.eta) return `moved ${at}`;
  const minutes = Math.round((current.eta.getTime() - was.eta.getTime()) / 60_000);
  return `${roundedDuration(Math.abs(minutes))} ${minutes > 0 ? 'later' : 'earlier'} ${at}`;
}
