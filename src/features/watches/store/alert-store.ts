import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { type AuditedTransaction, createAuditedTransaction } from '../../../workspaces/audit.ts';
import { auditEntries } from '../../owned.ts';
import { queueCardUpdates } from '../messages/card-updates.ts';
import { queueReplyUpdates } from '../messages/reply-updates.ts';
import { type Alert, readableAlerts } from './alert.ts';
import { type ChangedBy, readWatch } from './watch.ts';

export type AlertStore = ReturnType<typeof createAlertStore>;

/** Which alerts of a watch: all, or those with these ids. */
interface Which {
  watchId: string;
  alertIds?: readonly string[];
}

/** Changes alerts, with audit entries and updates of the messages that show them. */
export function createAlertStore(options: {
  db: Kysely<Schema>;
  workspaceId: string;
  newId: () => string;
  audited?: AuditedTransaction;
}) {
  const { db, workspaceId, newId, audited = createAuditedTransaction(db) } = options;
  const entry = auditEntries(newId);

  return {
    /** By the alert's own id. */
    find: async (id: string): Promise<Alert | undefined> => (await read(sql<SqlBool>`id = ${id}`))[0],

    /** The alerts that a reply or a summary shows, by its outbox id, oldest first. */
    ofMessage: (id: string): Promise<Alert[]> =>
      read(sql<SqlBool>`message_id in (
        select outbox.id from outbox where outbox.workspace_id = ${workspaceId} and (outbox.id = ${id} or outbox.goes_before = ${id})
      )`),

    /** Acknowledges those that nobody has acknowledged before, and returns them. Undefined if the watch is gone. */
    acknowledge: ({ watchId, alertIds }: Which, by: ChangedBy): Promise<Alert[] | undefined> =>
      audited(async (transaction, record) => {
        const row = await transaction
          .selectFrom('watches')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', watchId)
          .forUpdate()
          .executeTakeFirst();
        if (!row) return undefined;
        let open = transaction
          .updateTable('alerts')
          .set({ acknowledged_by: by.actorId, acknowledged_at: by.now })
          .where('workspace_id', '=', workspaceId)
          .where('watch_id', '=', watchId)
          .where('acknowledged_at', 'is', null);
        if (alertIds) open = open.where('id', 'in', ['', ...alertIds]);
        const changed = await open.returningAll().execute();
        if (changed.length === 0) return [];
        const watch = { ...readWatch(row), ...(by.title !== undefined && { title: by.title }) };
        await updateMessages(transaction, changed, by);
        await queueCardUpdates(transaction, [watch], { newId, ...by });
        await record(entry(watch, 'alert.acknowledge', by, { after: { alerts: changed.length } }));
        return readableAlerts(changed);
      }),
  };

  async function read(where: RawBuilder<SqlBool>): Promise<Alert[]> {
    const rows = await db
      .selectFrom('alerts')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where(where)
      .orderBy('at')
      .orderBy('id')
      .execute();
    return readableAlerts(rows);
  }

  async function updateMessages(
    transaction: Kysely<Schema>,
    changed: readonly Selectable<Schema['alerts']>[],
    { now, realNow }: ChangedBy,
  ): Promise<void> {
    const messageIds = [...new Set(changed.map(({ message_id }) => message_id))];
    await queueReplyUpdates(transaction, messageIds, { workspaceId, newId, now, realNow });
  }
}
