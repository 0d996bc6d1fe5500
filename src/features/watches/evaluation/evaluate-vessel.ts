import type { Imo } from '../../../reference/imo.ts';
import type { ActiveRules, WatchEvent } from '../rules/index.ts';
import type { ActiveRule, RuleRegistry } from '../rules/registry.ts';
import { askRules, rememberRules } from './ask-rules.ts';
import { damping } from './damping.ts';
import { isQuiet, isSnoozed } from './muting.ts';
import { detectPortChange } from './next-port.ts';
import type { Call, Memory, VesselState } from './state.ts';
import { type Baseline, nearlySame, type Prospect } from './values.ts';

interface VesselInput {
  imo: Imo;
  /** Likeliest first; empty: the service predicts nothing for it. */
  ranked: readonly Prospect[];
  scale: VesselState['scale'];
  rules: ActiveRules;
  now: Date;
  registry: RuleRegistry;
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
  // Figures read in another scale can't be compared: a new baseline, without an alert.
  if (!before || (before.scale !== scale && ranked.length > 0)) return begin(before, input);
  const state = observe(before, input);
  if (isQuiet(rules.quiet, now)) return { events: [], state, woke: false };
  const eta = state.baseline?.eta ?? null;
  const outcome = notify(state, input);
  if (isSnoozed(rules.snooze, { eta, now })) {
    const wakes = rules.snooze?.kind === 'until-next-port' && isNews(before, outcome.state);
    if (!wakes) return { events: [], state, woke: false };
  }
  const ended = rules.untilNextPort && before.baseline !== null && isNews(before, outcome.state);
  return { ...outcome, state: { ...outcome.state, ended }, woke: rules.snooze !== null };
}

/** The baseline has another port than before. */
const isNews = (before: VesselState, after: VesselState): boolean =>
  before.baseline?.port !== after.baseline?.port;

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

/** What is remembered though nobody is notified: so that on waking the damping has been served. */
function observe(state: VesselState, input: VesselInput): VesselState {
  const { ranked, now } = input;
  const [top] = ranked;
  if (!top) return { ...state, emptyPolls: state.emptyPolls + 1 };
  const { baseline, wavering } = state;
  const rivals = wavering?.ports ?? (baseline ? [baseline.port] : []);
  const leader =
    wavering && wavering.leader !== top.port ? { ...wavering, leader: top.port, since: now } : wavering;
  const isOpen = ([port]: [string, Call]) =>
    port === baseline?.port || ranked.some((prospect) => prospect.port === port);
  return {
    ...state,
    emptyPolls: 0,
    challenged: rivals.includes(top.port) ? 0 : state.challenged + 1,
    wavering: leader,
    ...(baseline && top.port === baseline.port && { lastEta: nearlySame(state.lastEta, top.eta) }),
    calls: Object.fromEntries(Object.entries(state.calls).filter(isOpen)),
    memory: observeRules(state.memory, input),
  };
}

const observeRules = (memory: Memory, { imo, ranked, rules, now, registry }: VesselInput): Memory =>
  rememberRules(
    registry.all.filter((rule) => rule.observe),
    rules,
    {
      memory,
      next: (rule, own) => rule.observe?.({ imo, ranked, now, ...own }),
    },
  );

type Notified = Omit<VesselOutcome, 'woke'>;

function notify(state: VesselState, input: VesselInput): Notified {
  const { ranked, rules, imo, now, registry } = input;
  const [top, ...others] = ranked;
  const active = registry.active(rules);
  if (!top) return notifyLost(state, imo, active);
  const any = askRules(active, state.memory, (rule, own) => rule.evaluateAny?.({ imo, ranked, now, ...own }));
  const known = { ...state, memory: any.memory };
  const { baseline } = state;
  if (!baseline || state.lost) {
    const back = active.flatMap(({ rule }) => rule.back?.({ imo, was: baseline, next: top }) ?? []);
    return { events: [...back, ...any.events], state: takeBaseline(known, top, input) };
  }
  const replacesLostPort = active.some(({ rule }) => rule.replacesLostPort);
  const detected = detectPortChange(known, {
    imo,
    baseline,
    ranked: [top, ...others],
    replacesLostPort,
    now,
  });
  if (detected) {
    const { change, previous, wavering } = detected;
    const said = active.map(({ rule }) => rule.portChanged?.(change) ?? []).find(({ length }) => length > 0);
    const events = [...(said ?? []), ...any.events];
    return { events, state: takeBaseline({ ...known, previous, wavering }, top, input) };
  }
  const current = ranked.find(({ port }) => port === baseline.port);
  if (!current) return { events: any.events, state: known };
  const call = state.calls[baseline.port] ?? { sequence: state.nextCall, memory: {} };
  const standing = {
    imo,
    baseline,
    current,
    isOnTop: current === top,
    rival: ranked.find(({ port }) => port !== baseline.port),
    isWavering: state.wavering !== null,
    call: call.sequence,
    now,
  };
  const asked = askRules(active, call.memory, (rule, own) => rule.evaluate?.({ ...standing, ...own }));
  const events = [...asked.events, ...any.events];
  // An ETA given for the first time is what later ones are compared with.
  const eta = current.eta ?? baseline.eta;
  const next: Baseline =
    events.length > 0 ? { ...current, eta, at: now } : { ...baseline, eta: baseline.eta ?? eta };
  const calls = { ...state.calls, [baseline.port]: { ...call, memory: asked.memory } };
  return { events, state: { ...known, baseline: next, calls } };
}

/** Two polls without predictions; only then the state says so, and the next prediction is news. */
function notifyLost(state: VesselState, imo: Imo, active: readonly ActiveRule[]): Notified {
  const { baseline: was } = state;
  if (state.emptyPolls < damping.polls || state.lost || !was) return { events: [], state };
  const events = active.flatMap(({ rule }) => rule.lost?.({ imo, was }) ?? []);
  return { events, state: { ...state, lost: events.length > 0 } };
}

/** From here on this port is what the followers know: what is passed already notifies nobody. */
function takeBaseline(state: VesselState, top: Prospect, { rules, now, registry }: VesselInput): VesselState {
  const open = state.calls[top.port] ?? { sequence: state.nextCall, memory: {} };
  const memory = rememberRules(registry.all, rules, {
    memory: open.memory,
    next: (rule, own) => rule.begin?.({ current: top, now, ...own }),
  });
  return {
    ...state,
    baseline: { ...top, at: now },
    lastEta: top.eta,
    challenged: 0,
    lost: false,
    calls: { ...state.calls, [top.port]: { ...open, memory } },
    nextCall: Math.max(state.nextCall, open.sequence + 1),
  };
}
