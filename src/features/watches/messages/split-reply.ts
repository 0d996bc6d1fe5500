import type { WatchEvent } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import type { Reply } from './messages.ts';

/** So many changes fit into one message of Slack's, whatever their names are. */
export const eventsPerReply = 12;

/** What one message can't hold goes into further ones of the thread: critical changes first. */
export function splitReply(reply: Reply): Reply[] {
  const events = criticalFirst(reply.events);
  const count = Math.max(1, Math.ceil(events.length / eventsPerReply));
  return Array.from({ length: count }, (_, index) => ({
    ...reply,
    events: events.slice(index * eventsPerReply, (index + 1) * eventsPerReply),
    // Of a part that is split no further, what follows it stays as it is.
    more: reply.more + Math.max(0, events.length - (index + 1) * eventsPerReply),
    place: index === 0 ? reply.place : 'thread',
  }));
}

export const criticalFirst = (events: readonly WatchEvent[]): readonly WatchEvent[] => [
  ...events.filter(watchRules.isCritical),
  ...events.filter((event) => !watchRules.isCritical(event)),
];
