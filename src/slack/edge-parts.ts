import type { WebClient } from '@slack/web-api';
import type { Feature } from '../features/feature.ts';
import type { ActionParts } from './buttons/bind-action.ts';
import type { Installation } from './connection/installation.ts';
import type { Dispatch } from './dispatch/dispatch.ts';
import type { FindForm } from './forms/open-form.ts';
import type { DownloadOptions } from './listeners/download-file.ts';
import type { Audiences } from './people/audiences.ts';
import type { Posts } from './posting/posts.ts';
import type { SendPrivately } from './posting/send-privately.ts';
import type { Deduplicate } from './receivers/deduplicate.ts';
import type { InFlight } from './receivers/in-flight.ts';

/** What the listeners of each surface need. */
export interface EdgeParts extends ActionParts {
  features: readonly Feature[];
  findForm: FindForm;
  dispatch: Dispatch;
  deduplicate: Deduplicate;
  inFlight: InFlight;
  audiences: Audiences;
  sendPrivately: SendPrivately;
  /** For files that people share. */
  download: DownloadOptions;
  posts: Posts;
  /** For what people wait for, as opposed to background work. */
  client: WebClient;
  fetch: typeof globalThis.fetch;
  installation: Installation;
}
