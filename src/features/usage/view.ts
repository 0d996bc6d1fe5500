import { minutesInDay } from 'date-fns/constants';
import type { UsageMonth, UsageRecord } from '../../analytics/usage.ts';
import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { ago, fullDate, monthName, shortMonth } from '../../messages/formatting/times.ts';
import { capitalised, counted } from '../../messages/formatting/words.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { clip } from '../../messages/limits.ts';
import type { Message, Piece, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { barChart, container, innerTable } from '../../messages/rich-blocks.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { UsageReport, UsageTrend } from './answer.ts';
import { accountIds, containerTotal, meaningOf, type Row, requests, requestTotals, rowsOf } from './rows.ts';

/** One month of the API account's usage. */
export interface UsageAnswer extends UsageReport, PagedAnswer {
  kind: 'usage';
  trend: UsageTrend;
  /** The month isn't over. */
  isRunning: boolean;
  /** The current month has no entries; this is the newest month with some. */
  insteadOfCurrent: boolean;
  /** Lines of the months before and after, and of what Landfall itself used. */
  neighbours: readonly { label: string; line: string }[];
}

/** Of the report. */
export const rowsPerPage = 20;

export function usageView(answer: UsageAnswer, reader: Reader): Message {
  if (reader.audience === 'outside') return notShownHere(reader);
  const rows = rowsOf(answer.records);
  const page = pageOf(answer, rows, { size: rowsPerPage, reader });
  const { bold, rest } = verdictOf(answer);
  return page.message({
    texts: [`${bold}${rest}`, ...rows.map(rowLine)],
    body: [
      ...sections([
        `*${bold}*${rest}`,
        ...(answer.insteadOfCurrent
          ? ['The current month has no entries yet; this is the newest month that has']
          : []),
      ]),
      ...chartOf(answer),
      ...[...Map.groupBy(page.items, ({ group }) => group)].flatMap(([group, members]) =>
        group === requests
          ? container({ title: 'By endpoint', body: requestTable(members) })
          : container({ title: clip(group, 60), body: sections(members.map(rowLine)) }),
      ),
    ],
    isForecast: false,
    notes: [...notes(answer, reader.now), ...page.shownNote],
    runs: answer.neighbours,
  });
}

/** Requests and containers are never added. */
function verdictOf({ year, month, records }: UsageAnswer): { bold: string; rest: string } {
  const name = monthName(year, month);
  if (records.length === 0)
    return { bold: `${name}: no entries`, rest: ' · an endpoint that was not called has none' };
  return { bold: `${name}: ${requestsInWords(records)}`, rest: containersInWords(records) };
}

/** ` · 777 containers (PUSH)`; nothing without containers. */
function containersInWords(records: readonly UsageRecord[]): string {
  const total = containerTotal(records);
  if (!total) return '';
  return ` · ${total.isMinimum ? 'at least ' : ''}${counted(total.count, 'container')} (PUSH)`;
}

/** `1,300 requests, 66 errors (5%)`. */
function requestsInWords(records: readonly UsageRecord[]): string {
  const totals = requestTotals(records);
  if (!totals) return 'no requests';
  const { all, errors } = totals;
  const share = `${counted(errors, 'error')} (${percent(errors / Math.max(1, all))})`;
  return `${counted(all, 'request')}, ${errors === 0 ? 'no errors' : share}`;
}

/** One bar would compare nothing. */
function chartOf(answer: UsageAnswer): Piece[] {
  const { trend, isRunning } = answer;
  const { months } = trend;
  if (months.length < 2) return [];
  return barChart({
    title: 'Requests by month',
    series: 'Requests',
    bars: months.map(({ year, month, requests: value }, index) => {
      // The year of the verdict goes without saying.
      const name = year === answer.year ? shortMonth(month) : `${shortMonth(month)} ${year}`;
      const isPart = isRunning && index === months.length - 1;
      return { label: isPart ? `${name} so far` : name, value, text: figure(value) };
    }),
  });
}

/** On a phone the first two columns show. */
function requestTable(rows: readonly Row[]): Piece[] {
  const returned = rows.flatMap(({ counts }) => [...counts.keys()]);
  const statuses = [...new Set(['SUCCESS', 'ERROR', ...returned])].slice(0, 4);
  const accounts = rows.some(({ account }) => account !== undefined);
  const align = 'right' as const;
  return innerTable({
    caption: 'Requests by endpoint',
    columns: [
      { header: 'Endpoint' },
      ...statuses.map((status) => ({ header: capitalised(clip(status, 30).toLowerCase()), align })),
      { header: 'Method' },
      ...(accounts ? [{ header: 'Account' }] : []),
    ],
    rows: rows.map(({ counts, method, account, ...row }) => [
      clip([row.endpoint, meaningOf(row)].filter(Boolean).join(', '), 120),
      ...statuses.map((status) => figure(counts.get(status) ?? 0)),
      clip(method ?? '', 30),
      ...(accounts ? [clip(account ?? '', 60)] : []),
    ]),
    lines: rows.map(rowLine),
  });
}

/** `GET /nextport/vessel · 1,234 successful · 66 errors`; outside of the requests, the count of a success stands alone. */
function rowLine(row: Row): string {
  const { group, account, method, endpoint, counts } = row;
  const figures = [...counts].map(([status, count]) => {
    if (status === 'ERROR') return counted(count, 'error');
    if (status === 'SUCCESS') return group === requests ? `${figure(count)} successful` : figure(count);
    return `${figure(count)} ${status.toLowerCase()}`;
  });
  const label = `${account === undefined ? '' : `${account}: `}${[method, endpoint].filter(Boolean).join(' ')}`;
  return [label, ...figures.slice(0, 4), meaningOf(row) ?? []]
    .flat()
    .map((part) => escaped(clip(part, 90)))
    .join(' · ');
}

function notes({ records, trend, lastUpdatedAt, truncated, ...shown }: UsageAnswer, now: Date): string[] {
  const isEarly = [shown, ...trend.months].some(({ year, month }) => year === 2022 && month === 11);
  return [
    ...accountNotes(records),
    ...(lastUpdatedAt ? [`updated ${fullDate(lastUpdatedAt, 'UTC')} (${age(lastUpdatedAt, now)})`] : []),
    'the provider refreshes quarterly',
    'an endpoint not listed was not called',
    ...(isEarly ? ['not fully correct before December 2022'] : []),
    ...(trend.unread.length > 0 ? [`not in the chart, since unreadable: ${namesOf(trend.unread)}`] : []),
    ...(truncated ? ['there may be more: not all pages were read'] : []),
  ];
}

const namesOf = (months: readonly UsageMonth[]): string =>
  new Intl.ListFormat('en-GB').format(months.map(({ year, month }) => monthName(year, month)));

function accountNotes(records: readonly UsageRecord[]): string[] {
  const ids = accountIds(records);
  if (ids.length === 0) return [];
  const shown = ids.slice(0, 5).map((id) => escaped(clip(id, 60)));
  const rest = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return [`API ${ids.length === 1 ? 'account' : 'accounts'} ${shown.join(', ')}${rest}`];
}

/** `51 d ago`: without hours from one day on. */
function age(time: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - time.getTime()) / 60_000));
  return minutes >= minutesInDay ? `${Math.floor(minutes / minutesInDay)} d ago` : ago(minutes);
}

export function notShownHere(reader: Reader): Message {
  const text = 'API usage is not shown in a channel with people from another organisation';
  return {
    text: `${text}${inventedSuffix(reader)}`,
    blocks: sections([`${text}. Ask again in an internal channel, or in a direct message with me.`]),
  };
}

const figure = (count: number): string => count.toLocaleString('en');
