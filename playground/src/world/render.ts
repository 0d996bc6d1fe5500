import type { JsonObject } from '../json.ts';
import type {
  PageChannel,
  PageFile,
  PageMessage,
  PageUnfurl,
  PageUser,
  PageView,
} from '../page-api/page-api.ts';
import type { SharedFile } from './files.ts';
import type { Message } from './message.ts';
import type { Store } from './store.ts';
import type { View, Views } from './views.ts';
import { mayRead } from './visibility.ts';
import type { Channel, User, World } from './world.ts';

/** A message as in the Web API and payloads. Like Slack, it includes metadata only on request. */
export function apiMessage(message: Message, world: World, { withMetadata = false } = {}): JsonObject {
  const json: JsonObject = {
    type: 'message',
    user: message.userId,
    ts: message.ts,
    text: message.text,
    team: teamOf(message.userId, world),
  };
  if (message.files) Object.assign(json, { files: message.files, subtype: 'file_share', upload: false });
  if (message.unfurls?.length) json.attachments = attachmentsOf(message.unfurls, world);
  if (message.broadcast) json.subtype = 'thread_broadcast';
  if (message.botId) {
    json.bot_id = message.botId;
    json.app_id = world.app.id;
  }
  if (message.blocks) json.blocks = message.blocks;
  if (message.threadTs) json.thread_ts = message.threadTs;
  if (message.replyCount) {
    json.thread_ts = message.ts;
    json.reply_count = message.replyCount;
  }
  if (message.editedTs) json.edited = { user: message.userId, ts: message.editedTs };
  if (withMetadata && message.metadata) json.metadata = message.metadata;
  return json;
}

const attachmentsOf = (unfurls: readonly PageUnfurl[], { app }: World): JsonObject[] =>
  unfurls.map(({ url, text, blocks }, index) => ({
    id: index + 1,
    from_url: url,
    original_url: url,
    app_unfurl_url: url,
    is_app_unfurl: true,
    app_id: app.id,
    bot_id: app.botId,
    fallback: text,
    ...(blocks ? { blocks } : { text }),
  }));

/** A message for the page, without the fields that only the app may see. */
export function pageMessage({ botId: _botId, metadata: _metadata, files, ...message }: Message): PageMessage {
  return files ? { ...message, files: files.map(pageFile) } : message;
}

function pageFile({ id, name, title, mimetype, size, mode }: SharedFile): PageFile {
  return { id, name, title, mimetype, size, isGone: mode === 'tombstone' };
}

export function pageUser(user: User, world: World): PageUser {
  const { id, name, realName, zone, isAdmin, isBot, isGuest } = user;
  const isOutside = user.teamId !== world.team.id;
  return { id, name, realName, zone, isAdmin, isBot, isOutside, ...(isGuest && { isGuest }) };
}

/** The channels that this user may read, for the page. */
export function pageChannels(store: Store, user: User): PageChannel[] {
  return (
    [...store.channels()]
      .filter((channel) => mayRead(user, channel, store.world))
      // The direct message with an app that isn't installed.
      .filter((channel) => channel.kind !== 'dm' || channel.memberIds.length > 1)
      .map((channel) => ({
        id: channel.id,
        name: channel.kind === 'dm' ? otherName(store, channel, user) : channel.name,
        kind: channel.kind,
        topic: channel.topic,
        memberIds: channel.memberIds,
        ...(channel.isArchived ? { isArchived: true } : {}),
      }))
  );
}

function otherName(store: Store, channel: Channel, user: User): string {
  const other = channel.memberIds.find((id) => id !== user.id);
  return (other && store.user(other)?.name) || 'direct message';
}

/** The user's modals and Home tab. */
export function pageViews(views: Views, userId: string): { views: PageView[]; home?: PageView } {
  const home = views.home(userId);
  return { views: views.stack(userId).map(pageView), ...(home && { home: pageView(home) }) };
}

function pageView({ id, content, channelId }: View): PageView {
  const { type, blocks } = content;
  const place = channelId ? { channelId } : {};
  if (content.type === 'home') return { id, type, blocks };
  const { title, submit, close } = content;
  // JSON drops undefined properties, which the types distinguish from missing ones.
  return JSON.parse(JSON.stringify({ id, type, blocks, title, submit, close, ...place })) as PageView;
}

function teamOf(userId: string, world: World): string {
  return world.users.find((user) => user.id === userId)?.teamId ?? world.team.id;
}
