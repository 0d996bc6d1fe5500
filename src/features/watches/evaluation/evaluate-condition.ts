import type { Imo } from '../../../reference/imo.ts';
import type { ActiveRules, WatchEvent } from '../rules/index.ts';
import { type AnsweredSnapshot, narrow, type PortCondition } from './condition.ts';
import { damping } from './damping.ts';
import { evaluatePort, type PortWindow } from './evaluate-port.ts';
import type { PortState } from './state.ts';

interface ConditionInput {
  snapshot: AnsweredSnapshot;
  condition: PortCondition;
  rules: ActiveRules;
  now: Date;
}

/**
 * Like `evaluatePort`, for the vessels of a condition. Nobody is notified of a vessel that has just joined the fleet and
 * is expected already, or that has left the fleet.
 */
export function evaluateCondition(
  stored: PortState | undefined,
  { snapshot, condition, rules, now }: ConditionInput,
): { events: WatchEvent[]; state: PortState; woke: boolean } {
  const narrowed = narrow(snapshot, condition);
  const members = condition.imos ?? [...new Set(snapshot.predictions.map((prediction) => prediction.imo))];
  const newcomers = new Set(stored?.members && condition.imos ? newSince(stored.members, members) : []);
  const { isOld = [], isNew = [] } = Object.groupBy(narrowed.predictions, (prediction) =>
    newcomers.has(prediction.imo) ? 'isNew' : 'isOld',
  );
  const before = stored && (condition.imos ? withoutOthers(stored, new Set(members)) : stored);
  const { events, state, woke } = evaluatePort(before, {
    snapshot: { ...narrowed, predictions: isOld },
    rules,
    window,
    now,
  });
  const joining = { snapshot: { ...narrowed, predictions: isNew }, rules, window, now };
  const joined = evaluatePort(undefined, joining).state;
  const expected = [...(state.expected ?? []), ...(joined.expected ?? [])].sort((a, b) => a.imo - b.imo);
  return { events, state: { ...state, expected, members }, woke };
}

/**
 * Whoever asks about one port and some vessels wants to know weeks ahead too, and of a vessel that turns up or stays away
 * at the last moment, unless it has probably called.
 */
const window: PortWindow = {
  daysAhead: null,
  appearedSilentHours: 0,
  vanishedSilentHours: damping.calledHours,
};

const newSince = (before: readonly Imo[], after: readonly Imo[]): Imo[] =>
  after.filter((member) => !before.includes(member));

/** Forgets the vessels that are no longer in the fleet. */
function withoutOthers(state: PortState, members: ReadonlySet<Imo>): PortState {
  const isMember = (vessel: { imo: Imo }) => members.has(vessel.imo);
  const { expected, rising = {}, dropped = [] } = state;
  return {
    ...state,
    expected: expected?.filter(isMember) ?? null,
    rising: Object.fromEntries(Object.entries(rising).filter(([key]) => members.has(Number(key) as Imo))),
    dropped: dropped.filter(isMember),
  };
}
