import { ApiError, type ContentReader } from '../blocks/content.ts';
import type { ViewReader } from '../blocks/view-checks.ts';
import type { Agent } from '../interactions/agent.ts';
import type { ComposerLinks } from '../interactions/composer-links.ts';
import type { Executions } from '../interactions/executions.ts';
import type { Triggers } from '../interactions/triggers.ts';
import { type JsonObject, nonEmptyString } from '../json.ts';
import type { FileStore } from '../world/files.ts';
import type { Store } from '../world/store.ts';
import type { Views } from '../world/views.ts';
import type { Channel } from '../world/world.ts';
import type { Grant } from './grant.ts';

export interface Method {
  token: 'bot' | 'app' | 'none';
  /** Any one of these suffices. */
  scopes?: string[];
  /** Returns the fields of the answer, without `ok`. Throws ApiError. */
  run(args: JsonObject, caller: Caller): JsonObject | undefined;
}

/** Who calls a method. */
export interface Caller {
  grant: Grant;
  /** Throws ApiError `missing_scope` if it wasn't granted. */
  requireScope(scope: string): void;
}

/** The parts that all Web API methods share. */
export interface MethodContext {
  store: Store;
  files: FileStore;
  views: Views;
  triggers: Triggers;
  executions: Executions;
  agent: Agent;
  readContent: ContentReader;
  readView: ViewReader;
  /** True if the app has a Home tab. */
  homeEnabled: boolean;
  /** Throws ApiError `ratelimited` if the call comes too soon. */
  limit(key: string, kind: 'post' | 'tier3'): void;
  /** The links in messages that people are writing. */
  composer: ComposerLinks;
  unfurlDomains: readonly string[];
  /** URL of the workspace, without a trailing slash. */
  url(): string;
  /** Milliseconds. */
  now(): number;
  /** A new URL for Socket Mode. Throws ApiError if Socket Mode is off. */
  openConnection(): string;
}

/** Finds a conversation that the bot can see: private channels only as a member. Throws ApiError. */
export function visibleChannel({ store }: MethodContext, value: unknown): Channel {
  const id = nonEmptyString(value);
  const channel = id ? (store.channel(id) ?? store.directMessage(id)) : undefined;
  if (!channel || (channel.kind === 'private' && !isMember(channel, store))) {
    throw new ApiError('channel_not_found');
  }
  return channel;
}

/** Finds a conversation that the bot can post to. Throws ApiError. */
export function writableChannel(context: MethodContext, value: unknown): Channel {
  const channel = visibleChannel(context, value);
  if (!isMember(channel, context.store)) throw new ApiError('not_in_channel');
  if (channel.isArchived) throw new ApiError('is_archived');
  return channel;
}

/** The parent's `ts`, since a reply to a reply goes to the same thread. Throws ApiError. */
export function threadOf(context: MethodContext, channelId: string, value: unknown): string | undefined {
  const ts = nonEmptyString(value);
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

/** An error that says what is wrong with the arguments. */
export const invalid = (code: string, faults: string[]): ApiError =>
  new ApiError(code, { response_metadata: { messages: faults.map((fault) => `[ERROR] ${fault}`) } });

/** One page of a list, by Slack's `limit` and `cursor`. */
export function pageOf<T>(all: T[], args: JsonObject, defaultLimit: number): { items: T[]; next: string } {
  const limit = Math.min(1000, Math.max(1, Number(args.limit) || defaultLimit));
  const start = Number(Buffer.from(String(args.cursor ?? ''), 'base64').toString()) || 0;
  const end = start + limit;
  return {
    items: all.slice(start, end),
    next: end < all.length ? Buffer.from(String(end)).toString('base64') : '',
  };
}
