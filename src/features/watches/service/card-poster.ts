import type { WatchWithFollowings } from '../store/watch-list.ts';

/** How cards reach Slack while somebody waits for it. Each call ends within a few seconds. */
export interface CardPoster {
  /** The first message of a watch, which nothing is known of yet. Throws PostError where Slack says no, and CardOutcomeUnknownError where it says nothing. */
  post(watch: WatchWithFollowings): Promise<{ ts: string }>;
  /** Of a watch that could not be saved after all. Never throws. */
  remove(card: { channelId: string; ts: string }): Promise<void>;
  /**
   * The final card of a watch that is gone: it says who stopped it, and has no buttons. False where Slack did not
   * take it; never throws.
   */
  close(watch: WatchWithFollowings, actor: { userId: string; at: Date }): Promise<boolean>;
}
