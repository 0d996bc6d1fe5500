import { portTime } from '../../answers/formatting/times.ts';
import type { Snooze } from './evaluation/muting.ts';
import type { Rules, WatchRule } from './list.ts';
import { isOn, ruleValue, watchRules } from './registry.ts';
import type { Setting, WordsContext } from './rule.ts';

/** Says when a watch notifies; not escaped. */
export const rulesInWords = (rules: Rules, context: WordsContext): string[] => [
  ...activeInWords(rules, context),
  ...limitsInWords(rules, context),
];

/** The same without the limits, such as quiet hours. */
export function activeInWords(rules: Rules, context: WordsContext): string[] {
  const words = watchRules.active(rules, context).flatMap(({ rule, value }) => rule.words(value, context));
  return words.length > 0 ? words : ['nothing at all'];
}

/** The rules that a change has switched off or replaced, in words; not escaped. */
export function droppedRulesInWords(
  { before, after }: { before: Rules; after: Rules },
  context: WordsContext,
): string[] {
  const remaining = rulesInWords(after, context);
  return rulesInWords(before, context).filter((words) => !remaining.includes(words));
}

/**
 * The rules in the small print of a card, not escaped. If all default rules are on, these are only the thresholds and
 * what is off by default; otherwise `only` and every rule that is on.
 */
export function rulesInBrief(rules: Rules, context: WordsContext): string[] {
  const active = watchRules.active(rules, context);
  const briefsOf = (isShown: (rule: WatchRule) => boolean) =>
    active.filter(({ rule }) => isShown(rule)).flatMap(({ rule, value }) => rule.brief(value, context));
  const limits = limitsInWords(rules, context);
  const defaultRules = watchRules.rulesFor(context).filter(({ defaultValue }) => isOn(defaultValue));
  const hasDefaults = defaultRules.every((rule) => isOn(ruleValue(rules, rule)));
  const isThreshold = (rule: WatchRule) => rule.isThreshold ?? false;
  if (hasDefaults) return [...briefsOf((rule) => isThreshold(rule) || !isOn(rule.defaultValue)), ...limits];
  const all = [...briefsOf((rule) => !isThreshold(rule)), ...briefsOf(isThreshold)];
  return [all.length === 0 ? 'notifies of nothing' : `only ${all.join('; ')}`, ...limits];
}

export const limitsInWords = (rules: Rules, context: WordsContext): string[] =>
  watchRules.limits.flatMap((limit: Setting) => {
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
