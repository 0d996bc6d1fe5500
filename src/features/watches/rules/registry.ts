import { z } from 'zod';
import { joinWords, type Take, wordOption } from '../../../grammar/options.ts';
import { type Rules, type RuleWords, ruleList, type WatchEvent, type WatchRule } from './index.ts';
import { limits } from './limits.ts';
import type { Rule, Setting } from './rule.ts';

/** What is derived from all rules together. */
export interface RuleRegistry {
  /** The schema of what is stored. */
  rules: z.ZodType<Rules>;
  event: z.ZodType<WatchEvent>;
  defaults: Rules;
  /** Values override their own defaults; the others stay, unless `only` drops them. */
  choose(values: Partial<Rules>, how?: { only?: boolean }): Rules;
  /** `eta 6h below 40% until next port quiet 22:00-06:00`, in any order. */
  options: { [Key in keyof RuleWords]-?: Take<NonNullable<RuleWords[Key]>> };
  /** The canonical words. */
  format(words: RuleWords): string;
  /** Throws UserError, such as for a date that is over. */
  resolve(words: RuleWords, context: { now: Date; zone: string | undefined }): Rules;
  /** Those that a watch of a port, or of vessels, can have: a port's own first. */
  of(subject: { isPort: boolean }): readonly WatchRule[];
  limits: readonly Setting[];
  ruleOf(event: WatchEvent): WatchRule;
  isCritical(event: WatchEvent): boolean;
  help: readonly Pick<Setting, 'typed' | 'help'>[];
  /** Those that are on, with their values. */
  active(rules: Rules): readonly ActiveRule[];
  all: readonly WatchRule[];
}

export interface ActiveRule {
  rule: WatchRule;
  value: NonNullable<unknown>;
}

/** Of the rules that there are, or of others in a test. */
export function createRegistry(list: readonly Rule[] = ruleList): RuleRegistry {
  // Events are `WatchEvent` by definition: that type is made of this list.
  const all = list as readonly WatchRule[];
  const settings: readonly Setting[] = [...all, ...limits];
  const byKind = new Map(all.flatMap((rule) => kindsOf(rule.event).map((kind) => [kind, rule])));
  const byKey = <T>(of: (setting: Setting) => T) =>
    Object.fromEntries(settings.map((setting) => [setting.key, of(setting)]));

  // What is built of every setting by its key has the types that `Rules` and `RuleWords` derive from the same list.
  const defaults = byKey(({ defaultValue }) => defaultValue) as Rules;
  const off = { ...defaults, ...Object.fromEntries(all.map((rule) => [rule.key, rule.off])) } as Rules;
  const schema = z.object(byKey(({ schema, defaultValue }) => schema.default(defaultValue)));
  const options = {
    only: wordOption('only'),
    ...Object.fromEntries([...limits, ...all].map(({ key, take }) => [key, take])),
  } as RuleRegistry['options'];

  const choose: RuleRegistry['choose'] = (values, { only = false } = {}) => {
    const chosen: Rules = { ...(only ? off : defaults), ...values };
    return byKey((setting) => {
      const value = ruleValue(chosen, setting);
      return setting.normalize ? setting.normalize(value) : value;
    }) as Rules;
  };

  const ruleOf = ({ kind }: WatchEvent): WatchRule => {
    const rule = byKind.get(kind);
    if (!rule) throw new Error(`no rule has the event ${kind}`);
    return rule;
  };

  return {
    all,
    limits,
    defaults,
    options,
    choose,
    ruleOf,
    rules: schema as unknown as z.ZodType<Rules>,
    event: z.union(all.map(({ event }) => event)) as z.ZodType<WatchEvent>,
    help: [
      ...all,
      { typed: 'only', help: 'only the rules that are typed; without it the others have their defaults' },
      ...limits,
    ],
    format(words) {
      const typed: Readonly<Record<string, unknown>> = words;
      const isWord = ({ key }: Setting) => typed[key] === true;
      const inOrder = [...all.filter(isWord), ...all.filter((rule) => !isWord(rule)), ...limits];
      return joinWords(
        words.only && 'only',
        ...inOrder.map((one: Setting) => (typed[one.key] === undefined ? '' : one.format(typed[one.key]))),
      );
    },
    resolve({ only = false, ...words }, context) {
      const typed: Readonly<Record<string, unknown>> = words;
      const values = settings
        .filter(({ key }) => typed[key] !== undefined)
        .map(({ key, resolve }) => [key, resolve(typed[key], context)]);
      return withEnd(choose(Object.fromEntries(values), { only }));
    },
    of: ({ isPort }) =>
      isPort
        ? [
            ...all.filter(({ appliesTo }) => appliesTo === 'ports'),
            ...all.filter(({ appliesTo }) => appliesTo === 'both'),
          ]
        : all.filter(({ appliesTo }) => appliesTo !== 'ports'),
    isCritical: (event) => ruleOf(event).isCritical?.(event) ?? false,
    active: (rules) =>
      all.flatMap((rule) => {
        const value = ruleValue(rules, rule);
        return isOn(value) ? [{ rule, value }] : [];
      }),
  };
}

function kindsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(kindsOf);
  const kind = schema instanceof z.ZodObject ? schema.shape.kind : undefined;
  return kind instanceof z.ZodLiteral ? [...kind.values].map(String) : [];
}

export function ruleValue(rules: Rules, { key }: Pick<Setting, 'key'>): unknown {
  const values: Readonly<Record<string, unknown>> = rules;
  return values[key];
}

/** Null, false or empty: never. */
export const isOn = (value: unknown): value is NonNullable<unknown> =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== false;

/** What ends with the next port notifies of it. */
export const withEnd = <R extends Rules>(rules: R): R =>
  rules.untilNextPort ? { ...rules, nextPort: true } : rules;

/** The registry of every rule that there is. */
export const watchRules = createRegistry();
export const { defaults: defaultRules, choose: chooseRules } = watchRules;
