import { z } from 'zod';
import { date } from '../../reference/prediction.ts';
import { alertReminder, assignment, reply, replyUpdate, summary } from '../alerts/index.ts';
import { budgetNotice } from '../polling/index.ts';
import { watchRules } from '../rules/index.ts';

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

/** Tells the owner that the watch is paused. The row's `channel_id` is the owner's id. */
export const pauseNotice = z.object({
  kind: z.literal('notice'),
  title: z.string(),
  channelId: z.string(),
  reason: z.string(),
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
