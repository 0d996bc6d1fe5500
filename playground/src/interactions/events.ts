import type { Deliver } from '../delivery/deliver.ts';
import { randomId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Authorization, Installation } from '../web-api/installation.ts';
import { linksTo } from '../world/links.ts';
import type { Message } from '../world/message.ts';
import { apiMessage } from '../world/render.ts';
import type { Store, StoreEvent } from '../world/store.ts';
import { apiView, type View } from '../world/views.ts';
import type { Channel, User } from '../world/world.ts';

export interface Events {
  /** Waits for the deliveries in flight, then sends the retries that are due: 1 and 5 minutes after a failure. */
  runDue(): Promise<void>;
  /** Delivers an event, with an `event_ts`. False if the app isn't installed or has not subscribed to it. */
  emit(event: JsonObject & { type: string }, channel?: Channel): Promise<boolean>;
  /** Delivers an event of an installation that has just ended. */
  emitLast(event: JsonObject & { type: string }, authorization: Authorization): Promise<void>;
  appHomeOpened(user: User, tab: 'home' | 'messages', home: View | undefined): Promise<void>;
  close(): void;
}

interface Retry {
  label: string;
  payload: JsonObject;
  /** 1 for the first retry. */
  num: number;
  reason: string;
  dueAt: number;
  /** Sent even though the installation has ended. */
  isLast: boolean;
}

/** The delays before the first, second and third retry. */
const RETRY_AFTER_MS = [0, 60_000, 300_000];
const MAX_PENDING_RETRIES = 1000;

/** Turns changes in the workspace into Events API deliveries, with Slack's retries. */
export function createEvents(options: {
  store: Store;
  now: () => number;
  deliver: Deliver;
  /** The manifest's `bot_events`. */
  subscribed: ReadonlySet<string>;
  installation: Installation;
  verificationToken: string;
  /** The sites about whose links the app gets events. */
  unfurlDomains: readonly string[];
}): Events {
  const { store, now, subscribed, installation } = options;
  const { world } = store;
  const inFlight = new Set<Promise<void>>();
  let retries: Retry[] = [];

  async function send(event: JsonObject, channel?: Channel, last?: Authorization): Promise<void> {
    const payload = envelope(event, channel, last ?? installation.authorization());
    const label = `event ${String(event.type)}`;
    const outcome = await options.deliver(label, { kind: 'events_api', payload });
    const isLast = last !== undefined;
    if (!outcome.ok)
      await sendRetry({ label, payload, num: 1, reason: outcome.reason, dueAt: now(), isLast });
  }

  async function sendRetry(pending: Retry): Promise<void> {
    if (!pending.isLast && !installation.isActive()) return;
    if (pending.dueAt > now()) {
      retries = [...retries, pending].slice(-MAX_PENDING_RETRIES);
      return;
    }
    const { label, payload, num, reason, isLast } = pending;
    const outcome = await options.deliver(label, { kind: 'events_api', payload, retry: { num, reason } });
    const wait = RETRY_AFTER_MS[num];
    if (!outcome.ok && wait !== undefined) {
      const next = { label, payload, num: num + 1, reason: outcome.reason, dueAt: now() + wait, isLast };
      await sendRetry(next);
    }
  }

  function envelope(
    event: JsonObject,
    channel: Channel | undefined,
    { teamId, botUserId, enterprise, isOrgWide }: Authorization,
  ): JsonObject {
    return {
      token: options.verificationToken,
      // In a channel that two organisations share, this may be the other one's workspace.
      team_id: channel?.hostTeamId ?? teamId,
      ...(enterprise ? { enterprise_id: enterprise.id } : {}),
      context_team_id: teamId,
      context_enterprise_id: enterprise?.id ?? null,
      api_app_id: world.app.id,
      event,
      type: 'event_callback',
      event_id: randomId('Ev'),
      event_time: Math.floor(now() / 1000),
      authorizations: [
        {
          enterprise_id: enterprise?.id ?? null,
          team_id: isOrgWide ? null : teamId,
          user_id: botUserId,
          is_bot: true,
          is_enterprise_install: isOrgWide,
        },
      ],
      is_ext_shared_channel: channel?.isShared ?? false,
    };
  }

  async function emit(event: JsonObject & { type: string }, channel?: Channel): Promise<boolean> {
    if (!installation.isActive() || !subscribed.has(event.type)) return false;
    await send({ ...event, event_ts: eventTs() }, channel);
    return true;
  }

  async function emitLast(event: JsonObject & { type: string }, last: Authorization): Promise<void> {
    if (subscribed.has(event.type)) await send({ ...event, event_ts: eventTs() }, undefined, last);
  }

  const eventTs = () => (now() / 1000).toFixed(6);

  function onStoreEvent(change: StoreEvent): void {
    const channel = store.channel(change.message.channelId);
    if (change.type === 'posted' && channel) {
      const links = linkShared(change.message, channel, { store, domains: options.unfurlDomains });
      if (links && installation.isActive() && subscribed.has('link_shared')) start(send(links, channel));
    }
    if (!channel?.memberIds.includes(world.app.botUserId) || change.message.ephemeralTo) return;
    for (const event of eventsOf(change, channel, store)) {
      const name = event.type === 'message' ? SUBSCRIPTION[channel.kind] : String(event.type);
      if (!subscribed.has(name)) continue;
      start(send(event, channel));
    }
  }

  /** The workspace doesn't wait for deliveries, and they never reject. */
  function start(delivery: Promise<void>): void {
    const sending = delivery.finally(() => inFlight.delete(sending));
    inFlight.add(sending);
  }

  const unsubscribe = store.subscribe(onStoreEvent);
  return {
    async runDue() {
      await Promise.all(inFlight);
      const due = retries.filter((retry) => retry.dueAt <= now());
      retries = retries.filter((retry) => retry.dueAt > now());
      await Promise.all(due.map(sendRetry));
    },
    emit,
    emitLast,
    async appHomeOpened(user, tab, home) {
      const channel = store.directMessage(user.id);
      await emit({
        type: 'app_home_opened',
        user: user.id,
        channel: channel?.id,
        tab,
        view: home && apiView(home, world),
      });
    },
    close: unsubscribe,
  };
}

function eventsOf(change: StoreEvent, channel: Channel, store: Store): JsonObject[] {
  const { message } = change;
  const common = { channel: channel.id, channel_type: kindOf(channel), event_ts: message.ts };
  const { world } = store;
  if (change.type === 'deleted') {
    const previous = apiMessage(message, world);
    const deleted = { subtype: 'message_deleted', hidden: true, deleted_ts: message.ts, ts: message.ts };
    return [{ type: 'message', ...deleted, previous_message: previous, ...common }];
  }
  if (change.type === 'changed') {
    if (!change.edited) return [];
    const changed = {
      message: apiMessage(message, world),
      previous_message: apiMessage(change.previous, world),
    };
    return [
      { type: 'message', subtype: 'message_changed', hidden: true, ts: message.ts, ...changed, ...common },
    ];
  }
  const shown = { ...apiMessage(message, world), ...threadOf(message, store), ...homeTeamOf(message, store) };
  const events: JsonObject[] = [{ ...shown, ...common }];
  const mentioned = message.text.includes(`<@${world.app.botUserId}>`) && !message.botId;
  if (mentioned && channel.kind !== 'dm') {
    events.push({ ...shown, type: 'app_mention', channel: channel.id, event_ts: message.ts });
  }
  for (const file of message.files ?? []) events.push(fileShared(file.id, message));
  return events;
}

/** Slack tells of links in all conversations, those without the app too; not of links in messages of apps. */
function linkShared(
  message: Message,
  channel: Channel,
  { store, domains }: { store: Store; domains: readonly string[] },
): JsonObject | undefined {
  const links = linksTo(domains, message.text);
  if (links.length === 0 || message.botId || message.ephemeralTo) return undefined;
  const { ts, threadTs, userId } = message;
  return {
    type: 'link_shared',
    channel: channel.id,
    is_bot_user_member: channel.memberIds.includes(store.world.app.botUserId),
    user: userId,
    message_ts: ts,
    ...(threadTs ? { thread_ts: threadTs } : {}),
    unfurl_id: `${channel.id} ${ts}`,
    source: 'conversations_history',
    links,
    event_ts: ts,
  };
}

function fileShared(fileId: string, { channelId, userId, ts }: Message): JsonObject {
  const file = { file_id: fileId, file: { id: fileId } };
  return { type: 'file_shared', ...file, user_id: userId, channel_id: channelId, event_ts: ts };
}

function threadOf(message: Message, store: Store): JsonObject {
  const parent = message.threadTs ? store.find(message.channelId, message.threadTs) : undefined;
  return parent ? { parent_user_id: parent.userId } : {};
}

/** Slack Connect adds the team of an author from another organisation. */
function homeTeamOf(message: Message, store: Store): JsonObject {
  const teamId = store.user(message.userId)?.teamId;
  return teamId && teamId !== store.world.team.id ? { user_team: teamId, source_team: teamId } : {};
}

const SUBSCRIPTION = { dm: 'message.im', private: 'message.groups', public: 'message.channels' };

function kindOf(channel: Channel): 'im' | 'group' | 'channel' {
  if (channel.kind === 'dm') return 'im';
  return channel.kind === 'private' ? 'group' : 'channel';
}
