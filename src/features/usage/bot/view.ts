import { getDaysInMonth } from 'date-fns/getDaysInMonth';
import { isoMonth } from '../../../grammar/dates.ts';
import { sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { fullDate, monthName, shortMonth } from '../../../messages/formatting/times.ts';
import { counted } from '../../../messages/formatting/words.ts';
import { clip } from '../../../messages/limits.ts';
import type { Message, Piece, Reader } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { barChart, container, innerTable } from '../../../messages/rich-blocks.ts';
import { type CallKind, dayOf } from '../../../workspaces/call-counts.ts';
import { type PagedAnswer, pageOf } from '../../paged-answer.ts';
import { notShownHere } from '../view.ts';
import type { BotUsage } from './answer.ts';
import { type CauseRow, type ChannelRow, rowsByCause, rowsByChannel } from './causes.ts';
import { type Forecast, sumOf } from './forecast.ts';
import { knownTo } from './table.ts';

export interface BotUsageAnswer extends BotUsage, PagedAnswer {
  kind: 'bot-usage';
  /** The lines of the official report, if it is shown, and of the months before and after. */
  others: readonly { label: string; line: string }[];
}

export function botUsageView(answer: BotUsageAnswer, reader: Reader): Message {
  if (reader.audience === 'outside') return notShownHere(reader);
  const total = sumOf(answer.causes);
  const known = knownTo(answer, reader);
  const rows = rowsByCause(answer.causes, known);
  const page = pageOf(answer, rows, { size: 20, reader });
  const verdict = verdictOf(answer, total);
  const official = officialInWords(answer);
  return page.message({
    texts: [verdict, ...byKind(answer), official.figure, ...page.items.map((row) => causeLine(row, total))],
    body: [
      ...sections([`*${verdict}*`, ...byKind(answer), `${official.figure}${official.why}`]),
      ...chartOf(answer),
      ...container({ title: 'By cause', body: causeTable(page.items, total) }),
      ...container({
        title: 'By channel',
        body: sections(channelLines(rowsByChannel(answer.causes, known), total)),
      }),
    ],
    isForecast: false,
    notes: [...notes(answer), ...page.shownNote],
    runs: answer.others,
  });
}

function verdictOf({ year, month, forecast, isRunning, since }: BotUsage, total: number): string {
  // Calls that nobody counted may still have been made.
  const isCounted = isRunning || (since !== undefined && since.slice(0, 7) <= isoMonth({ year, month }));
  if (!isCounted) return `${monthName(year, month)}: Landfall's calls weren't counted yet`;
  const made = `${monthName(year, month)}: Landfall made ${callsInWords(total)}`;
  if (!forecast) return made;
  const more = forecast.watches + forecast.digests + forecast.commands;
  if (more === 0) return `${made} so far`;
  // To two digits, but never less than there are already.
  const expected = Math.max(total, Number((total + more).toPrecision(2)));
  const end = `${getDaysInMonth(new Date(year, month - 1))} ${shortMonth(month)}`;
  return `${made} so far, about ${figure(expected)} by ${end}`;
}

const callsInWords = (calls: number): string => (calls === 0 ? 'no calls' : counted(calls, 'call'));

const plurals: Record<CallKind, string> = {
  watch: 'for watches',
  command: 'for commands',
  digest: 'for digests',
  other: 'for other things',
};

/** `820 for watches, 300 for commands`. */
function byKind({ causes }: BotUsage): string[] {
  const sums = [...Map.groupBy(causes, ({ kind }) => kind)]
    .map(([kind, members]) => ({ kind, calls: sumOf(members) }))
    .sort((a, b) => b.calls - a.calls);
  if (sums.length === 0) return [];
  return [sums.map(({ kind, calls }) => `${figure(calls)} ${plurals[kind]}`).join(', ')];
}

/** The report's figure, and why it differs. It stands beside the bot's own; the two are never added. */
function officialInWords({ official }: BotUsage): { figure: string; why: string } {
  switch (official.kind) {
    case 'report': {
      const { requests, lastUpdatedAt } = official;
      const updated = lastUpdatedAt ? ` (updated ${fullDate(lastUpdatedAt, 'UTC')})` : '';
      return {
        figure: `Official report: ${requests === 0 ? 'no requests yet' : counted(requests, 'request')}${updated}`,
        why: '. It counts everything that uses the account, and the provider refreshes it quarterly, so the two rarely match.',
      };
    }
    case 'unreadable':
      return { figure: "The official report can't be read right now", why: '.' };
    case 'not-shown':
      return { figure: "The official report isn't shown", why: ', since it also counts other workspaces.' };
  }
}

const daysInChart = 14;

/** The last days of the month, up to today. One bar would compare nothing. */
function chartOf({ year, month, at, isRunning, since, days }: BotUsage): Piece[] {
  const prefix = isoMonth({ year, month });
  const today = dayOf(at.getTime());
  const last = isRunning ? at.getUTCDate() : getDaysInMonth(new Date(year, month - 1));
  const shown = Array.from({ length: last }, (_, index) => index + 1)
    .slice(-daysInChart)
    .map((date) => ({ date, day: `${prefix}-${String(date).padStart(2, '0')}` }))
    .filter(({ day }) => since !== undefined && day >= since);
  if (shown.length < 2) return [];
  return barChart({
    title: 'Calls per day (UTC)',
    series: 'Calls',
    bars: shown.map(({ date, day }) => {
      const value = sumOf(days.filter((counted) => counted.day === day));
      const label = `${date} ${shortMonth(month)}${isRunning && day === today ? ' so far' : ''}`;
      return { label, value, text: figure(value) };
    }),
  });
}

/** On a phone the first two columns show. */
function causeTable(rows: readonly CauseRow[], total: number): Piece[] {
  const align = 'right' as const;
  return innerTable({
    caption: 'Calls by cause',
    columns: [
      { header: 'Cause' },
      { header: 'Calls', align },
      { header: 'Share', align },
      { header: 'Channels' },
    ],
    rows: rows.map(({ what, calls, channelIds }) => [
      clip(what, 100),
      figure(calls),
      percent(calls / Math.max(1, total)),
      channelIds.length === 0
        ? ''
        : { channelIds: channelIds.slice(0, maxChannels), text: moreChannels(channelIds) },
    ]),
    lines: rows.map((row) => causeLine(row, total)),
  });
}

const maxChannels = 3;

const moreChannels = ({ length }: readonly string[]): string =>
  length > maxChannels ? ` and ${length - maxChannels} more` : '';

/** `EVER GIVEN (2 watches) · 620 calls (50%) · #ops, #desk`. */
function causeLine({ what, calls, channelIds }: CauseRow, total: number): string {
  const named = channelIds.slice(0, maxChannels).map(channelMention).join(', ');
  const where = named === '' ? [] : [`${named}${moreChannels(channelIds)}`];
  return [escaped(clip(what, 100)), callsAndShare(calls, total), ...where].join(' · ');
}

const callsAndShare = (calls: number, total: number): string =>
  `${counted(calls, 'call')} (${percent(calls / Math.max(1, total))})`;

const maxChannelLines = 20;

/** The lines add up to all calls. */
function channelLines(rows: readonly ChannelRow[], total: number): string[] {
  const [shown, rest] = [rows.slice(0, maxChannelLines), rows.slice(maxChannelLines)];
  const lines = shown.map(({ channel, calls }) => {
    const where = typeof channel === 'string' ? channel : channelMention(channel.id);
    return `${where} · ${callsAndShare(calls, total)}`;
  });
  return rest.length === 0 ? lines : [...lines, `${rest.length} more · ${callsAndShare(sumOf(rest), total)}`];
}

function notes({ year, month, since, forecast, plan }: BotUsage): string[] {
  const monthBegan = `${isoMonth({ year, month })}-01`;
  return [
    ...(forecast ? forecastNotes(forecast) : []),
    ...budgetNotes(plan),
    "retries count, cached answers and logins don't",
    ...(since === undefined || since > monthBegan
      ? [
          since === undefined
            ? 'nothing has been counted yet'
            : `counted since ${fullDate(new Date(since), 'UTC')}`,
        ]
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

const figure = (count: number): string => count.toLocaleString('en');
