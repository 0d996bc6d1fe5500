import type { Imo } from '../../reference/imo.ts';
import type { WatchEvent } from './events.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import { type ActiveRules, damping } from './rules.ts';
import { rankProspects, type Snapshot } from './snapshot.ts';
import type { ExpectedVessel, PortState } from './state.ts';
import { hourMs, type Prospect } from './values.ts';

export interface PortInput {
  snapshot: Extract<Snapshot, { kind: 'port' }>;
  rules: ActiveRules;
  now: Date;
}

/** Vessels newly expected, no longer expected, and moved ETAs, of one port. The first poll tells nothing. */
export function evaluatePort(
  before: PortState | undefined,
  { snapshot, rules, now }: PortInput,
): { events: WatchEvent[]; state: PortState; woke: boolean } {
  const { scale, at } = snapshot;
  const isFirst = !before?.expected || before.scale !== scale;
  const vessels = pair(isFirst ? [] : (before.expected ?? []), snapshot);
  const state = (expected: readonly (ExpectedVessel | undefined)[]): PortState => {
    const kept = expected.filter((vessel) => vessel !== undefined);
    return { kind: 'port', snapshotAt: at, stale: false, scale, expected: kept };
  };
  // What a port has not (an ETA, a next port) can't end a snooze, so it does not begin one.
  const snooze = rules.snooze?.kind === 'until' ? rules.snooze : null;
  if (isQuiet(rules.quiet, now) || isSnoozed(snooze, { eta: null, now })) {
    if (!isFirst) return { events: [], state: state(vessels.map(({ was }) => was)), woke: false };
  }
  const outcomes = vessels.map((vessel) => evaluateOne(vessel, rules, now));
  const events = isFirst ? [] : outcomes.flatMap(({ event }) => event ?? []);
  return { events, state: state(outcomes.map(({ expected }) => expected)), woke: rules.snooze !== null };
}

interface Paired {
  imo: Imo;
  was: ExpectedVessel | undefined;
  current: Prospect | undefined;
}

/** Every vessel expected or listed, by IMO number: the order of the records makes no difference. */
function pair(expected: readonly ExpectedVessel[], { predictions }: PortInput['snapshot']): Paired[] {
  const records = Map.groupBy(predictions, ({ imo }) => imo);
  const imos = [...new Set([...records.keys(), ...expected.map(({ imo }) => imo)])].sort((a, b) => a - b);
  return imos.map((imo) => {
    const [current] = rankProspects(records.get(imo) ?? []);
    const was = expected.find((vessel) => vessel.imo === imo);
    const isMissed = (current?.probability ?? 0) < damping.unexpected;
    return { imo, current, was: was && { ...was, missedPolls: isMissed ? was.missedPolls + 1 : 0 } };
  });
}

interface Outcome {
  event?: WatchEvent | undefined;
  /** Undefined: not, or no longer, expected. */
  expected?: ExpectedVessel | undefined;
}

function evaluateOne({ imo, was, current }: Paired, rules: ActiveRules, now: Date): Outcome {
  if (!was) {
    if (!current || current.probability < damping.likely) return {};
    const event: WatchEvent = { kind: 'newly-expected', imo, now: current };
    return {
      event: rules.expected ? event : undefined,
      expected: { ...current, imo, at: now, missedPolls: 0 },
    };
  }
  if (was.missedPolls >= damping.polls) {
    const event: WatchEvent = {
      kind: 'no-longer-expected',
      imo,
      was: withoutMemory(was),
      now: current ?? null,
    };
    return { event: rules.expected ? event : undefined };
  }
  if (!current?.eta || !was.eta) return { expected: { ...was, eta: was.eta ?? current?.eta ?? null } };
  const movedMs = Math.abs(current.eta.getTime() - was.eta.getTime());
  if (rules.etaHours === null || movedMs < rules.etaHours * hourMs) return { expected: was };
  const event: WatchEvent = { kind: 'expected-eta-moved', imo, was: withoutMemory(was), now: current };
  return { event, expected: { ...was, ...current, at: now } };
}

const withoutMemory = ({ port, probability, eta, at }: ExpectedVessel) => ({ port, probability, eta, at });
