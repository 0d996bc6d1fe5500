import { z } from 'zod';
import { date } from '../../reference/prediction.ts';
import { watchRules } from '../rules/index.ts';

/** The time of the backup, if the events are all that has changed since then. */
const afterRestore = { restoredFrom: z.exactOptional(date) };

export const reply = z.object({
  kind: z.literal('reply'),
  events: z.array(watchRules.event).readonly(),
  subjects: z.array(z.object({ kind: z.string(), key: z.string() })).readonly(),
  /** `thread`: under the card; `broadcast`: both under the card and in the channel; `channel`: a separate message. */
  place: z.enum(['thread', 'broadcast', 'channel']),
  /** The number of events in further replies of the thread. */
  more: z.number(),
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
      more: z.number(),
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
export type ReplyUpdate = z.infer<typeof replyUpdate>;

/** Names the person who shall act on alerts, in the thread of the message that shows them. */
export const assignment = z.object({
  kind: z.literal('assignment'),
  /** The outbox id of that message. */
  messageId: z.string(),
  alertIds: z.array(z.string()),
  assigneeId: z.string(),
  actorId: z.string(),
});
export type Assignment = z.infer<typeof assignment>;

/** Reminds an assignee. The row's `channel_id` is their id. */
export const alertReminder = z.object({ kind: z.literal('alert-reminder'), alertId: z.string() });
export type AlertReminder = z.infer<typeof alertReminder>;

/** What shows alerts in Slack. */
export const shownMessage = z.discriminatedUnion('kind', [reply, summary]);
