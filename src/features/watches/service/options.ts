import type { FeatureSet } from '../../feature.ts';
import type { SlackServices, WorkspaceServices } from '../../services.ts';
import type { PollAnalytics } from '../polling/poll.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { WatchStore } from '../store/watch-store.ts';
import type { CardPoster } from './card-poster.ts';

export interface WatchServiceOptions
  extends Pick<WorkspaceServices, 'store' | 'access' | 'now' | 'realNow' | 'newId'> {
  watchStore: WatchStore;
  alerts: AlertStore;
  analytics: PollAnalytics;
  cards: CardPoster;
  slack: Pick<SlackServices, 'directMessageOf' | 'checkOwner' | 'readersOf'>;
  names: FeatureSet['vessels'];
  /** Waits on the real clock while another request adds a watch to the channel. */
  wait?: (ms: number) => Promise<unknown>;
  /** Throws NoAccountError if nothing could be watched. */
  checkAccount?: () => Promise<void>;
  /** The polling interval; undefined if it follows the ETA. */
  fixedMinutes?: number | undefined;
  /** The budget of requests per day; undefined for no limit. */
  dailyCalls: number | undefined;
}
