import type { PageMessage } from '../../src/page-api/page-api.ts';
import { shownAt } from './time.ts';

/** What the line below a thread's first message shows. */
export interface ThreadSummary {
  /** In milliseconds. */
  lastReplyAt: number;
  hasNewReplies: boolean;
}

interface ReadBy {
  me: string | undefined;
  /** The newest `ts` that was read in the thread; undefined if none was. */
  lastReadOf: (parentTs: string) => string | undefined;
}

/** The threads of a channel by the `ts` of their first message. `messages` are in chronological order. */
export function threadSummaries(
  messages: readonly PageMessage[],
  { me, lastReadOf }: ReadBy,
): Map<string, ThreadSummary> {
  const threads = new Map<string, ThreadSummary>();
  for (const message of messages) {
    const { threadTs, ts, userId } = message;
    if (threadTs === undefined || threadTs === ts || message.ephemeralTo !== undefined) continue;
    const isNew = userId !== me && ts > (lastReadOf(threadTs) ?? '');
    const hasNewReplies = isNew || threads.get(threadTs)?.hasNewReplies === true;
    threads.set(threadTs, { lastReplyAt: shownAt(message), hasNewReplies });
  }
  return threads;
}
