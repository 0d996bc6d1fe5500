import { addMinutes } from 'date-fns/addMinutes';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import {
  type AuditedTransaction,
  createAuditedTransaction,
  type RecordEntries,
} from '../../workspaces/audit.ts';
import { type Alert, readableAlerts, reminderMinutes } from '../alerts/alert.ts';
import { queueReplyUpdates } from '../alerts/edit-alert.ts';
import type { WatchMessage } from '../cards/messages.ts';
import type { AskCtx } from '../ctx.ts';
import { auditEntries } from '../owned/store.ts';
import { queueCardUpdates } from '../polling/card-updates.ts';
import { type ChangedBy, readWatch, type Watch } from '../polling/watch.ts';

export type AlertStore = ReturnType<typeof createAlertStore>;

/** Alerts of a watch that nobody has acknowledged: all that are open, or those with these ids, which may be closed. */
interface Which {
  watchId: string;
  alertIds?: readonly string[] | undefined;
}

/** A watch whose row is locked by the transaction. */
interface Locked {
  watch: Watch;
  transaction: WorkspaceStore;
  record: RecordEntries;
}

export const alertStoreOf = ({ services }: Pick<AskCtx, 'services'>): AlertStore =>
  createAlertStore(services);

/** Changes alerts, with audit entries and updates of the messages that show them. Undefined if the watch is gone. */
export function createAlertStore(options: {
  store: WorkspaceStore;
  newId: () => string;
  audited?: AuditedTransaction;
}) {
  const { store, newId, audited = createAuditedTransaction(store) } = options;
  const entry = auditEntries(newId);

  const updateOpen = (transaction: WorkspaceStore, { watchId, alertIds }: Which) => {
    const unseen = transaction
      .updateTable('alerts')
      .where('watch_id', '=', watchId)
      .where('acknowledged_at', 'is', null);
    // SQL has no empty list.
    return alertIds ? unseen.where('id', 'in', ['', ...alertIds]) : unseen.where('closed_at', 'is', null);
  };

  return {
    /** By the alert's own id. */
    find: async (id: string): Promise<Alert | undefined> => (await read(sql<SqlBool>`id = ${id}`))[0],

    /** The alerts that a reply or a summary shows, by its outbox id, oldest first. */
    ofMessage: (id: string): Promise<Alert[]> =>
      read(sql<SqlBool>`message_id in (
        select outbox.id from outbox where ${store.isOwn('outbox')} and (outbox.id = ${id} or outbox.goes_before = ${id})
      )`),

    /** Returns those that were acknowledged now: whoever has acknowledged one before stays. */
    acknowledge: (which: Which, by: ChangedBy): Promise<Alert[] | undefined> =>
      withWatch(which, by, async ({ watch, transaction, record }) => {
        const changed = await updateOpen(transaction, which)
          .set({ acknowledged_by: by.actorId, acknowledged_at: by.now })
          .returningAll()
          .execute();
        if (changed.length === 0) return [];
        const assigneeIds = changed.flatMap(({ assignee_id }) => assignee_id ?? []);
        await record(
          entry(watch, 'alert.acknowledge', by, {
            after: { alerts: changed.length },
            ownerIds: [watch.ownerId, ...assigneeIds],
          }),
        );
        return await showChanges({ watch, transaction }, readableAlerts(changed), by);
      }),

    /** Returns those that were assigned to somebody else before, or to nobody. A reply in the thread names the person. */
    assign: (which: Which & { assigneeId: string }, by: ChangedBy): Promise<Alert[] | undefined> =>
      withWatch(which, by, async ({ watch, transaction, record }) => {
        const { assigneeId } = which;
        const changed = await updateOpen(transaction, which)
          .set({
            assignee_id: assigneeId,
            assigned_by: by.actorId,
            assigned_at: by.now,
            reminded_at: null,
            closed_at: null,
            due_at: addMinutes(by.now, reminderMinutes),
          })
          .where(sql<SqlBool>`(assignee_id is null or assignee_id <> ${assigneeId})`)
          .returningAll()
          .execute();
        const alerts = readableAlerts(changed);
        const [first] = alerts;
        if (!first) return [];
        const message: WatchMessage = {
          kind: 'assignment',
          messageId: first.messageId,
          alertIds: alerts.map(({ id }) => id),
          assigneeId,
          actorId: by.actorId,
        };
        const { id: threadKey, channelId } = watch;
        const { now, realNow: dueAt } = by;
        const row = pendingMessage({ id: newId(), threadKey, channelId, message, now, dueAt });
        await transaction.insertInto('outbox', row).execute();
        await record(
          entry(watch, 'alert.assign', by, {
            after: { assigneeId, alerts: alerts.length },
            ownerIds: [watch.ownerId, assigneeId],
          }),
        );
        return await showChanges({ watch, transaction }, alerts, by);
      }),
  };

  function withWatch<T>(
    { watchId }: Which,
    { title }: ChangedBy,
    work: (locked: Locked) => Promise<T>,
  ): Promise<T | undefined> {
    return audited(async (transaction, record) => {
      const row = await transaction
        .selectFrom('watches')
        .selectAll()
        .where('id', '=', watchId)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return undefined;
      const watch = { ...readWatch(row), ...(title !== undefined && { title }) };
      return await work({ watch, transaction, record });
    });
  }

  async function showChanges(
    { watch, transaction }: Pick<Locked, 'watch' | 'transaction'>,
    changed: Alert[],
    { now, realNow }: ChangedBy,
  ): Promise<Alert[]> {
    const messageIds = [...new Set(changed.map(({ messageId }) => messageId))];
    await queueReplyUpdates(transaction, messageIds, { newId, now, realNow });
    await queueCardUpdates(transaction, [watch], { newId, now, realNow });
    return changed;
  }

  async function read(where: RawBuilder<SqlBool>): Promise<Alert[]> {
    const rows = await store
      .selectFrom('alerts')
      .selectAll()
      .where(where)
      .orderBy('at')
      .orderBy('id')
      .execute();
    return readableAlerts(rows);
  }
}
