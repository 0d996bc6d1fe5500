import { closestTo } from 'date-fns/closestTo';
import { subDays } from 'date-fns/subDays';
import { type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { z } from 'zod';
import type { Prediction } from '../../analytics/answers.ts';
import type { Schema } from '../../database/schema.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import { likeliestEtas } from '../../predictions/next-port.ts';
import { dayOf } from '../../workspaces/call-counts.ts';
import type { LimitToday } from '../../workspaces/settings.ts';
import type { AskCtx } from '../ctx.ts';
import { slowestMinutes } from '../history/index.ts';
import { predictionsFor, type Snapshot, wakeTime } from '../rules/index.ts';
import type { SlackServices, WorkspaceServices } from '../services.ts';
import type { Watch } from './watch.ts';

/** One poll of a subject. */
export interface Polled {
  /** The subject's row as it was claimed. */
  row: Selectable<Schema['subjects']>;
  snapshot: Snapshot;
  /** Why the service gave no answer, for the log. */
  reason?: string;
  /** How long to wait after a failure. */
  retryMs: number;
  /** Multiplies the interval, to keep within the budget of requests. */
  stretch: number;
}

/** A subject whose watches are all paused is hardly polled. Resuming one of them makes it due. */
const unfollowedMs = 24 * 3_600_000;

/** Schedules the next poll: after the interval, sooner if a watch wakes before that, or after a failure's back-off. */
export function nextPollColumns(
  { row, snapshot, retryMs, stretch }: Polled,
  {
    watches,
    isFollowed,
    now,
    fixedMinutes,
  }: { watches: readonly Watch[]; isFollowed: boolean; now: Date; fixedMinutes: number | undefined },
): Updateable<Schema['subjects']> {
  if (snapshot.kind === 'failed') {
    const { interval_minutes, polled_at, nearest_eta } = row;
    const due_at = new Date(now.getTime() + retryMs);
    const failing_since = row.failing_since ?? now;
    return { due_at, attempts: row.attempts + 1, interval_minutes, polled_at, failing_since, nearest_eta };
  }
  // This ETA may have passed.
  const relevant = relevantTo(watches, snapshot.predictions);
  const nearest_eta = closestTo(now, likeliestEtas(relevant)) ?? null;
  const interval_minutes = fixedMinutes ?? pollIntervalMinutes(nearest_eta, now);
  const waitMinutes = fixedMinutes ?? stretchInterval(interval_minutes, stretch);
  const usualMs = now.getTime() + (isFollowed ? waitMinutes * 60_000 : unfollowedMs);
  // A card says from the first minute that an ETA has passed.
  const nextEtasMs = isFollowed
    ? likeliestEtas(snapshot.predictions).flatMap((eta) => (eta > now ? eta.getTime() : []))
    : [];
  const wakesMs = watches.flatMap(
    ({ rules, snooze }) => wakeTime({ ...rules, snooze, eta: nearest_eta }, now)?.getTime() ?? [],
  );
  return {
    due_at: new Date(Math.min(usualMs, ...wakesMs, ...nextEtasMs)),
    attempts: 0,
    interval_minutes,
    polled_at: row.polled_at && row.polled_at > snapshot.at ? row.polled_at : snapshot.at,
    failing_since: null,
    nearest_eta,
  };
}

/** If every watch is about some vessels at one port, the ETAs of others don't make the polls more frequent. */
function relevantTo(watches: readonly Watch[], predictions: readonly Prediction[]): readonly Prediction[] {
  const conditions = watches.flatMap(({ condition }) => condition ?? []);
  if (conditions.length < watches.length || watches.length === 0) return predictions;
  return conditions.flatMap((condition) => predictionsFor(condition, predictions));
}

const minMinutes = 15;
const maxMinutes = 6 * 60;
const nearHours = 24;
const farHours = 10 * 24;

/**
 * Minutes until the next poll: 15 while the nearest ETA is within 24 hours, 6 hours if it is ten days away or
 * unknown, and proportional in between. The provider updates its predictions about every 15 minutes.
 */
export function pollIntervalMinutes(nearestEta: Date | null, now: Date): number {
  if (!nearestEta) return maxMinutes;
  const hours = Math.abs(nearestEta.getTime() - now.getTime()) / 3_600_000;
  const share = Math.min(1, Math.max(0, (hours - nearHours) / (farHours - nearHours)));
  return Math.round(minMinutes + share * (maxMinutes - minMinutes));
}

/** Rounded up, since intervals that grow by a little do grow. */
export const timesLessOften = (stretch: number): string =>
  `${(Math.ceil(stretch * 10) / 10).toLocaleString('en')} times less often`;

/** The factor (at least 1) that makes intervals long enough for the planned requests to fit the budget. */
export function stretchFor(plannedCalls: number, dailyCalls: number | undefined): number {
  if (dailyCalls === undefined) return 1;
  return Math.max(1, plannedCalls / Math.max(1, dailyCalls));
}

export function stretchInterval(minutes: number, stretch: number): number {
  return Math.min(Math.max(slowestMinutes, minutes), minutes * stretch);
}

export interface CallPlan {
  /** Requests per day for all watches of the workspace, before intervals are stretched. */
  plannedCalls: number;
  /** The budget of requests per day; undefined if there is none. */
  dailyCalls: number | undefined;
  /** Multiplies the intervals, to keep within what digests leave of the budget. */
  stretch: number;
}

/** What counts today; left out if nothing does. */
type Limit = Pick<LimitToday, 'dailyCalls'> | undefined;

/** That of the workspace, for people who ask. */
export const callPlanHere = async ({
  services: { store, limit },
  now,
}: Pick<AskCtx, 'services' | 'now'>): Promise<CallPlan> =>
  readCallPlan({ store, limit: await limit.today(), now });

/** Vessels, lists and ports. Each is polled at least once a day, whatever the limit. */
export async function countPolled(store: WorkspaceStore): Promise<number> {
  const { polled } = await store
    .selectFrom('subjects')
    .select(({ fn }) => fn.countAll<number>().as('polled'))
    .executeTakeFirstOrThrow();
  return Number(polled);
}

export async function readCallPlan({
  store,
  limit,
  now,
}: {
  store: WorkspaceStore;
  limit: Limit;
  now: () => Date;
}): Promise<CallPlan> {
  const dailyCalls = limit?.dailyCalls;
  const { plannedCalls } = await store
    .selectFrom('subjects')
    .select(sql<number>`coalesce(sum(1440 / interval_minutes), 0)`.as('plannedCalls'))
    .executeTakeFirstOrThrow();
  if (dailyCalls === undefined) return { plannedCalls, dailyCalls, stretch: 1 };
  const { digestCalls } = await store
    .selectFrom('call_counts')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('calls'), sql<number>`0`).as('digestCalls'))
    .where('day', '=', subDays(now(), 1).toISOString().slice(0, 10))
    .where('kind', '=', 'digest')
    .executeTakeFirstOrThrow();
  // Digests are refused once the day's budget is used up, so watches leave them what they used the day before.
  const left = dailyCalls - Math.min(Number(digestCalls), dailyCalls / 2);
  return { plannedCalls, dailyCalls, stretch: stretchFor(plannedCalls, left) };
}

/** Longer than any wait after a failure, unless the service asks for more. */
const longestRetryMs = 60 * 60_000;

/** Of subjects that no active watch follows, the next poll may be far away. */
export const isWatched = sql<SqlBool>`exists (
  select 1 from followings
  join watches on watches.workspace_id = followings.workspace_id and watches.id = followings.watch_id
  where followings.workspace_id = due.workspace_id and followings.subject_id = due.id and watches.status = 'active'
)`;

/** The latest time of a subject's next poll: after its interval, or an hour after a failure. */
export function latestPoll({ now, stretch }: { now: Date; stretch: number }): RawBuilder<Date> {
  const retryAt = new Date(now.getTime() + longestRetryMs);
  const minutes = sql`least(greatest(${slowestMinutes}, interval_minutes), interval_minutes * ${stretch})`;
  return sql`case when attempts > 0 then cast(${retryAt} as bigint)
    else cast(${now} as bigint) + cast(60000 * ${minutes} as bigint) end`;
}

/** Notifies somebody of the calls a day that the watches need. The row's `channel_id` is the recipient's id. */
export const budgetNotice = z.object({
  kind: z.literal('budget-notice'),
  /** Requests per day, before intervals are stretched. */
  plannedCalls: z.number(),
  dailyCalls: z.number(),
  stretch: z.number(),
  /** The admins have set it, not the operator. Left out by older versions. */
  isOwnLimit: z.boolean().optional(),
  isForAdmin: z.boolean(),
  /** The greatest, with the calls of each per day. Empty for others than admins; a personal watch has no title. */
  users: z.array(
    z.object({ calls: z.number(), title: z.string().optional(), channelId: z.string().optional() }),
  ),
});
export type BudgetNotice = z.infer<typeof budgetNotice>;

/** Percent of the budget: from 100 on, watches are polled less often. */
type Level = 0 | 80 | 100;

/** The level that the recipients know, and the day (UTC, domain clock) when they were notified of each. */
const alarm = z.object({
  level: z.literal([0, 80, 100]),
  days: z.record(z.string(), z.string()),
});
type Alarm = z.infer<typeof alarm>;

const noAlarm: Alarm = { level: 0, days: {} };
const maxUsersShown = 3;

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
      settings: Pick<WorkspaceServices['settings'], 'pollMinutes'>;
      limit: Pick<WorkspaceServices['limit'], 'today'>;
      slack: Pick<SlackServices, 'personOf' | 'asksOnly'>;
    };
  },
): Promise<void> {
  const { store, settings, realNow, newId, logger } = services;
  // With a fixed interval, watches are never polled less often.
  const limit = settings.pollMinutes === undefined ? await services.limit.today() : undefined;
  if (!limit) return;
  const { dailyCalls, isOperators } = limit;
  const plan = await readCallPlan({ store, limit, now: () => now });
  const share = plan.plannedCalls / Math.max(1, dailyCalls);
  if (levelAt(share, (await readAlarm(store)).level) === undefined) return;
  // Slack is asked before the transaction.
  const { userIds, areAdmins } = await findRecipients(services);
  // Others may not be in the channels of these watches.
  const users = areAdmins ? await readGreatestUsers(store) : [];
  const message: BudgetNotice = {
    ...{ kind: 'budget-notice', ...plan, dailyCalls, users, isForAdmin: areAdmins },
    ...(!isOperators && { isOwnLimit: true }),
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
    .limit(maxUsersShown)
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
  const people = await Promise.all(
    users.map(async ({ userId }) => {
      const { isGone, isOutside, isAdmin } = await slack.personOf(userId);
      // Guests who may only ask don't see costs.
      const isReachable = !isGone && !isOutside && !(await slack.asksOnly(userId));
      return { userId, isReachable, isAdmin };
    }),
  );
  const reachable = people.filter(({ isReachable }) => isReachable);
  const admins = reachable.filter(({ isAdmin }) => isAdmin);
  const areAdmins = admins.length > 0;
  const ownerIds = areAdmins ? [] : (await owners.execute()).map(({ userId }) => userId);
  const found = areAdmins ? admins : reachable.filter(({ userId }) => ownerIds.includes(userId));
  return { userIds: found.slice(0, maxFound).map(({ userId }) => userId), areAdmins };
}
