import type { Imo } from '../../../reference/imo.ts';
import type { WatchEvent } from './events.ts';
import { type ActiveRules, damping } from './rules.ts';
import type { Call, VesselState } from './state.ts';
import { hourMs, type Prospect, type Told } from './values.ts';

export interface Watched {
  imo: Imo;
  told: Told;
  /** The port that was told, as it is now. */
  current: Prospect;
  isOnTop: boolean;
  /** The likeliest other port. */
  rival: Prospect | undefined;
  rules: ActiveRules;
  now: Date;
}

export interface Crossed {
  events: WatchEvent[];
  belowArmed: boolean;
  call: Call;
}

/** Everything about the port that was told which passes a threshold: ETA, probability, arriving, overdue. */
export function crossThresholds(state: VesselState, call: Call, watched: Watched): Crossed {
  const { belowArmed, event: fell } = crossBelow(state, watched);
  const { passed, event: arriving } = climbLadder(call, watched);
  const { overdue, event: late } = crossOverdue(call, watched);
  const events = [compareEta(watched), fell, arriving, late].filter((event) => event !== undefined);
  return { events, belowArmed, call: { ...call, passed, overdue } };
}

/** Against what was told, so that slow drift adds up. */
function compareEta({ imo, told, current, rules }: Watched): WatchEvent | undefined {
  if (rules.etaHours === null || !told.eta || !current.eta) return undefined;
  const movedMs = current.eta.getTime() - told.eta.getTime();
  if (Math.abs(movedMs) < rules.etaHours * hourMs) return undefined;
  return { kind: movedMs > 0 ? 'eta-slipped' : 'eta-advanced', imo, was: told, now: current };
}

/**
 * While two ports waver, their probabilities go up and down: that is told already. While another leads, the change
 * that it may become would say so; it is one within two polls, or this is told after all.
 */
function crossBelow(
  { belowArmed, wavering }: VesselState,
  { imo, told, current, isOnTop, rival, rules: { below } }: Watched,
): { belowArmed: boolean; event?: WatchEvent } {
  if (below === null || wavering) return { belowArmed };
  if (!belowArmed) return { belowArmed: current.probability >= Math.min(1, below + damping.rearm) };
  if (current.probability >= below || !isOnTop) return { belowArmed };
  const facts = { imo, was: told, now: current, below, ...(rival && { other: rival }) };
  return { belowArmed: false, event: { kind: 'probability-fell', ...facts } };
}

/** The nearest rung alone is told, each once in a call. */
function climbLadder(
  call: Call,
  { imo, current, rules, now }: Watched,
): { passed: number[]; event?: WatchEvent } {
  const reached = rungsPassed(current.eta, rules.arrivingHours, now).filter(
    (hours) => !call.passed.includes(hours),
  );
  const hours = reached.at(-1);
  const passed = reached.length > 0 ? [...call.passed, ...reached] : call.passed;
  if (hours === undefined || !current.eta || current.eta <= now) return { passed };
  return { passed, event: { kind: 'arriving', imo, now: current, hours, call: call.sequence } };
}

/** Longest first. */
function rungsPassed(eta: Date | null, ladder: readonly number[], now: Date): number[] {
  if (!eta) return [];
  const leftMs = eta.getTime() - now.getTime();
  return ladder.filter((hours) => leftMs <= hours * hourMs);
}

/** Once, until the ETA lies ahead again. */
function crossOverdue(
  call: Call,
  { imo, current, rules, now }: Watched,
): { overdue: boolean; event?: WatchEvent } {
  const hours = rules.overdueHours;
  if (hours === null || !current.eta) return { overdue: call.overdue };
  if (current.eta > now) return { overdue: false };
  if (call.overdue || !isOverdue(current.eta, hours, now)) return { overdue: call.overdue };
  return { overdue: true, event: { kind: 'overdue', imo, now: current, hours, call: call.sequence } };
}

const isOverdue = (eta: Date | null, hours: number, now: Date): boolean =>
  eta !== null && now.getTime() - eta.getTime() >= hours * hourMs;

/** What is passed when a port is first told, or told anew, is known by that: it tells nothing later. */
export function markPassed(call: Call, { eta }: Prospect, rules: ActiveRules, now: Date): Call {
  const passed = new Set([...call.passed, ...rungsPassed(eta, rules.arrivingHours, now)]);
  const overdue = call.overdue || (rules.overdueHours !== null && isOverdue(eta, rules.overdueHours, now));
  return { ...call, passed: [...passed], overdue };
}
