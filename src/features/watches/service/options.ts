import type { Kysely } from 'kysely';
import type { AnalyticsClient } from '../../../analytics/client.ts';
import type { Schema } from '../../../database/schema.ts';
import type { Access } from '../../../workspaces/permissions.ts';
import type { Names } from '../store/title.ts';
import type { WatchStore } from '../store/watch-store.ts';
import type { CardPoster } from './card-poster.ts';

/** What the service of watches is made of. */
export interface WatchServiceOptions {
  db: Kysely<Schema>;
  store: WatchStore;
  analytics: Pick<AnalyticsClient, 'vesselPredictions' | 'portPredictions' | 'shiplistNextPorts'>;
  cards: CardPoster;
  access: Access;
  /** The direct message of a person with the bot. */
  dmOf: (userId: string) => Promise<string>;
  names: () => Promise<Names>;
  /** Throws UserError for who can't own what is in that channel. */
  checkOwner: (owner: { userId: string; channelId: string }) => Promise<void>;
  workspaceId: string;
  credentialId: string;
  /** The domain clock. */
  now: () => Date;
  realNow: () => number;
  newId: () => string;
  /** Of the real clock, for a turn that somebody else has. */
  wait?: (ms: number) => Promise<unknown>;
  /** WATCH_POLL_MINUTES where it is a number. */
  fixedMinutes?: number | undefined;
}
