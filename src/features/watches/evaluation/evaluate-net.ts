import { type Evaluation, evaluate } from './evaluate.ts';
import { isQuiet, type QuietHours } from './muting.ts';

/** No clock shows 24:00. */
const alwaysQuiet: QuietHours = { from: '00:00', to: '24:00', zone: 'UTC' };

/**
 * The first evaluation after a restore. The polls since the backup are unknown, so what usually counts after two polls
 * counts after this one: otherwise the rest of what has changed would be a second alert. `isDone` is false for a failed
 * poll, and while the watch is muted.
 */
export function evaluateNet(...args: Parameters<typeof evaluate>): Evaluation & { isDone: boolean } {
  const [state, snapshot, rules, now, condition] = args;
  if (!state || snapshot.kind === 'failed')
    return { ...evaluate(...args), isDone: snapshot.kind !== 'failed' };
  const counted = evaluate(state, snapshot, { ...rules, quiet: alwaysQuiet }, now, condition).state;
  const { snapshotAt } = state;
  const outcome = evaluate({ ...counted, snapshotAt }, snapshot, rules, now, condition);
  const isMuted = isQuiet(rules.quiet, now) || (rules.snooze !== null && !outcome.woke);
  return { ...outcome, isDone: !isMuted };
}
