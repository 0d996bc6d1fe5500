import type { Destination, StoredDestination } from '../../../messages/destination.ts';
import type { Snooze } from '../evaluation/muting.ts';
import type { Rules } from '../rules/index.ts';
import type { Subject } from '../store/subject.ts';

export interface WatchRequest {
  channelId: string;
  /** `response`: a personal watch in the actor's direct message with the bot; `channelId` is then the actor's id. */
  destination: Destination;
  /** `DS CYPRESS`, `fleet NORTH`, `list FEEDERS`, `port Rotterdam (NLRTM)`. */
  title: string;
  subjects: readonly [Subject, ...Subject[]];
  rules: Rules;
  /** Omitted: the actor. */
  ownerId?: string;
  snooze?: Snooze | null;
  /** No rules were typed: an existing watch keeps its rules. */
  keepsRules?: boolean;
  /** An existing watch of the fleet keeps its vessels. */
  keepsVessels?: boolean;
  /** A watch with the same title is a watch of the same fleet, whatever its vessels. */
  isFleet?: boolean;
}

/** With the channel in which the watch is stored. */
export type PlacedRequest = WatchRequest & { destination: StoredDestination };
