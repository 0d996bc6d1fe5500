import { z } from 'zod';

export const channelNoticeKind = 'channel-notice';

const where = { kind: z.literal(channelNoticeKind), channelId: z.string(), reason: z.string() };

/** To the owner of several things of a channel: all of them are paused. `what`: as `watch`. */
const latest = z.object({
  ...where,
  things: z.array(z.object({ what: z.string(), id: z.string(), title: z.string() })),
});
export type ChannelNotice = z.infer<typeof latest>;

/** As it was written before other features could pause things. */
const former = z
  .object({
    ...where,
    watches: z.array(z.string()),
    watchIds: z.array(z.string()).default([]),
    digests: z.array(z.string()),
  })
  .transform(
    ({ watches, watchIds, digests, ...rest }): ChannelNotice => ({
      ...rest,
      things: [
        ...watches.map((title, index) => ({ what: 'watch', id: watchIds[index] ?? '', title })),
        ...digests.map((title) => ({ what: 'digest', id: '', title })),
      ],
    }),
  );

export const channelNotice: z.ZodType<ChannelNotice> = z.union([latest, former]);
