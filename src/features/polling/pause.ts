import { sql } from 'kysely';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { QueueContext } from '../../outbox/outgoing-message.ts';
import type { WorkCtx } from '../ctx.ts';
import { queueCardUpdates } from './watch.ts';

/** Whether admins have paused the polls. A pause that was to end by now is ended. */
export async function arePollsPaused(now: Date, { services }: Pick<WorkCtx, 'services'>): Promise<boolean> {
  const { pauses, botUserId: actorId, newId } = services;
  if (await pauses.at(now)) return true;
  if (await pauses.isOver(now))
    await pauses.end({ actorId, now, onlyIfOver: true }, (transaction) =>
      resumePolls(transaction, { now, newId, realNow: new Date(services.realNow()) }),
    );
  return false;
}

/** When a pause ends. */
export async function resumePolls(transaction: WorkspaceStore, context: QueueContext): Promise<void> {
  await spreadPolls(transaction, context.now);
  await showPauseOnCards(transaction, context);
}

/** The cards say that everything is paused, or no longer. */
export async function showPauseOnCards(transaction: WorkspaceStore, context: QueueContext): Promise<void> {
  const watches = await transaction
    .selectFrom('watches')
    .select(['id', 'channel_id as channelId'])
    .where('status', '=', 'active')
    .where('card_ts', 'is not', null)
    .execute();
  await queueCardUpdates(transaction, watches, context);
}

/** After a pause: 200 polls a minute, so that the service isn't asked for everything at once. */
const msBetween = 300;
/** The last of very many begin after this. */
const longestMs = 3_600_000;

/** After a pause, all subjects are due. Those with the nearest ETAs are polled first, the others one by one after that. */
async function spreadPolls(transaction: WorkspaceStore, now: Date): Promise<void> {
  const waiting = transaction.selectFrom('subjects').where('due_at', '<=', now);
  const { count } = await waiting
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const stepMs = Math.ceil(Math.min(msBetween, longestMs / Math.max(1, Number(count))));
  const ranked = waiting
    .select('id')
    .select(
      sql<number>`row_number() over (order by coalesce(nearest_eta, 8640000000000000), id) - 1`.as('place'),
    );
  await sql`
    with ranked as materialized ${ranked}
    update subjects set due_at = cast(${now} as bigint) + cast(${stepMs} as bigint) * ranked.place
    from ranked where ${transaction.isOwn('subjects')} and ranked.id = subjects.id`.execute(transaction);
}
