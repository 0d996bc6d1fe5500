import { max } from 'date-fns/max';
import type { Answer, LineOf } from '../../answers/answer.ts';
import { utcTime } from '../../answers/formatting/times.ts';
import type { Message, Reader } from '../../answers/message.ts';
import { toReply } from '../../answers/slack/render.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { PostError } from '../../outbox/outgoing-message.ts';
import type { Alert } from '../alerts/alert.ts';
import type { Reply, Summary } from '../alerts/messages.ts';
import { referencesShown, type WorkCtx } from '../ctx.ts';
import { checkOutsiders } from '../owned/outsiders.ts';
import type { Watch } from '../polling/watch.ts';
import { findWatches, isOfOneVessel, type WatchWithSubjects } from '../polling/watch-list.ts';
import type { WatchNames } from '../rules/event-words.ts';
import type { SlackServices, WorkspaceServices } from '../services.ts';
import type { WatchMessage } from './messages.ts';
import { findShown, type WatchPost } from './read-post.ts';
import {
  replyAnswer,
  type ShownAlertState,
  summaryAnswer,
  type WatchSummaryItem,
} from './views/alert-answer.ts';
import {
  type AlertElsewhere,
  acknowledgedAnswer,
  assignmentAnswer,
  reminderAnswer,
} from './views/alert-notices.ts';
import { cardAnswer, stoppedCardAnswer } from './views/card.ts';
import { budgetNoticeAnswer, pauseNoticeAnswer, rulesNoticeAnswer } from './views/notices.ts';

interface RenderOptions {
  store: WorkspaceStore;
  slack: Pick<SlackServices, 'personOf' | 'asksOnly' | 'audienceOf' | 'readersOf' | 'messages'>;
  names: () => Promise<VesselDirectory>;
  source: 'service' | 'sandbox';
  pictures?: WorkspaceServices['pictures'];
  lineOf: LineOf;
  /** The domain clock. */
  now: () => Date;
}

export type Render = ReturnType<typeof createRender>;

/** For a person who waits. */
export const renderOf = (ctx: WorkCtx): Render =>
  createRender({ ...ctx.services, lineOf: ctx.registry.lineOf, names: () => ctx.registry.vessels(ctx) });

/** Renders the messages of watches, as they look now. */
export function createRender({ store, slack, names, source, pictures, lineOf, now }: RenderOptions) {
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
    const shown = await namesFor(watch, reader);
    return reply(cardAnswer(watch, shown, reader, { hasMaps: pictures !== undefined }), reader);
  }

  async function stoppedCard(
    watch: Pick<WatchWithSubjects, 'title' | 'channelId' | 'destination'>,
    { userId, at }: { userId: string; at: Date },
  ): Promise<Message> {
    const [{ name: byName }, reader] = await Promise.all([slack.personOf(userId), readerIn(watch)]);
    return reply(stoppedCardAnswer(watch, { at, byName }, reader), reader);
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
      case 'reply':
        return await alertReply(post, message);
      case 'summary':
        return await alertSummary(post, message);
      case 'notice': {
        const [title = ''] = await currentTitles([{ id: watch?.id, title: message.title }]);
        return reply(pauseNoticeAnswer({ ...message, title, watchId: watch?.id }), privateReader());
      }
      case 'budget-notice':
        return reply(budgetNoticeAnswer(message), privateReader());
      case 'rules-notice':
        return reply(rulesNoticeAnswer(message, { now: now() }), privateReader());
      case 'assignment': {
        const { assigneeId, actorId } = message;
        const { title } = await getWatch(post);
        const [reader, byName] = await Promise.all([readerIn(post), personName(actorId)]);
        const isOwnChoice = assigneeId === actorId;
        const assigned = { alerts: post.alerts, title, assigneeId, isOwnChoice, byName };
        return reply(assignmentAnswer(assigned, await vesselNames(reader), reader), inThread(reader));
      }
      case 'alert-reminder': {
        const [alert] = post.alerts;
        if (!alert) throw new Error('the alert is gone');
        const shown = await elsewhere(alert, await getWatch(post), alert.assignment?.by);
        const reader = privateReader();
        return reply(
          reminderAnswer(shown, await vesselNames(reader, alert.assignment?.assigneeId), reader),
          reader,
        );
      }
      case 'reply-update':
        throw new Error('an update shows the message that it updates');
      case 'card-removal':
        throw new Error('the removal of a card shows nothing');
    }
  }

  async function alertReply(post: WatchPost, message: Reply): Promise<Message> {
    const current = await getWatch(post);
    const [reader, state] = await Promise.all([readerOf(post), stateInNames(post.alerts)]);
    const { events, more, place } = message;
    const isInThread = place === 'thread';
    const shown = {
      ...{ messageId: post.id, title: current.title, events, more, state, isInThread },
      isOfOneVessel: isOfOneVessel(current),
      isShared: current.destination !== 'direct-message',
      // In its thread, and under a message that Slack shows in the channel too, the card is one tap away.
      cardUrl: place === 'channel' ? await linkToCard(current) : undefined,
      firstNotes: lateNotes(post, message, reader),
    };
    const answer = replyAnswer(shown, await vesselNames(reader, soleReader(current)), reader);
    return reply(answer, isInThread ? inThread(reader) : reader);
  }

  async function alertSummary(post: WatchPost, message: Summary): Promise<Message> {
    const [reader, items, state] = await Promise.all([
      readerOf(post),
      withLinks(message.items, post),
      stateInNames(post.alerts),
    ]);
    const owner = post.owner && soleReader({ destination: post.destination, ownerId: post.owner });
    const shown = { messageId: post.id, items, state, firstNotes: lateNotes(post, message, reader) };
    return reply(summaryAnswer(shown, await vesselNames(reader, owner), reader), reader);
  }

  const reply = (answer: Answer, reader: Reader): Message => toReply(answer, { reader, lineOf });

  /** What a person sees alone. */
  const privateReader = (): Reader => ({ now: now(), zone: 'UTC', source, audience: 'private' });

  const linkToCard = async ({ channelId, cardTs: ts }: Watch): Promise<string | undefined> =>
    ts === null ? undefined : await slack.messages.linkTo({ channelId, ts });

  async function elsewhere(
    alert: Alert,
    { title, channelId }: Watch,
    userId = '',
  ): Promise<AlertElsewhere & { byName: string }> {
    const [shown, byName] = await Promise.all([findShown(store, alert.messageId), personName(userId)]);
    const ts = shown?.row.ts;
    const url = ts ? await slack.messages.linkTo({ channelId, ts }) : undefined;
    return { alert, title, channelId, url, byName };
  }

  async function acknowledged(alert: Alert, watch: Watch): Promise<Message> {
    const reader = privateReader();
    const shown = await elsewhere(alert, watch, alert.acknowledgement?.by);
    return reply(acknowledgedAnswer(shown, await names(), reader), reader);
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

/** The card above says that data is invented. */
const inThread = (reader: Reader): Reader => ({ ...reader, source: 'service' });

/** What to know of a message that says old news, or news again. Durations in it count from when it was sent. */
function lateNotes(
  { createdAt, sentAt, alerts }: WatchPost,
  { restoredFrom }: Reply | Summary,
  { now }: Reader,
): string[] {
  const sent = sentAt ?? now;
  // A summary is written after its alerts, and a merged reply shows those of several polls: the earliest counts.
  const detected = alerts[0]?.at ?? createdAt;
  const isLate = sent.getTime() - detected.getTime() >= minDelayShownMs;
  const backup = restoredFrom && utcTime(restoredFrom, now);
  return [
    // The store knows nothing of replies that were posted after the backup.
    ...(backup
      ? [`After a restore from the backup of ${backup}: you may have read some of this before`]
      : []),
    ...(isLate ? [`Delivered late: detected ${utcTime(detected, sent)}`] : []),
  ];
}
