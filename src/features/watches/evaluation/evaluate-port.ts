import { millisecondsInDay } from 'date-fns/constants';
import type { Imo } from '../../../reference/imo.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { ActiveRules, WatchEvent } from '../rules/index.ts';
import { type ActiveRule, watchRules } from '../rules/registry.ts';
import { damping } from './damping.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import { isNear } from './next-port.ts';
import { rankByVessel, type Snapshot } from './snapshot.ts';
import { type Baseline, type ExpectedVessel, etaToRemember, type PortState } from './state.ts';

interface PortInput {
  snapshot: Extract<Snapshot, { kind: 'port' }>;
  rules: ActiveRules;
  now: Date;
}

/** One port's part of `evaluate`. The first poll notifies nobody. */
export function evaluatePort(
  stored: PortState | undefined,
  { snapshot, rules, now }: PortInput,
): { events: WatchEvent[]; state: PortState; woke: boolean } {
  const { scale, at } = snapshot;
  const before = stored?.expected && stored.scale === scale ? stored : undefined;
  const since = new Date(now.getTime() - droppedMs);
  const dropped = before?.dropped?.filter(({ at: droppedAt }) => droppedAt > since) ?? [];
  const vessels = pairVessels({ before, dropped }, snapshot);
  const stateOf = (outcomes: readonly Outcome[]): PortState => {
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
    const asleep = vessels.map(({ imo, was, rising }) => ({ imo, expected: was, rising }));
    return { events: [], state: stateOf(asleep), woke: false };
  }
  const polls = before ? damping.polls : 1;
  const active = watchRules.active(rules, { isPort: true });
  const outcomes = vessels.map((vessel) => evaluateExpected(vessel, { polls, active, now }));
  const events = before ? outcomes.flatMap((outcome) => outcome.events ?? []) : [];
  return { events, state: stateOf(outcomes), woke: rules.snooze !== null };
}

const droppedMs = damping.droppedDays * millisecondsInDay;

interface PairedVessel {
  imo: Imo;
  was: ExpectedVessel | undefined;
  current: Prospect | undefined;
  /** Consecutive polls, with this one, in which the vessel was likely enough to be expected, but not yet expected. */
  rising: number;
}

/** Pairs expected vessels with their predictions. Sorts by IMO number: the records' order makes no difference. */
function pairVessels(
  { before, dropped }: { before: PortState | undefined; dropped: NonNullable<PortState['dropped']> },
  { predictions }: PortInput['snapshot'],
): PairedVessel[] {
  const expected = before?.expected ?? [];
  const rankings = rankByVessel(predictions);
  const imos = [...new Set([...rankings.keys(), ...expected.map(({ imo }) => imo)])].sort((a, b) => a - b);
  return imos.map((imo) => {
    const [current] = rankings.get(imo) ?? [];
    const was = expected.find((vessel) => vessel.imo === imo);
    const isDropped = dropped.some((vessel) => vessel.imo === imo);
    const isLikely = current && current.probability >= damping.likely + (isDropped ? damping.rearm : 0);
    const rising = isLikely && !was ? (before?.rising?.[imo] ?? 0) + 1 : 0;
    return { imo, current, was: was && observe(was, current), rising };
  });
}

function observe(was: ExpectedVessel, current: Prospect | undefined): ExpectedVessel {
  if (!current || current.probability < damping.unexpected) {
    return { ...was, missedPolls: was.missedPolls + 1 };
  }
  return { ...was, missedPolls: 0, lastEta: etaToRemember(was.lastEta, current.eta) };
}

interface Outcome {
  imo: Imo;
  events?: WatchEvent[];
  /** Undefined if the vessel isn't expected, or is no longer. */
  expected?: ExpectedVessel | undefined;
  rising: number;
  /** The followers were notified that the vessel is no longer expected. */
  isDropped?: boolean;
}

function evaluateExpected(
  { imo, was, current, rising }: PairedVessel,
  { polls, active, now }: { polls: number; active: readonly ActiveRule[]; now: Date },
): Outcome {
  if (!was) {
    if (!current || rising < polls) return { imo, rising };
    const events = active.flatMap(({ rule }) => rule.appeared?.({ imo, current }) ?? []);
    const expected = { ...current, imo, at: now, missedPolls: 0, lastEta: current.eta };
    return { imo, events, expected, rising: 0 };
  }
  const baseline = baselineOf(was);
  if (was.missedPolls >= damping.polls) {
    const eta = was.lastEta ?? was.eta;
    // After its ETA the vessel has probably called, so it is no news that it isn't expected any more.
    if (eta !== null && eta <= now) return { imo, rising: 0 };
    const facts = { imo, was: baseline, current, ...(eta && isNear(eta, now) && { nearEta: eta }) };
    const events = active.flatMap(({ rule }) => rule.vanished?.(facts) ?? []);
    return { imo, events, rising: 0, isDropped: true };
  }
  if (!current?.eta || !was.eta) {
    return { imo, expected: { ...was, eta: was.eta ?? current?.eta ?? null }, rising };
  }
  const events = active.flatMap(
    ({ rule, value }) => rule.stillExpected?.({ imo, was: baseline, current, value }) ?? [],
  );
  if (events.length === 0) return { imo, expected: was, rising };
  return { imo, events, expected: { ...was, ...current, at: now }, rising };
}

const baselineOf = ({ port, probability, eta, at }: ExpectedVessel): Baseline => ({
  port,
  probability,
  eta,
  at,
});
