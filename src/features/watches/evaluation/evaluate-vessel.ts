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
  // Probabilities of different scales can't be compared, so a new scale starts like a first poll.
  if (!before || (before.scale !== scale && ranked.length > 0)) return startAnew(before, input);
  const observed = observe(before, input);
  const silent: VesselOutcome = { events: [], state: observed, woke: false };
  if (isQuiet(rules.quiet, now)) return silent;
  const { events, state } = evaluateRules(observed, input);
  const hasNewPort = before.baseline?.port !== state.baseline?.port;
  if (isSnoozed(rules.snooze, { eta: observed.baseline?.eta ?? null, now })) {
    const wakes = rules.snooze?.kind === 'until-next-port' && hasNewPort;
    if (!wakes) return silent;
  }
  const ended = rules.untilNextPort && before.baseline !== null && hasNewPort;
  return { events, state: { ...state, ended }, woke: rules.snooze !== null };
}

function startAnew(before: VesselState | undefined, input: VesselInput): VesselOutcome {
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

/** Runs during quiet hours and snoozes too, so that the counts of consecutive polls go on. */
function observe(state: VesselState, input: VesselInput): VesselState {
  const { ranked, now } = input;
  const [top] = ranked;
  if (!top) return { ...state, emptyPolls: state.emptyPolls + 1 };
  const { baseline, wavering } = state;
  const expectedPorts = wavering?.ports ?? (baseline ? [baseline.port] : []);
  const hasNewLeader = wavering && wavering.leader !== top.port;
  const isOpenCall = ([port]: [string, Call]) =>
    port === baseline?.port || ranked.some((prospect) => prospect.port === port);
  return {
    ...state,
    emptyPolls: 0,
    challenged: expectedPorts.includes(top.port) ? 0 : state.challenged + 1,
    wavering: hasNewLeader ? { ...wavering, leader: top.port, since: now } : wavering,
    ...(top.port === baseline?.port && { lastEta: etaToRemember(state.lastEta, top.eta) }),
    calls: Object.fromEntries(Object.entries(state.calls).filter(isOpenCall)),
    memory: observeRules(state.memory, input),
  };
}

const observeRules = (memory: Memory, { imo, ranked, rules, now }: VesselInput): Memory =>
  updateMemory(memory, rules, (rule, own) => rule.observe?.({ imo, ranked, now, ...own }));

type Evaluated = Omit<VesselOutcome, 'woke'>;

function evaluateRules(observed: VesselState, input: VesselInput): Evaluated {
  const { ranked, rules, imo, now } = input;
  const [top, ...others] = ranked;
  const active = watchRules.active(rules, { isPort: false });
  if (!top) return evaluateEmptyPoll(observed, imo, active);
  const { events: rankingEvents, memory } = runRules(active, observed.memory, (rule, own) =>
    rule.evaluateRanking?.({ imo, ranked, now, ...own }),
  );
  const state = { ...observed, memory };
  const { baseline } = state;
  if (!baseline || state.lost) {
    const back = active.flatMap(({ rule }) => rule.back?.({ imo, was: baseline, next: top }) ?? []);
    return { events: [...back, ...rankingEvents], state: takeBaseline(state, top, input) };
  }
  const replacesUnpredictedPort = active.some(({ rule }) => rule.replacesUnpredictedPort);
  const poll = { imo, baseline, ranked: [top, ...others], replacesUnpredictedPort, now } as const;
  const detected = detectPortChange(state, poll);
  if (detected) {
    const { change, previous, wavering } = detected;
    const changes = active.map(({ rule }) => rule.portChanged?.(change) ?? []);
    // Only one rule may report a port change.
    const changeEvents = changes.find((events) => events.length > 0) ?? [];
    return {
      events: [...changeEvents, ...rankingEvents],
      state: takeBaseline({ ...state, previous, wavering }, top, input),
    };
  }
  const current = ranked.find(({ port }) => port === baseline.port);
  if (!current) return { events: rankingEvents, state };
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
  const callVerdict = runRules(active, call.memory, (rule, own) => rule.evaluate?.({ ...facts, ...own }));
  const events = [...callVerdict.events, ...rankingEvents];
  // If the baseline has no ETA yet, it gets the first one that is predicted.
  const nextBaseline: Baseline =
    events.length > 0
      ? { ...current, eta: current.eta ?? baseline.eta, at: now }
      : { ...baseline, eta: baseline.eta ?? current.eta };
  const calls = { ...state.calls, [baseline.port]: { ...call, memory: callVerdict.memory } };
  return { events, state: { ...state, baseline: nextBaseline, calls } };
}

/** Predictions count as lost after two polls without any. A prediction that returns sooner is not news. */
function evaluateEmptyPoll(state: VesselState, imo: Imo, active: readonly ActiveRule[]): Evaluated {
  const { baseline: was } = state;
  if (state.emptyPolls < damping.consecutivePolls || state.lost || !was) return { events: [], state };
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
