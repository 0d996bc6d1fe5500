import { minutesInDay } from 'date-fns/constants';
import type { UsageRecord } from '../../analytics/usage.ts';
import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { ago, fullUtcTime, monthName } from '../../messages/formatting/times.ts';
import { capitalised, counted } from '../../messages/formatting/words.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { clip } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { UsageReport } from './answer.ts';

/** One month of the API account's usage. */
export interface UsageAnswer extends UsageReport, PagedAnswer {
  kind: 'usage';
  /** The current month has no entries; this is the newest month with some. */
  insteadOfCurrent: boolean;
  /** Lines of the months before and after. */
  neighbours: readonly { label: string; line: string }[];
}

export function usageView(answer: UsageAnswer, reader: Reader): Message {
  if (reader.audience === 'outside') return notShownHere(reader);
  const month = monthName(answer.year, answer.month);
  const rows = rowsOf(answer.records);
  const totals = totalsOf(answer.records);
  const page = pageOf(answer, rows, { size: 20, reader });
  const requests = page.items.filter(({ group }) => group === 'Requests');
  const others = page.items.filter(({ group }) => group !== 'Requests');
  const intro = [
    `*API usage, ${month}*${accountsInWords(answer.records)}`,
    ...(answer.insteadOfCurrent
      ? ['The current month has no entries yet; this is the newest month that has']
      : []),
    ...(answer.records.length === 0 ? ['*No entries*: an endpoint that was not called has none'] : []),
    ...requestTotals(totals),
  ];
  const otherSections = sections(groupLines(others));
  const [first, ...texts] = inWords(totals, rows);
  return page.message({
    texts: [`API usage, ${month}: ${first}`, ...texts],
    body: [...sections(intro), ...requestTable(requests), ...otherSections],
    isForecast: false,
    notes: [...notes(answer, reader.now), ...page.shownNote],
    runs: answer.neighbours,
  });
}

function requestTotals(totals: Totals): string[] {
  if (!totals) return [];
  const { all, errors } = totals;
  const words = `${counted(errors, 'error')} (${percent(errors / all)})`;
  return [`*Requests* ${figure(all)} · ${errors === 0 ? 'no errors' : words}`];
}

function requestTable(rows: readonly Row[]) {
  const returned = rows.flatMap(({ counts }) => [...counts.keys()]);
  const statuses = [...new Set(['SUCCESS', 'ERROR', ...returned])].slice(0, 4);
  const align = 'right' as const;
  const columns = statuses.map((status) => ({ header: capitalised(clip(status, 30).toLowerCase()), align }));
  const cells = rows.map(({ label, text, counts }) => [
    clip(text === null ? label : `${label}, ${meaningOf(text)}`, 120),
    ...statuses.map((status) => figure(counts.get(status) ?? 0)),
  ]);
  return dataTable({
    caption: 'Requests by endpoint',
    columns: [{ header: 'Endpoint' }, ...columns],
    rows: cells,
    lines: rows.map(rowLine),
  });
}

function groupLines(rows: readonly Row[]): string[] {
  return [...Map.groupBy(rows, ({ group }) => group)].flatMap(([group, members]) => [
    `*${escaped(clip(group, 60))}*`,
    ...members.map(rowLine),
  ]);
}

/** `GET /nextport/vessel · 1,234 success · 66 error`; groups other than `Requests` leave out the word `success`. */
function rowLine(row: Row): string {
  const counts = [...row.counts].map(([status, count]) => {
    const isPlain = row.group !== 'Requests' && status === 'SUCCESS';
    return isPlain ? figure(count) : `${figure(count)} ${status.toLowerCase()}`;
  });
  const words = row.text === null ? [] : [meaningOf(row.text)];
  return [row.label, ...counts.slice(0, 4), ...words].map((part) => escaped(clip(part, 90))).join(' · ');
}

function accountsInWords(records: readonly UsageRecord[]): string {
  const ids = accountIds(records);
  if (ids.length === 0) return '';
  const shown = ids.slice(0, 5).map((id) => escaped(clip(id, 60)));
  const rest = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return ` · API ${ids.length === 1 ? 'account' : 'accounts'} ${shown.join(', ')}${rest}`;
}

function inWords(totals: Totals, rows: readonly Row[]): string[] {
  if (rows.length === 0) return ['no entries'];
  const requests = totals
    ? `${counted(totals.all, 'request')}, ${figure(totals.errors)} of them errors (${percent(totals.errors / Math.max(1, totals.all))})`
    : 'no requests';
  const others = rows.filter(({ group }) => group !== 'Requests');
  return [requests, ...others.map(rowLine)];
}

function notes({ lastUpdatedAt, year, month, truncated }: UsageAnswer, now: Date): string[] {
  return [
    ...(lastUpdatedAt ? [`Updated ${fullUtcTime(lastUpdatedAt)} (${age(lastUpdatedAt, now)})`] : []),
    'the provider refreshes quarterly',
    'an endpoint not listed was not called',
    ...(year === 2022 && month === 11 ? ['not fully correct before December 2022'] : []),
    ...(truncated ? ['there may be more: not all pages were read'] : []),
  ];
}

/** `51 d ago`: without hours from one day on. */
function age(time: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - time.getTime()) / 60_000));
  return minutes >= minutesInDay ? `${Math.floor(minutes / minutesInDay)} d ago` : ago(minutes);
}

function notShownHere(reader: Reader): Message {
  const text = 'API usage is not shown in a channel with people from another organisation';
  return {
    text: `${text}${inventedSuffix(reader)}`,
    blocks: sections([`${text}. Ask again in an internal channel, or in a direct message with me.`]),
  };
}

const figure = (count: number): string => count.toLocaleString('en');

/** All records of one method, endpoint and text, with the sum of their counts per status. */
interface Row {
  /** `Requests`, `Containers (PUSH)`, …: only requests have a total. */
  group: string;
  label: string;
  /** The provider's classifier. */
  text: string | null;
  /** By status. */
  counts: Map<string, number>;
}

/** Requests come first. */
function rowsOf(records: readonly UsageRecord[]): Row[] {
  const rows = new Map<string, Row>();
  const severalAccounts = accountIds(records).length > 1;
  for (const record of records) {
    const group = groupOf(record);
    const account = severalAccounts && record.userId !== null ? `${record.userId}: ` : '';
    const label = `${account}${[record.method, record.endpoint].filter(Boolean).join(' ')}`;
    const key = JSON.stringify([group, label, record.text]);
    const row = rows.get(key) ?? { group, label, text: record.text, counts: new Map<string, number>() };
    row.counts.set(record.status, (row.counts.get(record.status) ?? 0) + record.count);
    rows.set(key, row);
  }
  const rank = ({ group }: Row) => (group === 'Requests' ? 0 : 1);
  return [...rows.values()].sort(
    (a, b) => rank(a) - rank(b) || compare(a.group, b.group) || compare(a.label, b.label),
  );
}

function groupOf({ type, unit }: UsageRecord): string {
  return type === 'REQUEST' && unit === 'REQUESTS'
    ? 'Requests'
    : `${capitalised(unit.toLowerCase())} (${type})`;
}

type Totals = { all: number; errors: number } | undefined;

/** The totals of the requests; undefined if there are none. */
function totalsOf(records: readonly UsageRecord[]): Totals {
  const requests = records.filter((record) => groupOf(record) === 'Requests');
  if (requests.length === 0) return undefined;
  const sum = (added: readonly UsageRecord[]) => added.reduce((total, { count }) => total + count, 0);
  return { all: sum(requests), errors: sum(requests.filter(({ status }) => status === 'ERROR')) };
}

/** The provider's classifiers in plain words (analytics API, 2.3). */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "Bill of lading number transports' container count": 'containers of initiated bill-of-lading transports',
    "Carrier booking reference transports' container count":
      'containers of initiated booking-number transports',
    "Equipment reference transports' container count": 'container transports initiated by container number',
    'Bill of lading number transports': 'initiated bill-of-lading transports',
    'Carrier booking reference transports': 'initiated booking-number transports',
    'Equipment reference transports with vessel_operator_carrier_code':
      'container transports initiated with a carrier code',
    'Equipment reference transports without vessel_operator_carrier_code':
      'container transports initiated without a carrier code',
  }),
);

const meaningOf = (text: string): string => meanings.get(text) ?? text;

/** Accounts at the service, not Slack users. */
const accountIds = (records: readonly UsageRecord[]): string[] => [
  ...new Set(records.flatMap(({ userId }) => userId ?? [])),
];

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
