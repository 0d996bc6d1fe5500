import type { Destination, StoredDestination } from '../../../messages/destination.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import type { Scope } from '../../owned.ts';
import type { Snooze } from '../evaluation/muting.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import type { CallPlan } from '../polling/poll-plan.ts';
import type { Rules } from '../rules/index.ts';
import type { WithDeadlinePaused } from '../store/one-at-a-time.ts';
import type { Subject } from '../store/subject.ts';
import type { WatchPageOptions, WatchWithFollowings } from '../store/watch-list.ts';
import type { Estimate } from './estimate.ts';

/** What a watch is made of. */
export interface WatchRequest {
  channelId: string;
  /** `response`: for the actor alone, in their direct message with the bot; `channelId` is their own id. */
  destination: Destination;
  /** `DS CYPRESS`, `fleet NORTH`, `list FEEDERS`, `port Rotterdam (NLRTM)`. */
  title: string;
  subjects: readonly [Subject, ...Subject[]];
  rules: Rules;
  /** The owner. Omitted: the person who asks. */
  ownerId?: string;
  snooze?: Snooze | null;
  /** No rules were typed: what is watched already keeps its own. */
  keepsRules?: boolean;
  /** A fleet that is watched already keeps its vessels too. */
  keepsVessels?: boolean;
  /** The title names it, whatever vessels it has now. */
  isFleet?: boolean;
}

/** As it is stored: for the actor alone it is in their direct message. */
export type PlacedRequest = WatchRequest & { destination: StoredDestination };

/**
 * `changed`: it was watched there by other rules, `before`, or other vessels; `same`: by these. `undo` is the value of
 * an Undo button.
 */
export type Added =
  | { kind: 'added'; watch: WatchWithFollowings; estimate: Estimate; undo: string }
  | { kind: 'changed'; watch: WatchWithFollowings; estimate: Estimate; undo: string; before: Rules }
  | { kind: 'same'; watch: WatchWithFollowings; estimate: Estimate };

interface WatchPage {
  watches: WatchWithFollowings[];
  /** Of all pages. */
  total: number;
  plan: CallPlan;
}

/**
 * What people do to watches, by command, button or modal. All of it throws UserError: `not-allowed` for who may
 * not, and `unknown-watch` for a watch that is gone. Nothing is half done.
 */
export interface WatchService {
  /** Posts the card, then saves; where the card can't be posted nothing is saved. The same subjects, or the same fleet, in the same channel: that one changes. */
  add(request: WatchRequest, actor: Actor, withDeadlinePaused?: WithDeadlinePaused): Promise<Added>;
  /** What `add` would say; saves nothing. */
  dryRun(request: WatchRequest, actor: Actor): Promise<Estimate>;
  /** Throws UserError for who is not in that channel. */
  refuseNonMember(channelId: string, actor: Actor): Promise<void>;
  /** Oldest first. */
  list(scope: Scope, actor: Actor, page: WatchPageOptions): Promise<WatchPage>;
  /** The watch in whose card's thread a message is. */
  findByCard(place: { channelId: string; threadTs: string }): Promise<WatchWithFollowings | undefined>;
  /** Those of a channel that follow exactly these subjects. */
  findBySubjects(subjects: readonly Subject[], actor: Actor): Promise<WatchWithFollowings[]>;
  find(id: string): Promise<WatchWithFollowings | undefined>;
  /** Throws for who may not change it, before anything is filled in. */
  changeable(id: string, actor: Actor): Promise<WatchWithFollowings>;
  /** Gives back what it was; its card then says so. */
  stop(id: string, actor: Actor): Promise<WatchWithFollowings>;
  /** Every watch of the actor's channel. Throws for who may not change one of them. */
  allChangeable(actor: Actor): Promise<WatchWithFollowings[]>;
  /** Every watch of the actor's channel; gives back those stopped. */
  stopAll(actor: Actor): Promise<WatchWithFollowings[]>;
  /** Null wakes it. */
  snooze(id: string, snooze: Snooze | null, actor: Actor): Promise<WatchWithFollowings>;
  acknowledge(id: string, actor: Actor): Promise<WatchWithFollowings>;
  handOver(id: string, newOwnerId: string, actor: Actor): Promise<WatchWithFollowings>;
  /** Of a paused watch: posts its card again if it is gone, then sends what was held back. */
  resume(id: string, actor: Actor): Promise<WatchWithFollowings>;
  /** `ownerId`: whose it is from now on. */
  edit(
    id: string,
    change: { rules: Rules; ownerId?: string },
    actor: Actor,
  ): Promise<{ watch: WatchWithFollowings; undo: string }>;
  /** Asks the service now rather than at the next poll; the card follows. */
  refresh(id: string, actor: Actor): Promise<WatchWithFollowings>;
  /** Takes back what `add`, `edit` or `stop` did; what was stopped has a new card, and knows nothing of before. */
  undo(
    value: string,
    actor: Actor,
  ): Promise<{ kind: 'stopped' | 'restored' | 'watched-again'; watch: WatchWithFollowings }>;
  /** The vessels that a channel watches, or that are watched by a person, those of lists among them, by IMO number. */
  watchedVessels(whose: { channelId: string } | { ownerId: string }, actor: Actor): Promise<Imo[]>;
  /** What was predicted for a vessel while it was watched, oldest first. */
  history(imo: Imo, from: Date): Promise<Extract<Snapshot, { kind: 'vessel' }>[]>;
}
