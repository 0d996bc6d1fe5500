import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { type WatchState, watchState } from '../evaluation/state.ts';
import { type LatestAnswer, readLatestAnswers } from './latest-answers.ts';
import { fromColumns, type Subject, toColumns } from './subject.ts';
import { readWatch, type Watch } from './watch.ts';

export interface Following {
  subject: Subject;
  /** Null before the first answer. */
  state: WatchState | null;
  nextPollAt: Date;
  polledAt: Date | null;
  /** At `polledAt`; null where it was not asked for, or is forgotten. */
  latest: LatestAnswer | null;
  failingSince: Date | null;
}

export interface WatchWithFollowings extends Watch {
  followings: Following[];
}

export interface WatchFilter {
  workspaceId: string;
  channelId?: string;
  ownerId?: string;
  /** Those of a person, and those of these channels. */
  mine?: { ownerId: string; channelIds: readonly string[] };
  subject?: Subject;
  /** Of the card: a message in its thread means this watch. */
  cardTs?: string;
  ids?: readonly string[];
}

export interface WatchPageOptions {
  limit: number;
  offset?: number;
  /** For who shows what the service said last. */
  withLatest?: boolean;
}

/** Oldest first; `total` counts all that match, whatever the page. */
export async function listWatches(
  db: Kysely<Schema>,
  filter: WatchFilter,
  { limit, offset = 0, withLatest = false }: WatchPageOptions,
): Promise<{ watches: WatchWithFollowings[]; total: number }> {
  const { workspaceId, channelId, mine, ownerId, subject, cardTs, ids } = filter;
  let query = db.selectFrom('watches').where('watches.workspace_id', '=', workspaceId);
  if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
  if (mine !== undefined) {
    const { channelIds } = mine;
    query = query.where((where) =>
      where.or([
        where('owner_id', '=', mine.ownerId),
        where('channel_id', 'in', channelIds.length > 0 ? [...channelIds] : ['']),
      ]),
    );
  }
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
  if (cardTs !== undefined) query = query.where('card_ts', '=', cardTs);
  if (ids !== undefined) query = query.where('watches.id', 'in', ids.length > 0 ? [...ids] : ['']);
  if (subject !== undefined) {
    const { kind, key } = toColumns(subject);
    query = query.where('watches.id', 'in', followersOf(db, { kind, key }));
  }
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy('created_at')
    .orderBy('watches.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const followings = await readFollowings(
    db,
    rows.map(({ id }) => id),
  );
  const watches = rows.map((row) => ({ ...readWatch(row), followings: followings.get(row.id) ?? [] }));
  return { watches: withLatest ? await withAnswers(db, watches) : watches, total };
}

async function withAnswers(
  db: Kysely<Schema>,
  watches: readonly WatchWithFollowings[],
): Promise<WatchWithFollowings[]> {
  const followed = watches.flatMap(({ credentialId, followings }) =>
    followings.map((following) => ({ credentialId, ...following })),
  );
  const latestOf = await readLatestAnswers(db, followed);
  return watches.map(({ followings, ...watch }) => ({
    ...watch,
    followings: followings.map((one) => ({
      ...one,
      latest: latestOf({ credentialId: watch.credentialId, ...one }),
    })),
  }));
}

function followersOf(db: Kysely<Schema>, { kind, key }: { kind: string; key: string }) {
  return db
    .selectFrom('followings')
    .innerJoin('subjects', 'subjects.id', 'followings.subject_id')
    .select('followings.watch_id')
    .where('subjects.kind', '=', kind)
    .where('subjects.key', '=', key);
}

async function readFollowings(
  db: Kysely<Schema>,
  watchIds: readonly string[],
): Promise<Map<string, Following[]>> {
  if (watchIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('followings')
    .innerJoin('subjects', 'subjects.id', 'followings.subject_id')
    .select(['watch_id', 'state', 'kind', 'key', 'due_at', 'polled_at', 'failing_since'])
    .where('watch_id', 'in', [...watchIds])
    .orderBy('kind')
    .orderBy('key')
    .execute();
  const followings = rows.flatMap((row) => {
    const subject = fromColumns(row);
    if (!subject) return [];
    // One that can't be read looks as before its first answer: polls log it, and the other watches are listed.
    const state = watchState.nullable().safeParse(row.state).data ?? null;
    const { due_at: nextPollAt, polled_at: polledAt, failing_since: failingSince } = row;
    return [
      {
        watchId: row.watch_id,
        following: { subject, state, nextPollAt, polledAt, latest: null, failingSince },
      },
    ];
  });
  const grouped = Map.groupBy(followings, ({ watchId }) => watchId);
  return new Map([...grouped].map(([id, members]) => [id, members.map(({ following }) => following)]));
}
