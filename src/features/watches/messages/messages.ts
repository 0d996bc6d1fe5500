import { z } from 'zod';
import { date } from '../../../reference/prediction.ts';
import { watchRules } from '../../rules/registry.ts';

/** Posts the card of a watch again after somebody deleted it. */
export const card = z.object({ kind: z.literal('card') });

/** Updates the card to what it should show at the time of sending. */
export const cardUpdate = z.object({ kind: z.literal('card-update') });

/** Removes the card of a watch that could not be saved. The card was posted after `since` (the real clock). */
export const cardRemoval = z.object({ kind: z.literal('card-removal'), watchId: z.string(), since: date });

/** The final card of a watch that `userId` has stopped. */
export const cardStopped = z.object({
  kind: z.literal('card-stopped'),
  cardTs: z.string(),
  title: z.string(),
  userId: z.string(),
  at: date,
});

/** The time of the backup, if the events are all that has changed since then. */
const afterRestore = { restoredFrom: z.exactOptional(date) };

export const reply = z.object({
  kind: z.literal('reply'),
  events: z.array(watchRules.event).readonly(),
  subjects: z.array(z.object({ kind: z.string(), key: z.string() })).readonly(),
  /** `thread`: under the card; `broadcast`: both under the card and in the channel; `channel`: a separate message. */
  place: z.enum(['thread', 'broadcast', 'channel']),
  /** The number of events in further replies of the thread. */
  more: z.number().default(0),
  ...afterRestore,
});
export type Reply = z.infer<typeof reply>;

/** One message for many watches of a channel; `members` are the outbox ids of the replies in their threads. */
export const summary = z.object({
  kind: z.literal('summary'),
  members: z.array(z.string()),
  ...afterRestore,
  items: z.array(
    z.object({
      watchId: z.string(),
      title: z.string(),
      events: z.array(watchRules.event).readonly(),
      /** The number of further events in the thread. */
      more: z.number().default(0),
    }),
  ),
});
export type Summary = z.infer<typeof summary>;

/** Shows in a posted reply or summary what its alerts say at the time of sending, and what became of them. */
export const replyUpdate = z.object({
  kind: z.literal('reply-update'),
  /** The outbox id of the reply or summary. */
  messageId: z.string(),
});

/** Names the person who shall act on alerts, in the thread of the message that shows them. */
export const assignment = z.object({
  kind: z.literal('assignment'),
  /** The outbox id of that message. */
  messageId: z.string(),
  alertIds: z.array(z.string()),
  assigneeId: z.string(),
  actorId: z.string(),
});

/** Reminds an assignee. The row's `channel_id` is their id. */
export const alertReminder = z.object({ kind: z.literal('alert-reminder'), alertId: z.string() });

/** Tells the owner that the watch is paused. The row's `channel_id` is the owner's id. */
export const pauseNotice = z.object({
  kind: z.literal('notice'),
  title: z.string(),
  channelId: z.string(),
  reason: z.string(),
});

/** Notifies somebody of the calls a day that the watches need. The row's `channel_id` is the recipient's id. */
export const budgetNotice = z.object({
  kind: z.literal('budget-notice'),
  /** Requests per day, before intervals are stretched. */
  plannedCalls: z.number(),
  dailyCalls: z.number(),
  stretch: z.number(),
  isForAdmin: z.boolean().default(true),
  /** Empty for others than admins. */
  users: z.array(
    z.object({ calls: z.number(), title: z.string().optional(), channelId: z.string().optional() }),
  ),
});

/** Tells the owner that somebody else has changed the rules of the watch. */
export const rulesNotice = z.object({
  kind: z.literal('rules-notice'),
  watchId: z.string(),
  title: z.string(),
  isPort: z.boolean(),
  channelId: z.string(),
  actorId: z.string(),
  before: watchRules.rules,
  after: watchRules.rules,
});

export const watchMessage = z.discriminatedUnion('kind', [
  card,
  cardUpdate,
  cardRemoval,
  cardStopped,
  reply,
  summary,
  replyUpdate,
  assignment,
  alertReminder,
  pauseNotice,
  rulesNotice,
  budgetNotice,
]);
export type WatchMessage = z.infer<typeof watchMessage>;
