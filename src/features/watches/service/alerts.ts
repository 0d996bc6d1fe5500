import { UserError } from '../../../errors.ts';
import type { Access, Actor } from '../../../workspaces/permissions.ts';
import type { SlackServices } from '../../services.ts';
import { newsKey } from '../polling/place-replies.ts';
import { imoOf } from '../rules/registry.ts';
import type { Alert } from '../store/alert.ts';
import type { AlertStore } from '../store/alert-store.ts';
import { type AlertOfWatch, readOpenAlerts } from '../store/needs-you.ts';
import type { WatchWithSubjects } from '../store/watch-list.ts';
import { eventMarker } from '../views/event-words.ts';
import { changedBy, requireFound } from './change-watch.ts';
import type { WatchServiceOptions } from './options.ts';

interface AlertServiceOptions extends Pick<WatchServiceOptions, 'store' | 'now' | 'realNow'> {
  alerts: AlertStore;
  access: Access;
  slack: Pick<SlackServices, 'checkOwner'>;
  /** Throws UserError if the actor may not use the watch, or it is gone. */
  getToUse(watchId: string, actor: Actor): Promise<WatchWithSubjects>;
}

/** What people can do to alerts: everybody who may use the watch's channel. Its methods throw UserError. */
export function createAlertService(options: AlertServiceOptions) {
  const { store, alerts, access, slack, getToUse } = options;

  const by = (actor: Actor, { title }: WatchWithSubjects) => ({ ...changedBy(actor, options), title });

  async function acknowledgeOf(
    watchId: string,
    actor: Actor,
    alertIds?: readonly string[],
  ): Promise<WatchWithSubjects> {
    const watch = await getToUse(watchId, actor);
    requireFound(await alerts.acknowledge({ watchId, alertIds }, by(actor, watch)));
    return watch;
  }

  async function assignOf(
    which: { watchId: string; alertIds?: readonly string[] },
    assigneeId: string,
    actor: Actor,
  ): Promise<WatchWithSubjects> {
    const watch = await getToUse(which.watchId, actor);
    if (watch.destination === 'direct-message') throw onlyYours();
    await slack.checkOwner({ userId: assigneeId, channelId: watch.channelId });
    requireFound(await alerts.assign({ ...which, assigneeId }, by(actor, watch)));
    return watch;
  }

  async function alertsOf(messageId: string): Promise<[Alert, ...Alert[]]> {
    const [first, ...others] = await alerts.ofMessage(messageId);
    if (!first) throw goneAlert();
    return [first, ...others];
  }

  async function openAlertsOf(messageId: string): Promise<[Alert, ...Alert[]]> {
    const [first, ...others] = (await alertsOf(messageId)).filter(({ acknowledgement }) => !acknowledgement);
    if (!first) throw noOpenAlerts('in that message');
    return [first, ...others];
  }

  /** Whoever has left a channel doesn't see what is posted there. */
  async function visibleTo({ userId }: Actor): Promise<AlertOfWatch[]> {
    const open = await readOpenAlerts(store, userId);
    const joined = open.some(({ isOwn }) => !isOwn) ? await access.getJoinedChannels(userId) : new Set();
    return open.filter(({ isOwn, channelId }) => isOwn || joined.has(channelId));
  }

  return {
    /** Every alert of the watch. Those that somebody has acknowledged before stay as they are. */
    async acknowledge(watchId: string, actor: Actor): Promise<WatchWithSubjects> {
      await acknowledgeOf(watchId, actor);
      return await getToUse(watchId, actor);
    },

    /** The alerts that a message shows: by the outbox id of a reply or a summary. */
    async acknowledgeMessage(messageId: string, actor: Actor): Promise<void> {
      const byWatch = Map.groupBy(await alertsOf(messageId), ({ watchId }) => watchId);
      for (const [watchId, ofWatch] of byWatch)
        await acknowledgeOf(
          watchId,
          actor,
          ofWatch.map(({ id }) => id),
        );
    },

    /**
     * One alert, by its own id, and those of the person's other watches that say the same. Returns the alert as it is
     * now, with its watch.
     */
    async acknowledgeAlert(id: string, actor: Actor): Promise<{ alert: Alert; watch: WatchWithSubjects }> {
      const found = await alerts.find(id);
      if (!found) throw goneAlert();
      const watch = await acknowledgeOf(found.watchId, actor, [id]);
      const others = (await visibleTo(actor)).filter((one) => newsOf(one.alert) === newsOf(found));
      for (const { alert } of others) await acknowledgeOf(alert.watchId, actor, [alert.id]);
      return { alert: (await alerts.find(id)) ?? found, watch };
    },

    /** The first open alert of a message, with its watch's title. */
    async getToAssign(messageId: string, actor: Actor): Promise<{ alert: Alert; title: string }> {
      const [alert] = await openAlertsOf(messageId);
      const { title } = await getToUse(alert.watchId, actor);
      return { alert, title };
    },

    /** Assigns what is open in a message. Throws `bad-owner` if that person can't see the channel. */
    async assignMessage(messageId: string, assigneeId: string, actor: Actor): Promise<void> {
      const byWatch = Map.groupBy(await openAlertsOf(messageId), ({ watchId }) => watchId);
      for (const [watchId, ofWatch] of byWatch)
        await assignOf({ watchId, alertIds: ofWatch.map(({ id }) => id) }, assigneeId, actor);
    },

    /** Assigns all that is open of the watch. */
    async assign(watchId: string, assigneeId: string, actor: Actor): Promise<WatchWithSubjects> {
      const { title, openAlerts } = await getToUse(watchId, actor);
      if (!openAlerts) throw noOpenAlerts(`of ${title}`);
      return await assignOf({ watchId }, assigneeId, actor);
    },

    /**
     * What waits for the person: assigned to them, then of their own watches; critical and newest first. What is
     * information only waits for nobody, unless it is assigned.
     */
    async needsYou(actor: Actor, limit: number): Promise<{ alerts: AlertOfWatch[]; more: number }> {
      const { userId } = actor;
      const open = await readOpenAlerts(store, userId);
      const joined = open.some(({ isOwn }) => !isOwn) ? await access.getJoinedChannels(userId) : new Set();
      // Whoever has left a channel doesn't see what is posted there.
      const visible = open.filter(({ isOwn, channelId }) => isOwn || joined.has(channelId));
      const waiting = visible.filter(
        ({ alert, isAssigned }) =>
          isAssigned || alert.events.some((event) => eventMarker(event, options.now()) !== '⚪'),
      );
      const news = waiting.map(({ alert }) => newsOf(alert));
      // Two watches of one vessel say the same.
      const unique = waiting.filter(({ alert }, index) => news.indexOf(newsOf(alert)) === index);
      return { alerts: unique.slice(0, limit), more: Math.max(0, unique.length - limit) };
    },
  };
}

/** Equal for alerts that say the same of the same vessels. */
const newsOf = ({ events }: Alert): string =>
  events.map((event) => `${imoOf(event) ?? ''} ${newsKey(event)}`).join('; ');

const listWatches = { choices: [{ label: 'List the watches', line: 'watch list' }] };

const goneAlert = (): UserError =>
  new UserError({
    code: 'unknown-watch',
    message: 'That alert is no longer stored: its watch has been stopped, or it is too old.',
    ...listWatches,
  });

const noOpenAlerts = (where: string): UserError =>
  new UserError({
    code: 'unknown-watch',
    message: `No alert ${where} is open, so there is nothing to assign.`,
    ...listWatches,
  });

const onlyYours = (): UserError =>
  new UserError({
    code: 'bad-owner',
    message: 'Only you see this watch, so its alerts can be assigned to nobody else.',
    hint: 'Watch the vessel in a channel to share its alerts.',
  });
