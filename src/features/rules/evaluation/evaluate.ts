import { rankByVessel } from '../../../predictions/next-port.ts';
import type { Imo } from '../../../reference/codes.ts';
import { type DisputeEvent, isDisputeEvent } from '../dispute.ts';
import type { ActiveRules, Rules, WatchEvent } from '../list.ts';
import { watchRules } from '../registry.ts';
import { evaluateCondition, evaluatePort } from './evaluate-port.ts';
import { evaluateVessel } from './evaluate-vessel.ts';
import { isQuiet, isSnoozed, type QuietHours, type Snooze } from './muting.ts';
import {
  damping,
  imosIn,
  type PortCondition,
  type Snapshot,
  type VesselsState,
  vesselStates,
  type WatchState,
} from './state.ts';

export interface Evaluation {
  /** The events of one subject in one poll: one reply shows them all. */
  events: WatchEvent[];
  /** What earlier alerts of disputes now show: they are edited in place, which notifies nobody. */
  edits: DisputeEvent[];
  state: WatchState;
  /** The snooze has ended. */
  woke: boolean;
  /** Every vessel's next port has changed, and the rules end the watch then. */
  ended: boolean;
}

/**
 * Returns the events of a poll, and the new state, which holds all memory: this function is pure. The state is null
 * for a new watch, whose first answer notifies nobody. An answer that isn't newer than the last changes nothing.
 */
export function evaluate(
  state: WatchState | null,
  snapshot: Snapshot,
  rules: ActiveRules,
  now: Date,
  condition: PortCondition | null = null,
): Evaluation {
  if (snapshot.kind === 'failed') {
    const isPort = snapshot.isPort || condition !== null;
    return evaluateFailure(state, { ...snapshot, isPort }, { rules, now });
  }
  if (state && snapshot.at <= state.snapshotAt) return unchanged(state);
  const before = state?.kind === 'port' ? state : undefined;
  if (condition)
    return { ...evaluateCondition(before, { snapshot, condition, rules, now }), edits: [], ended: false };
  if (snapshot.kind === 'port') {
    return { ...evaluatePort(before, { snapshot, rules, now }), edits: [], ended: false };
  }
  return evaluateVessels(state?.kind === 'vessels' ? state : undefined, snapshot, { rules, now });
}

/** The replies that these rules would have caused in past polls. `snapshots` begin with the oldest. */
export function replay(
  snapshots: readonly Snapshot[],
  rules: Rules,
  condition: PortCondition | null = null,
): { at: Date; events: WatchEvent[] }[] {
  let state: WatchState | null = null;
  return snapshots.flatMap((snapshot) => {
    const outcome = evaluate(state, snapshot, { ...rules, snooze: null }, snapshot.at, condition);
    state = outcome.state;
    return outcome.events.length > 0 ? [{ at: snapshot.at, events: outcome.events }] : [];
  });
}

const unchanged = (state: WatchState): Evaluation => ({
  events: [],
  edits: [],
  state,
  woke: false,
  ended: isEnded(state),
});

/** A vessel that is no longer in a list has no predictions. */
function evaluateVessels(
  before: VesselsState | undefined,
  snapshot: Extract<Snapshot, { kind: 'vessel' | 'shiplist' }>,
  { rules, now }: { rules: ActiveRules; now: Date },
): Evaluation {
  const { at, scale, predictions } = snapshot;
  const rankings = rankByVessel(predictions);
  const imos =
    snapshot.kind === 'vessel' ? [snapshot.imo] : [...new Set([...imosIn(before), ...rankings.keys()])];
  const outcomes = imos
    .sort((a, b) => a - b)
    .map((imo) => {
      const ranked = rankings.get(imo) ?? [];
      const own = { ...rules, ...promisedTo(imo, rules) };
      return { imo, ...evaluateVessel(before?.vessels[imo], { imo, ranked, scale, rules: own, now }) };
    });
  const vessels = Object.fromEntries(outcomes.map(({ imo, state }) => [imo, state]));
  const state: WatchState = { kind: 'vessels', snapshotAt: at, stale: false, vessels };
  return {
    events: outcomes.flatMap(({ events }) => events),
    edits: outcomes.flatMap(({ edits }) => edits),
    state,
    woke: outcomes.some(({ woke }) => woke),
    ended: isEnded(state),
  };
}

const promisedTo = (imo: Imo, { promises }: ActiveRules) =>
  promises && { due: promises.flatMap((promise) => (promise.imo === imo ? promise.due : [])) };

/** Notifies once that the service doesn't answer. Its next answer is compared with the baseline as usual. */
function evaluateFailure(
  before: WatchState | null,
  { isPort, silentSince, intervalMinutes }: Extract<Snapshot, { kind: 'failed' }>,
  { rules, now }: { rules: ActiveRules; now: Date },
): Evaluation {
  const state = before ?? newState(isPort);
  const silentMs = now.getTime() - silentSince.getTime();
  const isStale = silentMs >= damping.staleIntervals * intervalMinutes * 60_000;
  const isAsleep = isQuiet(rules.quiet, now) || isSnoozedFor(state, rules.snooze, now);
  if (!isStale || state.stale || isAsleep || isEnded(state)) return unchanged(state);
  const active = watchRules.active(rules, { isPort });
  const events = active.flatMap(({ rule }) => rule.failed?.(silentSince) ?? []);
  return { events, edits: [], state: { ...state, stale: true }, woke: false, ended: false };
}

/** A snooze until some time before the ETA ends with the first vessel that is so near. */
function isSnoozedFor(state: WatchState, snooze: Snooze | null, now: Date): boolean {
  const etas = Object.values(vesselStates(state)).map(({ baseline }) => baseline?.eta ?? null);
  return (etas.length > 0 ? etas : [null]).every((eta) => isSnoozed(snooze, { eta, now }));
}

function newState(isPort: boolean): WatchState {
  // Every answer is newer than this time.
  const common = { snapshotAt: new Date(0), stale: false };
  return isPort
    ? { kind: 'port', ...common, scale: 'fraction', expected: null }
    : { kind: 'vessels', ...common, vessels: {} };
}

function isEnded(state: WatchState): boolean {
  const vessels = Object.values(vesselStates(state));
  return vessels.length > 0 && vessels.every(({ ended }) => ended);
}

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
