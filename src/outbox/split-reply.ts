import { watchRules } from '../features/watches/rules/registry.ts';
import type { Outgoing } from './outbox-rows.ts';

export type Reply = Extract<Outgoing, { kind: 'reply' }>;

/** So many changes fit into one message of Slack's, whatever their names are. */
export const eventsPerReply = 12;

/** What one message can't hold stands in further ones of the thread: critical changes first. */
export function splitReply(reply: Reply): Reply[] {
  const { isCritical } = watchRules;
  const events = [...reply.events.filter(isCritical), ...reply.events.filter((event) => !isCritical(event))];
  const count = Math.ceil(events.length / eventsPerReply);
  return Array.from({ length: count }, (_, index) => ({
    ...reply,
    events: events.slice(index * eventsPerReply, (index + 1) * eventsPerReply),
    more: Math.max(0, events.length - (index + 1) * eventsPerReply),
    place: index === 0 ? reply.place : 'thread',
  }));
}
