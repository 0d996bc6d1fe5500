import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import { withNote } from '../../../messages/frame/small-print.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { PostError } from '../../../outbox/poster.ts';
import type { SlackServices } from '../../feature.ts';
import { withTitle } from '../store/title.ts';
import type { Watch } from '../store/watch.ts';
import { isOfOneVessel, listWatches, type WatchWithFollowings } from '../store/watch-list.ts';
import { stamp } from '../views/event-text.ts';
import { pauseNoticeView, rulesNoticeView } from '../views/notices.ts';
import { stoppedCardView, watchCardView } from '../views/watch-card.ts';
import type { WatchFrame } from '../views/watch-reply.ts';
import { type WatchSummaryItem, watchReplyView, watchSummaryView } from '../views/watch-reply.ts';
import type { Summary, WatchMessage } from './messages.ts';

interface RenderOptions {
  db: Kysely<Schema>;
  slack: Pick<SlackServices, 'personOf' | 'audienceOf' | 'messages'>;
  names: () => Promise<VesselDirectory>;
  source: 'service' | 'sandbox';
  /** The domain clock. */
  now: () => Date;
}

/** A message that goes out, and what it is about. */
export interface WatchPost<M extends WatchMessage = WatchMessage> {
  workspaceId: string;
  channelId: string;
  message: M;
  /** When there was something to say, on the domain clock. */
  createdAt: Date;
  /** As it is now; null where the message is about none, or about several. */
  watch: Watch | null;
  /** Of what a summary speaks of, as far as it was posted. */
  members: { watchId: string; ts: string }[];
}

/** What the messages of watches look like now. */
export interface Render {
  card(watch: WatchWithFollowings): Promise<Message>;
  /** The final card. */
  stopped(
    watch: Pick<WatchWithFollowings, 'title' | 'channelId'>,
    actor: { userId: string; at: Date },
  ): Promise<Message>;
  post(post: WatchPost): Promise<Message>;
  /** Those that were stopped meanwhile keep the title of that time. */
  titlesNow(
    workspaceId: string,
    all: readonly { watchId: string | undefined; title: string }[],
  ): Promise<string[]>;
}

export function createRender(options: RenderOptions): Render {
  const { db, slack, names, source, now } = options;

  /** A card is read in many zones: its times are the port's, and in UTC. */
  const readerIn = async (channelId: string): Promise<Reader> => ({
    now: now(),
    zone: 'UTC',
    source,
    audience: await slack.audienceOf(channelId),
  });

  const frameOf = async ({ ownerId, acknowledgement }: WatchWithFollowings): Promise<WatchFrame> => {
    const [directory, owner, acknowledger] = await Promise.all([
      names(),
      slack.personOf(ownerId),
      acknowledgement ? slack.personOf(acknowledgement.by) : undefined,
    ]);
    return {
      nameOf: directory.nameOf,
      ownerName: owner.name,
      ...(acknowledger && { acknowledgedBy: acknowledger.name }),
    };
  };

  async function card(watch: WatchWithFollowings): Promise<Message> {
    const [frame, reader] = await Promise.all([frameOf(watch), readerIn(watch.channelId)]);
    return watchCardView(watch, frame, reader);
  }

  async function current(watch: WatchPost['watch']): Promise<WatchWithFollowings> {
    const { workspaceId, id = '' } = watch ?? { workspaceId: '' };
    const [shown] = await titled(workspaceId, [id], { withLatest: true });
    // Stopped meanwhile, and its messages with it.
    if (!shown) throw new PostError({ code: 'watch_stopped', isPermanent: false });
    return shown;
  }

  async function titled(
    workspaceId: string,
    ids: readonly string[],
    { withLatest = false } = {},
  ): Promise<WatchWithFollowings[]> {
    const [{ watches }, directory] = await Promise.all([
      listWatches(db, { workspaceId, ids }, { limit: ids.length, withLatest }),
      names(),
    ]);
    return watches.map((watch) => withTitle(watch, directory));
  }

  const titlesNow: Render['titlesNow'] = async (workspaceId, all) => {
    const watches = await titled(
      workspaceId,
      all.flatMap(({ watchId }) => watchId ?? []),
    );
    const now = new Map(watches.map(({ id, title }) => [id, title]));
    return all.map(({ watchId = '', title }) => now.get(watchId) ?? title);
  };

  const stopped: Render['stopped'] = async (watch, { userId, at }) => {
    const [{ name: byName }, reader] = await Promise.all([slack.personOf(userId), readerIn(watch.channelId)]);
    return stoppedCardView(watch, { at, byName }, reader);
  };

  return {
    card,
    stopped,
    titlesNow,
    async post(post) {
      const { message, watch, channelId } = post;
      switch (message.kind) {
        case 'card':
        case 'card-update':
          return await card(await current(watch));
        case 'card-stopped': {
          const { title, userId, at } = message;
          return await stopped({ title, channelId }, { userId, at });
        }
        case 'reply': {
          const shown = await current(watch);
          const isNamedAbove = message.place === 'thread' && isOfOneVessel(shown);
          const [frame, reader] = await Promise.all([frameOf(shown), readerIn(channelId)]);
          const { events, more } = message;
          const reply = { events, more, title: shown.title, isNamedAbove };
          return withDelay(watchReplyView(reply, frame, reader), post, reader);
        }
        case 'summary': {
          const [directory, reader, items] = await Promise.all([
            names(),
            readerIn(channelId),
            withLinks(message.items, post),
          ]);
          return withDelay(watchSummaryView(items, { nameOf: directory.nameOf }, reader), post, reader);
        }
        case 'notice': {
          const [title = ''] = await titlesNow(post.workspaceId, [{ ...message, watchId: watch?.id }]);
          return pauseNoticeView({ ...message, title, watchId: watch?.id });
        }
        case 'rules-notice':
          return rulesNoticeView(message, { now: now() });
        default:
          throw new Error(`no message of a watch: ${message.kind}`);
      }
    },
  };

  /** A link that Slack does not give is left out. */
  async function withLinks(
    items: Summary['items'],
    { workspaceId, channelId, members }: WatchPost,
  ): Promise<WatchSummaryItem[]> {
    const urls = new Map<string, string>();
    const firsts = [...Map.groupBy(members, ({ watchId }) => watchId).values()].flatMap(([one]) => one ?? []);
    // At once: where Slack is slow they take as long as one.
    await Promise.all(
      firsts.slice(0, linksShown).map(async ({ watchId, ts }) => {
        const url = await slack.messages.linkTo({ channelId, ts });
        if (url !== undefined) urls.set(watchId, url);
      }),
    );
    const titles = await titlesNow(workspaceId, items);
    return items.map(({ watchId, title, events, more }, index) => {
      const url = urls.get(watchId);
      return { title: titles[index] ?? title, events, more, ...(url !== undefined && { url }) };
    });
  }
}

const linksShown = 20;

const delayShownMs = 30 * 60_000;

/** Of what Slack took late: its times count from now, and what it says was found out before. */
function withDelay(message: Message, { createdAt }: WatchPost, { now }: Reader): Message {
  if (now.getTime() - createdAt.getTime() < delayShownMs) return message;
  return withNote(message, `Held up on the way to Slack: found out ${stamp(createdAt, now)}`);
}
