import type { PageMessage } from '../../page-api/page-api.ts';
import type { Notice } from '../model/page-model.ts';
import { dayFormat, tsToMs } from '../model/time.ts';

/** A row of the list: time in milliseconds, calendar day in the reader's zone, and content. */
export type Row = { at: number; day: string } & ({ message: PageMessage } | { notice: Notice });

/** Messages and the page's own notices, in chronological order. */
export function rowsOf(messages: PageMessage[], notices: Notice[], zone: string): Row[] {
  const days = dayFormat(zone);
  return [
    ...messages.map((message) => ({ at: tsToMs(message.ts), message })),
    ...notices.map((notice) => ({ at: notice.at, notice })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map((row) => ({ ...row, day: days.format(row.at) }));
}

const GROUP_WITHIN_MS = 5 * 60_000;

/** As in Slack, messages of one person within five minutes share one name and picture. */
export function isGrouped(before: Row | undefined, row: Row): boolean {
  if (!before || !('message' in before) || !('message' in row) || before.day !== row.day) return false;
  const standsAlone = [before.message, row.message].some((m) => m.ephemeralTo !== undefined || m.broadcast);
  const isSameUser = before.message.userId === row.message.userId;
  return isSameUser && !standsAlone && !before.message.replyCount && row.at - before.at < GROUP_WITHIN_MS;
}
