import { UserError } from '../../errors.ts';
import type { AskCtx } from '../ctx.ts';
import { eventMarker } from '../rules/event-words.ts';
import { imoOf } from '../rules/registry.ts';
import { changedWith, getToUse, requireFound, unknownWatch } from './change-watch.ts';
import { newsKey } from './polling/place-replies.ts';
import type { Alert } from './store/alert.ts';
import { alertStoreOf } from './store/alert-store.ts';
import { type AlertOfWatch, readOpenAlerts } from './store/needs-you.ts';
import type { WatchWithSubjects } from './store/watch-list.ts';

// What people can do to alerts: everybody who may use the watch's channel. All throw UserError.

/** Every alert of the watch. Those that somebody has acknowledged before stay as they are. */
export async function acknowledgeWatch(watchId: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  await acknowledgeOf({ watchId }, ctx);
  return await getToUse(watchId, ctx);
}

/** The alerts that a message shows: by the outbox id of a reply or a summary. */
export async function acknowledgeMessage(messageId: string, ctx: AskCtx): Promise<void> {
  for (const which of byWatch(await alertsOf(messageId, ctx))) await acknowledgeOf(which, ctx);
}

/**
 * One alert, by its own id, and those of the person's other watches that say the same. Returns the alert as it is now,
 * with its watch.
 */
export async function acknowledgeAlert(
  id: string,
  ctx: AskCtx,
): Promise<{ alert: Alert; watch: WatchWithSubjects }> {
  const alerts = alertStoreOf(ctx);
  const found = await alerts.find(id);
  if (!found) throw goneAlert();
  const watch = await acknowledgeOf({ watchId: found.watchId, alertIds: [id] }, ctx);
  const others = (await visibleAlerts(ctx)).filter((one) => newsOf(one.alert) === newsOf(found));
  for (const { alert } of others) await acknowledgeOf({ watchId: alert.watchId, alertIds: [alert.id] }, ctx);
  return { alert: (await alerts.find(id)) ?? found, watch };
}

/** The first open alert of a message, with its watch's title. */
export async function getToAssign(messageId: string, ctx: AskCtx): Promise<{ alert: Alert; title: string }> {
  const [alert] = await openAlertsOf(messageId, ctx);
  const { title } = await getToUse(alert.watchId, ctx);
  return { alert, title };
}

/** Assigns what is open in a message. Throws `bad-owner` if that person can't see the channel. */
export async function assignMessage(messageId: string, assigneeId: string, ctx: AskCtx): Promise<void> {
  for (const which of byWatch(await openAlertsOf(messageId, ctx))) await assignOf(which, assigneeId, ctx);
}

/** Assigns all that is open of the watch. */
export async function assignWatch(
  watchId: string,
  assigneeId: string,
  ctx: AskCtx,
): Promise<WatchWithSubjects> {
  const { title, openAlerts } = await getToUse(watchId, ctx);
  if (!openAlerts) throw noOpenAlerts(`of ${title}`);
  return await assignOf({ watchId }, assigneeId, ctx);
}

/**
 * What waits for the person: assigned to them, then of their own watches; critical and newest first. What is
 * information only waits for nobody, unless it is assigned.
 */
export async function alertsForPerson(
  limit: number,
  ctx: AskCtx,
): Promise<{ alerts: AlertOfWatch[]; more: number }> {
  const waiting = (await visibleAlerts(ctx)).filter(
    ({ alert, isAssigned }) =>
      isAssigned || alert.events.some((event) => eventMarker(event, ctx.now()) !== '⚪'),
  );
  const news = waiting.map(({ alert }) => newsOf(alert));
  // Two watches of one vessel say the same.
  const unique = waiting.filter(({ alert }, index) => news.indexOf(newsOf(alert)) === index);
  return { alerts: unique.slice(0, limit), more: Math.max(0, unique.length - limit) };
}

/** Whoever has left a channel doesn't see what is posted there. */
async function visibleAlerts({ services, actor: { userId } }: AskCtx): Promise<AlertOfWatch[]> {
  const open = await readOpenAlerts(services.store, userId);
  const hasOthers = open.some(({ isOwn }) => !isOwn);
  const joined = hasOthers ? await services.access.getJoinedChannels(userId) : new Set();
  return open.filter(({ isOwn, channelId }) => isOwn || joined.has(channelId));
}

interface Which {
  watchId: string;
  /** Left out for all. */
  alertIds?: readonly string[];
}

const byWatch = (alerts: readonly Alert[]): Which[] =>
  [...Map.groupBy(alerts, ({ watchId }) => watchId)].map(([watchId, ofWatch]) => ({
    watchId,
    alertIds: ofWatch.map(({ id }) => id),
  }));

async function acknowledgeOf(which: Which, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToUse(which.watchId, ctx);
  requireFound(await alertStoreOf(ctx).acknowledge(which, changedWith(ctx, watch)));
  return watch;
}

async function assignOf(which: Which, assigneeId: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToUse(which.watchId, ctx);
  if (watch.destination === 'direct-message') throw onlyYours();
  await ctx.services.slack.checkOwner({ userId: assigneeId, channelId: watch.channelId });
  requireFound(await alertStoreOf(ctx).assign({ ...which, assigneeId }, changedWith(ctx, watch)));
  return watch;
}

async function alertsOf(messageId: string, ctx: AskCtx): Promise<[Alert, ...Alert[]]> {
  const [first, ...others] = await alertStoreOf(ctx).ofMessage(messageId);
  if (!first) throw goneAlert();
  return [first, ...others];
}

async function openAlertsOf(messageId: string, ctx: AskCtx): Promise<[Alert, ...Alert[]]> {
  const [first, ...others] = (await alertsOf(messageId, ctx)).filter(
    ({ acknowledgement }) => !acknowledgement,
  );
  if (!first) throw noOpenAlerts('in that message');
  return [first, ...others];
}

/** Equal for alerts that say the same of the same vessels. */
const newsOf = ({ events }: Alert): string =>
  events.map((event) => `${imoOf(event) ?? ''} ${newsKey(event)}`).join('; ');

const goneAlert = () =>
  unknownWatch('That alert is no longer stored: its watch has been stopped, or it is too old.');

const noOpenAlerts = (where: string) =>
  unknownWatch(`No alert ${where} is open, so there is nothing to assign.`);

const onlyYours = (): UserError =>
  new UserError({
    code: 'bad-owner',
    message: 'Only you see this watch, so its alerts can be assigned to nobody else.',
    hint: 'Watch the vessel in a channel to share its alerts.',
  });
