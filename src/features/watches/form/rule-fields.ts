import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/line.ts';
import {
  formHelp,
  isOn,
  type Rules,
  ruleValue,
  type Setting,
  type TypingContext,
  type WatchRule,
  watchRules,
  withImpliedRules,
} from '../../rules/index.ts';
import type { RuleFields } from './watch-form-view.ts';

/** The keys of the rules that are on and have a box in the form. */
export const tickedKeys = (rules: Rules, isPort: boolean): string[] =>
  watchRules
    .rulesFor({ isPort })
    .filter((rule) => rule.tick && isOn(ruleValue(rules, rule)))
    .map(({ key }) => key);

/** What the fields contain: the values as they would be typed, or nothing for defaults and rules that are off. */
export function fieldsOf(rules: Rules, context: TypingContext): RuleFields {
  const texts = settingsWithField().map(({ field, ...setting }) => {
    const value = ruleValue(rules, setting);
    const isDefault = !isOn(value) || isDeepStrictEqual(value, setting.usualValue ?? setting.defaultValue);
    return [field.id, isDefault ? '' : field.text(value, context)];
  });
  return { ...Object.fromEntries(texts), ends: rules.untilNextPort ? 'ends' : '' };
}

interface FormTexts {
  fields: RuleFields;
  /** The fields when the form was opened. */
  first: RuleFields;
  /** The rules when the form was opened. */
  base: Rules;
}

/** Returns a function for each field that reads its value: undefined if the field is empty. They throw UserError. */
export function fieldReaders(
  { fields, first, base }: FormTexts,
  context: TypingContext,
): Record<string, () => unknown> {
  const readers = settingsWithField().map(({ field, ...setting }) => {
    const text = fields[field.id] ?? '';
    const opened = { text: first[field.id] ?? '', value: ruleValue(base, setting) };
    const read = () =>
      field.read ? field.read(text, { opened, ...context }) : readTyped(text, { field, ...setting }, context);
    return [field.id, read];
  });
  return Object.fromEntries(readers);
}

/** Reads a field by the grammar of the command. */
function readTyped(
  text: string,
  { field, take, resolve, typed: example }: SettingWithField,
  context: TypingContext,
): unknown {
  // With or without the word: errors have it.
  const typed = cleanLine(text).replace(new RegExp(`^${field.id}\\s+`, 'i'), '');
  if (typed === '') return undefined;
  const taken = take(`${field.id} ${typed}`, () => formHelp);
  if (taken?.rest.trim() === '') return resolve(taken.value, context);
  throw new UserError({ code: 'bad-rule', message: `Write it like “${example}”.` });
}

/** Turns ticks and values into rules. Settings that the form doesn't show for this kind of watch stay as in `base`. */
export function rulesOfFields(
  values: Readonly<Record<string, unknown>>,
  { ticked, isPort, ends, base }: { ticked: readonly string[]; isPort: boolean; ends: boolean; base: Rules },
): Rules {
  const getValue = ({ usualValue, defaultValue, field }: Setting) =>
    (field && values[field.id]) ?? usualValue ?? defaultValue;
  // Whoever fills in the field of a rule that was off wants it on.
  const isFilledIn = (rule: WatchRule) =>
    rule.field !== undefined && values[rule.field.id] !== undefined && !isOn(ruleValue(base, rule));
  const rules = watchRules.rulesFor({ isPort }).map((rule) => {
    const isOff = rule.tick && !ticked.includes(rule.key) && !isFilledIn(rule);
    return [rule.key, isOff ? rule.off : getValue(rule)];
  });
  const limits = watchRules.limits.filter(({ field }) => field).map((limit) => [limit.key, getValue(limit)]);
  const chosen: Rules = { ...base, ...Object.fromEntries([...rules, ...limits]) };
  return isPort ? chosen : withImpliedRules({ ...chosen, untilNextPort: ends });
}

/** True if a box is ticked, or a rule without a box is filled in. */
export const isAnyOn = (
  rules: Rules,
  { ticked, isPort }: { ticked: readonly string[]; isPort: boolean },
): boolean =>
  ticked.length > 0 ||
  watchRules.rulesFor({ isPort }).some((rule) => !rule.tick && isOn(ruleValue(rules, rule)));

/** Applies the changes made in the form to the current rules, which may have changed since the form was opened. */
export function withChanges(current: Rules, { from, to }: { from: Rules; to: Rules }): Rules {
  const changed = Object.entries(to).filter(
    ([key, value]) => !isDeepStrictEqual(value, ruleValue(from, { key })),
  );
  return { ...current, ...Object.fromEntries(changed) };
}

type SettingWithField = Setting & { field: NonNullable<Setting['field']> };

const settingsWithField = (): SettingWithField[] =>
  [...watchRules.all, ...watchRules.limits].flatMap((setting: Setting) =>
    setting.field ? [{ ...setting, field: setting.field }] : [],
  );
