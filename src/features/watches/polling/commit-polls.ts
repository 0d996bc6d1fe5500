import { type Insertable, type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { Logger } from '../../../log.ts';
import { pendingMessage } from '../../../outbox/outgoing-message.ts';
import { type Evaluation, evaluate } from '../evaluation/evaluate.ts';
import { shownMemory } from '../evaluation/rule-memory.ts';
import { type WatchState, watchState } from '../evaluation/state.ts';
import { expediteCardUpdates, queueCardUpdates } from '../messages/card-updates.ts';
import type { WatchMessage } from '../messages/messages.ts';
import { criticalFirst } from '../messages/split-reply.ts';
import { type Follower, type Followers, lockFollowers } from './followers.ts';
import { writeHistory } from './history.ts';
import { nextTimes } from './next-times.ts';
import { placeReplies } from './place-replies.ts';
import type { Polled } from './polled.ts';

export interface CommitContext {
  db: Kysely<Schema>;
  leaseToken: string;
  now: Date;
  realNow: Date;
  newId: () => string;
  logger: Logger;
  fixedMinutes: number | undefined;
}

interface Committed {
  /** Ids of the subjects whose lease was still ours; nothing of the others was stored. */
  stored: Set<string>;
  replies: number;
}

/**
 * One transaction, without any HTTP: what each follower is notified of, the history, the replies, and when to ask
 * again. Several subjects in one, since a commit costs as much as an evaluation of twenty.
 */
export async function commitPolls(polls: readonly Polled[], context: CommitContext): Promise<Committed> {
  return await context.db.transaction().execute(async (transaction) => {
    const subjectIds = polls.map(({ row }) => row.id);
    const followers = await lockFollowers(transaction, { ...context, subjectIds });
    const ours = polls.filter(({ row }) => followers.has(row.id));
    if (ours.length === 0) return { stored: new Set<string>(), replies: 0 };
    const outcomes = ours.flatMap((poll) =>
      (followers.get(poll.row.id)?.active ?? [])
        .filter((follower) => isNews(follower, poll))
        .map((follower) => evaluateOne(follower, poll, context)),
    );
    await writeStates(transaction, outcomes);
    const replies = await writeOutbox(transaction, outcomes, context);
    await writeWatches(transaction, outcomes, context.now);
    await writeHistory(transaction, ours);
    await giveBack(transaction, ours, { followers, context });
    return { stored: new Set(ours.map(({ row }) => row.id)), replies };
  });
}

/** After a clock was set back an answer may be older than the last: only who knows none yet is notified of it. */
function isNews({ state }: Follower, { row, snapshot }: Polled): boolean {
  return !state || snapshot.kind === 'failed' || !row.polled_at || snapshot.at > row.polled_at;
}

interface Outcome extends Evaluation {
  follower: Follower;
  poll: Polled;
  /** The card shows something else than before. */
  isSeen: boolean;
  isChanged: boolean;
}

function evaluateOne(follower: Follower, poll: Polled, { now }: CommitContext): Outcome {
  const { watch, state } = follower;
  const outcome = evaluate(state, poll.snapshot, { ...watch.rules, snooze: watch.snooze }, now);
  const isNew = outcome.events.length > 0 || outcome.woke || outcome.ended;
  const isSeen = isNew || face(outcome.state) !== face(state) || isOld(poll);
  // When it was looked at says the subject's row; followers' rows are written when they remember something else.
  const isChanged = memory(outcome.state) !== memory(state);
  return { ...outcome, follower, poll, isSeen, isChanged };
}

const redrawMs = 12 * 3_600_000;

/** A card is updated twice a day even if nothing has changed: «checked» two days ago looks dead. */
function isOld({ row: { polled_at: before }, snapshot }: Polled): boolean {
  if (!before || snapshot.kind === 'failed') return false;
  const turn = (time: Date) => Math.floor(time.getTime() / redrawMs);
  return turn(snapshot.at) > turn(before);
}

const memory = (state: WatchState | null): string => JSON.stringify(state && { ...state, snapshotAt: null });

/** What a card shows of a state. */
function face(state: WatchState | null): string {
  if (state?.kind === 'vessels') {
    const vessels = Object.values(state.vessels).map(({ baseline, wavering, lost, memory }) => [
      baseline,
      wavering?.ports,
      lost,
      shownMemory(memory),
    ]);
    return JSON.stringify([state.stale, vessels]);
  }
  const vessels = state?.expected?.map(({ imo, probability, eta }) => [imo, probability, eta]);
  return JSON.stringify([state?.stale ?? false, vessels]);
}

async function writeStates(db: Kysely<Schema>, outcomes: readonly Outcome[]): Promise<void> {
  const changed = outcomes
    .filter(({ isChanged }) => isChanged)
    .map(({ follower, state }) => ({ watch_id: follower.watch.id, subject_id: follower.subjectId, state }));
  if (changed.length === 0) return;
  await sql`
    update followings set state = changed.state
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as changed (watch_id text, subject_id text, state jsonb)
    where followings.watch_id = changed.watch_id and followings.subject_id = changed.subject_id`.execute(db);
}

/** All events of one subject in one poll are one reply. In the order of the watches, as they are locked. */
async function writeOutbox(
  db: Kysely<Schema>,
  outcomes: readonly Outcome[],
  { newId, now, realNow }: CommitContext,
): Promise<number> {
  const toRow = ({ follower: { watch } }: Outcome, message: WatchMessage) =>
    pendingMessage({
      id: newId(),
      workspaceId: watch.workspaceId,
      watchId: watch.id,
      channelId: watch.channelId,
      message,
      now,
      realNow,
    });
  const notifying = outcomes.filter(({ events }) => events.length > 0);
  const notifications = notifying.map(({ events, follower: { watch, mode } }) => ({ watch, mode, events }));
  const places = await placeReplies(db, notifications, now);
  const replies: Insertable<Schema['outbox']>[] = notifying.map((outcome, index) => {
    const events = criticalFirst(outcome.events);
    const { kind, key } = outcome.poll.row;
    const place = places[index] ?? 'thread';
    return toRow(outcome, { kind: 'reply', events, subjects: [{ kind, key }], place, more: 0 });
  });
  if (replies.length > 0) await db.insertInto('outbox').values(replies).execute();
  const seen = new Map(outcomes.filter(({ isSeen }) => isSeen).map((one) => [one.follower.watch.id, one]));
  const updates = [...seen]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, outcome]) => toRow(outcome, { kind: 'card-update' }));
  await queueCardUpdates(db, updates);
  const watchIds = [...new Set(outcomes.map(({ follower }) => follower.watch.id))];
  await expediteCardUpdates(db, { watchIds, realNow });
  return replies.length;
}

/** A snooze that has ended, a watch that has had its end, and news that nobody has acknowledged yet. */
async function writeWatches(db: Kysely<Schema>, outcomes: readonly Outcome[], now: Date): Promise<void> {
  const byWatch = Map.groupBy(outcomes, ({ follower }) => follower.watch.id);
  const inOrder = [...byWatch].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [id, ofWatch] of inOrder) {
    const woke = ofWatch.some((outcome) => outcome.woke);
    const events = ofWatch.flatMap((outcome) => outcome.events);
    const isNews = events.length > 0;
    const hasEnded = ofWatch.some(({ ended }) => ended) && (await areAllEnded(db, id));
    if (!woke && !hasEnded && !isNews) continue;
    await db
      .updateTable('watches')
      .set({
        ...(woke && { snooze: null }),
        ...(hasEnded && { status: 'ended' }),
        ...(isNews && { acknowledgement: null, news: JSON.stringify({ at: now, events }) }),
      })
      .where('id', '=', id)
      .execute();
  }
}

async function areAllEnded(db: Kysely<Schema>, watchId: string): Promise<boolean> {
  const rows = await db.selectFrom('followings').select('state').where('watch_id', '=', watchId).execute();
  return rows.every(({ state }) => {
    const { data: known } = watchState.safeParse(state);
    return known?.kind === 'vessels' && Object.values(known.vessels).every(({ ended }) => ended);
  });
}

/** The leases end here, with everything else. */
async function giveBack(
  db: Kysely<Schema>,
  polls: readonly Polled[],
  { followers, context }: { followers: Map<string, Followers>; context: CommitContext },
): Promise<void> {
  const rows = polls.map((poll) => {
    const known = followers.get(poll.row.id) ?? { active: [], isFollowed: false, isLate: false };
    const times = nextTimes(poll, { ...context, followers: known.active, isFollowed: known.isFollowed });
    // Who came too late for this poll has its own at once, not after the interval.
    return { id: poll.row.id, ...times, ...(known.isLate && { due_at: context.now }) };
  });
  await sql`
    update subjects set lease_until = null, lease_token = null, due_at = given.due_at, attempts = given.attempts,
      interval_minutes = given.interval_minutes, polled_at = given.polled_at, failing_since = given.failing_since,
      nearest_eta = given.nearest_eta
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      id text, due_at timestamptz, attempts integer, interval_minutes double precision, polled_at timestamptz,
      failing_since timestamptz, nearest_eta timestamptz
    ) where subjects.id = given.id`.execute(db);
}
