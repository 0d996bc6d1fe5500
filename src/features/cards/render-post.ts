import { max } from 'date-fns/max';
import type { Answer } from '../../answers/answer.ts';
import { utcTime } from '../../answers/formatting/times.ts';
import type { Message, Reader, StoredDestination } from '../../answers/message.ts';
import { toReply } from '../../answers/slack/render.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { type OutboxRow, PostError } from '../../outbox/outgoing-message.ts';
import { type Alert, type Reply, readableAlerts, type Summary, shownMessage } from '../alerts/index.ts';
import { referencesShown, type WorkCtx } from '../ctx.ts';
import { checkOutsiders, isPersonalThing } from '../owned/index.ts';
import {
  findWatches,
  isOfOneVessel,
  readWatch,
  type Watch,
  type WatchPageOptions,
  type WatchWithSubjects,
} from '../polling/index.ts';
import type { VesselNames, WatchNames } from '../rules/index.ts';
import type { WatchMessage } from './messages.ts';
import {
  type AlertElsewhere,
  acknowledgedAnswer,
  assignmentAnswer,
  reminderAnswer,
  replyAnswer,
  type ShownAlertState,
  summaryAnswer,
  type WatchSummaryItem,
} from './views/alerts.ts';
import { cardAnswer, stoppedCardAnswer } from './views/card.ts';
import { budgetNoticeAnswer, pauseNoticeAnswer, rulesNoticeAnswer } from './views/notices.ts';

/** Renders a message of watches, as it looks now. */
export async function renderPost(post: WatchPost, ctx: WorkCtx): Promise<Message> {
  const { message, watch, channelId, destination } = post;
  await checkReaders(post, ctx);
  switch (message.kind) {
    case 'card':
    case 'card-update':
      return await renderCard(await getWatch(post, ctx), ctx);
    case 'card-stopped':
      return await renderStoppedCard({ title: message.title, channelId, destination }, message, ctx);
    case 'reply':
      return await alertReply(post, message, ctx);
    case 'summary':
      return await alertSummary(post, message, ctx);
    case 'notice': {
      const [title = ''] = await currentTitles([{ id: watch?.id, title: message.title }], ctx);
      return reply(
        pauseNoticeAnswer({ ...message, destination, title, watchId: watch?.id }),
        privateReader(ctx),
        ctx,
      );
    }
    case 'budget-notice':
      return reply(budgetNoticeAnswer(message), privateReader(ctx), ctx);
    case 'rules-notice':
      return reply(
        rulesNoticeAnswer({ ...message, destination }, { now: ctx.services.now() }),
        privateReader(ctx),
        ctx,
      );
    case 'assignment': {
      const { assigneeId, actorId } = message;
      const { title } = await getWatch(post, ctx);
      const [reader, byName] = await Promise.all([readerIn(post, ctx), personName(actorId, ctx)]);
      const isOwnChoice = assigneeId === actorId;
      const assigned = { alerts: post.alerts, title, assigneeId, isOwnChoice, byName };
      const names = await vesselNames(reader, undefined, ctx);
      return reply(assignmentAnswer(assigned, names, reader), inThread(reader), ctx);
    }
    case 'alert-reminder': {
      const [alert] = post.alerts;
      if (!alert) throw new Error('the alert is gone');
      const shown = await elsewhere(alert, await getWatch(post, ctx), alert.assignment?.by, ctx);
      const reader = privateReader(ctx);
      const names = await vesselNames(reader, alert.assignment?.assigneeId, ctx);
      return reply(reminderAnswer(shown, names, reader), reader, ctx);
    }
    case 'reply-update':
      throw new Error('an update shows the message that it updates');
    case 'card-removal':
      throw new Error('the removal of a card shows nothing');
  }
}

export async function renderCard(watch: WatchWithSubjects, ctx: WorkCtx): Promise<Message> {
  const reader = await readerIn(watch, ctx);
  const names = await namesFor(watch, reader, ctx);
  const hasMaps = ctx.services.pictures !== undefined;
  const workPause = await ctx.services.pauses.next(reader.now);
  return reply(cardAnswer(watch, names, reader, { hasMaps, workPause }), reader, ctx);
}

export async function renderStoppedCard(
  watch: Pick<WatchWithSubjects, 'title' | 'channelId' | 'destination'>,
  { userId, at }: { userId: string; at: Date },
  ctx: WorkCtx,
): Promise<Message> {
  const [byName, reader] = await Promise.all([personName(userId, ctx), readerIn(watch, ctx)]);
  return reply(stoppedCardAnswer(watch, { at, byName }, reader), reader, ctx);
}

/** Takes the place of a reminder, or of an alert on the Home tab. */
export async function renderAcknowledged(alert: Alert, watch: Watch, ctx: WorkCtx): Promise<Message> {
  const reader = privateReader(ctx);
  const shown = await elsewhere(alert, watch, alert.acknowledgement?.by, ctx);
  return reply(acknowledgedAnswer(shown, await ctx.registry.vessels(ctx), reader), reader, ctx);
}

/** Returns the current titles. A watch that has been stopped keeps the given title. */
export async function currentTitles(
  watches: readonly { id: string | undefined; title: string }[],
  ctx: WorkCtx,
): Promise<string[]> {
  const found = await watchesById(
    watches.flatMap(({ id }) => id ?? []),
    ctx,
  );
  const titles = new Map(found.map(({ id, title }) => [id, title]));
  return watches.map(({ id = '', title }) => titles.get(id) ?? title);
}

const reply = (answer: Answer, reader: Reader, { registry }: WorkCtx): Message =>
  toReply(answer, { reader, lineOf: registry.lineOf });

/** What a person sees alone. */
const privateReader = ({ services: { now, source } }: WorkCtx): Reader => ({
  now: now(),
  zone: 'UTC',
  source,
  audience: 'private',
});

/** A card's readers are in many zones, so it shows times in the port's zone or in UTC. */
const readerIn = async (
  { channelId, destination }: Pick<WatchPost, 'channelId' | 'destination'>,
  ctx: WorkCtx,
): Promise<Reader> => ({
  ...privateReader(ctx),
  audience: await ctx.services.slack.audienceOf({ channelId, destination }),
});

/** A message that is shown again still counts its durations from when Slack took it, or its alerts last changed. */
async function readerOf(post: WatchPost, ctx: WorkCtx): Promise<Reader> {
  const { sentAt, alerts } = post;
  const reader = await readerIn(post, ctx);
  return sentAt ? { ...reader, now: max([sentAt, ...alerts.map(({ at }) => at)]) } : reader;
}

/** The card above says that data is invented. */
const inThread = (reader: Reader): Reader => ({ ...reader, source: 'service' });

const personName = async (userId: string, { services }: WorkCtx): Promise<string> =>
  (await services.slack.personOf(userId)).name;

/** `owner`: of a personal watch, whose only reader they are. */
async function vesselNames(reader: Reader, owner: string | undefined, ctx: WorkCtx): Promise<VesselNames> {
  const directory = await ctx.registry.vessels(ctx);
  const isHidden = owner !== undefined && (await ctx.services.slack.asksOnly(owner));
  const referencesOf = isHidden ? () => [] : referencesShown(directory, reader);
  return { nameOf: directory.nameOf, referencesOf };
}

async function namesFor(watch: WatchWithSubjects, reader: Reader, ctx: WorkCtx): Promise<WatchNames> {
  const { ownerId, acknowledgement, openAlerts } = watch;
  const assigneeId = openAlerts?.first.assignment?.assigneeId;
  const [shown, ownerName, acknowledgedBy, assigneeName] = await Promise.all([
    vesselNames(reader, soleReader(watch), ctx),
    personName(ownerId, ctx),
    acknowledgement ? personName(acknowledgement.by, ctx) : undefined,
    assigneeId === undefined ? undefined : personName(assigneeId, ctx),
  ]);
  return {
    ...shown,
    ownerName,
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    ...(assigneeName !== undefined && { assigneeName }),
  };
}

/** Who shall act on the alerts of a message, and who has. */
async function stateInNames(alerts: readonly Alert[], ctx: WorkCtx): Promise<ShownAlertState> {
  const open = alerts.filter(({ acknowledgement, isClosed }) => !acknowledgement && !isClosed);
  const assigned = open.findLast(({ assignment }) => assignment)?.assignment;
  const acknowledged = alerts.findLast(({ acknowledgement }) => acknowledgement)?.acknowledgement;
  return {
    open: open.length,
    total: alerts.filter(({ acknowledgement, isClosed }) => acknowledgement || !isClosed).length,
    ...(assigned && { assignee: await personName(assigned.assigneeId, ctx) }),
    ...(acknowledged && {
      acknowledged: { name: await personName(acknowledged.by, ctx), at: acknowledged.at },
    }),
  };
}

async function watchesById(
  ids: readonly string[],
  ctx: WorkCtx,
  page?: WatchPageOptions,
): Promise<WatchWithSubjects[]> {
  const vessels = await ctx.registry.vessels(ctx);
  return (await findWatches({ ids }, { ...ctx, vessels }, page)).watches;
}

async function getWatch({ watch }: WatchPost, ctx: WorkCtx): Promise<WatchWithSubjects> {
  const [found] = await watchesById([watch?.id ?? ''], ctx, { limit: 1, withLatest: true });
  // The watch was stopped after the outbox read this message. Its messages were deleted with it.
  if (!found) throw new PostError({ code: 'watch_stopped', isPermanent: false });
  return found;
}

/** Throws PostError for a watch that nobody has allowed outsiders to see, if they read the channel. */
async function checkReaders(post: WatchPost, ctx: WorkCtx): Promise<void> {
  const { message, watch, channelId } = post;
  if (toPerson.has(message.kind) || post.destination === 'direct-message') return;
  const about = message.kind === 'summary' ? message.items.map(({ watchId }) => watchId) : [];
  const watches = about.length > 0 ? await watchesById(about, ctx) : [];
  const shown = [...watches, ...(watch ? [watch] : [])];
  // Nobody has allowed what a summary says of a watch that has been stopped since.
  const areAllFound = watches.length === new Set(about).size;
  const isAllowed = areAllFound && shown.every(({ outsidersAllowedBy }) => outsidersAllowedBy !== null);
  await checkOutsiders({ channelId, isAllowed }, ctx.services.slack);
}

async function alertReply(post: WatchPost, message: Reply, ctx: WorkCtx): Promise<Message> {
  const current = await getWatch(post, ctx);
  const [reader, state] = await Promise.all([readerOf(post, ctx), stateInNames(post.alerts, ctx)]);
  const { events, more, place } = message;
  const { channelId, cardTs: ts } = current;
  const isInThread = place === 'thread';
  // In its thread, and under a message that Slack shows in the channel too, the card is one tap away.
  const isFarFromCard = place === 'channel' && ts !== null;
  const shown = {
    ...{ messageId: post.id, title: current.title, events, more, state, isInThread },
    isOfOneVessel: isOfOneVessel(current),
    isShared: current.destination !== 'direct-message',
    cardUrl: isFarFromCard ? await ctx.services.slack.messages.linkTo({ channelId, ts }) : undefined,
    firstNotes: lateNotes(post, message, reader),
  };
  const answer = replyAnswer(shown, await vesselNames(reader, soleReader(current), ctx), reader);
  return reply(answer, isInThread ? inThread(reader) : reader, ctx);
}

async function alertSummary(post: WatchPost, message: Summary, ctx: WorkCtx): Promise<Message> {
  const [reader, items, state] = await Promise.all([
    readerOf(post, ctx),
    withLinks(message.items, post, ctx),
    stateInNames(post.alerts, ctx),
  ]);
  const owner = post.owner && soleReader({ destination: post.destination, ownerId: post.owner });
  const shown = { messageId: post.id, items, state, firstNotes: lateNotes(post, message, reader) };
  return reply(summaryAnswer(shown, await vesselNames(reader, owner, ctx), reader), reader, ctx);
}

async function elsewhere(
  alert: Alert,
  watch: Watch,
  userId: string | undefined,
  ctx: WorkCtx,
): Promise<AlertElsewhere & { byName: string }> {
  const { store, slack } = ctx.services;
  const { title, channelId } = watch;
  const [shown, byName] = await Promise.all([
    findShown(store, alert.messageId),
    personName(userId ?? '', ctx),
  ]);
  const ts = shown?.row.ts;
  const url = ts ? await slack.messages.linkTo({ channelId, ts }) : undefined;
  return { alert, title, channelId, isPersonal: isPersonalThing(watch), url, byName };
}

/** Slack is asked for each link, so only some watches get one. If Slack gives none, the item has no link. */
async function withLinks(
  items: Summary['items'],
  { channelId, members }: WatchPost,
  ctx: WorkCtx,
): Promise<WatchSummaryItem[]> {
  const { linkTo } = ctx.services.slack.messages;
  // Reversed, because the link goes to the first reply of each watch, and the last entry of a key wins.
  const tsByWatch = new Map(members.toReversed().map(({ watchId, ts }) => [watchId, ts]));
  const linked = [...new Set(items.map(({ watchId }) => watchId))].slice(0, maxLinks);
  const urls = new Map(
    await Promise.all(
      linked.map(async (id) => {
        const ts = tsByWatch.get(id);
        return [id, ts && (await linkTo({ channelId, ts }))] as const;
      }),
    ),
  );
  const titles = await currentTitles(
    items.map(({ watchId: id, title }) => ({ id, title })),
    ctx,
  );
  return items.map((item, index) => {
    const url = urls.get(item.watchId);
    return { ...item, title: titles[index] ?? item.title, ...(url && { url }) };
  });
}

const toPerson: ReadonlySet<WatchMessage['kind']> = new Set([
  'notice',
  'rules-notice',
  'budget-notice',
  'alert-reminder',
]);

const soleReader = ({ destination, ownerId }: Pick<Watch, 'destination' | 'ownerId'>): string | undefined =>
  destination === 'direct-message' ? ownerId : undefined;

const maxLinks = 20;

const minDelayShownMs = 30 * 60_000;

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

/** A message that is about to be sent, or to be shown again. */
export interface WatchPost<M extends WatchMessage = WatchMessage> {
  channelId: string;
  /** Where the watches that it is about are. */
  destination: StoredDestination;
  /** Of these watches, or of the first of them. */
  owner?: string;
  /** The id of its outbox row. */
  id: string;
  message: M;
  /** When the message was queued, on the domain clock. */
  createdAt: Date;
  /** When Slack took the message, if it is shown again. */
  sentAt: Date | null;
  /** Null if the message is about no watch, or about several. */
  watch: Watch | null;
  /** The posted replies that a summary links to. */
  members: { watchId: string; ts: string }[];
  /** The alerts that a reply or a summary shows, oldest first. */
  alerts: readonly Alert[];
}

/** Undefined if the watch is gone. */
export async function readPost<M extends WatchMessage>(
  store: WorkspaceStore,
  message: M,
  row: OutboxRow,
): Promise<WatchPost<M> | undefined> {
  const { id, channel_id: channelId, created_at: createdAt } = row;
  // The thread of a summary is its own.
  const watchId = message.kind === 'summary' ? null : row.thread_key;
  const watch = watchId === null ? null : await findWatch(store, watchId);
  if (watch === undefined) return undefined;
  const [item] = message.kind === 'summary' ? message.items : [];
  // All watches of a summary are in the same place.
  const about = item && (await findWatch(store, item.watchId));
  const memberIds = message.kind === 'summary' ? message.members : [];
  const alerts = await readAlerts(store, alertsIn(message, { id, memberIds }));
  const [sentAt = null] = alerts.flatMap(({ notifiedAt }) => notifiedAt ?? []);
  return {
    channelId,
    ...placeOf(watch ?? about),
    id,
    message,
    createdAt,
    sentAt: row.status === 'sent' ? (sentAt ?? createdAt) : null,
    watch,
    members: await readMembers(store, memberIds),
    alerts,
  };
}

/** A reply or summary that is in Slack, to be shown again. Undefined if it isn't, or if its watch is gone. */
export async function findShown(store: WorkspaceStore, id: string) {
  const row = await store
    .selectFrom('outbox')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'sent')
    .executeTakeFirst();
  if (!row) return undefined;
  const message = shownMessage.parse(row.payload);
  const post = await readPost(store, message, row);
  return post && { row, post };
}

async function findWatch(store: WorkspaceStore, id: string): Promise<Watch | undefined> {
  const row = await store.selectFrom('watches').selectAll().where('id', '=', id).executeTakeFirst();
  return row && readWatch(row);
}

/** The alerts with these ids, or those that these messages show. */
function alertsIn(message: WatchMessage, shown: { id: string; memberIds: readonly string[] }) {
  switch (message.kind) {
    case 'reply':
      return { by: 'message_id', ids: [shown.id] } as const;
    case 'assignment':
      return { by: 'id', ids: message.alertIds } as const;
    case 'alert-reminder':
      return { by: 'id', ids: [message.alertId] } as const;
    default:
      return { by: 'message_id', ids: shown.memberIds } as const;
  }
}

async function readAlerts(
  store: WorkspaceStore,
  { by, ids }: { by: 'id' | 'message_id'; ids: readonly string[] },
): Promise<Alert[]> {
  if (ids.length === 0) return [];
  const rows = await store
    .selectFrom('alerts')
    .selectAll()
    .where(by, 'in', ids)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return readableAlerts(rows);
}

/** The posted replies that a summary links to. */
async function readMembers(store: WorkspaceStore, ids: readonly string[]): Promise<WatchPost['members']> {
  if (ids.length === 0) return [];
  const rows = await store.selectFrom('outbox').select(['thread_key', 'ts']).where('id', 'in', ids).execute();
  return rows.flatMap(({ thread_key, ts }) => (thread_key && ts ? [{ watchId: thread_key, ts }] : []));
}

const placeOf = (watch: Watch | undefined): Pick<WatchPost, 'destination' | 'owner'> =>
  watch ? { destination: watch.destination, owner: watch.ownerId } : { destination: 'channel' };
