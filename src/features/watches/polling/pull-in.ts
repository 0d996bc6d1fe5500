import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/** A clock set back by an hour must not make anything wait that hour longer. Longer than any back-off. */
const maxRetryMs = 60 * 60_000;
const slowestMinutes = 24 * 60;

/** No subject that is watched waits for longer than its interval from `now`, or after failures than an hour. */
export async function pullIn(
  db: Kysely<Schema>,
  { credentialId, now, stretch }: { credentialId: string; now: Date; stretch: number },
): Promise<void> {
  const retryAt = new Date(now.getTime() + maxRetryMs);
  await sql`
    with late as materialized (
      select id from subjects
      where credential_id = ${credentialId}
        and due_at > case when attempts > 0 then ${retryAt}::timestamptz else ${usual(now, stretch)} end
        and exists (
          select 1 from followings join watches on watches.id = followings.watch_id
          where followings.subject_id = subjects.id and watches.status = 'active'
        )
      order by id for update skip locked
    )
    update subjects set due_at = case when attempts > 0 then ${retryAt}::timestamptz else ${usual(now, stretch)} end
    from late where subjects.id = late.id`.execute(db);
}

const usual = (now: Date, stretch: number) =>
  sql`${now}::timestamptz + make_interval(
    secs => 60 * least(greatest(${slowestMinutes}::double precision, interval_minutes), interval_minutes * ${stretch}::double precision)
  )`;
