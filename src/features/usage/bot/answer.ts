import { getDaysInMonth } from 'date-fns/getDaysInMonth';
import { type Answer, type AnswerAction, type Section, tablesOf } from '../../../answers/answer.ts';
import { dateRange, fullDate, monthName, shortMonth, zonedTime } from '../../../answers/formatting/times.ts';
import { counted, figure } from '../../../answers/formatting/words.ts';
import { count, field, portion, shown, text } from '../../../answers/kinds.ts';
import { clip, paged } from '../../../answers/message.ts';
import { table } from '../../../answers/table.ts';
import { present, type Text } from '../../../answers/text.ts';
import { isoMonth } from '../../../grammar/dates.ts';
import { type CallKind, type CallsOfMonth, dayOf } from '../../../workspaces/call-counts.ts';
import type { WorkPause } from '../../../workspaces/work-pause.ts';
import {
  type BotUsage,
  type CauseRow,
  type ChannelRow,
  causesIn,
  type Forecast,
  rowsByCause,
  rowsByChannel,
  sumOf,
} from './read-usage.ts';

/** Of all calls of the month. */
interface Shared {
  month: string;
  share: number;
}

/** On a phone the first two columns show. */
export const causesTable = table<CauseRow & Shared>({
  name: 'usage-bot',
  about: 'What caused calls of Landfall in a month',
  columns: {
    month: field('text', 'in UTC', ({ month }) => month),
    kind: field('text', '`command`, `digest`, `watch` or `other`', ({ kind }) => kind),
    cause: text('Cause', 'what caused them', ({ what }) => what, { words: ({ what }) => clip(what, 100) }),
    calls: count('Calls', 'number of calls, retries included', ({ calls }) => calls),
    share: portion('Share', null, ({ share }) => share),
    channel_ids: field(
      'text',
      'the channels that it belongs to, among those that you may know of',
      ({ channelIds }) => channelIds.join(' '),
    ),
    channels: shown('Channels', ({ channelIds }) => ({ text: channelsOf(channelIds) })),
  },
});

const maxChannels = 3;

/** `#ops, #desk and 2 more`. */
function channelsOf(channelIds: readonly string[]): Text {
  if (channelIds.length === 0) return '';
  const named = channelIds
    .slice(0, maxChannels)
    .flatMap((channel, index): Text[] => [...(index > 0 ? [', '] : []), { channel }]);
  const rest = channelIds.length - maxChannels;
  return rest > 0 ? [...named, ` and ${rest} more`] : named;
}

/** Its rows add up to all calls. */
export const channelsTable = table<ChannelRow & Shared>({
  name: 'usage-bot-channels',
  about: 'The calls of Landfall for a channel in a month',
  columns: {
    month: field('text', 'in UTC', ({ month }) => month),
    channel: shown('Channel', ({ channel }) => ({
      text: typeof channel === 'string' ? channel : { channel: channel.id },
    })),
    channel_id: field('text', 'the channel; what it is instead, in words', ({ channel }) =>
      typeof channel === 'string' ? channel : channel.id,
    ),
    calls: count('Calls', 'number of calls, retries included', ({ calls }) => calls),
    share: portion('Share', null, ({ share }) => share),
  },
});

/** The calls of a day, such as 2026-11-22 (UTC). */
export interface DayRow {
  day: string;
  calls: number;
  of: Readonly<Record<CallKind, number>>;
}

export const daysTable = table<DayRow>({
  name: 'usage-bot-days',
  about: 'The calls of Landfall on a day',
  columns: {
    day: field('day', 'in UTC', ({ day }) => day),
    date: shown('Day', ({ day }) => ({ text: dateRange(new Date(day), new Date(day), 'UTC') })),
    calls: count('Calls', 'number of calls, retries included', ({ calls }) => calls),
    commands: count('Commands', 'of these for commands', ({ of }) => of.command),
    digests: count('Digests', 'of these for digests', ({ of }) => of.digest),
    watches: count('Watches', 'of these for watches', ({ of }) => of.watch),
    others: count('Other', 'of these for other things', ({ of }) => of.other),
  },
});

/** Days without calls included; `days` are in order. */
export function dayRows(days: readonly string[], counts: CallsOfMonth['days']): DayRow[] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return days.map((day) => {
    const of = { command: 0, digest: 0, watch: 0, other: 0 };
    for (const { kind, calls } of byDay.get(day) ?? []) of[kind] += calls;
    return { day, of, calls: sumOf(byDay.get(day) ?? []) };
  });
}

export const rowsPerPage = 20;

/** What the calls are listed by. */
export const groupings = ['channel', 'watch', 'command', 'digest'] as const;
export type Grouping = (typeof groupings)[number];

interface Shown {
  page: number;
  /** The official report, if it is shown, and the months before and after. */
  others: readonly AnswerAction[];
  /** Left out: all causes. */
  by?: Grouping | undefined;
  /** The calls of one answer of each command. */
  perAnswer?: readonly string[];
}

export function botUsageAnswer(usage: BotUsage, { page: asked, others, by, perAnswer = [] }: Shown): Answer {
  const { known } = usage;
  const causes = by === undefined || by === 'channel' ? usage.causes : usage.causes.filter(isOf(by));
  const total = sumOf(causes);
  const month = isoMonth(usage);
  const shared = <Row extends { calls: number }>(row: Row) => ({
    ...row,
    ...{ month, share: row.calls / Math.max(1, total) },
  });
  const rows = rowsByCause(causes, known).map(shared);
  const { items, ...page } = paged(rows, asked, rowsPerPage);
  const byCause = causesTable.of({ caption: 'Calls by cause', rows, shown: items, subject: [month] });
  const channels = withRest(rowsByChannel(causes, known)).map(shared);
  const byChannel = channelsTable.of({
    caption: 'Calls by channel',
    rows: channels,
    subject: [month],
  });
  const chart = chartOfMonth(usage);
  if (by !== undefined)
    return {
      membersOnly: 'API usage',
      verdict: {
        strong: [`${monthName(usage.year, usage.month)}: `, sumInWords(usage, { by, total })],
        lines: present(total > 0 && mostInWords(by === 'channel' ? channels : rows)),
      },
      sections: total > 0 ? [by === 'channel' ? byChannel : byCause] : [],
      files: [by === 'channel' ? byChannel : byCause],
      notes: present(
        ...stillToCome(usage, by),
        by === 'watch' && 'a poll that several watches share counts once, for all of them',
        ...perAnswer,
        'a price per call is not known here',
        ...countedNotes(usage),
      ),
      provenance: { fetchedAt: usage.at, cached: false, droppedRecords: 0 },
      ...(by !== 'channel' && { page: { ...page, size: rowsPerPage } }),
      actions: { runs: others },
    };
  return {
    membersOnly: 'API usage',
    verdict: { strong: verdictOf(usage, total), lines: [...byKind(usage.causes), officialInWords(usage)] },
    sections: [
      ...chart,
      ...(total > 0
        ? [
            { kind: 'details' as const, title: 'By cause', sections: [byCause] },
            { kind: 'details' as const, title: 'By channel', sections: [byChannel] },
          ]
        : []),
    ],
    files: [byCause, byChannel, ...tablesOf({ sections: chart })],
    notes: notesOf(usage),
    provenance: { fetchedAt: usage.at, cached: false, droppedRecords: 0 },
    page: { ...page, size: rowsPerPage },
    actions: { runs: others },
  };
}

/** What was used for one channel, by cause. */
export function channelUsageAnswer(
  usage: BotUsage,
  { channelId, page: asked, by, others }: Omit<Shown, 'perAnswer'> & { channelId: string },
): Answer {
  const { known, year } = usage;
  const month = isoMonth(usage);
  const { causes: ofChannel, shared } = causesIn(usage.causes, channelId, known);
  const causes = by === undefined || by === 'channel' ? ofChannel : ofChannel.filter(isOf(by));
  const [total, all] = [sumOf(causes), sumOf(usage.causes)];
  const rows = rowsByCause(causes, known).map((row) => ({
    ...row,
    ...{ month, share: row.calls / Math.max(1, total) },
  }));
  const { items, ...page } = paged(rows, asked, rowsPerPage);
  const byCause = causesTable.of({
    caption: 'Calls by cause',
    rows,
    shown: items,
    subject: [month, channelId],
  });
  const kind = by === undefined || by === 'channel' ? '' : ` ${plurals[by]}`;
  const made =
    total === 0 ? `no calls${kind}` : `${figure(total)} of ${counted(all, 'call')} of Landfall${kind}`;
  return {
    membersOnly: 'API usage',
    verdict: {
      strong: isCounted(usage)
        ? [`${monthName(year, usage.month)}, `, { channel: channelId }, `: ${made}`]
        : verdictOf(usage, total),
      lines: present(total > 0 && mostInWords(rows)),
    },
    sections: total > 0 ? [byCause] : [],
    files: [byCause],
    notes: present(
      shared > 0 &&
        by !== 'command' &&
        by !== 'digest' &&
        `${counted(shared, 'poll')} of watches shared with other channels ${shared === 1 ? 'counts' : 'count'} in full`,
      'a price per call is not known here',
      ...countedNotes(usage),
    ),
    provenance: { fetchedAt: usage.at, cached: false, droppedRecords: 0 },
    page: { ...page, size: rowsPerPage },
    actions: { runs: others },
  };
}

const isOf =
  (kind: CallKind) =>
  (cause: BotUsage['causes'][number]): boolean =>
    cause.kind === kind;

/** `820 of 1,200 calls were for watches` */
function sumInWords(usage: BotUsage, { by, total }: { by: Grouping; total: number }): string {
  if (!isCounted(usage)) return "Landfall's calls weren't counted yet";
  const all = sumOf(usage.causes);
  if (by === 'channel') return `${all === 0 ? 'no calls' : counted(all, 'call')} of Landfall, by channel`;
  return total === 0
    ? `no calls of Landfall were ${plurals[by]}`
    : `${figure(total)} of ${counted(all, 'call')} of Landfall ${total === 1 ? 'was' : 'were'} ${plurals[by]}`;
}

function mostInWords([most]: readonly (Shared & { calls: number } & Partial<CauseRow & ChannelRow>)[]):
  | Text
  | false {
  if (!most) return false;
  const { what, channel = what ?? '', calls } = most;
  return [
    'Most: ',
    typeof channel === 'string' ? clip(channel, 100) : { channel: channel.id },
    `, ${figure(calls)}`,
  ];
}

function stillToCome({ forecast }: BotUsage, by: Grouping): string[] {
  if (!forecast || by === 'channel') return [];
  const { watches, commands, digests } = forecast;
  return forecastNotes({
    watches: by === 'watch' ? watches : 0,
    commands: by === 'command' ? commands : 0,
    digests: by === 'digest' ? digests : 0,
  });
}

const maxChannelRows = 20;

/** The rows that are shown, and one for the others. */
function withRest(rows: readonly ChannelRow[]): readonly ChannelRow[] {
  const rest = rows.slice(maxChannelRows);
  if (rest.length === 0) return rows;
  return [...rows.slice(0, maxChannelRows), { channel: `${rest.length} more`, calls: sumOf(rest) }];
}

/** Calls that nobody counted may still have been made. */
const isCounted = ({ year, month, isRunning, since }: BotUsage): boolean =>
  isRunning || (since !== undefined && since.slice(0, 7) <= isoMonth({ year, month }));

function verdictOf(usage: BotUsage, total: number): string {
  const { year, month, forecast } = usage;
  if (!isCounted(usage)) return `${monthName(year, month)}: Landfall's calls weren't counted yet`;
  const made = `${monthName(year, month)}: Landfall made ${total === 0 ? 'no calls' : counted(total, 'call')}`;
  if (!forecast) return made;
  const more = forecast.watches + forecast.digests + forecast.commands;
  if (more === 0) return `${made} so far`;
  // To two digits, but never less than there are already.
  const expected = Math.max(total, Number((total + more).toPrecision(2)));
  const end = `${getDaysInMonth(new Date(year, month - 1))} ${shortMonth(month)}`;
  return `${made} so far, about ${figure(expected)} by ${end}`;
}

const plurals: Record<CallKind, string> = {
  watch: 'for watches',
  command: 'for commands',
  digest: 'for digests',
  other: 'for other things',
};

/** `820 for watches, 300 for commands`. */
export function byKind(counts: readonly { kind: CallKind; calls: number }[]): string[] {
  const sums = [...Map.groupBy(counts, ({ kind }) => kind)]
    .map(([kind, members]) => ({ kind, calls: sumOf(members) }))
    .sort((a, b) => b.calls - a.calls);
  if (sums.length === 0) return [];
  return [sums.map(({ kind, calls }) => `${figure(calls)} ${plurals[kind]}`).join(', ')];
}

/** The report's figure, and why it differs. It stands beside the bot's own; the two are never added. */
function officialInWords({ official }: BotUsage): string {
  switch (official.kind) {
    case 'report': {
      const { requests, lastUpdatedAt } = official;
      const made = requests === 0 ? 'no requests yet' : counted(requests, 'request');
      const updated = lastUpdatedAt ? ` (updated ${fullDate(lastUpdatedAt, 'UTC')})` : '';
      return `Official report: ${made}${updated}. It counts everything that uses the account, and the provider refreshes it quarterly, so the two rarely match.`;
    }
    case 'unreadable':
      return "The official report can't be read right now.";
    case 'not-shown':
      return "The official report isn't shown, since it also counts other workspaces.";
  }
}

const daysInChart = 14;

/** Up to today. */
function chartOfMonth({ year, month, at, isRunning, since, days }: BotUsage): Section[] {
  const prefix = isoMonth({ year, month });
  const last = isRunning ? at.getUTCDate() : getDaysInMonth(new Date(year, month - 1));
  const all = Array.from({ length: last }, (_, index) => `${prefix}-${String(index + 1).padStart(2, '0')}`);
  return daysChart(
    dayRows(
      all.filter((day) => since !== undefined && day >= since),
      days,
    ),
    at,
  );
}

/** The last days. One bar would compare nothing. `isInTable`: a table of the answer has the figures too. */
export function daysChart(all: readonly DayRow[], now: Date, { isInTable = false } = {}): Section[] {
  const today = dayOf(now.getTime());
  const rows = all.slice(-daysInChart);
  if (rows.length < 2) return [];
  const nameOf = (day: string) => `${Number(day.slice(8))} ${shortMonth(Number(day.slice(5, 7)))}`;
  return [
    {
      kind: 'bars',
      title: 'API calls per day (UTC)',
      categories: rows.map(({ day }) => `${nameOf(day)}${day === today ? ' so far' : ''}`),
      series: [{ name: 'Calls', bars: rows.map(({ calls }) => ({ value: calls, text: figure(calls) })) }],
      ...(isInTable ? { isInTable } : { data: daysTable.of({ caption: 'Calls per day', rows }) }),
    },
  ];
}

const notesOf = (usage: BotUsage): string[] => [
  ...(usage.forecast ? forecastNotes(usage.forecast) : []),
  ...(usage.pause ? [pauseNote(usage.pause, usage.at)] : []),
  ...budgetNotes(usage.plan),
  ...countedNotes(usage),
];

const pauseNote = ({ since, until }: WorkPause, now: Date): string => {
  const begin = since > now ? ` from ${zonedTime(since, 'UTC', now)}` : '';
  const end = until ? ` until ${zonedTime(until, 'UTC', now)}` : ' until an admin resumes them';
  return `watches and digests are paused${begin}${end}${until || begin ? ' UTC' : ''}, so they make no calls then`;
};

export const retriesNote = "retries count, cached answers and logins don't";

function countedNotes({ year, month, since }: BotUsage): string[] {
  const monthBegan = `${isoMonth({ year, month })}-01`;
  return [
    retriesNote,
    ...(since === undefined ? ['nothing has been counted yet'] : []),
    ...(since !== undefined && since > monthBegan
      ? [`counted since ${fullDate(new Date(since), 'UTC')}`]
      : []),
  ];
}

/** How the forecast was made. */
function forecastNotes({ watches, commands, digests }: Forecast): string[] {
  const parts = [
    ...(watches > 0 ? [`${figure(watches)} for watches at their present ETAs`] : []),
    ...(commands > 0 ? [`${figure(commands)} for commands at their recent rate`] : []),
    ...(digests > 0 ? [`${figure(digests)} for digests as scheduled`] : []),
  ];
  return parts.length === 0 ? [] : [`still to come: ${parts.join(', ')}`];
}

/** As under the list of watches. */
function budgetNotes({ plannedCalls, dailyCalls }: BotUsage['plan']): string[] {
  if (dailyCalls === undefined) return [];
  return [
    `all watches need about ${figure(Math.round(plannedCalls))} calls a day, of a budget of ${figure(dailyCalls)}`,
  ];
}
