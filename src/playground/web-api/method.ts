import { ApiError, type ContentReader } from '../blocks/content.ts';
import type { ViewReader } from '../blocks/view-checks.ts';
import type { Triggers } from '../interactions/triggers.ts';
import { type Json, stringOf } from '../json.ts';
import type { FileStore } from '../world/files.ts';
import type { Store } from '../world/store.ts';
import type { Views } from '../world/views.ts';
import type { Channel } from '../world/world.ts';

export interface Method {
  token: 'bot' | 'app' | 'none';
  /** Any one of these is enough. */
  scopes?: string[];
  /** Gives the fields of the answer beside `ok`. Throws ApiError. */
  run(args: Json): Json | undefined;
}

/** What the methods work on. */
export interface MethodContext {
  store: Store;
  files: FileStore;
  views: Views;
  triggers: Triggers;
  readContent: ContentReader;
  readView: ViewReader;
  /** Has the app a Home tab? */
  homeEnabled: boolean;
  /** Throws ApiError `ratelimited` where the call comes too soon. */
  limit(key: string, kind: 'post' | 'tier3'): void;
  /** Address of the workspace, without a slash at the end. */
  url(): string;
  /** Milliseconds. */
  now(): number;
  /** Throws ApiError `missing_scope` where the manifest does not ask for it. */
  requireScope(scope: string): void;
  /** A fresh address for Socket Mode. Throws ApiError where the app is not set up for it. */
  openConnection(): string;
}

/** A conversation that the bot may know of: private ones only as a member. */
export function visibleChannel({ store }: MethodContext, value: unknown): Channel {
  const asked = stringOf(value);
  const channel = asked ? (store.channel(asked) ?? store.directMessage(asked)) : undefined;
  if (!channel || (channel.kind === 'private' && !isMember(channel, store))) {
    throw new ApiError('channel_not_found');
  }
  return channel;
}

/** A conversation that the bot may post to. */
export function writableChannel(context: MethodContext, value: unknown): Channel {
  const channel = visibleChannel(context, value);
  if (!isMember(channel, context.store)) throw new ApiError('not_in_channel');
  if (channel.isArchived) throw new ApiError('is_archived');
  return channel;
}

/** A reply to a reply goes to the same thread. */
export function threadOf(context: MethodContext, channelId: string, value: unknown): string | undefined {
  const ts = stringOf(value);
  if (!ts) return undefined;
  const parent = context.store.find(channelId, ts);
  if (!parent || parent.ephemeralTo) throw new ApiError('cannot_reply_to_message');
  return parent.threadTs ?? parent.ts;
}

export function isMember(channel: Channel, { world }: Store): boolean {
  return channel.memberIds.includes(world.app.botUserId);
}

export function botName({ user, world }: Store): string {
  return user(world.app.botUserId)?.realName ?? 'app';
}

/** One page of a list: Slack's `limit` and `cursor`. */
export function pageOf<T>(all: T[], args: Json, defaultLimit: number): { items: T[]; next: string } {
  const limit = Math.min(1000, Math.max(1, Number(args.limit) || defaultLimit));
  const start = Number(Buffer.from(String(args.cursor ?? ''), 'base64').toString()) || 0;
  const end = start + limit;
  return {
    items: all.slice(start, end),
    next: end < all.length ? Buffer.from(String(end)).toString('base64') : '',
  };
}
