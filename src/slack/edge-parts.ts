import type { WatchWithFollowings } from '../features/watches/store/watch-list.ts';
import type { Message } from '../messages/message.ts';
import type { Installation } from './connection/installation.ts';
import type { Dispatch } from './dispatch/dispatch.ts';
import type { OpenForm } from './forms/open-form.ts';
import type { DownloadOptions } from './listeners/download-file.ts';
import type { Audiences } from './people/audiences.ts';
import type { Posts } from './posting/posts.ts';
import type { Tell } from './posting/tell.ts';
import type { Deduplicate } from './receivers/deduplicate.ts';
import type { InFlight } from './receivers/in-flight.ts';

/** What the listeners of each surface need. */
export interface EdgeParts {
  dispatch: Dispatch;
  once: Deduplicate;
  inFlight: InFlight;
  audiences: Audiences;
  /** A watch's card as it is now. */
  card(watch: WatchWithFollowings): Promise<Message>;
  /** Does what is due, without waiting for the timer. */
  work(): Promise<void>;
  openForm: OpenForm;
  /** To one person, where nothing was clicked that could be answered. */
  tell: Tell;
  /** How files that people share are fetched. */
  download: DownloadOptions;
  posts: Posts;
  fetch: typeof globalThis.fetch;
  installation: Installation;
}
