/**
 * The API between the page and the local Slack: JSON over HTTP under `/playground/`, and a WebSocket at
 * `/playground/live?user=U…` that sends `LiveEvent`s.
 */
import type { PlainTextElement } from '@slack/types';
import type { CheckedBlock } from '../blocks/block-checks.ts';
import type { ElementValue } from '../blocks/element-values.ts';
import type { PageAgent } from './agent-api.ts';
import type { PageFault, WireEntry } from './inspector-api.ts';
import type { PageStep } from './step-api.ts';

export interface PageUser {
  id: string;
  name: string;
  realName: string;
  /** IANA name. */
  zone: string;
  isAdmin: boolean;
  isBot: boolean;
  /** Belongs to another organisation (Slack Connect). */
  isOutside: boolean;
  isGuest?: boolean;
}

export interface PageChannel {
  id: string;
  /** Without the `#`; for a DM, the other member's name. */
  name: string;
  kind: 'public' | 'private' | 'dm';
  topic: string;
  memberIds: string[];
  isArchived?: boolean;
}

export interface PageMessage {
  /** As in Slack by the real clock, which the app compares it with. Messages are in its order. */
  ts: string;
  /** The time that the page shows: milliseconds of the invented world's clock, if there is one. */
  postedAt?: number;
  channelId: string;
  threadTs?: string;
  userId: string;
  text: string;
  blocks?: CheckedBlock[];
  /** Only this user sees the message. */
  ephemeralTo?: string;
  editedTs?: string;
  replyCount?: number;
  /** A thread reply that is also shown in the channel. */
  broadcast?: boolean;
  files?: PageFile[];
  unfurls?: PageUnfurl[];
}

/** What the app shows under a link. */
export interface PageUnfurl {
  url: string;
  text: string;
  blocks?: CheckedBlock[];
}

/** `GET /playground/files/ID?user=U…` returns its content. */
export interface PageFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  /** True if its content is no longer stored. */
  isGone: boolean;
}

export interface PageCommand {
  /** Including the slash. */
  command: string;
  description: string;
  usageHint: string;
}

/** `GET /playground/messages?user=U…&before=TS`: messages of all channels that this user may see, oldest first. */
export interface MessagePage {
  messages: PageMessage[];
  /** The `before` of the next page. Undefined: there are no older messages. */
  before?: string;
}

/** `GET /playground/state?user=U…`: what this user may see, with the newest messages. Without a user, of the first one. */
export interface PageState extends MessagePage {
  teamId: string;
  teamName: string;
  me: PageUser;
  /** Includes bot users that the app had before. */
  users: PageUser[];
  /** The app's bot user. Undefined: the app isn't installed. */
  botUserId?: string;
  channels: PageChannel[];
  commands: PageCommand[];
  /** True if an app is connected (Socket Mode) or has a request URL (HTTP). */
  appConnected: boolean;
  /** Only if the data follows a clock of its own. */
  clock?: PageClock;
  /** Open modals, bottom of the stack first. */
  views: PageView[];
  /** The app's Home tab; undefined until the app has published it. */
  home?: PageView;
  /** True if the app has a Home tab. */
  homeEnabled: boolean;
  agent: PageAgent;
  shortcuts: PageShortcut[];
  steps: readonly PageStep[];
  faults: PageFault[];
  /** True if the inspector gets the app's calls to the service. */
  isServiceRecorded: boolean;
  texts: PageTexts;
  /** All workspaces, where there are several. */
  workspaces?: PageWorkspace[];
  /** The app's installation here, where it is installed by OAuth. */
  app?: PageApp;
}

export interface PageTexts {
  /** Beside “This is not Slack.” Default: that the people are invented. */
  notice?: string;
  /** What follows the clock of the invented world. */
  clockNote?: string;
  /** Lines to try, in an empty channel. The page shows only those whose command the app has. */
  examples?: {
    line: string;
    label: string;
    /** The line in a direct message, if the app reads it without the slash there. */
    inDirectMessage?: string;
  }[];
}

export interface PageWorkspace {
  id: string;
  name: string;
  isInstalled: boolean;
  /** Whom the page shows first there. */
  userId: string;
}

export interface PageApp {
  name: string;
  /** Where the app's installation starts. */
  installUrl?: string;
  /** Undefined: it isn't installed. */
  install?: PageInstall;
  settings: PageInstallSettings;
}

export interface PageInstall {
  installerName: string;
  /** ISO time. */
  installedAt: string;
  /** The organisation, if it is installed org-wide. */
  organisation?: string;
  scopes: { scope: string; text: string }[];
  /** ISO time at which the newest token expires, with rotation. */
  tokenExpiresAt?: string;
}

/** See `InstallSettings`. */
export interface PageInstallSettings {
  rotation: boolean;
  organisation: boolean;
  revokedFirst: boolean;
}

/** `POST /playground/admin`: what an admin does with the app, or a change of the playground's settings. */
export type AdminRequest = { userId: string } & AdminAction;

export type AdminAction =
  | { action: 'uninstall' | 'revoke' | 'expire' }
  | { action: 'change'; settings: Partial<PageInstallSettings> };

export interface PageView {
  id: string;
  type: 'modal' | 'home';
  title?: PlainTextElement;
  submit?: PlainTextElement;
  close?: PlainTextElement;
  blocks: CheckedBlock[];
  /** The conversation from which it was opened. */
  channelId?: string;
}

export interface PageShortcut {
  name: string;
  /** `message`: in a message's menu; `global`: in the composer's menu. */
  type: 'message' | 'global';
  callbackId: string;
  description: string;
}

/** The values of a view's elements, by block and action. Missing elements have their initial value. */
export type FieldValues = Record<string, Record<string, ElementValue>>;

/** The clock of the invented world. `POST /playground/clock` with `{ forwardHours }` or `{ speed }` changes it. */
export interface PageClock {
  /** ISO time in UTC at the moment of sending. */
  at: string;
  /** World seconds per real second. */
  speed: number;
  /** True while the clock is being moved forward. */
  isBusy: boolean;
}

export type LiveEvent =
  | { type: 'message'; message: PageMessage }
  | { type: 'message_deleted'; channelId: string; ts: string; threadTs?: string }
  | { type: 'app_connected'; connected: boolean }
  /** A channel or its members have changed. Lists all channels that the user may read. */
  | { type: 'channels'; channels: PageChannel[] }
  | { type: 'clock'; clock: PageClock }
  | { type: 'faults'; faults: PageFault[] }
  /** A message was posted in another workspace. */
  | { type: 'posted_elsewhere'; teamId: string }
  /** The app was installed, uninstalled or changed: the page reads its state again. */
  | { type: 'app_changed' }
  /** The user's current modals and Home tab. */
  | { type: 'views'; views: PageView[]; home?: PageView }
  /** What the app shows of the links that the user is writing. */
  | { type: 'previews'; previews: PageUnfurl[] }
  /** The app's prompts or statuses have changed. */
  | { type: 'agent'; agent: PageAgent }
  | { type: 'wire'; entry: WireEntry };

/** `POST /playground/say`: a message, or a slash command if the text starts with a slash. */
export interface SayRequest {
  userId: string;
  channelId: string;
  text: string;
  threadTs?: string;
  /** Files uploaded before. If there are any, the text may be empty. */
  fileIds?: string[];
}

/** `ts` is that of a message. */
export type SayReply = PageReply & { ts?: string };

/** `POST /playground/write`: what is in the composer, for the links in it. */
export interface WriteRequest {
  userId: string;
  text: string;
}

/** `POST /playground/upload?userId=U…&name=x.csv`, with the content as the body. */
export type UploadReply = { ok: true; fileId: string } | { ok: false; error: string };

/** `POST /playground/manage`: an action of a member on a channel. */
export interface ManageRequest {
  userId: string;
  channelId: string;
  action: 'archive' | 'unarchive' | 'add_app' | 'remove_app';
}

/** `POST /playground/click`: an interaction with an element of a message. */
export interface ClickRequest {
  userId: string;
  channelId: string;
  messageTs: string;
  /** The link under which the element is. */
  unfurlUrl?: string;
  blockId?: string;
  actionId: string;
  /** The selected option of an overflow menu or select. */
  optionValue?: string;
  /** The value of any kind of element. */
  value?: ElementValue;
}

/** `POST /playground/view/act`: an interaction with an element of a modal or of the Home tab. */
export interface ViewActRequest {
  userId: string;
  viewId: string;
  blockId: string;
  actionId: string;
  /** Buttons have none. */
  value?: ElementValue;
  values: FieldValues;
}

/** `POST /playground/view/submit` */
export interface ViewSubmitRequest {
  userId: string;
  viewId: string;
  values: FieldValues;
}

/** `POST /playground/view/close`: closes this view, or the whole stack. */
export interface ViewCloseRequest {
  userId: string;
  viewId: string;
  all: boolean;
}

/** `errors` are shown next to the fields, by block. If there are any, `error` is empty. */
export type ViewReply = { ok: true } | { ok: false; error: string; errors?: Record<string, string> };

/** `POST /playground/shortcut`: a global shortcut in the open channel, or one on a message. */
export interface ShortcutRequest {
  userId: string;
  channelId: string;
  callbackId: string;
  messageTs?: string;
}

/** If `ok` is false, `error` is what Slack would show: `/nextport failed with the error "dispatch_failed"`. */
export type PageReply = { ok: true } | { ok: false; error: string };
