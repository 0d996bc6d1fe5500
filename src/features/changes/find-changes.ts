import { createYieldToEventLoop } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { strictest } from '../../predictions/changes.ts';
import { type Answer, rankByVessel } from '../../predictions/next-port.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { columnsKey, readAnswersAt, readWatchedTimes, subjectKey } from '../history/index.ts';
import {
  eventsSent,
  type FollowedSubject,
  listWatches,
  type SentEvent,
  sourcesOf,
  type WatchWithSubjects,
} from '../polling/index.ts';
import { eventMarker, imoOf, newsKey, predictionsFor, watchRules } from '../rules/index.ts';
import type { ScopeFilter } from '../scope.ts';
import { narrowTo, type Wanted } from './narrow.ts';
import {
  type Followed,
  type NetChanges,
  netChanges,
  type PastAnswer,
  type SentAlert,
} from './net-changes.ts';

/** What has changed, and where that was looked for. */
export interface FoundChanges extends NetChanges {
  /** In scope, whatever was asked about. */
  watches: number;
  /** Those that are too many for one answer. */
  skipped: number;
  /** Whether any watch is about what was asked. */
  isWatched: boolean;
  /** The vessels asked about that no watch is about. */
  unwatched: readonly Imo[];
}

/** Watches in one answer. */
const maxCompared = 500;

/** What has changed for the vessels and ports of the watches that the filter allows; of very many, only the oldest. */
export async function findChanges(
  { filter, since, wanted }: { filter: ScopeFilter; since: Date; wanted?: Wanted | undefined },
  { store, now }: { store: WorkspaceStore; now: Date },
): Promise<FoundChanges> {
  const { watches, total } = await listWatches(store, filter, { limit: maxCompared, withLatest: true });
  const alerts = (await eventsSent(store, watches, since)).map((sent) => toSent(sent, now));
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
      sourcesOf(followed).map(({ source }) => [
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
  const { isWatched, unwatched, ...narrowed } = narrowTo(wanted, {
    followed: [...merged.values(), ...conditions],
    alerts,
  });
  const changes = netChanges(narrowed.followed, { since, alerts: narrowed.alerts });
  const skipped = Math.max(0, total - maxCompared);
  return { ...changes, isWatched, unwatched, watches: total, skipped };
}

/** The event of an alert, in the words of today. */
export function toSent({ watchId, at, event }: SentEvent, now: Date): SentAlert {
  const rule = watchRules.ruleOf(event);
  const marker = eventMarker(event, at);
  return {
    ...{ watchId, at, imo: imoOf(event) },
    severity: marker === '🔴' ? 'act' : marker === '🟠' ? 'check' : 'information',
    news: newsKey(event),
    ...(event.kind === 'diverted' &&
      !event.mayHaveCalled && { diversion: { from: event.was.port, to: event.next.port } }),
    what: rule.view(event, { now: at }).what,
    headline: rule.view(event, { now }).headline,
  };
}

/** What a watch compares: each vessel or port; with a condition, its port, whether that is polled or a list. */
function comparedBy(
  { id, rules, promises, condition }: WatchWithSubjects,
  followed: FollowedSubject,
  answers: ReadonlyMap<string, Answer>,
): Followed[] {
  const { subject, latest, polledAt } = followed;
  const after = latest && polledAt ? { at: polledAt, vessels: latest } : undefined;
  const own = { ...watchRules.ownThresholds(rules), due: [] };
  const common = { after, own, watchIds: new Set([id]) };
  const dueOf = (of: Imo | Locode) => promises.flatMap(({ imo, due }) => (imo === of ? due : []));
  const stored = sourcesOf(followed).map(({ of, source }) => ({
    of,
    answer: answers.get(columnsKey(source)),
  }));
  const past = stored.flatMap(({ answer }) => answer ?? []);
  const at = condition || subject.kind === 'shiplist' ? commonTime(past) : undefined;
  if (condition) {
    const newest = past.filter((answer) => at && answer.at >= at);
    const calls = newest.flatMap(({ predictions }) => predictionsFor(condition, predictions));
    const port = condition.port ?? (subject.kind === 'port' ? subject.port : undefined);
    if (port === undefined) return [];
    return [{ ...common, subject: port, before: at && { at, vessels: rankByVessel(calls) } }];
  }
  return stored.map(({ of, answer }) => ({
    ...common,
    own: { ...own, due: dueOf(of) },
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
