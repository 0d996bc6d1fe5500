import type { Rules, WatchEvent, WatchRule } from '../rules/index.ts';
import { type ActiveRule, ruleValue, watchRules } from '../rules/registry.ts';
import type { Verdict } from '../rules/rule.ts';
import type { Memory } from './state.ts';

/** Runs one function of each rule that is on. Returns all events, and the new memory. */
export function runRules(
  active: readonly ActiveRule[],
  memory: Memory,
  run: (
    rule: WatchRule,
    own: { memory: unknown; value: NonNullable<unknown> },
  ) => Verdict<WatchEvent, unknown> | undefined,
): { events: WatchEvent[]; memory: Memory } {
  const verdicts = active.map(({ rule, value }) => ({
    key: rule.key,
    ...run(rule, { memory: memoryOf(rule, memory), value }),
  }));
  return {
    events: verdicts.flatMap(({ events = [] }) => events),
    memory: withMemories(memory, verdicts),
  };
}

/** Updates the memory of every rule, on or off, for which `update` returns a new one. */
export function updateMemory(
  memory: Memory,
  rules: Rules,
  update: (rule: WatchRule, own: { memory: unknown; value: unknown }) => unknown,
): Memory {
  const updates = watchRules.all.map((rule) => ({
    key: rule.key,
    memory: update(rule, { memory: memoryOf(rule, memory), value: ruleValue(rules, rule) }),
  }));
  return withMemories(memory, updates);
}

/** The part of the memory that a card shows. */
export const shownMemory = (memory: Memory): unknown[] =>
  watchRules.all.map((rule) => rule.shown?.(memoryOf(rule, memory)));

/** Memory that can't be read starts anew. An error here would keep the poll from being committed for any watch. */
function memoryOf(rule: WatchRule, memory: Memory): unknown {
  const read = rule.memory?.safeParse(memory[rule.key]);
  return read?.success ? read.data : rule.memory?.parse(undefined);
}

function withMemories(memory: Memory, updates: readonly { key: string; memory?: unknown }[]): Memory {
  const changed = updates.filter(({ memory }) => memory !== undefined);
  return { ...memory, ...Object.fromEntries(changed.map(({ key, memory }) => [key, memory])) };
}
