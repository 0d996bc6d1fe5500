import { isDeepStrictEqual } from 'node:util';
import type { Rules } from '../rules/index.ts';
import { isOn, ruleValue, watchRules, withEnd } from '../rules/registry.ts';
import type { Setting } from '../rules/rule.ts';

/** What is typed in the fields of the form, by their ids; '' for the default. `ends`: ticked, or ''. */
export type RuleFields = Readonly<Record<string, string>>;

interface FormReader {
  now: Date;
  zone: string | undefined;
}

/** The keys of the rules that are ticked for these values. */
export const ticksOf = (rules: Rules, isPort: boolean): string[] =>
  watchRules
    .of({ isPort })
    .filter((rule) => rule.tick && isOn(ruleValue(rules, rule)))
    .map(({ key }) => key);

/** As they would be typed. */
export function fieldsOf(rules: Rules, reader: FormReader): RuleFields {
  const texts = fielded().map(({ field, ...setting }) => {
    const value = ruleValue(rules, setting);
    const isUsual = !isOn(value) || isDeepStrictEqual(value, setting.defaultValue);
    return [field.id, isUsual ? '' : field.text(value, reader)];
  });
  return { ...Object.fromEntries(texts), ends: rules.untilNextPort ? 'ends' : '' };
}

interface Typed {
  fields: RuleFields;
  /** What stood there when the form was opened, and what it meant: left as it was, it means the same. */
  first: RuleFields;
  base: Rules;
}

/** By the grammar of the command, field by field. Each throws UserError. */
export function fieldReaders(
  { fields, first, base }: Typed,
  reader: FormReader,
): Record<string, () => unknown> {
  const readers = fielded().map(({ field, ...setting }) => {
    const opened = { text: first[field.id] ?? '', value: ruleValue(base, setting) };
    return [field.id, () => field.read(fields[field.id] ?? '', { opened, ...reader })];
  });
  return Object.fromEntries(readers);
}

/** The rules that ticks and fields mean; what this kind of watch has no field for stays as in `base`. */
export function rulesOfFields(
  read: Readonly<Record<string, unknown>>,
  { ticked, isPort, ends, base }: { ticked: readonly string[]; isPort: boolean; ends: boolean; base: Rules },
): Rules {
  const usual = ({ defaultValue, field }: Setting) => (field && read[field.id]) ?? defaultValue;
  const values = watchRules
    .of({ isPort })
    .map((rule) => [rule.key, rule.tick && !ticked.includes(rule.key) ? rule.off : usual(rule)]);
  const limits = watchRules.limits.filter(({ field }) => field).map((limit) => [limit.key, usual(limit)]);
  const chosen: Rules = { ...base, ...Object.fromEntries([...values, ...limits]) };
  return isPort ? chosen : withEnd({ ...chosen, untilNextPort: ends });
}

/** Something is ticked, or a rule without a tick has something in its field. */
export const isAnyOn = (
  rules: Rules,
  { ticked, isPort }: { ticked: readonly string[]; isPort: boolean },
): boolean =>
  ticked.length > 0 || watchRules.of({ isPort }).some((rule) => !rule.tick && isOn(ruleValue(rules, rule)));

/** What was changed in the form, put on the rules as they are by now. */
export function withChanges(current: Rules, { from, to }: { from: Rules; to: Rules }): Rules {
  const changed = Object.entries(to).filter(
    ([key, value]) => !isDeepStrictEqual(value, ruleValue(from, { key })),
  );
  return { ...current, ...Object.fromEntries(changed) };
}

const fielded = () =>
  [...watchRules.all, ...watchRules.limits].flatMap(({ key, defaultValue, field }: Setting) =>
    field ? [{ key, defaultValue, field }] : [],
  );
