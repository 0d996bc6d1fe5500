import type { DeliveryObserver } from './delivery/deliver.ts';
import type { Controls } from './interactions/controls.ts';
import type { Workspace } from './interactions/workspace.ts';
import type { SlashCommand } from './manifest.ts';
import type { PageMessage, PageShortcut, PageView, WireEntry } from './page-api/page-api.ts';
import type { Route } from './server.ts';
import type { Faults } from './web-api/faults.ts';
import type { RateLimit } from './web-api/rate-limit.ts';
import type { Waits } from './world/waits.ts';
import type { World } from './world/world.ts';
import type { WorldClock } from './world/world-clock.ts';

export interface PlaygroundOptions {
  mode: 'socket' | 'http';
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Further values of the Host header to answer to, such as `localhost:8080` behind a port mapping. */
  allowedHosts?: string[];
  /** Where the app listens in http mode; may be set later. */
  requestUrl?: string;
  /** Gives commands, scopes and subscribed events. Without it and without `commands` every `/word` is the app's. */
  manifestPath?: string;
  commands?: SlashCommand[];
  /** Where there is no manifest; else as it says. */
  shortcuts?: PageShortcut[];
  world?: World;
  /** Milliseconds: times of messages, age of response addresses, repeats of events, rate limits. */
  now?: () => number;
  /** Milliseconds of the real clock, for signatures. */
  signatureNow?: () => number;
  /** The clock of the invented world, where there is one: the page shows and moves it. */
  clock?: WorldClock;
  /** Keeps messages across restarts. */
  dataFile?: string;
  /** Told when they can't be written. */
  onError?: (error: unknown) => void;
  /** The built page, served at `/`. */
  pageDir?: string;
  /** Further paths, such as `/healthz`; they are answered whatever the Host header says. */
  routes?: Record<string, Route>;
  signingSecret?: string;
  botToken?: string;
  appToken?: string;
  fetch?: typeof fetch;
  onDelivery?: DeliveryObserver;
  /** Slack waits 3,000 ms for an acknowledgement. */
  ackTimeoutMs?: number;
  /** `chat.postMessage` per channel; default one a second after a burst of 20. `false`: no limits at all. */
  rateLimit?: RateLimit | false;
  /** Messages kept per channel (1,000), lines of the inspector (500), bytes of files (256 MB). */
  keep?: { messages?: number; wire?: number; fileBytes?: number };
}

export interface Playground extends Workspace {
  /** Address of the page, without a slash at the end. */
  url: string;
  /** For `clientOptions.slackApiUrl`. */
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** Its channels may be changed at any time: archived, or the bot taken out of their members. */
  world: World;
  /** http mode: where the app listens. */
  setRequestUrl(url: string): void;
  /** http mode: does the request URL answer Slack's challenge? */
  verifyRequestUrl(): Promise<boolean>;
  /** All of a channel, ephemeral ones too, oldest first. */
  messages(channelId: string): PageMessage[];
  /** The user's open modals, the lowest first. */
  views(userId: string): PageView[];
  /** The user's Home tab, once the app has published it. */
  home(userId: string): PageView | undefined;
  /** Oldest first, without tokens. */
  wire(): WireEntry[];
  /** Takes all messages away, each as if it had been deleted. */
  clearMessages(): void;
  waitForMessage: Waits['forMessage'];
  /** Resolves once the app is connected (or has a request URL). */
  waitForApp(): Promise<void>;
  faults: Faults;
  /** Channels archived, members that come and go, tokens revoked. */
  controls: Controls;
  /** Event repeats that are due; a timer does it too, each second. */
  runDue(): Promise<void>;
  /** Socket Mode: tells every connection to come again, as Slack does; resolves once they are gone. */
  recycleConnections(): Promise<void>;
  /** Socket Mode: open connections. */
  connectionCount(): number;
  close(): Promise<void>;
}
