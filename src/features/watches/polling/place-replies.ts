import { millisecondsInHour } from 'date-fns/constants';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { ChannelMode } from '../../../workspaces/settings.ts';
import { type Reply, watchMessage } from '../messages/messages.ts';
import type { WatchEvent } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import type { Watch } from '../store/watch.ts';

interface Notification {
  watch: Pick<Watch, 'id' | 'workspaceId' | 'channelId' | 'createdAt'>;
  mode: ChannelMode;
  events: readonly WatchEvent[];
}

export type Place = Reply['place'];

/** Two watches may be polled apart, a vessel alone and in a list; what one has notified of is no news for the other. */
const apartMs = 24 * millisecondsInHour;

/**
 * Where each reply is, in the order given. What several watches of a channel report of a vessel the channel
 * shows once, by the oldest of them; the others have it in their threads.
 */
export async function placeReplies(
  db: Kysely<Schema>,
  replies: readonly Notification[],
  now: Date,
): Promise<Place[]> {
  const places = replies.map(placeByMode);
  const shown = replies.flatMap((reply, index) => (places[index] === 'thread' ? [] : [{ reply, index }]));
  if (shown.length === 0) return places;
  const last = await readLastShown(
    db,
    shown.map(({ reply }) => reply),
    now,
  );
  for (const { reply, index } of shown.sort((one, other) => byAge(one.reply, other.reply))) {
    const { watch, mode, events } = reply;
    const channel = channelOf(watch.workspaceId, watch.channelId);
    const isShownAlready = events
      .filter((event) => mode === 'new-message' || watchRules.isCritical(event))
      .every((event) => {
        const before = last.get(`${channel} ${vesselOf(event)}`);
        return before !== undefined && before.watchId !== watch.id && before.events.has(nameOf(event));
      });
    if (isShownAlready) places[index] = 'thread';
    else remember(last, { channel, watchId: watch.id, events });
  }
  return places;
}

function placeByMode({ mode, events }: Notification): Place {
  if (mode === 'new-message') return 'channel';
  return mode === 'broadcast-critical' && events.some(watchRules.isCritical) ? 'broadcast' : 'thread';
}

const byAge = ({ watch: one }: Notification, { watch: other }: Notification): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);

/** By channel and vessel: what the channel was shown last, and by which watch. */
type LastShown = Map<string, { watchId: string; events: Set<string> }>;

async function readLastShown(
  db: Kysely<Schema>,
  replies: readonly Notification[],
  now: Date,
): Promise<LastShown> {
  const channelIds = [...new Set(replies.map(({ watch }) => watch.channelId))];
  const rows = await db
    .selectFrom('outbox')
    .select(['workspace_id', 'channel_id', 'watch_id', 'payload'])
    .where('channel_id', 'in', channelIds)
    .where('created_at', '>', new Date(now.getTime() - apartMs))
    .where('status', 'in', ['pending', 'sending', 'sent'])
    .where(sql<boolean>`(kind = 'summary' or kind = 'reply' and payload ->> 'place' <> 'thread')`)
    .orderBy('sequence')
    .execute();
  const last: LastShown = new Map();
  for (const { workspace_id, channel_id, watch_id, payload } of rows) {
    const channel = channelOf(workspace_id, channel_id);
    const { data: message } = watchMessage.safeParse(payload);
    if (message?.kind === 'reply')
      remember(last, { channel, watchId: watch_id ?? '', events: message.events });
    if (message?.kind === 'summary') for (const item of message.items) remember(last, { channel, ...item });
  }
  return last;
}

function remember(
  last: LastShown,
  { channel, watchId, events }: { channel: string; watchId: string; events: readonly WatchEvent[] },
): void {
  for (const [vessel, ofVessel] of Map.groupBy(events, vesselOf)) {
    if (vessel !== undefined)
      last.set(`${channel} ${vessel}`, { watchId, events: new Set(ofVessel.map(nameOf)) });
  }
}

const channelOf = (workspaceId: string, channelId: string): string => `${workspaceId} ${channelId}`;

/** Undefined where it is about no vessel: then each watch speaks for itself. */
const vesselOf = (event: WatchEvent): number | undefined => ('imo' in event ? event.imo : undefined);

/** The same for the same news, whatever the figures of the moment are. */
function nameOf(event: WatchEvent): string {
  const own = watchRules.ruleOf(event).identity?.(event);
  if (own !== undefined) return `${event.kind} ${own}`;
  const hours = 'hours' in event ? event.hours : '';
  const prospect = 'next' in event ? event.next : 'now' in event ? event.now : null;
  return `${event.kind} ${hours} ${prospect?.port ?? ''}`;
}
