import type { DeliveryObserver } from './delivery/deliver.ts';
import type { ServiceCall } from './delivery/service-calls.ts';
import type { FaultSwitch } from './fault-switches.ts';
import type { Controls } from './interactions/controls.ts';
import type { Workspace } from './interactions/workspace.ts';
import type { SlashCommand } from './manifest.ts';
import type { PlaygroundOAuth } from './oauth/playground-oauth.ts';
import type { PagePrompts } from './page-api/agent-api.ts';
import type { WireEntry } from './page-api/inspector-api.ts';
import type { PageMessage, PageShortcut, PageTexts, PageUnfurl, PageView } from './page-api/page-api.ts';
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
  /** Additional Host headers to accept, such as `localhost:8080` behind a port mapping. */
  allowedHosts?: string[];
  /** The app's URL in http mode; `setRequestUrl` can set it later. */
  requestUrl?: string;
  /** The app's manifest in YAML. Without it and `commands`, every `/word` goes to the app. */
  manifest?: string;
  commands?: SlashCommand[];
  /** Overrides the manifest's shortcuts. */
  shortcuts?: PageShortcut[];
  /** The only workspace. Default: Harbour & Co. */
  world?: World;
  /**
   * Several workspaces, into which people install the app by OAuth (`oauth`); needs the mode http. The app must be a user
   * of each, and ids must differ. Each belongs to the playground, which changes it.
   */
  workspaces?: World[];
  /** With `workspaces`. By default the id is fixed, the secret is random, and redirect URLs are the manifest's. */
  oauth?: {
    clientId?: string;
    clientSecret?: string;
    /** Without any, every web address is allowed. */
    redirectUrls?: readonly string[];
    /** Those that an installer can decline, instead of the manifest's. */
    optionalScopes?: readonly string[];
    /** The app's landing page. */
    installUrl?: string;
  };
  /** Milliseconds, for message timestamps, expiry of response URLs, event retries and rate limits. */
  now?: () => number;
  /** How long the app may take for an image of a message. Default: 5 seconds. */
  imageTimeoutMs?: number | undefined;
  /** Milliseconds of the real clock, for request signatures. */
  signatureNow?: () => number;
  /** The clock of the invented world. If given, the page shows it and can move it forward. */
  clock?: WorldClock;
  /** The service that the app works with: its calls for the inspector, and its faults for the page's switches. */
  service?: {
    observe(listener: (call: ServiceCall) => void): () => void;
    faults: readonly FaultSwitch[];
  };
  /** A file that preserves messages across restarts. */
  dataFile?: string;
  /** Called when messages can't be written to `dataFile`. */
  onError?: (error: unknown) => void;
  /** The folder of the built page, served at `/`. Default: the package's. */
  pageDir?: string;
  /** What the page says about this app. */
  page?: PageTexts;
  /** Additional paths, such as `/healthz`, served without a check of the Host header. */
  routes?: Record<string, Route>;
  signingSecret?: string;
  botToken?: string;
  appToken?: string;
  fetch?: typeof fetch;
  onDelivery?: DeliveryObserver;
  /** Default 3,000, as in Slack. */
  ackTimeoutMs?: number;
  /** For `chat.postMessage`, per channel. Default: one per second after a burst of 20. `false`: no rate limits. */
  rateLimit?: RateLimit | false;
  /** Messages stored per channel (2,000), inspector entries (500), bytes of all files (256 MB). */
  limits?: { messages?: number; wireEntries?: number; fileBytes?: number };
}

export interface Playground extends Workspace {
  /** URL of the page, without a trailing slash. */
  url: string;
  /** For `clientOptions.slackApiUrl`. */
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** The first workspace. Tests may change its channels at any time, for example archive one or remove the bot. */
  world: World;
  workspaces: readonly World[];
  /** With `workspaces`: what the app needs to be installed, and what can be switched. */
  oauth: PlaygroundOAuth | undefined;
  /** http mode: the app's URL. */
  setRequestUrl(url: string): void;
  /** http mode: true if the request URL answers Slack's challenge. */
  verifyRequestUrl(): Promise<boolean>;
  /** All messages of a channel, including ephemeral ones, oldest first. */
  messages(channelId: string): PageMessage[];
  /** The user's open modals, bottom of the stack first. */
  views(userId: string): PageView[];
  /** What the app shows of the links that the user is writing. */
  previews(userId: string): PageUnfurl[];
  /** The prompts in a DM with the app. Undefined: the app isn't an agent. */
  prompts(channelId: string): PagePrompts | undefined;
  /** The status that the app shows in a thread. */
  status(channelId: string, threadTs: string): string | undefined;
  /** The user's Home tab, once the app has published it. */
  home(userId: string): PageView | undefined;
  /** The inspector's entries, oldest first, without tokens. */
  wire(): WireEntry[];
  /** Deletes all messages, with an event for each. */
  clearMessages(): void;
  waitForMessage: Waits['forMessage'];
  /** Resolves once the app is connected or has a request URL. */
  waitForApp(): Promise<void>;
  faults: Faults;
  /** Archives channels, adds and removes members, revokes tokens. */
  controls: Controls;
  /** Sends the event retries that are due, and ends old statuses; a timer does so every second. */
  runDue(): Promise<void>;
  /** Socket Mode: asks every connection to reconnect, as Slack does; resolves once they are closed. */
  recycleConnections(): Promise<void>;
  /** Socket Mode: the number of open connections. */
  connectionCount(): number;
  close(): Promise<void>;
}
