import { addHours } from 'date-fns/addHours';
import { comparePorts, isWithin, maybeCalledHours, nextPorts } from '../../../predictions/next-port.ts';
import { thresholds } from '../../../predictions/thresholds.ts';
import type { Imo } from '../../../reference/codes.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import {
  continueDispute,
  type DisputeEvent,
  disputedPorts,
  endDispute,
  isDisputeEvent,
  observeLeader,
  openDispute,
} from '../dispute.ts';
import type { ActiveRules, WatchEvent } from '../list.ts';
import { type ActiveRule, runRules, updateMemory, watchRules } from '../registry.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import {
  type Baseline,
  type Call,
  damping,
  etaToRemember,
  type Memory,
  type PortChange,
  type VesselState,
} from './state.ts';

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
  /** What alerts that are edited in place now show. */
  edits: DisputeEvent[];
  state: VesselState;
  /** The snooze has ended with this poll. */
  woke: boolean;
}

/** One vessel's part of `evaluate`. The first poll notifies nobody. */
export function evaluateVessel(before: VesselState | undefined, input: VesselInput): VesselOutcome {
  const outcome = evaluatePoll(before, input);
  const { state } = outcome;
  const next = nextPorts(input.ranked, disputedPorts(state.dispute)).map(({ port }) => port);
  return state.ended ? outcome : { ...outcome, state: { ...state, next } };
}

function evaluatePoll(before: VesselState | undefined, input: VesselInput): VesselOutcome {
  const { rules, now, scale, ranked } = input;
  if (before?.ended) return { events: [], edits: [], state: before, woke: false };
  // Probabilities of different scales can't be compared, so a new scale starts like a first poll.
  if (!before || (before.scale !== scale && ranked.length > 0)) return startAnew(before, input);
  const observed = observe(before, input);
  const silent: VesselOutcome = { events: [], edits: [], state: observed, woke: false };
  if (isQuiet(rules.quiet, now)) return silent;
  const { events, edits, state } = evaluateRules(observed, input);
  const hasNewPort = before.baseline?.port !== state.baseline?.port;
  if (isSnoozed(rules.snooze, { eta: observed.baseline?.eta ?? null, now })) {
    const wakes = rules.snooze?.kind === 'until-next-port' && hasNewPort;
    if (!wakes) return silent;
  }
  const ended = rules.untilNextPort && before.baseline !== null && hasNewPort;
  return { events, edits, state: { ...state, ended }, woke: rules.snooze !== null };
}

function startAnew(before: VesselState | undefined, input: VesselInput): VesselOutcome {
  const { ranked, scale } = input;
  const [top] = ranked;
  const empty: VesselState = {
    scale,
    baseline: null,
    challenged: 0,
    previous: null,
    dispute: null,
    calls: {},
    nextCall: before?.nextCall ?? 1,
    memory: observeRules({}, input),
    emptyPolls: 0,
    lost: top === undefined,
    ended: false,
  };
  return {
    events: [],
    edits: before?.dispute ? [endDispute(before.dispute, input, 'over')] : [],
    state: top ? takeBaseline(empty, top, input) : empty,
    woke: false,
  };
}

/** Runs during quiet hours and snoozes too, so that the counts of consecutive polls go on. */
function observe(state: VesselState, input: VesselInput): VesselState {
  const { ranked, now } = input;
  const [top] = ranked;
  if (!top) return { ...state, emptyPolls: state.emptyPolls + 1 };
  const { baseline, dispute } = state;
  const current = ranked.find(({ port }) => port === baseline?.port);
  const isOpenCall = ([port]: [string, Call]) =>
    port === baseline?.port || ranked.some((prospect) => prospect.port === port);
  return {
    ...state,
    emptyPolls: 0,
    challenged: current && current.probability >= top.probability ? 0 : state.challenged + 1,
    dispute: dispute && observeLeader(dispute, top, now),
    ...(current && { lastEta: etaToRemember(state.lastEta, current.eta, now) }),
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
  if (!top) return evaluateEmptyPoll(observed, input, active);
  const { events: rankingEvents, memory } = runRules(active, observed.memory, (rule, own) =>
    rule.evaluateRanking?.({ imo, ranked, now, ...own }),
  );
  const state = { ...observed, memory };
  const { baseline } = state;
  if (!baseline || state.lost) {
    const back = active.flatMap(({ rule }) => rule.back?.({ imo, was: baseline, next: top }) ?? []);
    return { events: [...back, ...rankingEvents], edits: [], state: takeBaseline(state, top, input) };
  }
  // A watch that ends with the next port would leave a new dispute open for ever.
  const hasDisputes = rules.undecided && !rules.untilNextPort;
  const poll = { imo, baseline, ranked: [top, ...others], hasDisputes, now } as const;
  const change = detectPortChange(state, poll);
  const changeEvents = change ? active.flatMap(({ rule }) => rule.portChanged?.(change, now) ?? []) : [];
  const events = [...changeEvents, ...rankingEvents];
  if (!change || change.kind === 'undecided')
    return evaluateCall(state, input, { baseline, active, earlier: events });
  const begun = changeEvents.find(isDisputeEvent);
  const previous = change.kind === 'moved-on' ? null : { port: baseline.port, at: now };
  const end = change.kind === 'diverted' && change.isSettled ? 'settled' : 'over';
  return {
    events,
    edits: state.dispute ? [endDispute(state.dispute, input, end)] : [],
    state: takeBaseline({ ...state, previous, dispute: begun ? openDispute(begun) : null }, top, input),
  };
}

/** The baseline's port is still the next one, or nothing else is clear yet. `earlier`: events of this poll so far. */
function evaluateCall(
  state: VesselState,
  input: VesselInput,
  {
    baseline,
    active,
    earlier,
  }: { baseline: Baseline; active: readonly ActiveRule[]; earlier: readonly WatchEvent[] },
): Evaluated {
  const { ranked, imo, now } = input;
  const current = ranked.find(({ port }) => port === baseline.port);
  const old = state.dispute && continueDispute(state.dispute, input);
  const edits = old?.edit ? [old.edit] : [];
  if (!current) return { events: [...earlier], edits, state: { ...state, dispute: old?.dispute ?? null } };
  const call = state.calls[baseline.port] ?? { sequence: state.nextCall, memory: {} };
  const facts = {
    imo,
    baseline,
    current,
    isOnTop: current === ranked[0],
    rival: ranked.find(({ port }) => port !== baseline.port),
    isDisputed: state.dispute !== null || earlier.some(isDisputeEvent),
    call: call.sequence,
    isPort: false,
    now,
  };
  const verdict = runRules(active, call.memory, (rule, own) => rule.evaluate?.({ ...facts, ...own }));
  const events = [...watchRules.withoutReplaced(verdict.events), ...earlier];
  const begun = events.find(isDisputeEvent);
  // If the baseline has no ETA yet, it gets the first one that is predicted.
  const nextBaseline: Baseline = events.some((event) => watchRules.movesBaseline(event, baseline.port))
    ? { ...current, eta: current.eta ?? baseline.eta, at: now }
    : { ...baseline, eta: baseline.eta ?? current.eta };
  const calls = { ...state.calls, [baseline.port]: { ...call, memory: verdict.memory } };
  const dispute = begun ? openDispute(begun) : (old?.dispute ?? null);
  return {
    events,
    edits: begun && state.dispute ? [endDispute(state.dispute, input, 'over')] : edits,
    state: { ...state, baseline: nextBaseline, calls, dispute },
  };
}

/** Predictions count as lost after two polls without any. A prediction that returns sooner is not news. */
function evaluateEmptyPoll(state: VesselState, input: VesselInput, active: readonly ActiveRule[]): Evaluated {
  const { baseline: was, dispute } = state;
  const isLost = state.emptyPolls >= damping.consecutivePolls;
  if (!isLost || state.lost || !was) return { events: [], edits: [], state };
  const events = active.flatMap(({ rule }) => rule.lost?.({ imo: input.imo, was }) ?? []);
  return {
    events,
    edits: dispute ? [endDispute(dispute, input, 'over')] : [],
    state: { ...state, dispute: null, lost: events.length > 0 },
  };
}

/** Makes this port the baseline. Thresholds that are already passed notify nobody. */
function takeBaseline(state: VesselState, top: Prospect, { rules, ranked, now }: VesselInput): VesselState {
  const call = state.calls[top.port] ?? { sequence: state.nextCall, memory: {} };
  const memory = updateMemory(call.memory, rules, (rule, own) =>
    rule.begin?.({ current: top, ranked, now, ...own }),
  );
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

interface PortChangeInput {
  imo: PortChange['imo'];
  baseline: Baseline;
  /** Likeliest first. */
  ranked: readonly [Prospect, ...Prospect[]];
  /** Its rule is on: two ports that take turns are in dispute, and an open dispute of both delays the diversion. */
  hasDisputes: boolean;
  now: Date;
}

/**
 * Undefined while the baseline's port is the likeliest, or until another port is confirmed as the next one. If that leads
 * by little, the two are undecided, and the baseline stays.
 */
function detectPortChange(state: VesselState, input: PortChangeInput): PortChange | undefined {
  const { imo, baseline, ranked, hasDisputes, now } = input;
  const eta = state.lastEta ?? baseline.eta;
  const other = comparePorts({ port: baseline.port, eta }, { at: now, ranked }, thresholds.alert);
  // A port that is exactly as likely takes nothing over.
  if (!other || (other.old && other.old.probability >= other.next.probability)) return undefined;
  const { next, old, isClear } = other;
  const facts = { imo, was: baseline, next, old };
  if (other.kind === 'next-leg') return { kind: 'moved-on', ...facts };
  const mayHaveCalled = isWithin(old ? 0 : maybeCalledHours, eta, now);
  const change = { kind: 'diverted', ...facts, ...(mayHaveCalled && { mayHaveCalled }) } as const;
  const { dispute } = state;
  const isConfirmed = state.challenged >= damping.consecutivePolls;
  if (hasDisputes && dispute?.rival === next.port && dispute.kind !== 'unlikely') {
    const isSettled = now >= addHours(dispute.ledSince, damping.settledHours);
    if (isSettled) return { ...change, isSettled };
    return dispute.kind === 'undecided' && isClear && isConfirmed ? change : undefined;
  }
  // A port that is no longer predicted is replaced at once.
  if (!isClear && !isConfirmed) return undefined;
  if (!hasDisputes) return change;
  if (isBackAndForth(state, next, now)) return { ...change, kind: 'back-and-forth' };
  return other.kind === 'undecided' ? { ...change, kind: 'undecided' } : change;
}

/** The next port has changed back within a day. */
const isBackAndForth = ({ previous }: VesselState, next: Prospect, now: Date): boolean =>
  previous?.port === next.port && now <= addHours(previous.at, damping.backAndForthHours);
