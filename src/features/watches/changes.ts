import { createYieldToEventLoop } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { type ReadWatched, type SentAlert, watchChanges } from '../changes/index.ts';
import { isMet } from '../rules/evaluation/snapshot.ts';
import { imosIn } from '../rules/evaluation/state.ts';
import { eventMarker } from '../rules/event-words.ts';
import type { WatchEvent } from '../rules/list.ts';
import { imoOf, watchRules } from '../rules/registry.ts';
import { newsKey } from './polling/place-replies.ts';
import { readableAlerts } from './store/alert.ts';
import { listWatches, type WatchWithSubjects } from './store/watch-list.ts';

/** What `watch changes` needs to know of watches and their alerts. */
export const readWatchedSince: ReadWatched = async (filter, { since, limit }, { store, now }) => {
  const { watches, total } = await listWatches(store, filter, { limit, withLatest: true });
  return {
    watches: watches.filter(({ status }) => status !== 'ended').map(toWatched),
    total,
    alerts: await readAlerts(watches, { store, since, now }),
  };
};

export const changes = watchChanges(readWatchedSince);

const toWatched = ({ id, rules, condition, followedSubjects }: WatchWithSubjects) => ({
  id,
  own: watchRules.ownThresholds(rules),
  condition: condition && { port: condition.port, isMet: isMet.bind(null, condition) },
  followedSubjects: followedSubjects.map(({ state, ...followed }) => ({ ...followed, imos: imosIn(state) })),
});

/** More than a busy channel is notified of in a week. */
const maxAlerts = 2_000;

/** What these watches have notified of since then, oldest first: the newest, if it is very much. */
async function readAlerts(
  watches: readonly WatchWithSubjects[],
  { store, since, now }: { store: WorkspaceStore; since: Date; now: Date },
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
      if (notifiedAt)
        for (const event of events) alerts.push(toSent(event, { watchId, at: notifiedAt, now }));
  }
  return alerts;
}

/** The event of an alert that was sent at a time, in the words of today. */
export function toSent(
  event: WatchEvent,
  { now, ...sent }: Pick<SentAlert, 'watchId' | 'at'> & { now: Date },
): SentAlert {
  const rule = watchRules.ruleOf(event);
  const marker = eventMarker(event, sent.at);
  return {
    ...sent,
    imo: imoOf(event),
    severity: marker === '🔴' ? 'act' : marker === '🟠' ? 'check' : 'information',
    news: newsKey(event),
    ...(event.kind === 'diverted' &&
      !event.mayHaveCalled && { diversion: { from: event.was.port, to: event.next.port } }),
    what: rule.view(event, { now: sent.at }).what,
    headline: rule.view(event, { now }).headline,
  };
}
