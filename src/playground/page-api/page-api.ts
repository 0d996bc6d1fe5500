/**
 * What the page and the local Slack say to each other: JSON over HTTP under `/playground/`, and a
 * WebSocket at `/playground/live?user=U…` that sends `LiveEvent`s. Tests drive the same calls.
 */
import type { KnownBlock, PlainTextElement } from '@slack/types';
import type { ElementValue } from '../blocks/element-values.ts';

export interface PageUser {
  id: string;
  name: string;
  realName: string;
  /** IANA name. */
  zone: string;
  isAdmin: boolean;
  isBot: boolean;
  /** Of another organisation (Slack Connect). */
  isOutside: boolean;
  isGuest?: boolean;
}

export interface PageChannel {
  id: string;
  /** Without the `#`; for a DM the other's name. */
  name: string;
  kind: 'public' | 'private' | 'dm';
  topic: string;
  memberIds: string[];
  isArchived?: boolean;
}

export interface PageMessage {
  ts: string;
  channelId: string;
  threadTs?: string;
  userId: string;
  text: string;
  blocks?: KnownBlock[];
  /** Only this user sees it: «Only visible to you». */
  ephemeralTo?: string;
  editedTs?: string;
  replyCount?: number;
  /** A thread reply that is shown in the channel too. */
  broadcast?: boolean;
  files?: PageFile[];
}

/** Its content: `GET /playground/files/ID?user=U…`. */
export interface PageFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  /** Its content is no longer kept. */
  isGone: boolean;
}

export interface PageCommand {
  /** With the slash. */
  command: string;
  description: string;
  usageHint: string;
}

/** `GET /playground/state?user=U…`: all that this user may see; without a user, the first one's. */
export interface PageState {
  teamName: string;
  me: PageUser;
  users: PageUser[];
  channels: PageChannel[];
  commands: PageCommand[];
  messages: PageMessage[];
  /** Is an app connected (Socket Mode), or has it a request URL (HTTP)? */
  appConnected: boolean;
  /** Where the data has a time of its own. */
  clock?: PageClock;
  /** Open modals, the lowest first. */
  views: PageView[];
  /** Of the app's Home tab; undefined until the app has published it. */
  home?: PageView;
  /** Has the app a Home tab? */
  homeEnabled: boolean;
  shortcuts: PageShortcut[];
}

export interface PageView {
  id: string;
  type: 'modal' | 'home';
  title?: PlainTextElement;
  submit?: PlainTextElement;
  close?: PlainTextElement;
  blocks: KnownBlock[];
  /** The conversation it was opened from. */
  channelId?: string;
}

export interface PageShortcut {
  name: string;
  /** `message`: in a message's menu; `global`: in the composer's. */
  type: 'message' | 'global';
  callbackId: string;
  description: string;
}

/** What stands in a view's elements, by block and action; what is left out is as the app has put it. */
export type FieldValues = Record<string, Record<string, ElementValue>>;

/** The time of the invented world. `POST /playground/clock` with `{ forwardHours }` or `{ speed }` moves it. */
export interface PageClock {
  /** ISO, UTC: the time when this was sent. */
  at: string;
  /** Its seconds in a real one. */
  speed: number;
  /** It goes forward at the moment. */
  isBusy: boolean;
}

/** One line of the inspector: what went over the wire between Slack and the app. Tokens are left out. */
export interface WireEntry {
  id: number;
  at: string;
  direction: 'to-app' | 'from-app';
  /** `slash /nextport`, `ack`, `chat.postMessage`, `response_url`, `block_actions refresh` … */
  label: string;
  /** Milliseconds from the request to its answer, where there is one. */
  tookMs?: number;
  ok: boolean;
  payload: unknown;
}

export type LiveEvent =
  | { type: 'message'; message: PageMessage }
  | { type: 'message_deleted'; channelId: string; ts: string; threadTs?: string }
  | { type: 'app_connected'; connected: boolean }
  /** Members have changed, or one was archived: all that the user may read now. */
  | { type: 'channels'; channels: PageChannel[] }
  | { type: 'clock'; clock: PageClock }
  /** The user's modals and Home tab as they are now. */
  | { type: 'views'; views: PageView[]; home?: PageView }
  | { type: 'wire'; entry: WireEntry };

/** `POST /playground/say`: a message, or a slash command where the text starts with one. */
export interface SayRequest {
  userId: string;
  channelId: string;
  text: string;
  threadTs?: string;
  /** Of files that were uploaded before; with them the text may be empty. */
  fileIds?: string[];
}

/** `POST /playground/upload?userId=U…&name=x.csv` with the content as the body. */
export type UploadReply = { ok: true; fileId: string } | { ok: false; error: string };

/** `POST /playground/manage`: what a member can do to a channel. */
export interface ManageRequest {
  userId: string;
  channelId: string;
  action: 'archive' | 'unarchive' | 'add_app' | 'remove_app';
}

/** `POST /playground/click`: an element of a message. */
export interface ClickRequest {
  userId: string;
  channelId: string;
  messageTs: string;
  blockId?: string;
  actionId: string;
  /** The chosen option of an overflow or select. */
  optionValue?: string;
  /** The same for every kind of element. */
  value?: ElementValue;
}

/** `POST /playground/view/act`: an element of a modal or of the Home tab. */
export interface ViewActRequest {
  userId: string;
  viewId: string;
  blockId: string;
  actionId: string;
  /** Of a button: none. */
  value?: ElementValue;
  values: FieldValues;
}

/** `POST /playground/view/submit` */
export interface ViewSubmitRequest {
  userId: string;
  viewId: string;
  values: FieldValues;
}

/** `POST /playground/view/close`: this one, or the whole stack. */
export interface ViewCloseRequest {
  userId: string;
  viewId: string;
  all: boolean;
}

/** `errors` stand beside the fields, by block; `error` is empty where there are some. */
export type ViewReply = { ok: true } | { ok: false; error: string; errors?: Record<string, string> };

/** `POST /playground/shortcut`: a global one in the channel that is open, or one on a message. */
export interface ShortcutRequest {
  userId: string;
  channelId: string;
  callbackId: string;
  messageTs?: string;
}

/** `ok: false` holds what Slack would show, such as «/nextport failed with the error "dispatch_failed"». */
export type PageReply = { ok: true } | { ok: false; error: string };
