import { portTime } from '../../../messages/formatting/times.ts';
import type { Snooze } from '../evaluation/muting.ts';
import type { Rules } from './index.ts';
import { isOn, type RuleRegistry, ruleValue, watchRules } from './registry.ts';
import type { WordsContext } from './rule.ts';

/** What a watch notifies of, in words, not escaped. */
export function rulesInWords(
  rules: Rules,
  context: WordsContext,
  registry: RuleRegistry = watchRules,
): string[] {
  const words = activeOf(rules, context, registry).flatMap(({ rule, value }) => rule.words(value, context));
  return [...(words.length > 0 ? words : ['nothing at all']), ...limitsInWords(rules, context, registry)];
}

/** What a watch notified of before and no longer does, in words, not escaped. */
export function droppedRules(
  { before, after }: { before: Rules; after: Rules },
  context: WordsContext,
): string[] {
  const still = rulesInWords(after, context);
  return rulesInWords(before, context).filter((words) => !still.includes(words));
}

/**
 * The thresholds alone, for the small print of a card: with them there is everything. Where something is off,
 * `only` and all that is on, by the words it is typed with. Not escaped.
 */
export function thresholds(
  rules: Rules,
  context: WordsContext,
  registry: RuleRegistry = watchRules,
): string[] {
  const active = activeOf(rules, context, registry);
  const brief = (wanted: boolean) =>
    active
      .filter(({ rule }) => (rule.isThreshold ?? false) === wanted)
      .flatMap(({ rule, value }) => rule.brief(value, context));
  const limits = limitsInWords(rules, context, registry);
  const usual = registry.of(context).filter(({ defaultValue }) => isOn(defaultValue));
  if (usual.every((rule) => isOn(ruleValue(rules, rule)))) return [...brief(true), ...limits];
  const all = [...brief(false), ...brief(true)];
  return [all.length === 0 ? 'notifies of nothing' : `only ${all.join('; ')}`, ...limits];
}

function activeOf(rules: Rules, { isPort }: WordsContext, registry: RuleRegistry) {
  const active = registry.active(rules);
  return registry.of({ isPort }).flatMap((rule) => active.find((one) => one.rule === rule) ?? []);
}

const limitsInWords = (rules: Rules, context: WordsContext, { limits }: RuleRegistry): string[] =>
  limits.flatMap((limit) => {
    const value = ruleValue(rules, limit);
    return isOn(value) ? limit.words(value, context) : [];
  });

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
