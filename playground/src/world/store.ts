import { createTsClock } from '../ids.ts';
import type { PageUnfurl } from '../page-api/page-api.ts';
import { type ChannelLog, createChannelLog } from './channel-log.ts';
import { dm } from './create-world.ts';
import { withUnfurls } from './links.ts';
import type { Edit, Message, NewMessage } from './message.ts';
import type { Channel, User, World } from './world.ts';

export type StoreEvent =
  | { type: 'posted'; message: Message }
  /** `edited` is false if only the number of replies changed, or what is under a link. */
  | { type: 'changed'; message: Message; previous: Message; edited: boolean }
  | { type: 'deleted'; message: Message };

export interface Store {
  world: World;
  user(id: string): User | undefined;
  /** Without effect if there is a user with this id. */
  addUser(user: User): void;
  /** By id, or by name with or without `#`. */
  channel(idOrName: string): Channel | undefined;
  /** The user's DM with the bot, opened if necessary. */
  directMessage(userId: string): Channel | undefined;
  channels(): Iterable<Channel>;
  post(message: NewMessage): Message;
  /** Replaces text, blocks and metadata. Undefined if the message doesn't exist. */
  edit(channelId: string, ts: string, content: Edit): Message | undefined;
  /** Shows these under the links of a message, each instead of what is under its link. */
  unfurl(channelId: string, ts: string, unfurls: readonly PageUnfurl[]): void;
  remove(channelId: string, ts: string): Message | undefined;
  find(channelId: string, ts: string): Message | undefined;
  /** In chronological order, including ephemeral messages. */
  messages(channelId: string): Message[];
  /** Parent first. */
  thread(channelId: string, threadTs: string): Message[];
  subscribe(listener: (event: StoreEvent) => void): () => void;
  /** Adds the messages of an earlier run. */
  restore(messages: Message[]): void;
}

/** Stores the newest `maxMessages` of each channel. Older ones are dropped without an event. */
export function createStore(options: {
  world: World;
  now: () => number;
  /** Milliseconds of the invented world's clock. */
  worldNow?: () => number;
  maxMessages: number;
}): Store {
  const { world, worldNow } = options;
  const clock = createTsClock(options.now);
  const users = new Map(world.users.map((user) => [user.id, user]));
  const channels = new Map(world.channels.map((channel) => [channel.id, channel]));
  const byName = new Map(world.channels.filter((c) => c.name).map((channel) => [channel.name, channel]));
  const logs = new Map<string, ChannelLog>();
  const listeners = new Set<(event: StoreEvent) => void>();

  const emit = (event: StoreEvent) => {
    for (const listener of listeners) listener(event);
  };
  const logOf = (channelId: string): ChannelLog => {
    const log = logs.get(channelId) ?? createChannelLog(options.maxMessages);
    logs.set(channelId, log);
    return log;
  };
  const updateReplyCount = (channelId: string, threadTs: string | undefined) => {
    const log = logOf(channelId);
    const previous = threadTs ? log.find(threadTs) : undefined;
    if (!previous) return;
    const replyCount = log.replyCount(previous.ts);
    if (replyCount === (previous.replyCount ?? 0)) return;
    const message = { ...previous, replyCount };
    log.replace(message);
    emit({ type: 'changed', message, previous, edited: false });
  };

  return {
    world,
    user: (id) => users.get(id),
    addUser(user) {
      if (users.has(user.id)) return;
      users.set(user.id, user);
      world.users = [...world.users, user];
    },
    channel: (idOrName) => channels.get(idOrName) ?? byName.get(idOrName.replace(/^#/, '')),
    directMessage(userId) {
      if (!users.has(userId)) return undefined;
      const created = dm(userId, world.app.botUserId);
      const channel = channels.get(created.id) ?? created;
      channels.set(channel.id, channel);
      return channel;
    },
    channels: () => channels.values(),
    post(content) {
      const message: Message = { ...content, ts: clock.next(), ...(worldNow && { postedAt: worldNow() }) };
      logOf(message.channelId).add(message);
      emit({ type: 'posted', message });
      updateReplyCount(message.channelId, message.threadTs);
      return message;
    },
    edit(channelId, ts, content) {
      const previous = logs.get(channelId)?.find(ts);
      if (!previous) return undefined;
      const message = applyEdit(previous, { ...content, editedTs: clock.next() });
      logOf(channelId).replace(message);
      emit({ type: 'changed', message, previous, edited: true });
      return message;
    },
    unfurl(channelId, ts, unfurls) {
      const previous = logs.get(channelId)?.find(ts);
      if (!previous) return;
      const message = { ...previous, unfurls: withUnfurls(previous.unfurls ?? [], unfurls) };
      logOf(channelId).replace(message);
      emit({ type: 'changed', message, previous, edited: false });
    },
    remove(channelId, ts) {
      const message = logs.get(channelId)?.find(ts);
      if (!message) return undefined;
      logOf(channelId).drop(message);
      emit({ type: 'deleted', message });
      updateReplyCount(channelId, message.threadTs);
      return message;
    },
    find: (channelId, ts) => logs.get(channelId)?.find(ts),
    messages: (channelId) => logs.get(channelId)?.all() ?? [],
    thread: (channelId, threadTs) => logs.get(channelId)?.thread(threadTs) ?? [],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    restore(messages) {
      for (const message of messages) {
        if (!channels.has(message.channelId)) continue;
        clock.startAfter(message.editedTs ?? message.ts);
        logOf(message.channelId).add(message);
      }
    },
  };
}

/** Content without blocks removes the blocks; empty metadata removes the metadata. */
function applyEdit(previous: Message, content: Edit & { editedTs: string }): Message {
  const { blocks: _blocks, metadata: _metadata, ...rest } = previous;
  const message: Message = { ...rest, text: content.text, editedTs: content.editedTs };
  if (content.blocks) message.blocks = content.blocks;
  if (content.metadata && Object.keys(content.metadata).length > 0) message.metadata = content.metadata;
  return message;
}
