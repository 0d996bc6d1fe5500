import { subHours } from 'date-fns/subHours';
import { type SqlBool, sql } from 'kysely';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { ChannelMode } from '../../../workspaces/settings.ts';
import { lookBackHours } from '../../history/index.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { imoOf, watchRules } from '../../rules/registry.ts';
import { type Reply, watchMessage } from '../messages/messages.ts';
import type { Watch } from '../store/watch.ts';

interface UnplacedReply {
  watch: Pick<Watch, 'id' | 'channelId' | 'createdAt'>;
  mode: ChannelMode;
  events: readonly WatchEvent[];
}

type Place = Reply['place'];

/**
 * Returns where to post each reply, in the order of `replies`. `broadcast` is meant for its critical events only. If
 * several watches of a channel report the same news of a vessel, the channel shows it once, for the oldest watch. The
 * other watches show it only in their threads.
 */
export async function placeReplies(
  store: WorkspaceStore,
  replies: readonly UnplacedReply[],
  context: { now: Date },
): Promise<Place[]> {
  const places: Place[] = replies.map(() => 'thread');
  const shown = replies
    .map((reply, index) => ({ ...reply, events: eventsForChannel(reply), index }))
    .filter(({ events }) => events.length > 0)
    .sort((a, b) => byAge(a.watch, b.watch));
  if (shown.length === 0) return places;
  const last = await readLastShown(store, shown, context);
  for (const { watch, mode, events, index } of shown) {
    const { channelId: channel } = watch;
    const isShownAlready = events.every((event) => {
      const shownLast = last.get(`${channel} ${imoOf(event)}`);
      return shownLast && shownLast.watchId !== watch.id && shownLast.news.has(newsKey(event));
    });
    if (isShownAlready) continue;
    places[index] = mode === 'new-message' ? 'channel' : 'broadcast';
    addShown(last, channel, { watchId: watch.id, events });
  }
  return places;
}

function eventsForChannel({ mode, events }: UnplacedReply): readonly WatchEvent[] {
  if (mode === 'new-message') return events;
  return mode === 'broadcast-critical' ? events.filter(watchRules.isCritical) : [];
}

const byAge = (a: UnplacedReply['watch'], b: UnplacedReply['watch']): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** By channel and vessel: the last news that was shown, and the watch that reported it. */
type LastShown = Map<string, { watchId: string; news: Set<string> }>;

async function readLastShown(
  store: WorkspaceStore,
  replies: readonly UnplacedReply[],
  { now }: { now: Date },
): Promise<LastShown> {
  const channelIds = [...new Set(replies.map(({ watch }) => watch.channelId))];
  const rows = await store
    .selectFrom('outbox')
    .select(['channel_id', 'thread_key', 'payload'])
    .where('channel_id', 'in', channelIds)
    .where('created_at', '>', subHours(now, lookBackHours))
    .where('status', 'in', ['pending', 'sending', 'sent'])
    // In these words, as in the index.
    .where(sql<SqlBool>`is_in_channel = 1`)
    .orderBy('sequence')
    .execute();
  const last: LastShown = new Map();
  for (const { channel_id: channel, thread_key, payload } of rows) {
    const { data: message } = watchMessage.safeParse(payload);
    if (message?.kind === 'reply') addShown(last, channel, { ...message, watchId: thread_key ?? '' });
    if (message?.kind === 'summary') for (const item of message.items) addShown(last, channel, item);
  }
  return last;
}

function addShown(
  last: LastShown,
  channel: string,
  { watchId, events }: { watchId: string; events: readonly WatchEvent[] },
): void {
  for (const [imo, ofVessel] of Map.groupBy(events, imoOf)) {
    if (imo !== undefined) last.set(`${channel} ${imo}`, { watchId, news: new Set(ofVessel.map(newsKey)) });
  }
}

/** Equal for events that report the same news, even if their ETAs or probabilities differ. */
export function newsKey(event: WatchEvent): string {
  const identity = watchRules.ruleOf(event).identity?.(event);
  if (identity !== undefined) return `${event.kind} ${identity}`;
  const hours = 'hours' in event ? event.hours : '';
  const prospect = 'next' in event ? event.next : 'now' in event ? event.now : null;
  return `${event.kind} ${hours} ${prospect?.port ?? ''}`;
}
