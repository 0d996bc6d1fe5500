import { z } from 'zod';

/**
 * What a `channelId` names: a channel, or a group message; a direct message; or nothing but the response to one
 * person, on the Home tab and for a shortcut: then it is that person's own id.
 */
export type Destination = 'channel' | 'direct-message' | 'response';

/** What is asked for in a response is in the person's direct message; a digest there is addressed by their id. */
export const storedDestination = z.enum(['channel', 'direct-message'] satisfies Destination[]);
export type StoredDestination = z.infer<typeof storedDestination>;
