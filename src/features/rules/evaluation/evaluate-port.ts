import { millisecondsInDay } from 'date-fns/constants';
import { isExpected } from '../../../predictions/changes.ts';
import { calledHours, isWithin, rankByVessel } from '../../../predictions/next-port.ts';
import { thresholds } from '../../../predictions/thresholds.ts';
import type { Imo } from '../../../reference/codes.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import type { ActiveRules, WatchEvent } from '../list.ts';
import { type ActiveRule, runRules, watchRules } from '../registry.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import {
  type AnsweredSnapshot,
  damping,
  type ExpectedVessel,
  etaToRemember,
  type Memory,
  narrow,
  type PortCondition,
  type PortState,
  type Snapshot,
} from './state.ts';

/** Which calls are worth an alert. */
interface PortWindow {
  /** Only vessels whose ETA is within this time become expected; null: all of them. */
  daysAhead: number | null;
  /** Silent about a vessel that is newly expected, or no longer, if its ETA is at most this far ahead, or has passed. */
  appearedSilentHours: number;
  vanishedSilentHours: number;
}

const wholePort: PortWindow = {
  daysAhead: damping.portDays,
  appearedSilentHours: thresholds.alert.leftHours,
  vanishedSilentHours: thresholds.alert.leftHours,
};

/**
 * Whoever asks about one port and some vessels wants to know weeks ahead too, and of a vessel that turns up or stays away
 * at the last moment, unless it has probably called.
 */
const ofCondition: PortWindow = {
  daysAhead: null,
  appearedSilentHours: 0,
  vanishedSilentHours: calledHours,
};

interface PortInput {
  snapshot: Extract<Snapshot, { kind: 'port' }>;
  rules: ActiveRules;
  window?: PortWindow;
  now: Date;
}

/** One port's part of `evaluate`. The first poll notifies nobody. */
export function evaluatePort(
  stored: PortState | undefined,
  { snapshot, rules, window = wholePort, now }: PortInput,
): { events: WatchEvent[]; state: PortState; woke: boolean } {
  const { scale, at } = snapshot;
  const before = stored?.expected && stored.scale === scale ? stored : undefined;
  const droppedSince = new Date(now.getTime() - droppedMs);
  const dropped = before?.dropped?.filter(({ at: droppedAt }) => droppedAt > droppedSince) ?? [];
  const vessels = pairVessels({ before, dropped }, { snapshot, window, now });
  const toState = (outcomes: readonly Outcome[]): PortState => {
    const expected = outcomes.flatMap((outcome) => outcome.expected ?? []);
    const newlyDropped = outcomes.filter(({ isDropped }) => isDropped).map(({ imo }) => ({ imo, at: now }));
    return {
      kind: 'port',
      snapshotAt: at,
      stale: false,
      scale,
      expected,
      rising: Object.fromEntries(outcomes.flatMap(({ imo, rising }) => (rising > 0 ? [[imo, rising]] : []))),
      dropped: [...dropped, ...newlyDropped].filter(
        ({ imo }) => !expected.some((vessel) => vessel.imo === imo),
      ),
    };
  };
  // A port has no ETA and no next port, so a snooze until one of them would never end.
  const snooze = rules.snooze?.kind === 'until' ? rules.snooze : null;
  if (before && (isQuiet(rules.quiet, now) || isSnoozed(snooze, { eta: null, now }))) {
    const unevaluated = vessels.map(({ imo, stored, rising }) => ({ imo, expected: stored, rising }));
    return { events: [], state: toState(unevaluated), woke: false };
  }
  // At the first poll, vessels are expected at once.
  const neededPolls = before ? damping.consecutivePolls : 1;
  const active = watchRules.active(rules, { isPort: true });
  const outcomes = vessels.map((vessel) => evaluateExpected(vessel, { neededPolls, active, window, now }));
  const events = before ? outcomes.flatMap((outcome) => outcome.events ?? []) : [];
  return { events, state: toState(outcomes), woke: rules.snooze !== null };
}

const droppedMs = damping.droppedDays * millisecondsInDay;

interface PairedVessel {
  imo: Imo;
  /** The expected vessel with its baseline; undefined if the vessel isn't expected yet. */
  stored: ExpectedVessel | undefined;
  current: Prospect | undefined;
  /** Consecutive polls, with this one, that found the vessel likely enough to be expected, but not yet expected. */
  rising: number;
}

/** Pairs expected vessels with their predictions, sorted by IMO number, whatever the order of the records. */
function pairVessels(
  { before, dropped }: { before: PortState | undefined; dropped: NonNullable<PortState['dropped']> },
  {
    snapshot: { predictions },
    window: { daysAhead },
    now,
  }: Pick<PortInput, 'snapshot' | 'now'> & { window: PortWindow },
): PairedVessel[] {
  const expected = before?.expected ?? [];
  const rankings = rankByVessel(predictions);
  const imos = [...new Set([...rankings.keys(), ...expected.map(({ imo }) => imo)])].sort((a, b) => a - b);
  return imos.map((imo) => {
    const [current] = rankings.get(imo) ?? [];
    const stored = expected.find((vessel) => vessel.imo === imo);
    const isDropped = dropped.some((vessel) => vessel.imo === imo);
    const likely = thresholds.alert.likely + (isDropped ? damping.rearm : 0);
    const isLikely = isExpected(current, false, { ...thresholds.alert, likely });
    const isSoon = !current?.eta || daysAhead === null || isWithin(daysAhead * 24, current.eta, now);
    const rising = isLikely && isSoon && !stored ? (before?.rising?.[imo] ?? 0) + 1 : 0;
    return { imo, current, stored: stored && withPoll(stored, current, now), rising };
  });
}

function withPoll(vessel: ExpectedVessel, current: Prospect | undefined, now: Date): ExpectedVessel {
  if (!current || !isExpected(current, true, thresholds.alert))
    return { ...vessel, missedPolls: vessel.missedPolls + 1 };
  return { ...vessel, missedPolls: 0, lastEta: etaToRemember(vessel.lastEta, current.eta, now) };
}

interface Outcome {
  imo: Imo;
  events?: WatchEvent[];
  /** Undefined if the vessel isn't expected after this poll. */
  expected?: ExpectedVessel | undefined;
  rising: number;
  /** The followers were notified that the vessel is no longer expected. */
  isDropped?: boolean;
}

function evaluateExpected(
  { imo, stored, current, rising }: PairedVessel,
  {
    neededPolls,
    active,
    window,
    now,
  }: { neededPolls: number; active: readonly ActiveRule[]; window: PortWindow; now: Date },
): Outcome {
  if (!stored) {
    if (!current || rising < neededPolls) return { imo, rising };
    const isSilent = isWithin(window.appearedSilentHours, current.eta, now);
    const events = isSilent ? [] : active.flatMap(({ rule }) => rule.appeared?.({ imo, current }) ?? []);
    const expected = { ...current, imo, at: now, missedPolls: 0, lastEta: current.eta };
    return { imo, events, expected, rising: 0 };
  }
  const { port, probability, eta, at } = stored;
  const was = { port, probability, eta, at };
  if (stored.missedPolls >= damping.consecutivePolls) {
    const lastEta = stored.lastEta ?? eta;
    // The vessel has probably called, so it is no news that it isn't expected any more.
    if (isWithin(window.vanishedSilentHours, lastEta, now)) return { imo, rising: 0 };
    const events = active.flatMap(({ rule }) => rule.vanished?.({ imo, was, current }) ?? []);
    return { imo, events, rising: 0, isDropped: true };
  }
  if (!current) return { imo, expected: stored, rising };
  const facts = { imo, baseline: was, current, isOnTop: true, rival: undefined, isDisputed: false, now };
  const { events, memory } = runRules(active, stored.memory ?? {}, (rule, own) =>
    rule.evaluate?.({ ...facts, call: 0, isPort: true, ...own }),
  );
  const hasMoved = events.some((event) => watchRules.movesBaseline(event, port));
  const latest = hasMoved ? { ...current, at: now } : stored;
  // If the baseline has no ETA yet, it gets the first one that is predicted.
  const expected = { ...stored, ...latest, eta: latest.eta ?? eta ?? current.eta };
  return { imo, events, expected: { ...expected, ...(isEmpty(memory) ? {} : { memory }) }, rising };
}

const isEmpty = (memory: Memory): boolean => Object.keys(memory).length === 0;

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
    window: ofCondition,
    now,
  });
  const joining = { snapshot: { ...narrowed, predictions: isNew }, rules, window: ofCondition, now };
  const joined = evaluatePort(undefined, joining).state;
  const expected = [...(state.expected ?? []), ...(joined.expected ?? [])].sort((a, b) => a.imo - b.imo);
  return { events, state: { ...state, expected, members }, woke };
}

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
