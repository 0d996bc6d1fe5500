import type { PageMessage } from '../../src/page-api/page-api.ts';
import type { Notice } from '../model/notice.ts';
import { dayFormat, shownAt, tsToMs } from '../model/time.ts';

/** A row of the list: its place and its time in milliseconds, its calendar day in the reader's zone, and content. */
export type Row = { at: number; shownAt: number; day: string } & (
  | { message: PageMessage }
  | { notice: Notice }
);

/** Messages and the page's own notices, in chronological order. */
export function rowsOf(messages: PageMessage[], notices: Notice[], zone: string): Row[] {
  const days = dayFormat(zone);
  return [
    ...messages.map((message) => ({ at: tsToMs(message.ts), shownAt: shownAt(message), message })),
    ...notices.map((notice) => ({ at: notice.at, shownAt: notice.shownAt, notice })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map((row) => ({ ...row, day: days.format(row.shownAt) }));
}

const GROUP_WITHIN_MS = 5 * 60_000;

/** As in Slack, messages of one person within five minutes share one name and picture. */
export function isGrouped(before: Row | undefined, row: Row): boolean {
  if (!before || !('message' in before) || !('message' in row) || before.day !== row.day) return false;
  const standsAlone = [before.message, row.message].some((m) => m.ephemeralTo !== undefined || m.broadcast);
  const isSameUser = before.message.userId === row.message.userId;
  const isSoon = Math.abs(row.shownAt - before.shownAt) < GROUP_WITHIN_MS;
  return isSameUser && isSoon && !standsAlone && !before.message.replyCount;
}
