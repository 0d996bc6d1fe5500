import type { Imo } from '../../../reference/imo.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { ActiveRules, WatchEvent } from '../rules/index.ts';
import { type ActiveRule, watchRules } from '../rules/registry.ts';
import { damping } from './damping.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import { detectPortChange } from './next-port.ts';
import { runRules, updateMemory } from './rule-memory.ts';
import { type Baseline, type Call, etaToRemember, type Memory, type VesselState } from './state.ts';

interface VesselInput {
  imo: Imo;
  /** Likeliest first; empty if the service predicts nothing. */
  ranked: readonly Prospect[];
  scale: VesselState['scale'];
  rules: ActiveRules;
  now: Date;
}

interface VesselOutcome {
  events: WatchEvent[];
  state: VesselState;
  /** The snooze has ended with this poll. */
  woke: boolean;
}

/** One vessel's part of `evaluate`. The first poll notifies nobody. */
export function evaluateVessel(before: VesselState | undefined, input: VesselInput): VesselOutcome {
  const { rules, now, scale, ranked } = input;
  if (before?.ended) return { events: [], state: before, woke: false };
  // Probabilities of different scales can't be compared: this takes a new baseline and notifies nobody.
  if (!before || (before.scale !== scale && ranked.length > 0)) return begin(before, input);
  const observed = observe(before, input);
  const silent: VesselOutcome = { events: [], state: observed, woke: false };
  if (isQuiet(rules.quiet, now)) return silent;
  const { events, state } = notify(observed, input);
  const hasNewPort = before.baseline?.port !== state.baseline?.port;
  if (isSnoozed(rules.snooze, { eta: observed.baseline?.eta ?? null, now })) {
    const wakes = rules.snooze?.kind === 'until-next-port' && hasNewPort;
    if (!wakes) return silent;
  }
  const ended = rules.untilNextPort && before.baseline !== null && hasNewPort;
  return { events, state: { ...state, ended }, woke: rules.snooze !== null };
}

function begin(before: VesselState | undefined, input: VesselInput): VesselOutcome {
  const { ranked, scale } = input;
  const [top] = ranked;
  const empty: VesselState = {
    scale,
    baseline: null,
    challenged: 0,
    previous: null,
    wavering: null,
    calls: {},
    nextCall: before?.nextCall ?? 1,
    memory: observeRules({}, input),
    emptyPolls: 0,
    lost: top === undefined,
    ended: false,
  };
  return { events: [], state: top ? takeBaseline(empty, top, input) : empty, woke: false };
}

/** Updates the memory even while the watch sleeps, so that damping goes on. */
function observe(state: VesselState, input: VesselInput): VesselState {
  const { ranked, now } = input;
  const [top] = ranked;
  if (!top) return { ...state, emptyPolls: state.emptyPolls + 1 };
  const { baseline, wavering } = state;
  const expectedPorts = wavering?.ports ?? (baseline ? [baseline.port] : []);
  const hasNewLeader = wavering && wavering.leader !== top.port;
  const isOpen = ([port]: [string, Call]) =>
    port === baseline?.port || ranked.some((prospect) => prospect.port === port);
  return {
    ...state,
    emptyPolls: 0,
    challenged: expectedPorts.includes(top.port) ? 0 : state.challenged + 1,
    wavering: hasNewLeader ? { ...wavering, leader: top.port, since: now } : wavering,
    ...(top.port === baseline?.port && { lastEta: etaToRemember(state.lastEta, top.eta) }),
    calls: Object.fromEntries(Object.entries(state.calls).filter(isOpen)),
    memory: observeRules(state.memory, input),
  };
}

const observeRules = (memory: Memory, { imo, ranked, rules, now }: VesselInput): Memory =>
  updateMemory(memory, rules, (rule, own) => rule.observe?.({ imo, ranked, now, ...own }));

type Notified = Omit<VesselOutcome, 'woke'>;

function notify(observed: VesselState, input: VesselInput): Notified {
  const { ranked, rules, imo, now } = input;
  const [top, ...others] = ranked;
  const active = watchRules.active(rules, { isPort: false });
  if (!top) return notifyLost(observed, imo, active);
  const { events: always, memory } = runRules(active, observed.memory, (rule, own) =>
    rule.evaluateAny?.({ imo, ranked, now, ...own }),
  );
  const state = { ...observed, memory };
  const { baseline } = state;
  if (!baseline || state.lost) {
    const back = active.flatMap(({ rule }) => rule.back?.({ imo, was: baseline, next: top }) ?? []);
    return { events: [...back, ...always], state: takeBaseline(state, top, input) };
  }
  const replacesLostPort = active.some(({ rule }) => rule.replacesLostPort);
  const poll = { imo, baseline, ranked: [top, ...others], replacesLostPort, now } as const;
  const detected = detectPortChange(state, poll);
  if (detected) {
    const { change, previous, wavering } = detected;
    const changes = active.map(({ rule }) => rule.portChanged?.(change) ?? []);
    const first = changes.find((events) => events.length > 0) ?? [];
    return {
      events: [...first, ...always],
      state: takeBaseline({ ...state, previous, wavering }, top, input),
    };
  }
  const current = ranked.find(({ port }) => port === baseline.port);
  if (!current) return { events: always, state };
  const call = state.calls[baseline.port] ?? { sequence: state.nextCall, memory: {} };
  const facts = {
    imo,
    baseline,
    current,
    isOnTop: current === top,
    rival: ranked.find(({ port }) => port !== baseline.port),
    isWavering: state.wavering !== null,
    call: call.sequence,
    now,
  };
  const ofCall = runRules(active, call.memory, (rule, own) => rule.evaluate?.({ ...facts, ...own }));
  const events = [...ofCall.events, ...always];
  // If the baseline has no ETA yet, it gets the first one that is predicted.
  const next: Baseline =
    events.length > 0
      ? { ...current, eta: current.eta ?? baseline.eta, at: now }
      : { ...baseline, eta: baseline.eta ?? current.eta };
  const calls = { ...state.calls, [baseline.port]: { ...call, memory: ofCall.memory } };
  return { events, state: { ...state, baseline: next, calls } };
}

/** Predictions are lost after two polls without any; only then is the next prediction news. */
function notifyLost(state: VesselState, imo: Imo, active: readonly ActiveRule[]): Notified {
  const { baseline: was } = state;
  if (state.emptyPolls < damping.polls || state.lost || !was) return { events: [], state };
  const events = active.flatMap(({ rule }) => rule.lost?.({ imo, was }) ?? []);
  return { events, state: { ...state, lost: events.length > 0 } };
}

/** Makes this port the baseline. Thresholds that are already passed notify nobody. */
function takeBaseline(state: VesselState, top: Prospect, { rules, now }: VesselInput): VesselState {
  const call = state.calls[top.port] ?? { sequence: state.nextCall, memory: {} };
  const memory = updateMemory(call.memory, rules, (rule, own) => rule.begin?.({ current: top, now, ...own }));
  return {
    ...state,
    baseline: { ...top, at: now },
    lastEta: top.eta,
    challenged: 0,
    lost: false,
    calls: { ...state.calls, [top.port]: { ...call, memory } },
    nextCall: Math.max(state.nextCall, call.sequence + 1),
  };
}
