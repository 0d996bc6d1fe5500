import { max } from 'date-fns/max';
import { utcTime } from '../../../answers/formatting/times.ts';
import type { Message, Reader } from '../../../answers/message.ts';
import { withNote } from '../../../answers/slack/answer-message.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import { PostError } from '../../../outbox/outgoing-message.ts';
import { referencesShown, type WorkCtx } from '../../ctx.ts';
import { checkOutsiders } from '../../owned/outsiders.ts';
import type { WatchNames } from '../../rules/event-words.ts';
import type { SlackServices, WorkspaceServices } from '../../services.ts';
import { findWatches } from '../find-watches.ts';
import type { Alert } from '../store/alert.ts';
import type { Watch } from '../store/watch.ts';
import { isOfOneVessel, type WatchWithSubjects } from '../store/watch-list.ts';
import {
  type AlertElsewhere,
  acknowledgedView,
  assignmentView,
  reminderView,
} from '../views/alert-notices.ts';
import type { ShownAlertState } from '../views/alert-state.ts';
import { budgetNoticeView, pauseNoticeView, rulesNoticeView } from '../views/notices.ts';
import { stoppedCardView, watchCardView } from '../views/watch-card.ts';
import { type WatchSummaryItem, watchReplyView, watchSummaryView } from '../views/watch-reply.ts';
import type { Reply, Summary, WatchMessage } from './messages.ts';
import { findShown, type WatchPost } from './read-post.ts';

interface RenderOptions {
  store: WorkspaceStore;
  slack: Pick<SlackServices, 'personOf' | 'asksOnly' | 'audienceOf' | 'readersOf' | 'messages'>;
  names: () => Promise<VesselDirectory>;
  source: 'service' | 'sandbox';
  pictures?: WorkspaceServices['pictures'];
  /** The domain clock. */
  now: () => Date;
}

export type Render = ReturnType<typeof createRender>;

/** For a person who waits. */
export const renderOf = (ctx: WorkCtx): Render =>
  createRender({ ...ctx.services, names: () => ctx.registry.vessels(ctx) });

/** Renders the messages of watches, as they look now. */
export function createRender({ store, slack, names, source, pictures, now }: RenderOptions) {
  /** A card's readers are in many zones, so it shows times in the port's zone or in UTC. */
  const readerIn = async ({
    channelId,
    destination,
  }: Pick<WatchPost, 'channelId' | 'destination'>): Promise<Reader> => ({
    now: now(),
    zone: 'UTC',
    source,
    audience: await slack.audienceOf({ channelId, destination }),
  });

  const findCtx = async () => ({ services: { store }, vessels: await names() });

  const personName = async (userId: string): Promise<string> => (await slack.personOf(userId)).name;

  /** A message that is shown again still counts its durations from when Slack took it, or its alerts last changed. */
  async function readerOf(post: WatchPost): Promise<Reader> {
    const { sentAt, alerts } = post;
    const reader = await readerIn(post);
    return sentAt ? { ...reader, now: max([sentAt, ...alerts.map(({ at }) => at)]) } : reader;
  }

  /** Who shall act on the alerts of a message, and who has. */
  async function stateInNames(alerts: readonly Alert[]): Promise<ShownAlertState> {
    const open = alerts.filter(({ acknowledgement, isClosed }) => !acknowledgement && !isClosed);
    const assigned = open.findLast(({ assignment }) => assignment)?.assignment;
    const acknowledged = alerts.findLast(({ acknowledgement }) => acknowledgement)?.acknowledgement;
    return {
      open: open.length,
      total: alerts.filter(({ acknowledgement, isClosed }) => acknowledgement || !isClosed).length,
      ...(assigned && { assignee: await personName(assigned.assigneeId) }),
      ...(acknowledged && {
        acknowledged: { name: await personName(acknowledged.by), at: acknowledged.at },
      }),
    };
  }

  /** `owner`: of a personal watch, whose only reader they are. */
  async function vesselNames(
    reader: Reader,
    owner?: string,
  ): Promise<Pick<WatchNames, 'nameOf' | 'referencesOf'>> {
    const directory = await names();
    const isHidden = owner !== undefined && (await slack.asksOnly(owner));
    if (isHidden) return { nameOf: directory.nameOf, referencesOf: () => [] };
    return { nameOf: directory.nameOf, referencesOf: referencesShown(directory, reader) };
  }

  async function namesFor(watch: WatchWithSubjects, reader: Reader): Promise<WatchNames> {
    const { ownerId, acknowledgement, openAlerts } = watch;
    const assigneeId = openAlerts?.first.assignment?.assigneeId;
    const [shown, ownerName, acknowledgedBy, assigneeName] = await Promise.all([
      vesselNames(reader, soleReader(watch)),
      personName(ownerId),
      acknowledgement ? personName(acknowledgement.by) : undefined,
      assigneeId === undefined ? undefined : personName(assigneeId),
    ]);
    return {
      ...shown,
      ownerName,
      ...(acknowledgedBy !== undefined && { acknowledgedBy }),
      ...(assigneeName !== undefined && { assigneeName }),
    };
  }

  async function card(watch: WatchWithSubjects): Promise<Message> {
    const reader = await readerIn(watch);
    return watchCardView(watch, await namesFor(watch, reader), reader, { hasMaps: pictures !== undefined });
  }

  async function stoppedCard(
    watch: Pick<WatchWithSubjects, 'title' | 'channelId' | 'destination'>,
    { userId, at }: { userId: string; at: Date },
  ): Promise<Message> {
    const [{ name: byName }, reader] = await Promise.all([slack.personOf(userId), readerIn(watch)]);
    return stoppedCardView(watch, { at, byName }, reader);
  }

  async function getWatch({ watch }: WatchPost): Promise<WatchWithSubjects> {
    const page = { limit: 1, withLatest: true };
    const { watches } = await findWatches({ ids: [watch?.id ?? ''] }, await findCtx(), page);
    // The watch was stopped after the outbox read this message. Its messages were deleted with it.
    if (!watches[0]) throw new PostError({ code: 'watch_stopped', isPermanent: false });
    return watches[0];
  }

  /** Returns the current titles. A watch that has been stopped keeps the given title. */
  async function currentTitles(
    watches: readonly { id: string | undefined; title: string }[],
  ): Promise<string[]> {
    const ids = watches.flatMap(({ id }) => id ?? []);
    const found = await findWatches({ ids }, await findCtx());
    const titles = new Map(found.watches.map(({ id, title }) => [id, title]));
    return watches.map(({ id = '', title }) => titles.get(id) ?? title);
  }

  /** Throws PostError for a watch that nobody has allowed outsiders to see, if they read the channel. */
  async function checkReaders(post: WatchPost): Promise<void> {
    const { message, watch, channelId } = post;
    if (toPerson.has(message.kind) || post.destination === 'direct-message') return;
    const about = message.kind === 'summary' ? message.items.map(({ watchId }) => watchId) : [];
    const { watches } = about.length > 0 ? await findWatches({ ids: about }, await findCtx()) : none;
    const shown = [...watches, ...(watch ? [watch] : [])];
    // Nobody has allowed what a summary says of a watch that has been stopped since.
    const areAllFound = watches.length === new Set(about).size;
    const isAllowed = areAllFound && shown.every(({ outsidersAllowedBy }) => outsidersAllowedBy !== null);
    await checkOutsiders({ channelId, isAllowed }, slack);
  }

  async function post(post: WatchPost): Promise<Message> {
    const { message, watch, channelId, destination } = post;
    await checkReaders(post);
    switch (message.kind) {
      case 'card':
      case 'card-update':
        return await card(await getWatch(post));
      case 'card-stopped':
        return await stoppedCard({ title: message.title, channelId, destination }, message);
      case 'reply': {
        const current = await getWatch(post);
        const [reader, state] = await Promise.all([readerOf(post), stateInNames(post.alerts)]);
        const { events, more, place } = message;
        const where = {
          isInThread: place === 'thread',
          isOfOneVessel: isOfOneVessel(current),
          isShared: current.destination !== 'direct-message',
          // In its thread, and under a message that Slack shows in the channel too, the card is one tap away.
          cardUrl: place === 'channel' ? await linkToCard(current) : undefined,
        };
        const reply = { messageId: post.id, title: current.title, events, more, state, ...where };
        const view = watchReplyView(reply, await vesselNames(reader, soleReader(current)), reader);
        return withDelay(withRestore(view, message, reader), post, reader);
      }
      case 'summary': {
        const [reader, items, state] = await Promise.all([
          readerOf(post),
          withLinks(message.items, post),
          stateInNames(post.alerts),
        ]);
        const summary = { messageId: post.id, items, state };
        const owner = post.owner && soleReader({ destination: post.destination, ownerId: post.owner });
        const view = watchSummaryView(summary, await vesselNames(reader, owner), reader);
        return withDelay(withRestore(view, message, reader), post, reader);
      }
      case 'notice': {
        const [title = ''] = await currentTitles([{ id: watch?.id, title: message.title }]);
        return pauseNoticeView({ ...message, title, watchId: watch?.id });
      }
      case 'budget-notice':
        return budgetNoticeView(message);
      case 'rules-notice':
        return rulesNoticeView(message, { now: now() });
      case 'assignment': {
        const { assigneeId, actorId } = message;
        const { title } = await getWatch(post);
        const [reader, byName] = await Promise.all([readerIn(post), personName(actorId)]);
        const isOwnChoice = assigneeId === actorId;
        const assigned = { alerts: post.alerts, title, assigneeId, isOwnChoice, byName };
        return assignmentView(assigned, await vesselNames(reader), reader);
      }
      case 'alert-reminder': {
        const [alert] = post.alerts;
        if (!alert) throw new Error('the alert is gone');
        const watch = await getWatch(post);
        const byName = await personName(alert.assignment?.by ?? '');
        const shown = { ...(await elsewhere(alert, watch)), byName };
        return reminderView(
          shown,
          await vesselNames(privateReader(), alert.assignment?.assigneeId),
          privateReader(),
        );
      }
      case 'reply-update':
        throw new Error('an update shows the message that it updates');
      case 'card-removal':
        throw new Error('the removal of a card shows nothing');
    }
  }

  /** What a person sees alone. */
  const privateReader = (): Reader => ({ now: now(), zone: 'UTC', source, audience: 'private' });

  const linkToCard = async ({ channelId, cardTs: ts }: Watch): Promise<string | undefined> =>
    ts === null ? undefined : await slack.messages.linkTo({ channelId, ts });

  async function elsewhere(alert: Alert, { title, channelId }: Watch): Promise<AlertElsewhere> {
    const shown = await findShown(store, alert.messageId);
    const ts = shown?.row.ts;
    return { alert, title, channelId, url: ts ? await slack.messages.linkTo({ channelId, ts }) : undefined };
  }

  async function acknowledged(alert: Alert, watch: Watch): Promise<Message> {
    const byName = await personName(alert.acknowledgement?.by ?? '');
    return acknowledgedView({ ...(await elsewhere(alert, watch)), byName }, await names(), privateReader());
  }

  /** Slack is asked for each link, so only some watches get one. If Slack gives none, the item has no link. */
  async function withLinks(
    items: Summary['items'],
    { channelId, members }: WatchPost,
  ): Promise<WatchSummaryItem[]> {
    // Reversed, because the link goes to the first reply of each watch, and the last entry of a key wins.
    const tsByWatch = new Map(members.toReversed().map(({ watchId, ts }) => [watchId, ts]));
    const linked = [...new Set(items.map(({ watchId }) => watchId))].slice(0, maxLinks);
    const urls = new Map(
      await Promise.all(
        linked.map(async (id) => {
          const ts = tsByWatch.get(id);
          return [id, ts && (await slack.messages.linkTo({ channelId, ts }))] as const;
        }),
      ),
    );
    const titles = await currentTitles(items.map(({ watchId: id, title }) => ({ id, title })));
    return items.map((item, index) => {
      const url = urls.get(item.watchId);
      return { ...item, title: titles[index] ?? item.title, ...(url && { url }) };
    });
  }

  return { card, stoppedCard, currentTitles, post, acknowledged };
}

const toPerson: ReadonlySet<WatchMessage['kind']> = new Set([
  'notice',
  'rules-notice',
  'budget-notice',
  'alert-reminder',
]);

const none = { watches: [] };

const soleReader = ({ destination, ownerId }: Pick<Watch, 'destination' | 'ownerId'>): string | undefined =>
  destination === 'direct-message' ? ownerId : undefined;

const maxLinks = 20;

const minDelayShownMs = 30 * 60_000;

/** The store knows nothing of replies that were posted after the backup. */
function withRestore(view: Message, { restoredFrom }: Reply | Summary, { now }: Reader): Message {
  if (!restoredFrom) return view;
  const backup = `the backup of ${utcTime(restoredFrom, now)}`;
  return withNote(view, `After a restore from ${backup}: you may have read some of this before`);
}

/** Says when the change was detected if Slack takes the message much later. Durations in it count from now. */
function withDelay(message: Message, { createdAt, sentAt, alerts }: WatchPost, { now }: Reader): Message {
  const sent = sentAt ?? now;
  // A summary is written after its alerts, and a merged reply shows those of several polls: the earliest counts.
  const detected = alerts[0]?.at ?? createdAt;
  if (sent.getTime() - detected.getTime() < minDelayShownMs) return message;
  return withNote(message, `Delivered late; detected ${utcTime(detected, sent)}`);
}
