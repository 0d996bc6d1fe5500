import { UserError } from '../../../errors.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import type { Alert } from '../store/alert.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { WatchWithSubjects } from '../store/watch-list.ts';
import { changedBy, requireFound } from './change-watch.ts';
import type { WatchServiceOptions } from './options.ts';

interface AlertServiceOptions extends Pick<WatchServiceOptions, 'now' | 'realNow'> {
  alerts: AlertStore;
  /** Throws UserError if the actor may not use the watch, or it is gone. */
  getToUse(watchId: string, actor: Actor): Promise<WatchWithSubjects>;
}

/** What people can do to alerts: everybody who may use the watch's channel. */
export function createAlertService(options: AlertServiceOptions) {
  const { alerts, getToUse } = options;

  async function acknowledgeOf(
    watchId: string,
    actor: Actor,
    alertIds?: readonly string[],
  ): Promise<WatchWithSubjects> {
    const watch = await getToUse(watchId, actor);
    const by = { ...changedBy(actor, options), title: watch.title };
    requireFound(await alerts.acknowledge({ watchId, ...(alertIds && { alertIds }) }, by));
    return watch;
  }

  async function alertsOf(messageId: string): Promise<[Alert, ...Alert[]]> {
    const [first, ...others] = await alerts.ofMessage(messageId);
    if (!first) throw goneAlert();
    return [first, ...others];
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
  };
}

const goneAlert = (): UserError =>
  new UserError({
    code: 'unknown-watch',
    message: 'That alert is no longer stored: its watch has been stopped, or it is too old.',
    choices: [{ label: 'List the watches', line: 'watch list' }],
  });
