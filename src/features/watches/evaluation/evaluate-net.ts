import type { Imo } from '../../../reference/imo.ts';
import { type DisputeEvent, isDisputeEvent } from '../rules/dispute-event.ts';
import type { WatchEvent } from '../rules/index.ts';
import { damping } from './damping.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { isQuiet, type QuietHours } from './muting.ts';

/** No clock shows 24:00. */
const alwaysQuiet: QuietHours = { from: '00:00', to: '24:00', zone: 'UTC' };
/** More than any answer needs until it has nothing to add. */
const maxPasses = 6;

/**
 * The first evaluation after a restore. The polls since the backup are unknown, so this answer counts as if several polls
 * in a row had brought it: otherwise what counts after two polls would be a second alert. `isDone` is false for a failed
 * poll, and while the watch is muted.
 */
export function evaluateNet(...args: Parameters<typeof evaluate>): Evaluation & { isDone: boolean } {
  const [first, snapshot, rules, now, condition] = args;
  const once = evaluate(...args);
  const isMuted = isQuiet(rules.quiet, now) || (rules.snooze !== null && !once.woke);
  const isFailed = snapshot.kind === 'failed';
  if (!first || isFailed || isMuted) return { ...once, isDone: !isFailed && !isMuted };
  const passOf = ({ state, woke }: Pick<Evaluation, 'state' | 'woke'>, quiet = rules.quiet) => {
    const own = { ...rules, quiet, snooze: woke ? null : rules.snooze };
    return evaluate({ ...state, snapshotAt: first.snapshotAt }, snapshot, own, now, condition);
  };
  // A pass without events, so that a new port comes before what has changed at the old one.
  let last = passOf({ state: first, woke: false }, alwaysQuiet);
  let woke = false;
  const net = createNetEvents();
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    last = passOf({ ...last, woke });
    woke ||= last.woke;
    net.add(last);
    if (pass >= damping.consecutivePolls && last.events.length === 0) break;
  }
  return { ...last, ...net.all(), woke, isDone: true };
}

/** Leaves out a dispute that begins and ends within one evaluation. */
function createNetEvents() {
  const begun = new Map<Imo, DisputeEvent>();
  const others: WatchEvent[] = [];
  const edits: DisputeEvent[] = [];
  return {
    add(pass: Pick<Evaluation, 'events' | 'edits'>): void {
      for (const edit of pass.edits) {
        if (!begun.has(edit.imo)) edits.push(edit);
        else if (edit.end) begun.delete(edit.imo);
        else begun.set(edit.imo, edit);
      }
      for (const event of pass.events) {
        if (isDisputeEvent(event)) begun.set(event.imo, event);
        else others.push(event);
      }
    },
    all: () => ({ events: [...begun.values(), ...others], edits }),
  };
}
