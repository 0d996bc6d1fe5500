import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { createYieldToEventLoop } from '../../database/yield-to-event-loop.ts';
import { strictest } from '../../predictions/changes.ts';
import { type Answer, rankByVessel } from '../../predictions/ranking.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import type { ScopeFilter } from '../owned.ts';
import { type PortCondition, predictionsFor } from '../watches/evaluation/snapshot.ts';
import { imosIn } from '../watches/evaluation/state.ts';
import { listedSource, readAnswersAt } from '../history/index.ts';
import { watchRules } from '../watches/rules/registry.ts';
import { readableAlerts } from '../watches/store/alert.ts';
import { columnsKey, type SubjectColumns, subjectKey, toColumns } from '../history/index.ts';
import type { FollowedSubject, WatchWithSubjects } from '../watches/store/watch-list.ts';
import { readWatchedTimes } from '../history/index.ts';
import {
  type Followed,
  type NetChanges,
  netChanges,
  type PastAnswer,
  type SentAlert,
} from './net-changes.ts';

interface ChangesContext {
  store: WorkspaceStore;
  since: Date;
  /** What the person may see. */
  filter: ScopeFilter;
}

/** What has changed for the vessels and ports of these watches, which come with their latest answers. */
export async function readChanges(
  watches: readonly WatchWithSubjects[],
  { store, since, filter }: ChangesContext,
): Promise<NetChanges> {
  const pairs = watches
    .filter(({ status }) => status !== 'ended')
    .flatMap((watch) => watch.followedSubjects.map((followed) => ({ watch, followed })));
  const followedSubjects = pairs.map(({ followed }) => followed);
  const times = await readWatchedTimes(store, {
    filter,
    subjects: followedSubjects.map(({ subject }) => subject),
  });
  const sources = new Map(
    followedSubjects.flatMap((followed) =>
      storedSubjects(followed).map(({ source }) => [
        columnsKey(source),
        { source, watched: times.get(subjectKey(followed.subject)) ?? [] },
      ]),
    ),
  );
  const [answers, alerts] = await Promise.all([
    readAnswersAt(store, { sources: [...sources.values()], at: since }),
    readAlerts(watches, { store, since }),
  ]);
  const merged = new Map<Imo | Locode, Followed>();
  const conditions: Followed[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (const { watch, followed } of pairs) {
    await yieldToEventLoop();
    if (watch.condition) conditions.push(followedFor(watch.condition, { watch, followed, answers }));
    else
      for (const one of followedBy(watch, followed, answers))
        merged.set(one.subject, merge(merged.get(one.subject), one));
  }
  // A vessel has one row for each port; that of a port's own watch comes first.
  return netChanges([...merged.values(), ...conditions], { since, alerts });
}

interface StoredSubject {
  of: Imo | Locode;
  /** Where the history has it. */
  source: SubjectColumns;
}

function storedSubjects({ subject, state }: FollowedSubject): StoredSubject[] {
  switch (subject.kind) {
    case 'shiplist':
      return imosIn(state).map((imo) => ({ of: imo, source: listedSource(imo, subject.name) }));
    case 'vessel':
      return [{ of: subject.imo, source: toColumns(subject) }];
    case 'port':
      return [{ of: subject.port, source: toColumns(subject) }];
  }
}

function followedBy(
  { id, rules }: WatchWithSubjects,
  followed: FollowedSubject,
  answers: ReadonlyMap<string, Answer>,
): Followed[] {
  const { subject, latest, polledAt } = followed;
  const common = { watchIds: new Set([id]), own: watchRules.ownThresholds(rules) };
  const after = latest && polledAt ? { at: polledAt, vessels: latest } : undefined;
  const stored = storedSubjects(followed).map(({ of, source }) => ({
    of,
    answer: answers.get(columnsKey(source)),
  }));
  const listedAt = subject.kind === 'shiplist' ? commonTime(stored.map(({ answer }) => answer)) : undefined;
  return stored.map(({ of, answer }) => ({
    subject: of,
    before:
      answer &&
      (listedAt && answer.at < listedAt ? { at: listedAt, vessels: new Map() } : toPastAnswer(answer)),
    after,
    ...common,
  }));
}

/** The calls that the condition is about, whether its port is polled or a list. */
function followedFor(
  condition: PortCondition,
  {
    watch: { id, rules },
    followed,
    answers,
  }: { watch: WatchWithSubjects; followed: FollowedSubject; answers: ReadonlyMap<string, Answer> },
): Followed {
  const { latest, polledAt } = followed;
  const past = storedSubjects(followed).flatMap(({ source }) => answers.get(columnsKey(source)) ?? []);
  const at = commonTime(past);
  const newest = past.filter((answer) => at && answer.at >= at);
  const calls = predictionsFor(
    condition,
    newest.flatMap(({ predictions }) => predictions),
  );
  return {
    subject: condition.port,
    watchIds: new Set([id]),
    before: at && { at, vessels: rankByVessel(calls) },
    after: latest && polledAt ? { at: polledAt, vessels: latest } : undefined,
    own: watchRules.ownThresholds(rules),
  };
}

const toPastAnswer = ({ at, predictions }: Answer): PastAnswer => ({
  at,
  vessels: rankByVessel(predictions),
});

/** The time of a list's poll. A vessel without predictions has no row for it in the history, so its last row is older. */
function commonTime(answers: readonly (Answer | undefined)[]): Date | undefined {
  const byTime = Map.groupBy(
    answers.filter((answer) => answer !== undefined),
    ({ at }) => at.getTime(),
  );
  const [most] = [...byTime.values()].sort((some, others) => others.length - some.length);
  return most?.[0]?.at;
}

/** The same vessel in several watches: the newest answer, and the strictest rules. */
function merge(one: Followed | undefined, other: Followed): Followed {
  if (!one) return other;
  return {
    ...(isNewer(other.after, one.after) ? other : one),
    before: isNewer(other.before, one.before) ? other.before : one.before,
    watchIds: new Set([...one.watchIds, ...other.watchIds]),
    own: strictest(one.own, other.own),
  };
}

const isNewer = (one: PastAnswer | undefined, other: PastAnswer | undefined): boolean =>
  one !== undefined && (other === undefined || one.at > other.at);

/** More than a busy channel is notified of in a week. */
const maxAlerts = 2_000;

/** What these watches have notified of since then, oldest first: the newest, if it is very much. */
async function readAlerts(
  watches: readonly WatchWithSubjects[],
  { store, since }: Omit<ChangesContext, 'filter'>,
): Promise<SentAlert[]> {
  const rows = await store
    .selectFrom('alerts')
    .selectAll()
    // SQL has no empty list.
    .where('watch_id', 'in', ['', ...watches.map(({ id }) => id)])
    .where('notified_at', '>', since)
    .orderBy('notified_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxAlerts)
    .execute();
  const yieldToEventLoop = createYieldToEventLoop();
  const alerts: SentAlert[] = [];
  for (const row of rows.toReversed()) {
    await yieldToEventLoop();
    // A newer version may have written events that this one doesn't know.
    for (const { watchId, notifiedAt, events } of readableAlerts([row]))
      if (notifiedAt) for (const event of events) alerts.push({ watchId, at: notifiedAt, event });
  }
  return alerts;
}
