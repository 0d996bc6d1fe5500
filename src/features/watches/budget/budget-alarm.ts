import { sql } from 'kysely';
import { z } from 'zod';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { Logger } from '../../../log.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import { dayOf } from '../../../workspaces/call-counts.ts';
import type { SlackServices } from '../../services.ts';
import type { WatchMessage } from '../messages/messages.ts';
import { type CallPlan, readCallPlan } from '../polling/poll-plan.ts';
import { findRecipients } from './find-recipients.ts';

/** Percent of the budget: from 100 on, watches are polled less often. */
type Level = 0 | 80 | 100;

/** The level that the recipients know, and the days (UTC, domain clock) on which they were notified of each. */
const alarm = z.object({
  level: z.literal([0, 80, 100]),
  days: z.record(z.string(), z.string()),
});
type Alarm = z.infer<typeof alarm>;

const noAlarm: Alarm = { level: 0, days: {} };
const maxShown = 3;

/**
 * Notifies the admins when the watches need 80% of the budget of calls a day, and when they need all of it. A level is
 * reported again only after the need has fallen 10 points below it, and at most once a day.
 */
export function createBudgetAlarm({
  store,
  dailyCalls,
  slack,
  realNow,
  newId,
  logger,
}: {
  store: WorkspaceStore;
  /** The budget; undefined if there is none: then nothing is ever reported. */
  dailyCalls: number | undefined;
  slack: Pick<SlackServices, 'personOf' | 'asksOnly'>;
  realNow: () => number;
  newId: () => string;
  logger: Logger;
}) {
  return {
    /** `now` is on the domain clock. */
    async check(now: Date): Promise<void> {
      if (dailyCalls === undefined) return;
      const plan = await readCallPlan({ store, dailyCalls, now: () => now });
      const share = plan.plannedCalls / Math.max(1, dailyCalls);
      if (levelAt(share, (await readAlarm(store)).level) === undefined) return;
      // Slack is asked before the transaction.
      const { userIds, areAdmins } = await findRecipients({ store, slack });
      // Others may not be in the channels of these watches.
      const users = areAdmins ? await readGreatestUsers(store) : [];
      const message: WatchMessage = {
        kind: 'budget-notice',
        ...plan,
        dailyCalls,
        users,
        isForAdmin: areAdmins,
      };
      await store.transaction(async (transaction) => {
        const before = await readAlarm(transaction, { locks: true });
        const level = levelAt(share, before.level);
        if (level === undefined) return;
        const day = dayOf(now.getTime());
        const isReported = level > before.level && before.days[level] !== day;
        if (isReported && userIds.length === 0) {
          logger.warn(
            { workspace: store.workspaceId, share },
            'nobody is known who could be notified of the budget',
          );
        }
        const after: Alarm = isReported
          ? { level, days: { ...before.days, [level]: day } }
          : { ...before, level };
        await transaction
          .updateTable('workspaces')
          .set({ budget_alarm: JSON.stringify(after) })
          .execute();
        if (!isReported || userIds.length === 0) return;
        const rows = userIds.map((channelId) =>
          pendingMessage({ id: newId(), channelId, message, now, dueAt: new Date(realNow()) }),
        );
        await transaction.insertInto('outbox', rows).execute();
      });
    },
  };
}

/** The new level; undefined if it stays. */
function levelAt(share: number, before: Level): Level | undefined {
  const isAt = (level: 80 | 100) => share >= level / 100 || (before >= level && share >= level / 100 - 0.1);
  const level = isAt(100) ? 100 : isAt(80) ? 80 : 0;
  return level === before ? undefined : level;
}

async function readAlarm(store: WorkspaceStore, { locks = false } = {}): Promise<Alarm> {
  const query = store.selectFrom('workspaces').select('budget_alarm');
  const row = await (locks ? query.forNoKeyUpdate() : query).executeTakeFirst();
  return row?.budget_alarm == null ? noAlarm : alarm.parse(row.budget_alarm);
}

/** The watches that need the most calls a day. A subject that several watches follow counts for each of them. */
async function readGreatestUsers(store: WorkspaceStore): Promise<BudgetUser[]> {
  const rows = await store
    .selectFrom('followings')
    .innerJoin(...store.join('subjects', 'subjects.id', 'followings.subject_id'))
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['watches.id', 'watches.title', 'watches.channel_id', 'watches.destination'])
    .select(sql<number>`sum(1440.0 / subjects.interval_minutes)`.as('calls'))
    .where('watches.status', '=', 'active')
    .groupBy(['watches.id', 'watches.title', 'watches.channel_id', 'watches.destination'])
    .orderBy('calls', 'desc')
    .orderBy('watches.id')
    .limit(maxShown)
    .execute();
  return rows.map(({ title, channel_id: channelId, destination, calls }) => ({
    calls: Number(calls),
    // Even admins can't see what somebody watches for themselves.
    ...(destination === 'channel' && { title, channelId }),
  }));
}

export interface BudgetUser {
  /** Per day. */
  calls: number;
  /** Left out for a personal watch. */
  title?: string | undefined;
  channelId?: string | undefined;
}

export type BudgetPlan = CallPlan & {
  dailyCalls: number;
  users: readonly BudgetUser[];
  isForAdmin: boolean;
};
