import { addMinutes } from 'date-fns/addMinutes';
import { type SqlBool, sql } from 'kysely';
import { createWaitLimit, type DueRows } from '../../database/due.ts';
import { readRecoveryWindow } from '../../database/recovery.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import type { StateKey, WorkspaceServices } from '../services.ts';
import { reminderMinutes } from './alert.ts';
import type { AlertReminder } from './messages.ts';

/** Where the alerts are whose assignees are to be reminded. */
export const dueReminders = {
  table: 'alerts',
  clock: 'domain',
  // In these words, as in the index.
  where: sql<SqlBool>`due.is_critical = 1 and due.assignee_id is not null and due.acknowledged_at is null and due.reminded_at is null`,
  waitsInPause: true,
} as const satisfies DueRows;

const remindersAtOnce = 100;

const waitLimitKey: StateKey<ReturnType<typeof createWaitLimit>> = { name: 'wait limit of reminders' };

/** Reminds the assignees of critical alerts by a direct message. Each alert's reminder is queued when it is marked. */
export async function remindDue(
  now: Date,
  mayGoOn: () => boolean,
  { services }: { services: Pick<WorkspaceServices, 'store' | 'realNow' | 'state'> },
): Promise<{ reminded: number }> {
  const { store, realNow, state } = services;
  const limitWaits = state(waitLimitKey, () => createWaitLimit({ ...dueReminders, store }));
  await limitWaits(now, () => addMinutes(now, reminderMinutes));
  let reminded = 0;
  let found = remindersAtOnce;
  while (found === remindersAtOnce && mayGoOn()) {
    found = await remindSome(store, { now, realNow: new Date(realNow()) });
    reminded += found;
  }
  return { reminded };
}

const remindSome = (
  store: WorkspaceStore,
  { now, realNow: dueAt }: { now: Date; realNow: Date },
): Promise<number> =>
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
      const message: AlertReminder = { kind: 'alert-reminder', alertId };
      // The same after a restore, so that a reminder of before is found.
      const id = `${alertId}/reminder/${assigned_at?.getTime() ?? 0}`;
      const mayBeSent = recovery && due_at <= recovery.restoredAt;
      const attempted = mayBeSent ? { attempted_at: recovery.backedUpAt } : {};
      const common = { id, threadKey, now, dueAt, message };
      return channelId ? [{ ...pendingMessage({ ...common, channelId }), ...attempted }] : [];
    });
    if (rows.length > 0)
      await transaction
        .insertInto('outbox', rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    return reminded.length;
  });
