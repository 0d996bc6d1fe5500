import type { Message } from './message.ts';

/** The newest messages of one channel, in chronological order. */
export interface ChannelLog {
  find(ts: string): Message | undefined;
  all(): Message[];
  /** Parent first. */
  thread(threadTs: string): Message[];
  /** Counts the replies that everybody can see. */
  replyCount(threadTs: string): number;
  add(message: Message): void;
  /** Replaces the message with the same `ts`. */
  replace(message: Message): void;
  drop(message: Message): void;
}

export function createChannelLog(maxMessages: number): ChannelLog {
  // A Map preserves the order of insertion.
  const byTs = new Map<string, Message>();
  const threads = new Map<string, Set<string>>();

  function drop({ ts, threadTs }: Message): void {
    byTs.delete(ts);
    const thread = threadTs ? threads.get(threadTs) : undefined;
    thread?.delete(ts);
    if (threadTs && thread?.size === 0) threads.delete(threadTs);
  }

  return {
    find: (ts) => byTs.get(ts),
    all: () => [...byTs.values()],
    thread: (threadTs) =>
      [threadTs, ...(threads.get(threadTs) ?? [])]
        .map((ts) => byTs.get(ts))
        .filter((message) => message !== undefined),
    replyCount(threadTs) {
      let count = 0;
      for (const ts of threads.get(threadTs) ?? []) if (!byTs.get(ts)?.ephemeralTo) count += 1;
      return count;
    },
    add(message) {
      byTs.set(message.ts, message);
      if (message.threadTs) {
        const thread = threads.get(message.threadTs) ?? new Set();
        threads.set(message.threadTs, thread.add(message.ts));
      }
      const oldest = byTs.size > maxMessages ? byTs.values().next().value : undefined;
      if (oldest) drop(oldest);
    },
    replace(message) {
      byTs.set(message.ts, message);
    },
    drop,
  };
}
