import { minutesInDay } from 'date-fns/constants';
import type { UsageMonth, UsageRecord } from '../../analytics/usage.ts';
import {
  type Answer,
  type AnswerAction,
  type Section,
  tablesOf,
  type Verdict,
} from '../../answers/answer.ts';
import { ago, fullDate, monthName, shortMonth } from '../../answers/formatting/times.ts';
import { counted, figure, listed, percent } from '../../answers/formatting/words.ts';
import { count, field, shown, text } from '../../answers/kinds.ts';
import { clip, paged } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { onlyInTable } from '../../answers/text.ts';
import { isoMonth } from '../../grammar/dates.ts';
import {
  accountIds,
  containerTotal,
  meaningOf,
  type Row,
  requests,
  requestTotals,
  rowsOf,
  type UsageReport,
  type UsageTrend,
} from './report.ts';

export const recordsTable = table<UsageRecord & Pick<UsageReport, 'lastUpdatedAt'>>({
  name: 'usage',
  about: "An entry of the provider's usage report; requests and containers must not be added",
  isOfService: true,
  columns: {
    year: field('number', 'of the report', ({ year }) => year),
    month: field('number', '1 to 12', ({ month }) => month),
    type: field('text', 'as the provider gives it, such as `REQUEST` or `PUSH`', ({ type }) => type),
    account: field('text', "the account's user id at the service; empty for `PUSH`", ({ userId }) => userId),
    method: field('text', 'HTTP method', ({ method }) => method),
    endpoint: field('text', 'what was called or counted', ({ endpoint }) => endpoint),
    status: field('text', '`SUCCESS` or `ERROR`', ({ status }) => status),
    unit: field('text', '`REQUESTS` or `CONTAINERS`', ({ unit }) => unit),
    count: field('count', 'in that unit', ({ count: value }) => value),
    counted: field('text', 'what is counted, in words', meaningOf),
    updated_at: field(
      'instant',
      'when the provider updated the report, in UTC',
      ({ lastUpdatedAt }) => lastUpdatedAt,
    ),
  },
});

/** On a phone the first two columns show. */
export const requestsTable = table<Row>({
  name: 'usage-requests',
  about: 'The requests of an endpoint in the month',
  columns: {
    endpoint: text('Endpoint', 'what was called', ({ endpoint }) => endpoint, {
      words(row) {
        const inTable = clip([row.endpoint, meaningOf(row)].filter(Boolean).join(', '), 120);
        return { inTable, inLine: [row.method, inTable].filter(Boolean).join(' ') };
      },
    }),
    success: count('Success', 'requests that were answered', ({ counts }) => counts.get('SUCCESS') ?? 0),
    errors: count('Error', 'requests that were refused or failed', ({ counts }) => counts.get('ERROR') ?? 0),
    others: text('Other', 'requests of other statuses', othersOf),
    method: text('Method', 'HTTP method', ({ method }) => method, {
      words: ({ method }) => onlyInTable(method ?? ''),
    }),
    account: text(
      'Account',
      "the account's user id at the service, if there are several",
      ({ account }) => account,
    ),
    counted: field('text', 'what is counted, in words', meaningOf),
  },
});

/** `3 pending`: what the service adds one day. */
function othersOf({ counts }: Row): string | undefined {
  const others = [...counts].filter(([status]) => status !== 'SUCCESS' && status !== 'ERROR');
  if (others.length === 0) return undefined;
  return others.map(([status, value]) => `${figure(value)} ${status.toLowerCase()}`).join(', ');
}

/** Containers and whatever else is counted, in lines: the requests have the table. */
export const countsTable = table<Row>({
  name: 'usage-counts',
  about: 'What was counted beside requests in the month, such as containers; never to be added to requests',
  columns: {
    counted: text('Counted', 'what was counted', ({ endpoint }) => endpoint, {
      words: (row) => clip([row.endpoint, meaningOf(row)].filter(Boolean).join(', '), 120),
    }),
    group: field('text', 'the kind of count, such as `Containers (PUSH)`', ({ group }) => group),
    meaning: field('text', 'what is counted, in words', meaningOf),
    count: field('count', 'the number', ({ counts }) => counts.get('SUCCESS') ?? 0),
    errors: field('count', 'of these with errors', ({ counts }) => counts.get('ERROR') ?? 0),
    figures: shown('Number', figuresOf),
  },
});

/** `777`, `777, 3 errors`. */
function figuresOf(row: Row): string {
  const { counts } = row;
  const [success, errors, others] = [counts.get('SUCCESS'), counts.get('ERROR'), othersOf(row)];
  return [
    ...(success === undefined ? [] : [figure(success)]),
    ...(errors === undefined ? [] : [counted(errors, 'error')]),
    ...(others === undefined ? [] : [others]),
  ].join(', ');
}

interface MonthRow extends UsageMonth {
  requests: number;
  isRunning: boolean;
}

/** The figures of the chart. */
export const monthsTable = table<MonthRow>({
  name: 'usage-months',
  about: 'The requests of a month',
  columns: {
    month: text('Month', 'as `2026-10`', isoMonth),
    requests: count('Requests', 'of the account', ({ requests: value }) => value),
    is_running: field('boolean', 'the month is not over', ({ isRunning }) => isRunning),
  },
});

/** One month of the API account's usage. */
export interface Usage extends UsageReport {
  trend: UsageTrend;
  /** The month isn't over. */
  isRunning: boolean;
  /** The current month has no entries; this is the newest month with some. */
  insteadOfCurrent: boolean;
  /** The months before and after, and what Landfall itself used. */
  others: readonly AnswerAction[];
}

/** Of the report. */
const rowsPerPage = 20;

export function usageAnswer(usage: Usage, { now, page: asked }: { now: Date; page: number }): Answer {
  const { records, lastUpdatedAt } = usage;
  const { items, ...page } = paged(rowsOf(records), asked, rowsPerPage);
  const sections = [...chartOf(usage), ...groupsOf(items)];
  return {
    membersOnly: 'API usage',
    verdict: {
      ...verdictOf(usage),
      ...(usage.insteadOfCurrent && {
        lines: ['The current month has no entries yet; this is the newest month that has'],
      }),
    },
    sections,
    files: [
      recordsTable.of({
        caption: 'Usage report',
        rows: records.map((record) => ({ ...record, ...(lastUpdatedAt && { lastUpdatedAt }) })),
        subject: [isoMonth(usage)],
      }),
      ...tablesOf({ sections }),
    ],
    notes: notesOf(usage, now),
    provenance: usage,
    page: { ...page, size: rowsPerPage },
    actions: { runs: usage.others },
  };
}

/** Requests and containers are never added. */
function verdictOf({ year, month, records }: Usage): Verdict {
  const name = monthName(year, month);
  return records.length === 0
    ? { strong: `${name}: no entries`, rest: ' · an endpoint that was not called has none' }
    : { strong: `${name}: ${requestsInWords(records)}`, rest: containersInWords(records) };
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
function chartOf({ trend, isRunning, year: shownYear }: Usage): Section[] {
  const rows = trend.months.map((month, index) => ({
    ...month,
    isRunning: isRunning && index === trend.months.length - 1,
  }));
  if (rows.length < 2) return [];
  return [
    {
      kind: 'bars',
      title: 'API requests by month',
      categories: rows.map(({ year, month, isRunning: isPart }) => {
        // The year of the verdict goes without saying.
        const name = year === shownYear ? shortMonth(month) : `${shortMonth(month)} ${year}`;
        return isPart ? `${name} so far` : name;
      }),
      series: [
        { name: 'Requests', bars: rows.map(({ requests: value }) => ({ value, text: figure(value) })) },
      ],
      data: monthsTable.of({ caption: 'Requests by month', rows }),
    },
  ];
}

const groupsOf = (rows: readonly Row[]): Section[] =>
  [...Map.groupBy(rows, ({ group }) => group)].map(([group, members]) => {
    const isRequests = group === requests;
    const caption = isRequests ? 'Requests by endpoint' : group;
    return {
      kind: 'details',
      title: isRequests ? 'By endpoint' : clip(group, 60),
      sections: [(isRequests ? requestsTable : countsTable).of({ caption, rows: members })],
    };
  });

function notesOf({ records, trend, lastUpdatedAt, truncated, ...shownMonth }: Usage, now: Date): string[] {
  const isEarly = [shownMonth, ...trend.months].some(({ year, month }) => year === 2022 && month === 11);
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
  listed(months.map(({ year, month }) => monthName(year, month)));

function accountNotes(records: readonly UsageRecord[]): string[] {
  const ids = accountIds(records);
  if (ids.length === 0) return [];
  const named = ids.slice(0, 5).map((id) => clip(id, 60));
  const rest = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return [`API ${ids.length === 1 ? 'account' : 'accounts'} ${named.join(', ')}${rest}`];
}

/** `51 d ago`: without hours from one day on. */
function age(time: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - time.getTime()) / 60_000));
  return minutes >= minutesInDay ? `${Math.floor(minutes / minutesInDay)} d ago` : ago(minutes);
}
