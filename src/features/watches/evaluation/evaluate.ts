import { type Imo, isImo } from '../../../reference/imo.ts';
import type { ActiveRules, WatchEvent } from '../rules/index.ts';
import { type RuleRegistry, watchRules } from '../rules/registry.ts';
import { damping } from './damping.ts';
import { evaluatePort } from './evaluate-port.ts';
import { evaluateVessel } from './evaluate-vessel.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import { rankProspects, type Snapshot } from './snapshot.ts';
import type { VesselsState, WatchState } from './state.ts';

export interface Evaluation {
  /** Of one subject in one poll: together they make one reply. */
  events: WatchEvent[];
  state: WatchState;
  /** The snooze of `rules` has ended. */
  woke: boolean;
  /** Nothing more will come: every vessel had its «next port changed» under «until next port». */
  ended: boolean;
}

/**
 * What followers are to be notified of, and what they then know. Pure: the state holds all memory. A state of null
 * is a new watch, and its first answer notifies nobody; an answer that is not newer than the last changes nothing.
 */
export function evaluate(
  state: WatchState | null,
  snapshot: Snapshot,
  rules: ActiveRules,
  now: Date,
  registry: RuleRegistry = watchRules,
): Evaluation {
  const context = { rules, now, registry };
  if (snapshot.kind === 'failed') return evaluateFailure(state, snapshot, context);
  if (state && snapshot.at <= state.snapshotAt) return unchanged(state);
  if (snapshot.kind === 'port') {
    const before = state?.kind === 'port' ? state : undefined;
    return { ...evaluatePort(before, { snapshot, ...context }), ended: false };
  }
  return evaluateVessels(state?.kind === 'vessels' ? state : undefined, snapshot, context);
}

interface Context {
  rules: ActiveRules;
  now: Date;
  registry: RuleRegistry;
}

function unchanged(state: WatchState): Evaluation {
  return { events: [], state, woke: false, ended: isEnded(state) };
}

/** A list says nothing of a vessel that it knew before: that vessel has no predictions. */
function evaluateVessels(
  before: VesselsState | undefined,
  snapshot: Extract<Snapshot, { kind: 'vessel' | 'shiplist' }>,
  context: Context,
): Evaluation {
  const { at, scale, predictions } = snapshot;
  const records = Map.groupBy(predictions, ({ imo }) => imo);
  const known = Object.keys(before?.vessels ?? {})
    .map(Number)
    .filter(isImo);
  const imos = snapshot.kind === 'vessel' ? [snapshot.imo] : [...new Set<Imo>([...known, ...records.keys()])];
  const outcomes = imos
    .sort((a, b) => a - b)
    .map((imo) => {
      const ranked = rankProspects(records.get(imo) ?? []);
      return { imo, ...evaluateVessel(before?.vessels[imo], { imo, ranked, scale, ...context }) };
    });
  const vessels = Object.fromEntries(outcomes.map(({ imo, state }) => [imo, state]));
  const state: WatchState = { kind: 'vessels', snapshotAt: at, stale: false, vessels };
  return {
    events: outcomes.flatMap(({ events }) => events),
    state,
    woke: outcomes.some(({ woke }) => woke),
    ended: isEnded(state),
  };
}

/** Notified once; the next answer takes it back in silence, and its changes are compared with the baseline. */
function evaluateFailure(
  before: WatchState | null,
  { of, lastSuccessAt, intervalMinutes }: Extract<Snapshot, { kind: 'failed' }>,
  { rules, now, registry }: Context,
): Evaluation {
  const state = before ?? newState(of);
  const silentMs = now.getTime() - lastSuccessAt.getTime();
  const isStale = silentMs >= damping.staleIntervals * intervalMinutes * 60_000;
  const isAsleep = isQuiet(rules.quiet, now) || isSnoozed(rules.snooze, { eta: null, now });
  if (!isStale || state.stale || isAsleep || isEnded(state)) return unchanged(state);
  const events = registry.active(rules).flatMap(({ rule }) => rule.failed?.(lastSuccessAt) ?? []);
  return { events, state: { ...state, stale: true }, woke: false, ended: false };
}

/** Older than any answer. */
function newState(of: 'vessels' | 'port'): WatchState {
  const common = { snapshotAt: new Date(0), stale: false };
  return of === 'port'
    ? { kind: 'port', ...common, scale: 'fraction', expected: null }
    : { kind: 'vessels', ...common, vessels: {} };
}

function isEnded(state: WatchState): boolean {
  if (state.kind === 'port') return false;
  const vessels = Object.values(state.vessels);
  return vessels.length > 0 && vessels.every(({ ended }) => ended);
}
