import type { Imo } from '../../../reference/imo.ts';
import type { ActiveRules, WatchEvent } from '../rules/index.ts';
import type { ActiveRule, RuleRegistry } from '../rules/registry.ts';
import { damping } from './damping.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import { isNear } from './next-port.ts';
import { rankProspects, type Snapshot } from './snapshot.ts';
import type { ExpectedVessel, PortState } from './state.ts';
import { hourMs, nearlySame, type Prospect } from './values.ts';

interface PortInput {
  snapshot: Extract<Snapshot, { kind: 'port' }>;
  rules: ActiveRules;
  now: Date;
  registry: RuleRegistry;
}

/** Vessels newly expected, no longer expected, and moved ETAs, of one port. The first poll notifies nobody. */
export function evaluatePort(
  known: PortState | undefined,
  { snapshot, rules, now, registry }: PortInput,
): { events: WatchEvent[]; state: PortState; woke: boolean } {
  const { scale, at } = snapshot;
  const before = known?.expected && known.scale === scale ? known : undefined;
  const dropped = (before?.dropped ?? []).filter((one) => now.getTime() - one.at.getTime() < droppedMs);
  const vessels = pair({ before, dropped }, snapshot);
  const state = (outcomes: readonly Outcome[]): PortState => {
    const expected = outcomes.flatMap((outcome) => outcome.expected ?? []);
    const isExpected = new Set(expected.map(({ imo }) => imo));
    const gone = outcomes.flatMap(({ imo, isDropped }) => (isDropped ? [{ imo, at: now }] : []));
    return {
      kind: 'port',
      snapshotAt: at,
      stale: false,
      scale,
      expected,
      rising: Object.fromEntries(outcomes.flatMap(({ imo, rising }) => (rising > 0 ? [[imo, rising]] : []))),
      dropped: [...dropped, ...gone].filter(({ imo }) => !isExpected.has(imo)),
    };
  };
  // What a port has not (an ETA, a next port) can't end a snooze, so it does not begin one.
  const snooze = rules.snooze?.kind === 'until' ? rules.snooze : null;
  if (before && (isQuiet(rules.quiet, now) || isSnoozed(snooze, { eta: null, now }))) {
    const asleep = vessels.map(({ imo, was, rising }) => ({ imo, expected: was, rising }));
    return { events: [], state: state(asleep), woke: false };
  }
  const polls = before ? damping.polls : 1;
  const active = registry.active(rules);
  const outcomes = vessels.map((vessel) => evaluateOne(vessel, { polls, active, now }));
  const events = before ? outcomes.flatMap((outcome) => outcome.events ?? []) : [];
  return { events, state: state(outcomes), woke: rules.snooze !== null };
}

const droppedMs = damping.droppedDays * 24 * hourMs;

interface Paired {
  imo: Imo;
  was: ExpectedVessel | undefined;
  current: Prospect | undefined;
  /** Polls running, this one too, in which it was likely enough to be expected, and was not yet. */
  rising: number;
}

/** Every vessel expected or predicted, by IMO number: the order of the records makes no difference. */
function pair(
  { before, dropped }: { before: PortState | undefined; dropped: NonNullable<PortState['dropped']> },
  { predictions }: PortInput['snapshot'],
): Paired[] {
  const expected = before?.expected ?? [];
  const records = Map.groupBy(predictions, ({ imo }) => imo);
  const imos = [...new Set([...records.keys(), ...expected.map(({ imo }) => imo)])].sort((a, b) => a - b);
  return imos.map((imo) => {
    const [current] = rankProspects(records.get(imo) ?? []);
    const was = expected.find((vessel) => vessel.imo === imo);
    const isDropped = dropped.some((one) => one.imo === imo);
    const isLikely = current && current.probability >= damping.likely + (isDropped ? damping.rearm : 0);
    const rising = isLikely && !was ? (before?.rising?.[imo] ?? 0) + 1 : 0;
    return { imo, current, was: was && observe(was, current), rising };
  });
}

function observe(was: ExpectedVessel, current: Prospect | undefined): ExpectedVessel {
  if (!current || current.probability < damping.unexpected) {
    return { ...was, missedPolls: was.missedPolls + 1 };
  }
  return { ...was, missedPolls: 0, lastEta: nearlySame(was.lastEta, current.eta) };
}

interface Outcome {
  imo: Imo;
  events?: WatchEvent[];
  /** Undefined: not, or no longer, expected. */
  expected?: ExpectedVessel | undefined;
  rising: number;
  /** Notified of as no longer expected. */
  isDropped?: boolean;
}

interface Asked {
  active: readonly ActiveRule[];
  now: Date;
}

function evaluateOne(
  { imo, was, current, rising }: Paired,
  { polls, active, now }: Asked & { polls: number },
): Outcome {
  if (!was) {
    if (!current || rising < polls) return { imo, rising };
    const events = active.flatMap(({ rule }) => rule.appeared?.({ imo, current }) ?? []);
    const expected = { ...current, imo, at: now, missedPolls: 0, lastEta: current.eta };
    return { imo, events, expected, rising: 0 };
  }
  if (was.missedPolls >= damping.polls) return drop(was, current, { active, now });
  if (!current?.eta || !was.eta) {
    return { imo, expected: { ...was, eta: was.eta ?? current?.eta ?? null }, rising };
  }
  const events = active.flatMap(
    ({ rule, value }) => rule.stillExpected?.({ imo, was: withoutMemory(was), current, value }) ?? [],
  );
  if (events.length === 0) return { imo, expected: was, rising };
  return { imo, events, expected: { ...was, ...current, at: now }, rising };
}

/** Whose ETA has passed has probably been there: that it is not expected any more is no news. */
function drop(was: ExpectedVessel, current: Prospect | undefined, { active, now }: Asked): Outcome {
  const { imo } = was;
  const eta = was.lastEta ?? was.eta;
  if (eta !== null && eta <= now) return { imo, rising: 0 };
  const facts = { imo, was: withoutMemory(was), current, ...(eta && isNear(eta, now) && { nearEta: eta }) };
  const events = active.flatMap(({ rule }) => rule.vanished?.(facts) ?? []);
  return { imo, events, rising: 0, isDropped: true };
}

const withoutMemory = ({ port, probability, eta, at }: ExpectedVessel) => ({ port, probability, eta, at });
