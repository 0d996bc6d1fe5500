import { z } from 'zod';

/**
 * The kind of place that a `channelId` names. A group message counts as a channel. `response`: only one person gets
 * the answer, as on the Home tab or after a shortcut, and `channelId` is that person's id.
 */
export type Destination = 'channel' | 'direct-message' | 'response';

/** Watches and digests have no `response`: they go to the person's direct message instead. */
export const storedDestination = z.enum(['channel', 'direct-message'] satisfies Destination[]);
export type StoredDestination = z.infer<typeof storedDestination>;
