import { sql } from 'kysely';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { WorkCtx } from '../ctx.ts';

/** Whether admins have paused the polls. A pause that was to end by now is ended. */
export async function arePollsPaused(now: Date, { services }: Pick<WorkCtx, 'services'>): Promise<boolean> {
  const { pauses, botUserId: actorId } = services;
  if (await pauses.at(now)) return true;
  if (await pauses.isOver(now))
    await pauses.end({ actorId, now, onlyIfOver: true }, (transaction) => spreadPolls(transaction, now));
  return false;
}

/** Polls that waited for the end of a pause, at a time. */
const pollsAtOnce = 50;
const secondsBetween = 15;
/** The last of very many begin after this. */
const maxSeconds = 3_600;

/** After a pause, all subjects are due. Those with the nearest ETAs are polled first, the others in the minutes after that. */
export async function spreadPolls(transaction: WorkspaceStore, now: Date): Promise<void> {
  const { waiting } = await transaction
    .selectFrom('subjects')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
  const groups = Math.ceil(Number(waiting) / pollsAtOnce);
  if (groups < 2) return;
  const stepMs = Math.round(Math.min(secondsBetween, maxSeconds / groups) * 1_000);
  const ranked = transaction
    .selectFrom('subjects')
    .select('id')
    .select(
      sql<number>`row_number() over (order by coalesce(nearest_eta, 8640000000000000), id) - 1`.as('place'),
    )
    .where('due_at', '<=', now);
  await sql`
    with ranked as materialized ${ranked}
    update subjects
    set due_at = cast(${now} as bigint) + ${stepMs} * (ranked.place / ${pollsAtOnce})
    from ranked where ${transaction.isOwn('subjects')} and ranked.id = subjects.id`.execute(transaction);
}
