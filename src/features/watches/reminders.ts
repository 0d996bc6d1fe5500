import { addMinutes } from 'date-fns/addMinutes';
import { type SqlBool, sql } from 'kysely';
import { createWaitLimit, type DueRows } from '../../database/due.ts';
import { readRecoveryWindow } from '../../database/recovery.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import type { WorkspaceServices } from '../services.ts';
import type { WatchMessage } from './messages/messages.ts';
import { reminderMinutes } from './store/alert.ts';

/** Where the alerts are whose assignees are to be reminded. */
export const dueReminders = {
  table: 'alerts',
  clock: 'domain',
  // In these words, as in the index.
  where: sql<SqlBool>`due.is_critical = 1 and due.assignee_id is not null and due.acknowledged_at is null and due.reminded_at is null`,
} as const satisfies DueRows;

const remindersAtOnce = 100;

/** Reminds the assignees of critical alerts by a direct message. Each alert's reminder is queued when it is marked. */
export function createReminders({ store, realNow }: Pick<WorkspaceServices, 'store' | 'realNow'>) {
  const limitWaits = createWaitLimit({ ...dueReminders, store });

  const remindSome = (now: Date): Promise<number> =>
    store.transaction(async (transaction) => {
      const due = transaction
        .selectFrom('alerts as due')
        .select('due.id')
        .where('due.due_at', '<=', now)
        .where(dueReminders.where)
        .orderBy('due.due_at')
        .orderBy('due.id')
        .limit(remindersAtOnce)
        .forUpdate()
        // Somebody is just acknowledging or assigning it, or another process reminds.
        .skipLocked();
      const reminded = await transaction
        .updateTable('alerts')
        .set({ reminded_at: now })
        .where('id', 'in', due)
        .returning(['id', 'watch_id', 'assignee_id', 'assigned_at', 'due_at'])
        .execute();
      if (reminded.length === 0) return 0;
      const recovery = await readRecoveryWindow(transaction);
      const rows = reminded.flatMap((alert) => {
        const { id: alertId, watch_id: threadKey, assignee_id: channelId, assigned_at, due_at } = alert;
        const message: WatchMessage = { kind: 'alert-reminder', alertId };
        // The same after a restore, so that a reminder of before is found.
        const id = `${alertId}/reminder/${assigned_at?.getTime() ?? 0}`;
        const common = { id, threadKey, now, dueAt: new Date(realNow()) };
        const mayBeSent = recovery && due_at <= recovery.restoredAt;
        const attempted = mayBeSent ? { attempted_at: recovery.backedUpAt } : {};
        return channelId ? [{ ...pendingMessage({ ...common, channelId, message }), ...attempted }] : [];
      });
      if (rows.length > 0)
        await transaction
          .insertInto('outbox', rows)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      return reminded.length;
    });

  return {
    async runDue(now: Date, mayGoOn = () => true): Promise<{ reminded: number }> {
      await limitWaits(now, () => addMinutes(now, reminderMinutes));
      let reminded = 0;
      let found = remindersAtOnce;
      while (found === remindersAtOnce && mayGoOn()) {
        found = await remindSome(now);
        reminded += found;
      }
      return { reminded };
    },
  };
}
