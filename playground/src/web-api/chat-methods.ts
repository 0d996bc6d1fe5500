import { ApiError, readMetadata } from '../blocks/content.ts';
import { isTrue, type JsonObject, nonEmptyString } from '../json.ts';
import type { Message } from '../world/message.ts';
import { apiMessage } from '../world/render.ts';
import {
  botName,
  type Method,
  type MethodContext,
  threadOf,
  visibleChannel,
  writableChannel,
} from './method.ts';

/** `chat.update` refuses longer texts; `chat.postMessage` truncates them to 40,000. */
const MAX_UPDATED_TEXT = 4000;
const WRITE = ['chat:write'];

export function chatMethods(context: MethodContext): Record<string, Method> {
  return {
    'chat.postMessage': { token: 'bot', scopes: WRITE, run: (args) => postMessage(context, args) },
    'chat.postEphemeral': { token: 'bot', scopes: WRITE, run: (args) => postEphemeral(context, args) },
    'chat.update': { token: 'bot', scopes: WRITE, run: (args) => update(context, args) },
    'chat.delete': { token: 'bot', scopes: WRITE, run: (args) => remove(context, args) },
    'chat.getPermalink': { token: 'bot', run: (args) => permalink(context, args) },
  };
}

function postMessage(context: MethodContext, args: JsonObject): JsonObject {
  const { store } = context;
  const channel = writableChannel(context, args.channel);
  context.limit(`post ${channel.id}`, 'post');
  const metadata = readMetadata(args.metadata);
  const threadTs = threadOf(context, channel.id, args.thread_ts);
  const message = store.post({
    channelId: channel.id,
    ...fromApp(context),
    ...context.readContent(args),
    ...(metadata ? { metadata } : {}),
    ...(threadTs ? { threadTs, ...(isTrue(args.reply_broadcast) ? { broadcast: true } : {}) } : {}),
  });
  return { channel: channel.id, ts: message.ts, message: messageJson(context, message) };
}

function postEphemeral(context: MethodContext, args: JsonObject): JsonObject {
  const { store } = context;
  const channel = writableChannel(context, args.channel);
  const userId = nonEmptyString(args.user) ?? '';
  if (!store.user(userId) || !channel.memberIds.includes(userId)) throw new ApiError('user_not_in_channel');
  const threadTs = threadOf(context, channel.id, args.thread_ts);
  const message = store.post({
    channelId: channel.id,
    ...fromApp(context),
    ...context.readContent(args),
    ephemeralTo: userId,
    ...(threadTs ? { threadTs } : {}),
  });
  return { message_ts: message.ts };
}

function update(context: MethodContext, args: JsonObject): JsonObject {
  const { store } = context;
  const channel = writableChannel(context, args.channel);
  const message = ownMessage(context, channel.id, args.ts, 'cant_update_message');
  context.limit('chat.update', 'tier3');
  if (typeof args.text === 'string' && args.text.length > MAX_UPDATED_TEXT)
    throw new ApiError('msg_too_long');
  const metadata = readMetadata(args.metadata) ?? message.metadata;
  const content = context.readContent(args);
  const edited = store.edit(channel.id, message.ts, { ...content, metadata }) ?? message;
  return { channel: channel.id, ts: message.ts, text: edited.text, message: messageJson(context, edited) };
}

function remove(context: MethodContext, args: JsonObject): JsonObject {
  const channel = visibleChannel(context, args.channel);
  const message = ownMessage(context, channel.id, args.ts, 'cant_delete_message');
  context.limit('chat.delete', 'tier3');
  context.store.remove(channel.id, message.ts);
  return { channel: channel.id, ts: message.ts };
}

function permalink(context: MethodContext, args: JsonObject): JsonObject {
  const channel = visibleChannel(context, args.channel);
  const message = context.store.find(channel.id, nonEmptyString(args.message_ts) ?? '');
  if (!message) throw new ApiError('message_not_found');
  return {
    channel: channel.id,
    permalink: `${context.url()}/archives/${channel.id}/p${message.ts.replace('.', '')}`,
  };
}

/** Throws ApiError. Ephemeral messages can't be updated or deleted: as in Slack, they aren't found. */
function ownMessage(context: MethodContext, channelId: string, ts: unknown, refusal: string): Message {
  const message = context.store.find(channelId, nonEmptyString(ts) ?? '');
  if (!message || message.ephemeralTo) throw new ApiError('message_not_found');
  if (message.botId !== context.store.world.app.botId) throw new ApiError(refusal);
  return message;
}

function fromApp({ store }: MethodContext): { userId: string; botId: string } {
  return { userId: store.world.app.botUserId, botId: store.world.app.botId };
}

function messageJson({ store }: MethodContext, message: Message): JsonObject {
  const { app, team } = store.world;
  const profile = { id: app.botId, app_id: app.id, name: botName(store), team_id: team.id, deleted: false };
  return { ...apiMessage(message, store.world, { withMetadata: true }), bot_profile: profile };
}
