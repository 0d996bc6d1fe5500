import type { Rules, WatchEvent, WatchRule } from '../rules/index.ts';
import { type ActiveRule, ruleValue } from '../rules/registry.ts';
import type { Verdict } from '../rules/rule.ts';
import type { Memory } from './state.ts';

/** What a rule remembers, as its own schema reads it, and its value. */
interface Own {
  memory: unknown;
  value: NonNullable<unknown>;
}

/** Memory that can't be read starts from nothing: it must not stop the poll of all others from being committed. */
function memoryOf(rule: WatchRule, memory: Memory): unknown {
  const read = rule.memory?.safeParse(memory[rule.key]);
  return read?.success ? read.data : rule.memory?.parse(undefined);
}

/** Each rule that is on, in their order: its events, and what it remembers from now on. */
export function askRules(
  active: readonly ActiveRule[],
  memory: Memory,
  ask: (rule: WatchRule, own: Own) => Verdict<WatchEvent, unknown> | undefined,
): { events: WatchEvent[]; memory: Memory } {
  const asked = active.map(({ rule, value }) => {
    const verdict = ask(rule, { memory: memoryOf(rule, memory), value });
    return { key: rule.key, events: verdict?.events ?? [], memory: verdict?.memory };
  });
  return {
    events: asked.flatMap(({ events }) => events),
    memory: { ...memory, ...remembered(asked) },
  };
}

/** What every rule remembers, on or off, where `next` has something for it. */
export function rememberRules(
  all: readonly WatchRule[],
  rules: Rules,
  {
    memory,
    next,
  }: { memory: Memory; next: (rule: WatchRule, own: { memory: unknown; value: unknown }) => unknown },
): Memory {
  const asked = all.map((rule) => ({
    key: rule.key,
    memory: next(rule, { memory: memoryOf(rule, memory), value: ruleValue(rules, rule) }),
  }));
  return { ...memory, ...remembered(asked) };
}

const remembered = (asked: readonly { key: string; memory: unknown }[]): Memory =>
  Object.fromEntries(
    asked.filter(({ memory }) => memory !== undefined).map(({ key, memory }) => [key, memory]),
  );

/** What a card shows of what rules remember. */
export const shownMemory = (all: readonly WatchRule[], memory: Memory): unknown[] =>
  all.map((rule) => rule.shown?.(memoryOf(rule, memory)));
