import type { Rules, WatchEvent } from '../rules/index.ts';
import { evaluate } from './evaluate.ts';
import type { Snapshot } from './snapshot.ts';
import type { WatchState } from './state.ts';

interface Replayed {
  at: Date;
  events: WatchEvent[];
}

/** What these rules would have notified of, by past polls, oldest first: one entry for each reply. */
export function replay(snapshots: readonly Snapshot[], rules: Rules): Replayed[] {
  let state: WatchState | null = null;
  const replies: Replayed[] = [];
  for (const snapshot of snapshots) {
    const outcome = evaluate(state, snapshot, { ...rules, snooze: null }, snapshot.at);
    state = outcome.state;
    if (outcome.events.length > 0) replies.push({ at: snapshot.at, events: outcome.events });
  }
  return replies;
}
