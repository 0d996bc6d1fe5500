import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { fromColumns, type Subject, toColumns } from './subject.ts';
import type { Watch } from './watch.ts';

/** In one order for all, so that two who add the same subjects do not wait for each other. */
export function byColumns(one: Subject, other: Subject): number {
  const [a, b] = [one, other].map((subject) => Object.values(toColumns(subject)).join(' '));
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
}

/** The subject may be followed already, and then is due at once too, so that the new watch has its first answer. */
export async function follow(
  db: Kysely<Schema>,
  { watch, subject, id, now }: { watch: Watch; subject: Subject; id: string; now: Date },
): Promise<void> {
  const { id: subjectId } = await db
    .insertInto('subjects')
    .values({
      id,
      workspace_id: watch.workspaceId,
      credential_id: watch.credentialId,
      ...toColumns(subject),
      interval_minutes: 15,
      polled_at: null,
      failing_since: null,
      nearest_eta: null,
      due_at: now,
      lease_until: null,
      lease_token: null,
      attempts: 0,
    })
    .onConflict((conflict) => conflict.columns(['credential_id', 'kind', 'key']).doUpdateSet({ due_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('followings')
    .values({
      workspace_id: watch.workspaceId,
      watch_id: watch.id,
      subject_id: subjectId,
      state: null,
    })
    .onConflict((conflict) => conflict.columns(['watch_id', 'subject_id']).doNothing())
    .execute();
}

/** Gives back what it followed before. */
export async function unfollow(
  db: Kysely<Schema>,
  { watch, but }: { watch: Watch; but: readonly Subject[] },
): Promise<Subject[]> {
  const excluded = new Set(but.map((subject) => Object.values(toColumns(subject)).join(' ')));
  const followed = await db
    .selectFrom('followings')
    .innerJoin('subjects', 'subjects.id', 'followings.subject_id')
    .select(['subject_id', 'kind', 'key'])
    .where('watch_id', '=', watch.id)
    .execute();
  const gone = followed.filter(({ kind, key }) => !excluded.has(`${kind} ${key}`));
  const before = followed.flatMap((row) => fromColumns(row) ?? []);
  if (gone.length === 0) return before;
  await db
    .deleteFrom('followings')
    .where('watch_id', '=', watch.id)
    .where(
      'subject_id',
      'in',
      gone.map(({ subject_id }) => subject_id),
    )
    .execute();
  return before;
}

/**
 * What nobody follows is not polled. Locked first and looked at again then: somebody may have begun to follow it
 * meanwhile, and would lose it without a word.
 */
export async function forgetUnfollowed(db: Kysely<Schema>, credentialId: string): Promise<void> {
  const alone = () => sql<SqlBool>`not exists (select 1 from followings where subject_id = subjects.id)`;
  const locked = await db
    .selectFrom('subjects')
    .select('id')
    .where('credential_id', '=', credentialId)
    .where(alone())
    .orderBy('id')
    .forUpdate()
    .execute();
  if (locked.length === 0) return;
  const ids = locked.map(({ id }) => id);
  await db.deleteFrom('subjects').where('id', 'in', ids).where(alone()).execute();
}

/** In the order of their ids: two that lock several of them never wait for each other. */
export async function pollSoon(db: Kysely<Schema>, watchId: string, now: Date): Promise<void> {
  const followed = db
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', db.selectFrom('followings').select('subject_id').where('watch_id', '=', watchId))
    .orderBy('id')
    .forUpdate();
  await db
    .updateTable('subjects')
    .set({ due_at: sql`least(due_at, ${now})` })
    .where('id', 'in', followed)
    .execute();
}
