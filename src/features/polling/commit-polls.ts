import { addMilliseconds } from 'date-fns/addMilliseconds';
import { max } from 'date-fns/max';
import { sql } from 'kysely';
import { countdown } from '../../answers/formatting/times.ts';
import { createYieldToEventLoop, inChunks, valuesList } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { Logger } from '../../log.ts';
import type { QueueContext } from '../../outbox/outgoing-message.ts';
import { likeliestEtas } from '../../predictions/next-port.ts';
import { openSince } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import { type ChannelMode, readChannelMode } from '../../workspaces/settings.ts';
import { closeAlerts, editAlert, type Notification, writeReplies } from '../alerts/index.ts';
import { endWatched, fromColumns, writeHistory } from '../history/index.ts';
import { readPromises } from '../promises/index.ts';
import {
  disputeKey,
  type Evaluation,
  evaluate,
  evaluateNet,
  imosIn,
  isDisputeEvent,
  narrow,
  shownMemory,
  type WatchState,
  watchState,
} from '../rules/index.ts';
import { storeEndedCalls } from '../stability/index.ts';
import { nextPollColumns, type Polled } from './call-plan.ts';
import { expediteCardUpdates, queueCardUpdates, readWatch, type Watch, withPromises } from './watch.ts';

interface CommitContext extends QueueContext {
  /** Of all the polls. */
  store: WorkspaceStore;
  leaseToken: string;
  logger: Logger;
  /** Minutes between two polls, if the settings fix them: WATCH_POLL_MINUTES. */
  fixedMinutes: number | undefined;
}

/**
 * Stores polls in one transaction, without any HTTP: the followers' states, their replies, the history, and when to
 * poll again. Several polls share it, because a commit takes as long as twenty evaluations.
 * `stored` has the ids of the subjects whose lease this poller still had. Polls of other subjects are dropped.
 */
export async function commitPolls(
  polls: readonly Polled[],
  context: CommitContext,
): Promise<{ stored: Set<string>; replies: number }> {
  return await context.store.transaction(async (transaction) => {
    const subjectIds = polls.map(({ row }) => row.id);
    const followers = await lockFollowers(transaction, { ...context, subjectIds });
    const stillLeased = polls.flatMap((poll) => {
      const ofSubject = followers.get(poll.row.id);
      return ofSubject ? [{ poll, ...ofSubject }] : [];
    });
    if (stillLeased.length === 0) return { stored: new Set<string>(), replies: 0 };
    const outcomes = await evaluateFollowers(
      await readFollowed(transaction, stillLeased, context.now),
      context,
    );
    await writeStates(transaction, outcomes);
    await writeEdits(transaction, outcomes, context);
    const changed = outcomes.filter((outcome) => outcome.isStateChanged && outcome.isCardOutdated);
    await closeAlerts(
      transaction,
      changed.map(({ follower, state, poll }) => {
        const subject = fromColumns(poll.row);
        const port = subject?.kind === 'port' ? subject.port : undefined;
        return { watchId: follower.watch.id, state, port };
      }),
      context,
    );
    const recovered = outcomes.filter(({ isRecovered }) => isRecovered).map(({ follower }) => follower);
    await endRecovery(transaction, recovered);
    const replies = await writeReplies(transaction, notificationsOf(outcomes), context);
    await writeCardUpdates(transaction, outcomes, context);
    await writeWatches(transaction, outcomes);
    const stored = stillLeased.map(({ poll }) => poll);
    await writeHistory(
      transaction,
      stored.flatMap(({ snapshot }) => (snapshot.kind === 'failed' ? [] : snapshot)),
    );
    const openCalls = await storeEndedCalls(transaction, stored);
    await releaseSubjects(transaction, stillLeased, { ...context, openCalls });
    return { stored: new Set(stored.map(({ row }) => row.id)), replies };
  });
}

/** Each follower with the promises of the vessels that it follows. */
async function readFollowed(
  store: WorkspaceStore,
  polls: readonly (Followers & { poll: Polled })[],
  now: Date,
): Promise<FollowedPoll[]> {
  const followed = polls.flatMap(({ poll, active }) => {
    const imos = new Set(polledVessels(poll));
    return active.map((follower) => ({
      follower,
      poll,
      imos: new Set([...imos, ...imosIn(follower.state)]),
    }));
  });
  const promises = await readPromises(store, {
    imos: followed.flatMap(({ imos }) => [...imos]),
    after: openSince(now),
  });
  const byVessel = Map.groupBy(promises, ({ imo }) => imo);
  return followed.map(({ follower, poll, imos }) => {
    const watch = withPromises(
      follower.watch,
      imos,
      [...imos].flatMap((imo) => byVessel.get(imo) ?? []),
    );
    return { poll, follower: { ...follower, watch } };
  });
}

/** None for a poll of a port, whose watches are about calls there. */
function polledVessels({ snapshot }: Polled): Imo[] {
  if (snapshot.kind === 'vessel') return [snapshot.imo];
  return snapshot.kind === 'shiplist' ? snapshot.predictions.map(({ imo }) => imo) : [];
}

interface FollowedPoll {
  follower: Follower;
  poll: Polled;
}

/** An answer that is no newer than the last poll, as after a clock rollback, is evaluated for new followers only. */
function isNewToFollower({ follower: { state }, poll: { row, snapshot } }: FollowedPoll): boolean {
  return !state || snapshot.kind === 'failed' || !row.polled_at || snapshot.at > row.polled_at;
}

interface Outcome extends Evaluation, FollowedPoll {
  isCardOutdated: boolean;
  isStateChanged: boolean;
  /** This was the first evaluation after a restore. */
  isRecovered: boolean;
}

/** Hundreds of followers take a while. */
async function evaluateFollowers(
  followedPolls: readonly FollowedPoll[],
  context: CommitContext,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (const followedPoll of followedPolls.filter(isNewToFollower)) {
    await yieldToEventLoop();
    outcomes.push(evaluateFollower(followedPoll, context));
  }
  return outcomes;
}

function evaluateFollower({ follower, poll }: FollowedPoll, { now }: CommitContext): Outcome {
  const { watch, state, restoredFrom } = follower;
  const { rules, promises, snooze, condition } = watch;
  const input = [state, poll.snapshot, { ...rules, promises, snooze }, now, condition] as const;
  const { isDone: isRecovered, ...outcome } = restoredFrom
    ? evaluateNet(...input)
    : { ...evaluate(...input), isDone: false };
  const isStateChanged = !state || comparableState(outcome.state) !== comparableState(state);
  const hasNews = outcome.events.length > 0 || outcome.woke || outcome.ended;
  const isCardOutdated =
    hasNews ||
    isRecovered ||
    isNewHalfDay(poll) ||
    showsOldTime(poll, watch) ||
    (isStateChanged && stateOnCard(outcome.state) !== stateOnCard(state));
  return { ...outcome, follower, poll, isCardOutdated, isStateChanged, isRecovered };
}

const halfDayMs = 12 * 3_600_000;

/** A card is updated twice a day even if nothing has changed, because a card that shows an old time looks dead. */
function isNewHalfDay({ row: { polled_at: before }, snapshot }: Polled): boolean {
  if (!before || snapshot.kind === 'failed') return false;
  const halfDay = (time: Date) => Math.floor(time.getTime() / halfDayMs);
  return halfDay(snapshot.at) > halfDay(before);
}

/**
 * A card of one vessel shows whether there is an ETA, and how far it is ahead; every card shows which ETAs have passed, and
 * due dates ahead.
 */
function showsOldTime(
  { row: { polled_at: before, nearest_eta }, snapshot: polled }: Polled,
  { condition, promises }: Follower['watch'],
): boolean {
  if (!before || polled.kind === 'failed') return false;
  const snapshot = condition ? narrow(polled, condition) : polled;
  const { at: now } = snapshot;
  const hasPassed = (time: Date) => time > before && time <= now;
  const isOld = (eta: Date) =>
    hasPassed(eta) || (snapshot.kind === 'vessel' && countdown(eta, before) !== countdown(eta, now));
  const etas = likeliestEtas(snapshot.predictions);
  const isLost = snapshot.kind === 'vessel' && nearest_eta !== null && etas.length === 0;
  return isLost || promises.some(({ due }) => hasPassed(due.at)) || etas.some(isOld);
}

/** Leaves out the time of the poll, which is also in the subject's row, so most polls change no follower's state. */
const comparableState = (state: WatchState): string => JSON.stringify({ ...state, snapshotAt: null });

function stateOnCard(state: WatchState | null): string {
  if (state?.kind === 'vessels') {
    const vessels = Object.values(state.vessels).map(({ baseline, dispute, next, lost, memory }) => [
      baseline,
      dispute?.kind,
      next,
      lost,
      shownMemory(memory),
    ]);
    return JSON.stringify([state.stale, vessels]);
  }
  const vessels = state?.expected?.map(({ imo, probability, eta }) => [imo, probability, eta]);
  return JSON.stringify([state?.stale ?? false, vessels]);
}

async function writeStates(store: WorkspaceStore, outcomes: readonly Outcome[]): Promise<void> {
  const changed = outcomes
    .filter(({ isStateChanged }) => isStateChanged)
    .map(({ follower, state }) => [follower.watch.id, follower.subjectId, JSON.stringify(state)]);
  for (const chunk of inChunks(changed)) {
    await sql`
      update followings set state = column3 from (${valuesList(chunk, ['text', 'text', 'text'])}) as changed
      where ${store.isOwn('followings')} and followings.watch_id = column1 and followings.subject_id = column2`.execute(
      store,
    );
  }
}

async function writeEdits(
  store: WorkspaceStore,
  outcomes: readonly Outcome[],
  context: CommitContext,
): Promise<void> {
  for (const { edits, follower } of outcomes) {
    for (const event of edits) {
      const alert = { watchId: follower.watch.id, editKey: disputeKey(event) };
      await editAlert(store, { ...alert, events: [event], isLast: event.end !== undefined }, context);
    }
  }
}

async function writeCardUpdates(
  store: WorkspaceStore,
  outcomes: readonly Outcome[],
  context: CommitContext,
): Promise<void> {
  const outdated = outcomes.filter(({ isCardOutdated }) => isCardOutdated);
  const watches = groupByWatch(outdated).flatMap(([, [outcome]]) => outcome?.follower.watch ?? []);
  await queueCardUpdates(store, watches, context);
  // Somebody may have pressed Refresh on any of these cards.
  const watchIds = groupByWatch(outcomes).map(([id]) => id);
  await expediteCardUpdates(store, { ...context, watchIds });
}

/** Sorted by the ids of the watches: all transactions lock them in that order. */
const groupByWatch = (outcomes: readonly Outcome[]): [string, Outcome[]][] =>
  [...Map.groupBy(outcomes, ({ follower }) => follower.watch.id)].sort(([a], [b]) => (a < b ? -1 : 1));

/** Ends snoozes, and watches with the rule “until next port”. */
async function writeWatches(store: WorkspaceStore, outcomes: readonly Outcome[]): Promise<void> {
  for (const [id, ofWatch] of groupByWatch(outcomes)) {
    const woke = ofWatch.some((outcome) => outcome.woke);
    const hasEnded = ofWatch.some(({ ended }) => ended) && (await areAllEnded(store, id));
    if (!woke && !hasEnded) continue;
    // This poll was still made for the watch.
    const end = addMilliseconds(max(ofWatch.map(({ poll }) => poll.snapshot.at)), 1);
    if (hasEnded) await endWatched(store, { watchId: id, now: end });
    await store
      .updateTable('watches')
      .set({
        ...(woke && { snooze: null }),
        ...(hasEnded && { status: 'ended' }),
      })
      .where('id', '=', id)
      .execute();
  }
}

async function areAllEnded(store: WorkspaceStore, id: string): Promise<boolean> {
  const rows = await store.selectFrom('followings').select('state').where('watch_id', '=', id).execute();
  return rows.every(({ state }) => {
    const { data } = watchState.safeParse(state);
    return data?.kind === 'vessels' && Object.values(data.vessels).every(({ ended }) => ended);
  });
}

/** Ends the leases and stores when the subjects are due again. */
async function releaseSubjects(
  store: WorkspaceStore,
  polls: readonly (Followers & { poll: Polled })[],
  { now, fixedMinutes, openCalls }: CommitContext & { openCalls: ReadonlyMap<string, string> },
): Promise<void> {
  const rows = polls.map(({ poll, active, isFollowed, hasLateFollower }) => {
    const watches = active.map(({ watch }) => watch);
    const columns = nextPollColumns(poll, { watches, isFollowed, now, fixedMinutes });
    // A watch that was added or resumed while this poll ran gets another poll at once.
    const due_at = hasLateFollower ? now : columns.due_at;
    const { attempts, interval_minutes, polled_at, failing_since, nearest_eta } = columns;
    const calls = openCalls.get(poll.row.id) ?? null;
    return [poll.row.id, due_at, attempts, interval_minutes, polled_at, failing_since, nearest_eta, calls];
  });
  const types = [
    'text',
    'bigint',
    'integer',
    'double precision',
    'bigint',
    'bigint',
    'bigint',
    'text',
  ] as const;
  await sql`
    update subjects set lease_until = null, lease_token = null, due_at = column2, attempts = column3,
      interval_minutes = column4, polled_at = column5, failing_since = column6, nearest_eta = column7,
      open_calls = coalesce(column8, open_calls)
    from (${valuesList(rows, types)}) as next
    where ${store.isOwn('subjects')} and subjects.id = column1`.execute(store);
}

/**
 * All events of one subject in one poll are one reply, but a dispute has a reply of its own, which is edited later. After
 * a restore, all that has changed for the subjects of a watch is one reply.
 */
function notificationsOf(outcomes: readonly Outcome[]): Notification[] {
  const all = outcomes.flatMap(ofOne);
  const isMerged = ({ restoredFrom, editKey }: Notification) => restoredFrom && editKey === undefined;
  const byWatch = Map.groupBy(all.filter(isMerged), ({ follower }) => follower.watch.id);
  return [...all.filter((one) => !isMerged(one)), ...[...byWatch.values()].flatMap(merge)];
}

function ofOne({ events, follower, poll: { row: subject } }: Outcome): Notification[] {
  const { restoredFrom } = follower;
  const common = { follower, subjects: [subject], ...(restoredFrom && { restoredFrom }) };
  const disputes = events.filter(isDisputeEvent);
  const others = events.filter((event) => !isDisputeEvent(event));
  return [
    ...disputes.map((event) => ({ ...common, events: [event], editKey: disputeKey(event) })),
    ...(others.length > 0 ? [{ ...common, events: others }] : []),
  ];
}

function merge(notifications: readonly Notification[]): Notification[] {
  const [first] = notifications;
  if (!first) return [];
  const subjects = notifications.flatMap((notification) => notification.subjects);
  return [{ ...first, subjects, events: notifications.flatMap(({ events }) => events) }];
}

/** A watch that follows a subject, and its state for that subject. */
interface Follower {
  subjectId: string;
  watch: Watch;
  mode: ChannelMode;
  state: WatchState | null;
  /** The time of the backup, if the store was restored since the last evaluation. */
  restoredFrom: Date | null;
}

/** The followers of one subject. */
interface Followers {
  active: Follower[];
  /** At least one watch is active, even if it can't be read. */
  isFollowed: boolean;
  /** A watch was added or resumed after the active ones were locked, so it misses this poll. */
  hasLateFollower: boolean;
}

/**
 * Locks the active watches of these subjects and then the subjects, each in the order of their ids, as changes of watches
 * do. Whoever changes what a watch follows has locked the watch. Leaves out subjects whose lease has been taken over, and
 * watches that can't be read.
 */
async function lockFollowers(
  store: WorkspaceStore,
  { subjectIds, leaseToken, logger }: { subjectIds: readonly string[]; leaseToken: string; logger: Logger },
): Promise<Map<string, Followers>> {
  const followed = store.selectFrom('followings').select('watch_id').where('subject_id', 'in', subjectIds);
  const watches = await store
    .selectFrom('watches')
    .leftJoin(...store.join('channels', 'channels.channel_id', 'watches.channel_id'))
    .selectAll('watches')
    .select('channels.mode')
    .where('watches.status', '=', 'active')
    .where('watches.id', 'in', followed)
    .orderBy('watches.id')
    .forKeyShare('watches')
    .execute();
  const subjects = await store
    .selectFrom('subjects')
    .select('id')
    .where('id', 'in', subjectIds)
    .where('lease_token', '=', leaseToken)
    .orderBy('id')
    .forUpdate()
    .execute();
  const followings = await store
    .selectFrom('followings')
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['followings.watch_id', 'followings.subject_id', 'followings.state', 'followings.restored_from'])
    .select('watches.status')
    .where('followings.subject_id', 'in', subjectIds)
    .orderBy('followings.watch_id')
    .orderBy('followings.subject_id')
    .execute();
  // Hundreds of followers take a while to read.
  const yieldToEventLoop = createYieldToEventLoop();
  await yieldToEventLoop();
  const lockedWatches = new Map(
    watches.map((row) => [
      row.id,
      readOrLog(
        () => ({ watch: readWatch(row), mode: readChannelMode(row.mode) }),
        { watch: row.id },
        logger,
      ),
    ]),
  );
  const bySubject = Map.groupBy(followings, ({ subject_id }) => subject_id);
  const followers = new Map<string, Followers>();
  for (const { id: subjectId } of subjects) {
    const ofSubject = bySubject.get(subjectId) ?? [];
    const active: Follower[] = [];
    for (const { watch_id, state, restored_from: restoredFrom } of ofSubject) {
      await yieldToEventLoop();
      const watch = lockedWatches.get(watch_id);
      if (!watch) continue;
      const read = () => ({ ...watch, subjectId, state: storedState.parse(state), restoredFrom });
      const follower = readOrLog(read, { watch: watch_id, subject: subjectId }, logger);
      if (follower) active.push(follower);
    }
    const isFollowed = ofSubject.some(({ watch_id }) => lockedWatches.has(watch_id));
    const hasLateFollower = ofSubject.some(
      ({ watch_id, status }) => status === 'active' && !lockedWatches.has(watch_id),
    );
    followers.set(subjectId, { active, isFollowed, hasLateFollower });
  }
  return followers;
}

/** Their next alerts don't come after a restore any more. */
async function endRecovery(store: WorkspaceStore, followers: readonly Follower[]): Promise<void> {
  for (const { watch, subjectId } of followers) {
    await store
      .updateTable('followings')
      .set({ restored_from: null })
      .where('watch_id', '=', watch.id)
      .where('subject_id', '=', subjectId)
      .execute();
  }
}

const storedState = watchState.nullable();

/** Returns undefined if it can't be read, because one bad row must not keep other watches from being notified. */
function readOrLog<Value>(
  read: () => Value,
  ids: { watch: string; subject?: string },
  logger: Logger,
): Value | undefined {
  try {
    return read();
  } catch (error) {
    logger.error({ ...ids, err: error }, 'a watch or its state cannot be read');
    return undefined;
  }
}
