import type { Deliver } from '../delivery/deliver.ts';
import { randomId } from '../ids.ts';
import type { Json } from '../json.ts';
import type { Message } from '../world/message.ts';
import { apiMessage } from '../world/render.ts';
import type { Store, StoreEvent } from '../world/store.ts';
import { apiView, type View } from '../world/views.ts';
import type { Channel, User } from '../world/world.ts';

export interface Events {
  /** Awaits the deliveries under way, then repeats what is due: +1 and +5 minutes after a failure. */
  runDue(): Promise<void>;
  /** Delivers an event that the app has subscribed to. Gives it an `event_ts`. */
  tell(event: Json & { type: string }, channel?: Channel): Promise<void>;
  appHomeOpened(user: User, tab: 'home' | 'messages', home: View | undefined): Promise<void>;
  close(): void;
}

interface Repeat {
  label: string;
  payload: Json;
  num: number;
  reason: string;
  dueAt: number;
}

const REPEAT_AFTER_MS = [0, 60_000, 300_000];
const MAX_REPEATS_KEPT = 1000;

/** Turns what happens in the workspace into Events API deliveries, with Slack's repeats. */
export function createEvents(options: {
  store: Store;
  now: () => number;
  deliver: Deliver;
  /** `bot_events` of the manifest. */
  subscribed: ReadonlySet<string>;
  verificationToken: string;
}): Events {
  const { store, now, subscribed } = options;
  const { world } = store;
  const underWay = new Set<Promise<void>>();
  let repeats: Repeat[] = [];

  async function send(event: Json, channel?: Channel): Promise<void> {
    const payload = envelope(event, channel);
    const label = `event ${String(event.type)}`;
    const outcome = await options.deliver(label, { kind: 'events_api', payload });
    if (!outcome.ok) await again({ label, payload, num: 1, reason: outcome.reason, dueAt: now() });
  }

  async function again(repeat: Repeat): Promise<void> {
    if (repeat.dueAt > now()) {
      repeats = [...repeats, repeat].slice(-MAX_REPEATS_KEPT);
      return;
    }
    const { label, payload, num, reason } = repeat;
    const outcome = await options.deliver(label, { kind: 'events_api', payload, retry: { num, reason } });
    const wait = REPEAT_AFTER_MS[num];
    if (!outcome.ok && wait !== undefined) {
      await again({ label, payload, num: num + 1, reason: outcome.reason, dueAt: now() + wait });
    }
  }

  function envelope(event: Json, channel: Channel | undefined): Json {
    return {
      token: options.verificationToken,
      team_id: world.team.id,
      context_team_id: world.team.id,
      context_enterprise_id: null,
      api_app_id: world.app.id,
      event,
      type: 'event_callback',
      event_id: randomId('Ev'),
      event_time: Math.floor(now() / 1000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: world.team.id,
          user_id: world.app.botUserId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: channel?.isShared ?? false,
    };
  }

  async function tell(event: Json & { type: string }, channel?: Channel): Promise<void> {
    if (!subscribed.has(event.type)) return;
    await send({ ...event, event_ts: (now() / 1000).toFixed(6) }, channel);
  }

  function onStoreEvent(happened: StoreEvent): void {
    const channel = store.channel(happened.message.channelId);
    if (!channel?.memberIds.includes(world.app.botUserId) || happened.message.ephemeralTo) return;
    for (const event of eventsOf(happened, channel, store)) {
      const name = event.type === 'message' ? SUBSCRIPTION[channel.kind] : String(event.type);
      if (!subscribed.has(name)) continue;
      // Nobody in the workspace waits for a delivery, and none rejects.
      const sending = send(event, channel).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }

  const unsubscribe = store.subscribe(onStoreEvent);
  return {
    async runDue() {
      await Promise.all(underWay);
      const due = repeats.filter((repeat) => repeat.dueAt <= now());
      repeats = repeats.filter((repeat) => repeat.dueAt > now());
      await Promise.all(due.map(again));
    },
    tell,
    async appHomeOpened(user, tab, home) {
      const channel = store.directMessage(user.id);
      await tell({
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

function eventsOf(happened: StoreEvent, channel: Channel, store: Store): Json[] {
  const { message } = happened;
  const common = { channel: channel.id, channel_type: kindOf(channel), event_ts: message.ts };
  const { world } = store;
  if (happened.type === 'deleted') {
    const previous = apiMessage(message, world);
    const deleted = { subtype: 'message_deleted', hidden: true, deleted_ts: message.ts, ts: message.ts };
    return [{ type: 'message', ...deleted, previous_message: previous, ...common }];
  }
  if (happened.type === 'changed') {
    if (!happened.edited) return [];
    const changed = {
      message: apiMessage(message, world),
      previous_message: apiMessage(happened.previous, world),
    };
    return [
      { type: 'message', subtype: 'message_changed', hidden: true, ts: message.ts, ...changed, ...common },
    ];
  }
  const shown = { ...apiMessage(message, world), ...threadOf(message, store), ...homeOf(message, store) };
  const events: Json[] = [{ ...shown, ...common }];
  const mentioned = message.text.includes(`<@${world.app.botUserId}>`) && !message.botId;
  if (mentioned && channel.kind !== 'dm') {
    events.push({ ...shown, type: 'app_mention', channel: channel.id, event_ts: message.ts });
  }
  for (const file of message.files ?? []) events.push(fileShared(file.id, message));
  return events;
}

function fileShared(fileId: string, { channelId, userId, ts }: Message): Json {
  const file = { file_id: fileId, file: { id: fileId } };
  return { type: 'file_shared', ...file, user_id: userId, channel_id: channelId, event_ts: ts };
}

function threadOf(message: Message, store: Store): Json {
  const parent = message.threadTs ? store.find(message.channelId, message.threadTs) : undefined;
  return parent ? { parent_user_id: parent.userId } : {};
}

/** Slack Connect names the organisation of a writer from outside. */
function homeOf(message: Message, store: Store): Json {
  const teamId = store.user(message.userId)?.teamId;
  return teamId && teamId !== store.world.team.id ? { user_team: teamId, source_team: teamId } : {};
}

const SUBSCRIPTION = { dm: 'message.im', private: 'message.groups', public: 'message.channels' };

function kindOf(channel: Channel): 'im' | 'group' | 'channel' {
  if (channel.kind === 'dm') return 'im';
  return channel.kind === 'private' ? 'group' : 'channel';
}
