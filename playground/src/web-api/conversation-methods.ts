import { ApiError } from '../blocks/content.ts';
import { isTrue, type JsonObject, nonEmptyString } from '../json.ts';
import type { Message } from '../world/message.ts';
import { apiMessage } from '../world/render.ts';
import type { Channel } from '../world/world.ts';
import { type Caller, isMember, type Method, type MethodContext, pageOf, visibleChannel } from './method.ts';

const READ = ['channels:read', 'groups:read', 'im:read'];
const HISTORY = ['channels:history', 'groups:history', 'im:history'];

export function conversationMethods(context: MethodContext): Record<string, Method> {
  const bot = (scopes: string[], run: Run): Method => ({
    token: 'bot',
    scopes,
    run: (args, caller) => run(context, args, caller),
  });
  return {
    'conversations.info': bot(READ, info),
    'conversations.list': bot(READ, list),
    'conversations.members': bot(READ, members),
    'conversations.open': bot(['im:write'], open),
    'conversations.history': bot(HISTORY, history),
    'conversations.replies': bot(HISTORY, replies),
  };
}

type Run = (context: MethodContext, args: JsonObject, caller: Caller) => JsonObject;

function info(context: MethodContext, args: JsonObject, caller: Caller): JsonObject {
  const channel = visibleChannel(context, args.channel);
  caller.requireScope(`${SCOPE[channel.kind]}:read`);
  return { channel: channelJson(context, channel) };
}

function list(context: MethodContext, args: JsonObject): JsonObject {
  const types = (nonEmptyString(args.types) ?? 'public_channel').split(',').map((type) => type.trim());
  const visible = [...context.store.channels()].filter(
    (channel) =>
      types.includes(TYPE[channel.kind]) &&
      (channel.kind === 'public' || isMember(channel, context.store)) &&
      !(isTrue(args.exclude_archived) && channel.isArchived),
  );
  const { items, next } = pageOf(visible, args, 100);
  return {
    channels: items.map((channel) => channelJson(context, channel)),
    response_metadata: { next_cursor: next },
  };
}

function members(context: MethodContext, args: JsonObject, caller: Caller): JsonObject {
  const channel = visibleChannel(context, args.channel);
  caller.requireScope(`${SCOPE[channel.kind]}:read`);
  const { items, next } = pageOf(channel.memberIds, args, 100);
  return { members: items, response_metadata: { next_cursor: next } };
}

function open(context: MethodContext, args: JsonObject): JsonObject {
  const userIds = (nonEmptyString(args.users) ?? '').split(',').filter(Boolean);
  if (userIds.length > 1) throw new ApiError('method_not_supported_for_channel_type');
  const channel = userIds[0]
    ? context.store.directMessage(userIds[0])
    : args.channel
      ? visibleChannel(context, args.channel)
      : undefined;
  if (!channel) throw new ApiError(userIds[0] ? 'user_not_found' : 'users_list_not_supplied');
  return { channel: isTrue(args.return_im) ? channelJson(context, channel) : { id: channel.id } };
}

function history(context: MethodContext, args: JsonObject, caller: Caller): JsonObject {
  const channel = readableChannel(context, args.channel, caller);
  const visible = context.store
    .messages(channel.id)
    .filter((message) => !message.ephemeralTo && (!message.threadTs || message.broadcast))
    .filter(isInRange(args))
    .reverse();
  return messagePage(context, visible, args, 100);
}

function replies(context: MethodContext, args: JsonObject, caller: Caller): JsonObject {
  const channel = readableChannel(context, args.channel, caller);
  const target = context.store.find(channel.id, nonEmptyString(args.ts) ?? '');
  if (!target) throw new ApiError('thread_not_found');
  const thread = context.store.thread(channel.id, target.threadTs ?? target.ts);
  const [parent, ...rest] = thread.filter((message) => !message.ephemeralTo);
  const visible = [...(parent ? [parent] : []), ...rest.filter(isInRange(args))];
  return messagePage(context, visible, args, 1000);
}

/** The bot can read only conversations that it is a member of. */
function readableChannel(context: MethodContext, value: unknown, caller: Caller): Channel {
  const channel = visibleChannel(context, value);
  caller.requireScope(`${SCOPE[channel.kind]}:history`);
  if (!isMember(channel, context.store)) throw new ApiError('not_in_channel');
  return channel;
}

function isInRange(args: JsonObject): (message: Message) => boolean {
  const oldest = Number(args.oldest ?? 0);
  const latest = Number(args.latest ?? Number.POSITIVE_INFINITY);
  const isInclusive = isTrue(args.inclusive);
  return ({ ts }) => {
    const at = Number(ts);
    return isInclusive ? at >= oldest && at <= latest : at > oldest && at < latest;
  };
}

function messagePage(context: MethodContext, all: Message[], args: JsonObject, limit: number): JsonObject {
  const { items, next } = pageOf(all, args, limit);
  const withMetadata = isTrue(args.include_all_metadata);
  return {
    messages: items.map((item) => apiMessage(item, context.store.world, { withMetadata })),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
}

/** Each kind of conversation has its own scopes. */
const SCOPE = { public: 'channels', private: 'groups', dm: 'im' };
const TYPE = { public: 'public_channel', private: 'private_channel', dm: 'im' };

function channelJson({ store }: MethodContext, channel: Channel): JsonObject {
  const { world } = store;
  const isShared = channel.isShared ?? false;
  const common = {
    id: channel.id,
    is_im: channel.kind === 'dm',
    is_private: channel.kind !== 'public',
    is_archived: channel.isArchived ?? false,
    is_shared: isShared,
    is_ext_shared: isShared,
    is_org_shared: false,
    context_team_id: world.team.id,
  };
  if (channel.kind === 'dm') {
    return { ...common, user: channel.memberIds.find((id) => id !== world.app.botUserId), is_open: true };
  }
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_mpim: false,
    is_general: false,
    is_member: isMember(channel, store),
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: channel.memberIds.length,
    shared_team_ids: isShared ? [world.team.id, world.outsideTeam.id] : [world.team.id],
    connected_team_ids: isShared ? [world.outsideTeam.id] : [],
  };
}
