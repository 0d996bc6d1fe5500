import type { UsageRecord } from '../../analytics/usage.ts';
import { sections, table } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { ago, fullUtcTime, monthName } from '../../messages/formatting/times.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { clip } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { UsageReport } from './answer.ts';
import { accountIds, capital, meaningOf, type Row, rowsOf, totalsOf } from './rows.ts';

/** One month of the API account's usage. */
export interface UsageAnswer extends UsageReport, PagedAnswer {
  kind: 'usage';
  /** The current month has no entries; this is the newest month that has. */
  insteadOfCurrent: boolean;
  /** Lines of the months before and after. */
  neighbours: readonly { label: string; line: string }[];
}

export function usageView(answer: UsageAnswer, reader: Reader): Message {
  if (reader.audience === 'outside') return notHere(reader);
  const month = monthName(answer.year, answer.month);
  const page = pageOf(answer, rowsOf(answer.records), { size: 20, reader });
  const requests = page.items.filter(({ group }) => group === 'Requests');
  const others = page.items.filter(({ group }) => group !== 'Requests');
  const top = [
    `*API usage, ${month}*${accounts(answer.records)}`,
    ...(answer.insteadOfCurrent
      ? ['The current month has no entries yet; this is the newest month that has']
      : []),
    ...(answer.records.length === 0 ? ['*No entries*: an endpoint that was not called has none'] : []),
    ...requestTotals(answer.records),
  ];
  const otherSections = sections(groupLines(others));
  const [first, ...texts] = inWords(answer.records);
  return page.message({
    texts: [`API usage, ${month}: ${first}`, ...texts],
    body: [...sections(top), ...(requests.length > 0 ? [requestTable(requests)] : []), ...otherSections],
    plainBody: [...sections([...top, ...requests.map(rowLine)]), ...otherSections],
    notes: [...notes(answer, reader.now), ...page.shown],
    runs: answer.neighbours,
  });
}

function requestTotals(records: readonly UsageRecord[]): string[] {
  const totals = totalsOf(records);
  if (!totals) return [];
  const { all, errors } = totals;
  const words = `${figure(errors)} ${errors === 1 ? 'error' : 'errors'} (${percent(errors / all)})`;
  return [`*Requests* ${figure(all)} · ${errors === 0 ? 'no errors' : words}`];
}

function requestTable(rows: readonly Row[]) {
  const returned = rows.flatMap(({ counts }) => [...counts.keys()]);
  const statuses = [...new Set(['SUCCESS', 'ERROR', ...returned])].slice(0, 4);
  const align = 'right' as const;
  const columns = statuses.map((status) => ({ header: capital(clip(status, 30)), align }));
  const cells = rows.map(({ label, text, counts }) => [
    clip(text === null ? label : `${label}, ${meaningOf(text)}`, 120),
    ...statuses.map((status) => figure(counts.get(status) ?? 0)),
  ]);
  return table([{ header: 'Endpoint' }, ...columns], cells);
}

function groupLines(rows: readonly Row[]): string[] {
  return [...Map.groupBy(rows, ({ group }) => group)].flatMap(([group, some]) => [
    `*${escaped(clip(group, 60))}*`,
    ...some.map(rowLine),
  ]);
}

/** `GET /nextport/vessel · 1,234 success · 66 error`; other groups show a success as the figure alone. */
function rowLine(row: Row): string {
  const counts = [...row.counts].map(([status, count]) => {
    const isPlain = row.group !== 'Requests' && status === 'SUCCESS';
    return isPlain ? figure(count) : `${figure(count)} ${status.toLowerCase()}`;
  });
  const words = row.text === null ? [] : [meaningOf(row.text)];
  return [row.label, ...counts.slice(0, 4), ...words].map((part) => escaped(clip(part, 90))).join(' · ');
}

function accounts(records: readonly UsageRecord[]): string {
  const ids = accountIds(records);
  if (ids.length === 0) return '';
  const shown = ids.slice(0, 5).map((id) => escaped(clip(id, 60)));
  const rest = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return ` · API ${ids.length === 1 ? 'account' : 'accounts'} ${shown.join(', ')}${rest}`;
}

function inWords(records: readonly UsageRecord[]): string[] {
  if (records.length === 0) return ['no entries'];
  const totals = totalsOf(records);
  const requests = totals
    ? `${figure(totals.all)} requests, ${figure(totals.errors)} of them errors (${percent(totals.errors / Math.max(1, totals.all))})`
    : 'no requests';
  const others = rowsOf(records).filter(({ group }) => group !== 'Requests');
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

/** `51 d ago`. */
function age(time: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - time.getTime()) / 60_000));
  return minutes >= 1440 ? `${Math.floor(minutes / 1440)} d ago` : ago(minutes);
}

function notHere(reader: Reader): Message {
  const text = 'API usage is not shown in a channel with people from another organisation';
  return {
    text: `${text}${inventedSuffix(reader)}`,
    blocks: sections([`${text}. Ask again in an internal channel, or in a direct message with me.`]),
  };
}

const figure = (count: number): string => count.toLocaleString('en');
