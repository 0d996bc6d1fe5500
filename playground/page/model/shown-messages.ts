import type { PageMessage } from '../../src/page-api/page-api.ts';

/** A message's identity: channel and `ts`; for an ephemeral message also its reader. */
export const messageKey = (message: Pick<PageMessage, 'channelId' | 'ts' | 'ephemeralTo'>): string =>
  `${message.channelId}:${message.ts}:${message.ephemeralTo ?? ''}`;

interface Shown {
  /** In chronological order. */
  messages: PageMessage[];
  /** Ephemeral messages, by `messageKey`. */
  dismissed: ReadonlySet<string>;
}

/** The messages of a channel without thread replies, except those that are broadcast to the channel. */
export function channelMessages(model: Shown, channelId: string): PageMessage[] {
  return shownMessages(model, channelId).filter((m) => !isReply(m) || m.broadcast === true);
}

/** A thread's replies and, if it still exists, its parent. */
export function threadMessages(model: Shown, channelId: string, ts: string): PageMessage[] {
  return shownMessages(model, channelId).filter((m) => m.ts === ts || m.threadTs === ts);
}

export const isReply = (m: PageMessage): boolean => m.threadTs !== undefined && m.threadTs !== m.ts;

function shownMessages({ messages, dismissed }: Shown, channelId: string): PageMessage[] {
  return messages.filter((m) => m.channelId === channelId && !dismissed.has(messageKey(m)));
}
