import { z } from 'zod';

/**
 * The kind of place that a `channelId` names. A group message counts as a channel. On the Home tab and for a shortcut
 * only one person gets the response; then `channelId` is the id of that person.
 */
export type Destination = 'channel' | 'direct-message' | 'response';

/** A watch or a digest that is added in a `response` belongs to that person's direct message. */
export const storedDestination = z.enum(['channel', 'direct-message'] satisfies Destination[]);
export type StoredDestination = z.infer<typeof storedDestination>;
