// The replies that a watch with some rules would have made of the polls of a fleet.
import { evaluate } from '../../src/features/rules/evaluation/evaluate.ts';
import type { WatchState } from '../../src/features/rules/evaluation/state.ts';
import type { Rules, WatchEvent } from '../../src/features/rules/list.ts';
import type { VesselSnapshot } from './fleet-polls.ts';
import type { Notice } from './oracle.ts';

/** One event of a new reply. Events that only edit a reply are left out, since they notify nobody. */
export interface Alert {
  at: Date;
  event: WatchEvent;
}

/**
 * The alerts about one vessel. Its first poll notifies nobody. With `settlingNotifies`, the end of a dispute is a new
 * reply, as it once was, and not an edit.
 */
export function alertsOf(
  snapshots: readonly VesselSnapshot[],
  rules: Rules,
  { settlingNotifies = false } = {},
): Alert[] {
  let state: WatchState | null = null;
  return snapshots.flatMap((snapshot) => {
    const outcome = evaluate(state, snapshot, { ...rules, snooze: null }, snapshot.at);
    state = outcome.state;
    const settled = settlingNotifies ? outcome.edits.filter(({ end }) => end?.kind === 'settled') : [];
    return [...settled, ...outcome.events].map((event) => ({ at: snapshot.at, event }));
  });
}

/** The label of its row in the table. */
export function labelOf(event: WatchEvent): string {
  switch (event.kind) {
    case 'undecided':
    case 'back-and-forth':
    case 'unlikely':
      return 'dispute';
    case 'eta-slipped':
    case 'eta-advanced':
      return 'ETA moved';
    default:
      return event.kind.replaceAll('-', ' ');
  }
}

/** What the reply says about the next port; none if it says nothing about it. */
export function noticeOf({ at, event }: Alert): Notice[] {
  if ('end' in event && event.end) return [{ at, kind: 'other', port: event.now.port }];
  switch (event.kind) {
    case 'diverted':
      return [{ at, kind: 'diverted', port: event.next.port }];
    case 'moved-on':
    case 'prediction-back':
      return [{ at, kind: 'other', port: event.next.port }];
    case 'undecided':
      return event.other ? [{ at, kind: 'dispute', ports: [event.now.port, event.other.port] }] : [];
    case 'back-and-forth':
      return [{ at, kind: 'dispute', ports: [event.now.port, event.was.port], leader: event.now.port }];
    default:
      return [];
  }
}
