export { disputedPorts, disputeKey, endDispute, isDisputeEvent } from './dispute.ts';
export { checkDueDates, wasProbablyCalled } from './due.ts';
export { dueInWords, dueText, dueTime, resolveDue } from './due-words.ts';
export { type Evaluation, evaluate, evaluateNet, replay } from './evaluation/evaluate.ts';
export { type Snooze, snooze, wakeTime } from './evaluation/muting.ts';
export {
  type Baseline,
  type Dispute,
  damping,
  imosIn,
  isMet,
  type Memory,
  narrow,
  type PortCondition,
  portCondition,
  predictionsFor,
  type Snapshot,
  type VesselState,
  vesselStates,
  type WatchState,
  watchState,
} from './evaluation/state.ts';
export { etaInWords, portChance, shortTimeAt, stamp, timeAt } from './event-text.ts';
export type { Rules, RuleWords, WatchEvent, WatchRule } from './list.ts';
export {
  activeInWords,
  alertInWords,
  droppedRulesInWords,
  type EventWords,
  eventInWords,
  eventMarker,
  headed,
  imoOf,
  isOn,
  limitsInWords,
  type Marker,
  newsKey,
  rulesInBrief,
  rulesInWords,
  ruleValue,
  shownMemory,
  snoozeInWords,
  type VesselNames,
  type WatchNames,
  watchRules,
  withImpliedRules,
} from './registry.ts';
export { formHelp, type Setting, type TypingContext } from './rule.ts';
export { apart, isShown, type Standing, standingInWords, standingLine, standingOf } from './standing.ts';
