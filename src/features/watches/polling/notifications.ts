import type { SubjectColumns } from '../../history/index.ts';
import { disputeKey, isDisputeEvent } from '../evaluation/dispute.ts';
import type { WatchEvent } from '../rules/index.ts';
import type { Follower } from './followers.ts';
import type { Notification } from './write-replies.ts';

interface Evaluated {
  follower: Follower;
  events: readonly WatchEvent[];
  poll: { row: SubjectColumns };
}

/**
 * All events of one subject in one poll are one reply, but a dispute has a reply of its own, which is edited later. After
 * a restore, all that has changed for the subjects of a watch is one reply.
 */
export function notificationsOf(evaluated: readonly Evaluated[]): Notification[] {
  const all = evaluated.flatMap(ofOne);
  const isMerged = ({ restoredFrom, editKey }: Notification) => restoredFrom && editKey === undefined;
  const byWatch = Map.groupBy(all.filter(isMerged), ({ follower }) => follower.watch.id);
  return [...all.filter((one) => !isMerged(one)), ...[...byWatch.values()].flatMap(merge)];
}

function ofOne({ events, follower, poll: { row: subject } }: Evaluated): Notification[] {
  const { restoredFrom } = follower;
  const common = { follower, subjects: [subject], ...(restoredFrom && { restoredFrom }) };
  const disputes = events.filter(isDisputeEvent);
  const others = events.filter((event) => !isDisputeEvent(event));
  return [
    ...disputes.map((event) => ({ ...common, events: [event], editKey: disputeKey(event) })),
    ...(others.length > 0 ? [{ ...common, events: others }] : []),
  ];
}

function merge(notifications: readonly Notification[]): Notification[] {
  const [first] = notifications;
  if (!first) return [];
  const subjects = notifications.flatMap((notification) => notification.subjects);
  return [{ ...first, subjects, events: notifications.flatMap(({ events }) => events) }];
}
