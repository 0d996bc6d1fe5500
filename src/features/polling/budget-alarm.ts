import { sql } from 'kysely';
import { z } from 'zod';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import { dayOf } from '../../workspaces/call-counts.ts';
import type { SlackServices, WorkspaceServices } from '../services.ts';
import { readCallPlan } from './next-poll.ts';

/** Notifies somebody of the calls a day that the watches need. The row's `channel_id` is the recipient's id. */
export const budgetNotice = z.object({
  kind: z.literal('budget-notice'),
  /** Requests per day, before intervals are stretched. */
  plannedCalls: z.number(),
  dailyCalls: z.number(),
  stretch: z.number(),
  isForAdmin: z.boolean().default(true),
  /** The greatest, with the calls of each per day. Empty for others than admins; a personal watch has no title. */
  users: z.array(
    z.object({ calls: z.number(), title: z.string().optional(), channelId: z.string().optional() }),
  ),
});
export type BudgetNotice = z.infer<typeof budgetNotice>;

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
export async function checkBudget(
  now: Date,
  {
    services,
  }: {
    services: Pick<WorkspaceServices, 'store' | 'realNow' | 'newId' | 'logger'> & {
      settings: Pick<WorkspaceServices['settings'], 'pollMinutes' | 'dailyCalls'>;
      slack: Pick<SlackServices, 'personOf' | 'asksOnly'>;
    };
  },
): Promise<void> {
  const { store, settings, realNow, newId, logger } = services;
  const { dailyCalls } = settings;
  // With a fixed interval, watches are never polled less often.
  if (dailyCalls === undefined || settings.pollMinutes !== undefined) return;
  const plan = await readCallPlan({ store, dailyCalls, now: () => now });
  const share = plan.plannedCalls / Math.max(1, dailyCalls);
  if (levelAt(share, (await readAlarm(store)).level) === undefined) return;
  // Slack is asked before the transaction.
  const { userIds, areAdmins } = await findRecipients(services);
  // Others may not be in the channels of these watches.
  const users = areAdmins ? await readGreatestUsers(store) : [];
  const message: BudgetNotice = { kind: 'budget-notice', ...plan, dailyCalls, users, isForAdmin: areAdmins };
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
async function readGreatestUsers(store: WorkspaceStore): Promise<BudgetNotice['users']> {
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

const maxAsked = 100;
const maxFound = 20;

/**
 * The admins who use Landfall: they own a watch or a digest, have changed something, connected the account or installed
 * the app. Slack has no list of admins for a bot. If there are none, the owners of watches, who can stop them.
 */
async function findRecipients({
  store,
  slack,
}: {
  store: WorkspaceStore;
  slack: Pick<SlackServices, 'personOf' | 'asksOnly'>;
}): Promise<{ userIds: string[]; areAdmins: boolean }> {
  const owners = store
    .selectFrom('watches')
    .select('owner_id as userId')
    .where('status', '=', 'active')
    .union(store.selectFrom('digests').select('owner_id as userId'));
  const users = await owners
    .union(store.selectFrom('audit').select('actor_id as userId'))
    .union(store.selectFrom('accounts').select('updated_by as userId'))
    .union(
      store.allWorkspaces
        .selectFrom('installations')
        .select('installer_id as userId')
        .where('id', '=', store.selectFrom('workspaces').select('installation_id')),
    )
    .orderBy('userId')
    .limit(maxAsked)
    .execute();
  const reachable = await keep(users, async (userId) => {
    const { isGone, isOutside } = await slack.personOf(userId);
    // Guests who may only ask don't see costs.
    return !isGone && !isOutside && !(await slack.asksOnly(userId));
  });
  const admins = await keep(reachable, async (userId) => (await slack.personOf(userId)).isAdmin);
  const areAdmins = admins.length > 0;
  const found = areAdmins ? admins : intersection(reachable, await owners.execute());
  return { userIds: found.slice(0, maxFound).map(({ userId }) => userId), areAdmins };
}

interface User {
  userId: string;
}

async function keep(users: readonly User[], isKept: (userId: string) => Promise<boolean>): Promise<User[]> {
  const kept = await Promise.all(users.map(({ userId }) => isKept(userId)));
  return users.filter((_, index) => kept[index]);
}

function intersection(users: readonly User[], others: readonly User[]): User[] {
  const ids = new Set(others.map(({ userId }) => userId));
  return users.filter(({ userId }) => ids.has(userId));
}
