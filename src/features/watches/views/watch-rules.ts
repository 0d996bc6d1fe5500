import { percent } from '../../../messages/formatting/probability.ts';
import { portTime } from '../../../messages/formatting/times.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { Rules, Snooze } from '../evaluation/rules.ts';

/** What a watch tells, in words, not escaped; `port`: it follows a port, which has other events. */
export function rulesInWords(rules: Rules, { now, isPort }: { now: Date; isPort: boolean }): string[] {
  const due = rules.due.map((date) => dueInWords(date, now));
  const told = isPort ? portEvents(rules) : [...vesselEvents(rules), ...due];
  return [...(told.length > 0 ? told : ['nothing at all']), ...limitsInWords(rules)];
}

/** What was told before and is not any more, in words, not escaped. */
export function droppedRules(
  { before, after }: { before: Rules; after: Rules },
  how: { now: Date; isPort: boolean },
): string[] {
  const kept = rulesInWords(after, how);
  return rulesInWords(before, how).filter((words) => !kept.includes(words));
}

/**
 * The thresholds alone, for the small print of a card: with them everything is told. Where something is not,
 * `only` and all that is, by the words it is typed with. Not escaped.
 */
export function thresholds(rules: Rules, { now, isPort }: { now: Date; isPort: boolean }): string[] {
  const { etaHours, below, arrivingHours } = rules;
  const figures = [
    ...(etaHours === null ? [] : [`ETA ${etaHours} h`]),
    ...(below === null || isPort ? [] : [`under ${percent(below)}`]),
    ...(arrivingHours.length === 0 || isPort ? [] : [`${arrivingHours.join(', ')} h before ETA`]),
  ];
  const due = isPort ? [] : dueInShort(rules, now);
  const { told, isAll } = isPort ? portSwitches(rules) : vesselSwitches(rules);
  if (isAll) return [...figures, ...due, ...limitsInWords(rules)];
  const all = [...told, ...figures, ...due];
  return [all.length === 0 ? 'tells nothing' : `only ${all.join('; ')}`, ...limitsInWords(rules)];
}

interface Switches {
  told: string[];
  /** Nothing is left out, thresholds neither. */
  isAll: boolean;
}

function vesselSwitches(rules: Rules): Switches {
  const { nextPort, noLongerListed, etaHours, below, arrivingHours, overdueHours, lost, stale } = rules;
  const hasFigures = etaHours !== null && below !== null && arrivingHours.length > 0;
  return {
    told: [
      ...(nextPort ? ['next port'] : []),
      ...(noLongerListed ? ['unlisted'] : []),
      ...(overdueHours === null ? [] : [`overdue ${overdueHours} h`]),
      ...(lost ? ['lost'] : []),
      ...(stale ? ['stale'] : []),
    ],
    isAll: hasFigures && nextPort && noLongerListed && overdueHours !== null && lost && stale,
  };
}

const portSwitches = ({ expected, stale, etaHours }: Rules): Switches => ({
  told: [...(expected ? ['vessels expected'] : []), ...(stale ? ['stale'] : [])],
  isAll: expected && stale && etaHours !== null,
});

const duesShown = 3;

function dueInShort({ due }: Rules, now: Date): string[] {
  if (due.length > duesShown) return [`${due.length} due dates`];
  return due.map(({ port, at }) => `due ${portLabel(port)} ${portTime(at, portOf(port)?.zone, now)}`);
}

export function snoozeInWords(snooze: Snooze, now: Date): string {
  switch (snooze.kind) {
    case 'until':
      return `until ${portTime(snooze.at, undefined, now)}`;
    case 'until-eta':
      return `until ${snooze.hours} h before the ETA`;
    case 'until-next-port':
      return 'until the next port changes';
  }
}

function vesselEvents(rules: Rules): string[] {
  const { nextPort, noLongerListed, etaHours, below, arrivingHours, overdueHours, lost, stale } = rules;
  return [
    ...(nextPort ? ['the next port changes'] : []),
    ...(noLongerListed ? ['the port is no longer listed'] : []),
    ...(etaHours === null ? [] : [`the ETA moves by ${etaHours} h`]),
    ...(below === null ? [] : [`the probability falls under ${percent(below)}`]),
    ...(arrivingHours.length === 0 ? [] : [`${inList(arrivingHours)} h before the ETA`]),
    ...(overdueHours === null ? [] : [`the ETA has passed by ${overdueHours} h`]),
    ...(lost ? ['there is no prediction any more, or one again'] : []),
    ...staleEvent(stale),
  ];
}

function portEvents({ expected, etaHours, stale }: Rules): string[] {
  return [
    ...(expected ? ['a vessel is newly expected, or no longer'] : []),
    ...(etaHours === null ? [] : [`the ETA of one moves by ${etaHours} h`]),
    ...staleEvent(stale),
  ];
}

const staleEvent = (stale: boolean): string[] => (stale ? ['the service does not answer'] : []);

function dueInWords({ port, at }: Rules['due'][number], now: Date): string {
  return `${portLabel(port)} gets later than ${portTime(at, portOf(port)?.zone, now)}, or unlikely`;
}

function limitsInWords({ untilNextPort, quiet }: Rules): string[] {
  return [
    ...(untilNextPort ? ['ends when the next port has changed'] : []),
    ...(quiet ? [`quiet ${quiet.from}–${quiet.to} (${quiet.zone})`] : []),
  ];
}

function inList(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  return numbers.length < 2 ? String(last) : `${numbers.slice(0, -1).join(', ')} and ${last}`;
}
