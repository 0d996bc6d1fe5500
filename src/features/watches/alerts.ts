import { addMinutes } from 'date-fns/addMinutes';
import { type SqlBool, sql } from 'kysely';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import {
  type Alert,
  type AlertOfWatch,
  queueReplyUpdates,
  readableAlerts,
  readOpenAlerts,
  reminderMinutes,
} from '../alerts/index.ts';
import type { WatchMessage } from '../cards/index.ts';
import type { AskCtx } from '../ctx.ts';
import { isPersonalThing, unknownThing } from '../owned/index.ts';
import { type ChangedBy, queueCardUpdates, type Watch, type WatchWithSubjects } from '../polling/index.ts';
import { eventMarker, imoOf, newsKey } from '../rules/index.ts';
import { changedWith, getToUse, requireFound } from './change-watch.ts';
import { type StoreCtx, watchKind, withWatch } from './watch-store.ts';

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
  const found = await findAlert(id, ctx);
  if (!found) throw goneAlert();
  const watch = await acknowledgeOf({ watchId: found.watchId, alertIds: [id] }, ctx);
  const others = (await visibleAlerts(ctx)).filter((one) => newsOf(one.alert) === newsOf(found));
  for (const { alert } of others) await acknowledgeOf({ watchId: alert.watchId, alertIds: [alert.id] }, ctx);
  return { alert: (await findAlert(id, ctx)) ?? found, watch };
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

/** Alerts of a watch that nobody has acknowledged: all that are open, or those with these ids, which may be closed. */
interface Which {
  watchId: string;
  alertIds?: readonly string[] | undefined;
}

const byWatch = (alerts: readonly Alert[]): Which[] =>
  [...Map.groupBy(alerts, ({ watchId }) => watchId)].map(([watchId, ofWatch]) => ({
    watchId,
    alertIds: ofWatch.map(({ id }) => id),
  }));

async function acknowledgeOf(which: Which, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToUse(which.watchId, ctx);
  requireFound(await acknowledgeAlerts(which, changedWith(ctx, watch), ctx));
  return watch;
}

async function assignOf(which: Which, assigneeId: string, ctx: AskCtx): Promise<WatchWithSubjects> {
  const watch = await getToUse(which.watchId, ctx);
  if (isPersonalThing(watch)) throw onlyYours();
  await ctx.services.slack.checkOwner({ userId: assigneeId, channelId: watch.channelId });
  requireFound(await assignAlerts({ ...which, assigneeId }, changedWith(ctx, watch), ctx));
  return watch;
}

/** Returns those that were acknowledged now: the first person who acknowledged one stays. Undefined if the watch is gone. */
export const acknowledgeAlerts = (which: Which, by: ChangedBy, ctx: StoreCtx): Promise<Alert[] | undefined> =>
  withWatch(which.watchId, by, ctx, async ({ watch, transaction, record }) => {
    const changed = await updateOpen(transaction, which)
      .set({ acknowledged_by: by.actorId, acknowledged_at: by.now })
      .returningAll()
      .execute();
    if (changed.length === 0) return [];
    const assigneeIds = changed.flatMap(({ assignee_id }) => assignee_id ?? []);
    const ownerIds = [watch.ownerId, ...assigneeIds];
    await record('alert.acknowledge', { after: { alerts: changed.length }, ownerIds });
    return await showChanges(transaction, { watch, alerts: readableAlerts(changed), by }, ctx);
  });

/**
 * Returns those that were assigned to somebody else before, or to nobody. A reply in the thread names the person. Undefined
 * if the watch is gone.
 */
export const assignAlerts = (
  which: Which & { assigneeId: string },
  by: ChangedBy,
  ctx: StoreCtx,
): Promise<Alert[] | undefined> =>
  withWatch(which.watchId, by, ctx, async ({ watch, transaction, record }) => {
    const { assigneeId } = which;
    const { actorId, now, realNow: dueAt } = by;
    const changed = await updateOpen(transaction, which)
      .set({
        assignee_id: assigneeId,
        assigned_by: actorId,
        assigned_at: now,
        reminded_at: null,
        closed_at: null,
        due_at: addMinutes(now, reminderMinutes),
      })
      .where(sql<SqlBool>`(assignee_id is null or assignee_id <> ${assigneeId})`)
      .returningAll()
      .execute();
    const alerts = readableAlerts(changed);
    const [first] = alerts;
    if (!first) return [];
    const alertIds = alerts.map(({ id }) => id);
    const message: WatchMessage = {
      ...{ kind: 'assignment', messageId: first.messageId, alertIds, assigneeId, actorId },
    };
    const { id: threadKey, channelId } = watch;
    const row = pendingMessage({ id: ctx.services.newId(), threadKey, channelId, message, now, dueAt });
    await transaction.insertInto('outbox', row).execute();
    const ownerIds = [watch.ownerId, assigneeId];
    await record('alert.assign', { after: { assigneeId, alerts: alerts.length }, ownerIds });
    return await showChanges(transaction, { watch, alerts, by }, ctx);
  });

function updateOpen(transaction: WorkspaceStore, { watchId, alertIds }: Which) {
  const unseen = transaction
    .updateTable('alerts')
    .where('watch_id', '=', watchId)
    .where('acknowledged_at', 'is', null);
  // SQL has no empty list.
  return alertIds ? unseen.where('id', 'in', ['', ...alertIds]) : unseen.where('closed_at', 'is', null);
}

/** On the card, and in the messages that show the alerts. */
async function showChanges(
  transaction: WorkspaceStore,
  { watch, alerts, by }: { watch: Watch; alerts: Alert[]; by: ChangedBy },
  { services: { newId } }: StoreCtx,
): Promise<Alert[]> {
  const messageIds = [...new Set(alerts.map(({ messageId }) => messageId))];
  await queueReplyUpdates(transaction, messageIds, { newId, ...by });
  await queueCardUpdates(transaction, [watch], { newId, ...by });
  return alerts;
}

/** By the alert's own id. */
async function findAlert(id: string, { services: { store } }: StoreCtx): Promise<Alert | undefined> {
  const rows = await store.selectFrom('alerts').selectAll().where('id', '=', id).execute();
  return readableAlerts(rows)[0];
}

/** The alerts that a reply or a summary shows, by its outbox id, oldest first. */
export async function alertsOfMessage(id: string, { services: { store } }: StoreCtx): Promise<Alert[]> {
  const shown = store
    .selectFrom('outbox')
    .select('outbox.id')
    .where((where) => where.or([where('outbox.id', '=', id), where('outbox.goes_before', '=', id)]));
  const rows = await store
    .selectFrom('alerts')
    .selectAll()
    .where('message_id', 'in', shown)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return readableAlerts(rows);
}

async function alertsOf(messageId: string, ctx: AskCtx): Promise<[Alert, ...Alert[]]> {
  const [first, ...others] = await alertsOfMessage(messageId, ctx);
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
  unknownThing(watchKind, 'That alert is no longer stored: its watch has been stopped, or it is too old.');

const noOpenAlerts = (where: string) =>
  unknownThing(watchKind, `No alert ${where} is open, so there is nothing to assign.`);

const onlyYours = (): UserError =>
  new UserError({
    code: 'bad-owner',
    message: 'Only you see this watch, so its alerts can be assigned to nobody else.',
    hint: 'Watch the vessel in a channel to share its alerts.',
  });
