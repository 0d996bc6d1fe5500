import type { Imo } from '../../../reference/imo.ts';
import { checkDueDates, observeDueDates } from './due-dates.ts';
import type { WatchEvent } from './events.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import { detectPortChange } from './next-port.ts';
import { type ActiveRules, damping } from './rules.ts';
import type { Call, VesselState } from './state.ts';
import { crossThresholds, markPassed } from './thresholds.ts';
import { nearlySame, type Prospect, type Told } from './values.ts';

export interface VesselInput {
  imo: Imo;
  /** Likeliest first; empty: the service predicts nothing for it. */
  ranked: readonly Prospect[];
  scale: VesselState['scale'];
  rules: ActiveRules;
  now: Date;
}

export interface VesselOutcome {
  events: WatchEvent[];
  state: VesselState;
  /** The snooze has ended with this poll. */
  woke: boolean;
}

/** One vessel's part of `evaluate`. The first poll tells nothing. */
export function evaluateVessel(before: VesselState | undefined, input: VesselInput): VesselOutcome {
  const { rules, now, scale, ranked } = input;
  if (before?.ended) return { events: [], state: before, woke: false };
  // Figures read in another scale can't be compared: what was told is taken anew, in silence.
  if (!before || (before.scale !== scale && ranked.length > 0)) return begin(before, input);
  const state = observe(before, input);
  if (isQuiet(rules.quiet, now)) return { events: [], state, woke: false };
  const eta = state.told?.eta ?? null;
  const outcome = tell(state, input);
  if (isSnoozed(rules.snooze, { eta, now })) {
    const wakes = rules.snooze?.kind === 'until-next-port' && isNews(before, outcome.state);
    if (!wakes) return { events: [], state, woke: false };
  }
  const ended = rules.untilNextPort && before.told !== null && isNews(before, outcome.state);
  return { ...outcome, state: { ...outcome.state, ended }, woke: rules.snooze !== null };
}

/** Another port than before is told now. */
const isNews = (before: VesselState, after: VesselState): boolean => before.told?.port !== after.told?.port;

function begin(before: VesselState | undefined, input: VesselInput): VesselOutcome {
  const { ranked, scale, rules } = input;
  const [top] = ranked;
  const empty: VesselState = {
    scale,
    told: null,
    challenged: 0,
    previous: null,
    wavering: null,
    calls: {},
    nextCall: before?.nextCall ?? 1,
    belowArmed: false,
    due: observeDueDates({}, { ...input, due: rules.due }),
    emptyPolls: 0,
    lost: top === undefined,
    ended: false,
  };
  return { events: [], state: top ? takeAsTold(empty, top, input) : empty, woke: false };
}

/** What is remembered whether or not anything is told: so that on waking the damping has been served. */
function observe(state: VesselState, { ranked, now, rules, imo }: VesselInput): VesselState {
  const [top] = ranked;
  if (!top) return { ...state, emptyPolls: state.emptyPolls + 1 };
  const { told, wavering } = state;
  const rivals = wavering?.ports ?? (told ? [told.port] : []);
  const leader =
    wavering && wavering.leader !== top.port ? { ...wavering, leader: top.port, since: now } : wavering;
  const isOpen = ([port]: [string, Call]) =>
    port === told?.port || ranked.some((prospect) => prospect.port === port);
  return {
    ...state,
    emptyPolls: 0,
    challenged: rivals.includes(top.port) ? 0 : state.challenged + 1,
    wavering: leader,
    ...(told && top.port === told.port && { lastEta: nearlySame(state.lastEta, top.eta) }),
    calls: Object.fromEntries(Object.entries(state.calls).filter(isOpen)),
    due: observeDueDates(state.due, { imo, ranked, due: rules.due, now }),
  };
}

function tell(state: VesselState, input: VesselInput): Omit<VesselOutcome, 'woke'> {
  const { ranked, rules, imo, now } = input;
  const [top, ...others] = ranked;
  if (!top) return tellLost(state, input);
  const due = checkDueDates(state.due, { imo, ranked, due: rules.due, now });
  const known = { ...state, due: due.memories };
  const { told } = state;
  if (!told || state.lost) {
    const event: WatchEvent = { kind: 'prediction-back', imo, was: told, next: top };
    return { events: [...(rules.lost ? [event] : []), ...due.events], state: takeAsTold(known, top, input) };
  }
  const change = detectPortChange(known, { imo, told, ranked: [top, ...others], rules, now });
  if (change) {
    const { previous, wavering } = change;
    const state = takeAsTold({ ...known, previous, wavering }, top, input);
    return { events: [...nameChange(change.event, rules), ...due.events], state };
  }
  return tellThresholds(known, { told, due: due.events, input });
}

/** Two polls without predictions; only then the state says so, and the next prediction is news. */
function tellLost(state: VesselState, { imo, rules }: VesselInput): Omit<VesselOutcome, 'woke'> {
  const isLost = state.emptyPolls >= damping.polls && !state.lost && rules.lost;
  if (!isLost || !state.told) return { events: [], state };
  return { events: [{ kind: 'prediction-lost', imo, was: state.told }], state: { ...state, lost: true } };
}

/** The change takes up «no longer listed»; who wants only that is told that. */
function nameChange(event: WatchEvent, rules: ActiveRules): WatchEvent[] {
  if (rules.nextPort) return [event];
  if (!rules.noLongerListed || event.kind !== 'next-port-changed' || event.old) return [];
  const { imo, was, next, nextLeg = false } = event;
  return [{ kind: 'no-longer-listed', imo, was, next, nextLeg }];
}

function tellThresholds(
  state: VesselState,
  { told, due, input }: { told: Told; due: WatchEvent[]; input: VesselInput },
): Omit<VesselOutcome, 'woke'> {
  const { imo, ranked, rules, now } = input;
  const current = ranked.find(({ port }) => port === told.port);
  if (!current) return { events: due, state };
  const call = state.calls[told.port] ?? { sequence: state.nextCall, passed: [], overdue: false };
  const isOnTop = ranked[0] === current;
  const rival = ranked.find(({ port }) => port !== told.port);
  const crossed = crossThresholds(state, call, { imo, told, current, isOnTop, rival, rules, now });
  const events = [...crossed.events, ...due];
  // An ETA given for the first time is what later ones are compared with.
  const eta = current.eta ?? told.eta;
  const next: Told = events.length > 0 ? { ...current, eta, at: now } : { ...told, eta: told.eta ?? eta };
  const calls = { ...state.calls, [told.port]: crossed.call };
  return { events, state: { ...state, told: next, belowArmed: crossed.belowArmed, calls } };
}

/** From here on this port is what the followers know: what is passed already will not be told. */
function takeAsTold(state: VesselState, top: Prospect, { rules, now }: VesselInput): VesselState {
  const open = state.calls[top.port] ?? { sequence: state.nextCall, passed: [], overdue: false };
  return {
    ...state,
    told: { ...top, at: now },
    lastEta: top.eta,
    challenged: 0,
    lost: false,
    belowArmed: rules.below !== null && top.probability >= rules.below,
    calls: { ...state.calls, [top.port]: markPassed(open, top, rules, now) },
    nextCall: Math.max(state.nextCall, open.sequence + 1),
  };
}
