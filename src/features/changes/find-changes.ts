import { createYieldToEventLoop } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { type OwnThresholds, strictest } from '../../predictions/changes.ts';
import { type Answer, rankByVessel } from '../../predictions/next-port.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import type { Prospect } from '../../reference/prediction.ts';
import {
  columnsKey,
  listedSource,
  readAnswersAt,
  readWatchedTimes,
  type Subject,
  type SubjectColumns,
  subjectKey,
  toColumns,
} from '../history/index.ts';
import type { ScopeFilter } from '../owned/scope.ts';
import {
  type Followed,
  type NetChanges,
  netChanges,
  type PastAnswer,
  type SentAlert,
} from './net-changes.ts';

/** What a watch that hasn't ended follows, and is notified of. */
export interface Watched {
  id: string;
  own: OwnThresholds;
  /** It is only about these calls, at one port. */
  condition: { port: Locode; isMet(call: { imo: Imo; port: Locode }): boolean } | null;
  followedSubjects: readonly FollowedSubject[];
}

interface FollowedSubject {
  subject: Subject;
  /** The vessels of a list. */
  imos: readonly Imo[];
  polledAt: Date | null;
  /** The answer at that time, by vessel. */
  latest: ReadonlyMap<Imo, readonly Prospect[]> | null;
}

/** Reads watches, oldest first, and the alerts of all of them since a time: the oldest first. */
export type ReadWatched = (
  filter: ScopeFilter,
  asked: { since: Date; limit: number },
  ctx: { store: WorkspaceStore; now: Date },
) => Promise<{ watches: readonly Watched[]; total: number; alerts: readonly SentAlert[] }>;

/** With the number of watches, and how many of them are too many for one answer. */
export type FoundChanges = NetChanges & { watches: number; skipped: number };

/** Watches in one answer. */
const maxCompared = 500;

/** What has changed for the vessels and ports of the watches that the filter allows; of very many, only the oldest. */
export async function findChanges(
  readWatched: ReadWatched,
  { filter, since }: { filter: ScopeFilter; since: Date },
  ctx: { store: WorkspaceStore; now: Date },
): Promise<FoundChanges> {
  const { store } = ctx;
  const { watches, total, alerts } = await readWatched(filter, { since, limit: maxCompared }, ctx);
  const pairs = watches.flatMap((watch) => watch.followedSubjects.map((followed) => ({ watch, followed })));
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
  const answers = await readAnswersAt(store, { sources: [...sources.values()], at: since });
  const merged = new Map<Imo | Locode, Followed>();
  const conditions: Followed[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (const { watch, followed } of pairs) {
    await yieldToEventLoop();
    for (const one of comparedBy(watch, followed, answers))
      if (watch.condition) conditions.push(one);
      else merged.set(one.subject, merge(merged.get(one.subject), one));
  }
  // A vessel has one row for each port; that of a port's own watch comes first.
  const changes = netChanges([...merged.values(), ...conditions], { since, alerts });
  return { ...changes, watches: total, skipped: Math.max(0, total - maxCompared) };
}

interface StoredSubject {
  of: Imo | Locode;
  /** Where the history has it. */
  source: SubjectColumns;
}

function storedSubjects({ subject, imos }: FollowedSubject): StoredSubject[] {
  switch (subject.kind) {
    case 'shiplist':
      return imos.map((imo) => ({ of: imo, source: listedSource(imo, subject.name) }));
    case 'vessel':
      return [{ of: subject.imo, source: toColumns(subject) }];
    case 'port':
      return [{ of: subject.port, source: toColumns(subject) }];
  }
}

/** What a watch compares: each vessel or port; with a condition, its port, whether that is polled or a list. */
function comparedBy(
  { id, own, condition }: Watched,
  followed: FollowedSubject,
  answers: ReadonlyMap<string, Answer>,
): Followed[] {
  const { subject, latest, polledAt } = followed;
  const after = latest && polledAt ? { at: polledAt, vessels: latest } : undefined;
  const common = { after, own, watchIds: new Set([id]) };
  const stored = storedSubjects(followed).map(({ of, source }) => ({
    of,
    answer: answers.get(columnsKey(source)),
  }));
  const past = stored.flatMap(({ answer }) => answer ?? []);
  const at = condition || subject.kind === 'shiplist' ? commonTime(past) : undefined;
  if (condition) {
    const newest = past.filter((answer) => at && answer.at >= at);
    const calls = newest.flatMap(({ predictions }) => predictions.filter(condition.isMet));
    return [{ ...common, subject: condition.port, before: at && { at, vessels: rankByVessel(calls) } }];
  }
  return stored.map(({ of, answer }) => ({
    ...common,
    subject: of,
    before:
      answer &&
      (at && answer.at < at
        ? { at, vessels: new Map() }
        : { at: answer.at, vessels: rankByVessel(answer.predictions) }),
  }));
}

/** The time of a list's poll. A vessel without predictions has no row for it in the history, so its last row is older. */
function commonTime(answers: readonly Answer[]): Date | undefined {
  const byTime = Map.groupBy(answers, ({ at }) => at.getTime());
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
