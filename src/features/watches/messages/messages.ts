import { z } from 'zod';
import { date } from '../../../reference/stored-values.ts';
import { watchRules } from '../rules/registry.ts';

const subjectColumns = z.object({ kind: z.string(), key: z.string() });

/** The card again, since it was deleted. */
export const card = z.object({ kind: z.literal('card') });

/** The card as it is when this is sent. */
export const cardUpdate = z.object({ kind: z.literal('card-update') });

/** Of a watch that was not saved after all: it is looked for since then (real clock), and taken away. */
export const cardRemoval = z.object({ kind: z.literal('card-removal'), watchId: z.string(), since: date });

/** The final card of a watch that is gone; who stopped it, and when. */
export const cardStopped = z.object({
  kind: z.literal('card-stopped'),
  cardTs: z.string(),
  title: z.string(),
  userId: z.string(),
  at: date,
});

export const reply = z.object({
  kind: z.literal('reply'),
  events: z.array(watchRules.event).readonly(),
  subjects: z.array(subjectColumns).readonly(),
  /** `thread`: under the card; `broadcast`: there and in the channel; `channel`: a message of its own. */
  place: z.enum(['thread', 'broadcast', 'channel']),
  /** Changes that follow in further replies of the thread. */
  more: z.number().default(0),
});
export type Reply = z.infer<typeof reply>;

/** One message for many watches of a channel; `members` are the outbox ids of what is in the threads. */
export const summary = z.object({
  kind: z.literal('summary'),
  members: z.array(z.string()),
  items: z.array(
    z.object({
      watchId: z.string(),
      title: z.string(),
      events: z.array(watchRules.event).readonly(),
      /** In the thread, beside these. */
      more: z.number().default(0),
    }),
  ),
});
export type Summary = z.infer<typeof summary>;

/** To the owner alone: the watch is paused. `channel_id` of the row is the owner's id. */
export const notice = z.object({
  kind: z.literal('notice'),
  title: z.string(),
  channelId: z.string(),
  reason: z.string(),
});

/** To the owner alone: somebody else has given their watch other rules. */
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

/** What watches have to say, as data; how it looks is the view's matter. */
export const watchMessage = z.discriminatedUnion('kind', [
  card,
  cardUpdate,
  cardRemoval,
  cardStopped,
  reply,
  summary,
  notice,
  rulesNotice,
]);
export type WatchMessage = z.infer<typeof watchMessage>;
