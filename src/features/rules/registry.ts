import { z } from 'zod';
import { portTime } from '../../answers/formatting/times.ts';
import { capitalised, referenceNote, vesselShort } from '../../answers/formatting/words.ts';
import type { Text } from '../../answers/text.ts';
import type { UserError } from '../../errors.ts';
import { joinWords, type LineHelp, type LineOption, wordOption } from '../../grammar/line.ts';
import { referenceKey } from '../../grammar/vessel-directory.ts';
import type { OwnThresholds } from '../../predictions/changes.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { knownVessel } from '../ctx.ts';
import type { Snooze } from './evaluation/muting.ts';
import { type Memory, vesselStates, type WatchState } from './evaluation/state.ts';
import type { EventText } from './event-text.ts';
import { limits } from './limits.ts';
import { type Rules, type RuleWords, ruleList, type WatchEvent, type WatchRule } from './list.ts';
import {
  type Rule,
  type Setting,
  type TypingContext,
  type Verdict,
  valueQuestion,
  type WordsContext,
} from './rule.ts';

export interface ActiveRule {
  rule: WatchRule;
  value: NonNullable<unknown>;
}

/** Everything that is derived from all rules together. */
function createRegistry() {
  // The cast is safe: `WatchEvent` is derived from this list.
  const all = ruleList as readonly Rule[] as readonly WatchRule[];
  const settings: readonly Setting[] = [...all, ...limits];
  const ruleByKind = new Map(all.flatMap((rule) => kindsOf(rule.event).map((kind) => [kind, rule])));
  const byKey = <T>(getValue: (setting: Setting) => T) =>
    Object.fromEntries(settings.map((setting) => [setting.key, getValue(setting)]));

  // An object with an entry for each setting has the types that `Rules` and `RuleWords` derive from the same list.
  const defaults = byKey(({ defaultValue }) => defaultValue) as Rules;
  const off = { ...defaults, ...Object.fromEntries(all.map((rule) => [rule.key, rule.off])) } as Rules;
  const rules = z.object(byKey(({ schema, defaultValue }) => schema.default(defaultValue)));
  const options = {
    only: wordOption('only'),
    ...Object.fromEntries([...limits, ...all].map(({ key, take }) => [key, take])),
  } as { [Key in keyof RuleWords]-?: LineOption<NonNullable<RuleWords[Key]>> };

  const defaultsOfOneVessel: Rules = {
    ...defaults,
    ...Object.fromEntries(
      all.filter((rule) => rule.isOnForOneVessel).map(({ key, usualValue }) => [key, usualValue]),
    ),
  };
  /** A watch of one vessel notifies of more than one of several vessels, which would be noisy. */
  const defaultsFor = ({ isOneVessel }: { isOneVessel: boolean }): Rules =>
    isOneVessel ? defaultsOfOneVessel : defaults;

  /** Adds the default of each setting that has no value here. With `only`, rules without a value are off. */
  function choose(values: Partial<Rules>, { only = false, isOneVessel = false } = {}): Rules {
    const chosen: Rules = { ...(only ? off : defaultsFor({ isOneVessel })), ...values };
    return byKey((setting) => {
      const value = ruleValue(chosen, setting);
      return setting.normalize ? setting.normalize(value) : value;
    }) as Rules;
  }

  /** The rules that a watch of a port or of vessels can have. The rules for ports only come first. */
  function rulesFor({ isPort }: { isPort: boolean }): readonly WatchRule[] {
    if (!isPort) return all.filter(({ appliesTo }) => appliesTo !== 'ports');
    const { ports = [], both = [] } = Object.groupBy(all, ({ appliesTo }) => appliesTo);
    return [...ports, ...both];
  }

  function ruleOf({ kind }: WatchEvent): WatchRule {
    const rule = ruleByKind.get(kind);
    if (!rule) throw new Error(`no rule has the event ${kind}`);
    return rule;
  }

  /**
   * For words that end in a rule without its value, or with one that can't be read: `9461477 eta`, `9461477 quiet 22:00`.
   * Undefined if they don't. `isSubject`: before a wrong value, only a subject is a subject, not half of a name.
   */
  function askValue(
    words: string,
    help: LineHelp,
    isSubject: (before: string) => boolean,
  ): UserError | undefined {
    for (const { question, typed: example } of settings) {
      if (!question) continue;
      const [, subject, typed, value] =
        new RegExp(`^(.*?)[\\s,]+(${question.words}(\\s+\\S.*)?)$`, 'i').exec(words.trim()) ?? [];
      if (!subject || typed === undefined || (value !== undefined && !isSubject(subject))) continue;
      const line = (fixed: string) => help.line(`${subject} ${fixed}`);
      return valueQuestion(typed, question, { line, example: help.line(`9461477 ${example}`) });
    }
    return undefined;
  }

  /** Whether an alert of this event still says anything. `state`: that of the watch and the event's subject. */
  function isCurrent(event: WatchEvent, { at, state, now }: { at: Date; state: WatchState; now: Date }) {
    const imo = imoOf(event);
    const vessel = imo === undefined ? undefined : vesselStates(state)[imo];
    const expected =
      state.kind === 'port'
        ? state.expected?.find((expectedVessel) => expectedVessel.imo === imo)
        : undefined;
    return ruleOf(event).isCurrent(event, { at, now, state, vessel, expected });
  }

  /** What counts as a change for this watch, whether or not it notifies of it: a rule that is off has its default. */
  const ownThresholds = (rules: Rules): OwnThresholds => {
    const own: Partial<OwnThresholds>[] = all.map((rule) => {
      const value = ruleValue(rules, rule);
      const used = isOn(value) ? value : rule.defaultValue;
      return (isOn(used) && rule.differs?.(used)) || {};
    });
    return Object.assign({ ...defaultThresholds }, ...own);
  };

  return {
    all,
    limits,
    defaults,
    defaultsFor,
    choose,
    rulesFor,
    ruleOf,
    askValue,
    isCurrent,
    ownThresholds,
    /** Without those that other events of the same poll replace. */
    withoutReplaced: (events: readonly WatchEvent[]): WatchEvent[] =>
      events.filter(({ kind }) => !events.some((other) => ruleOf(other).replaces?.includes(kind))),
    /** After it, the followers know the current figures of this port, unless the alert is a routine one. */
    movesBaseline: (event: WatchEvent, port: Locode): boolean =>
      ruleOf(event).moves !== 'own memory' &&
      [
        'now' in event ? event.now?.port : undefined,
        'other' in event ? event.other?.port : undefined,
      ].includes(port),
    /** The schema of stored rules. */
    rules: rules as unknown as z.ZodType<Rules>,
    event: z.union(all.map(({ event }) => event)) as z.ZodType<WatchEvent>,
    /** `eta 6h below 40% until next port quiet 22:00-06:00`, in any order. */
    options,
    help: [
      ...all,
      { typed: 'only', help: 'only the rules that are typed; without it the others have their defaults' },
      ...limits,
    ],
    /** Returns the canonical words: rules without a value come before the others. */
    format(words: RuleWords): string {
      const typed: Readonly<Record<string, unknown>> = words;
      const hasNoValue = ({ key }: Setting) => typed[key] === true;
      const inOrder = [...all.filter(hasNoValue), ...all.filter((rule) => !hasNoValue(rule)), ...limits];
      return joinWords(
        words.only && 'only',
        ...inOrder.map(({ key, format }: Setting) => (typed[key] === undefined ? '' : format(typed[key]))),
      );
    },
    /** Throws UserError, such as for a due date in the past. */
    resolve(
      { only, ...words }: RuleWords,
      { isOneVessel = false, ...context }: TypingContext & { isOneVessel?: boolean },
    ): Rules {
      const typed: Readonly<Record<string, unknown>> = words;
      const values = settings
        .filter(({ key }) => typed[key] !== undefined)
        .map(({ key, resolve }) => [key, resolve(typed[key], context)]);
      return withImpliedRules(choose(Object.fromEntries(values), { only: only ?? false, isOneVessel }));
    },
    isCritical: (event: WatchEvent): boolean => ruleOf(event).isCritical?.(event) ?? false,
    active: (rules: Rules, subject: { isPort: boolean }): ActiveRule[] =>
      rulesFor(subject).flatMap((rule) => {
        const value = ruleValue(rules, rule);
        return isOn(value) ? [{ rule, value }] : [];
      }),
  };
}

const defaultThresholds: OwnThresholds = {
  etaCheckHours: thresholds.alert.etaHours,
  below: thresholds.changes.below,
  overdueHours: thresholds.changes.overdueHours,
  due: [],
};

/** Undefined for an event that is not about a vessel: every watch shows such events. */
export const imoOf = (event: WatchEvent): Imo | undefined => ('imo' in event ? event.imo : undefined);

/** Equal for events that report the same news, even if their ETAs or probabilities differ. */
export function newsKey(event: WatchEvent): string {
  const identity = watchRules.ruleOf(event).identity?.(event);
  if (identity !== undefined) return `${event.kind} ${identity}`;
  const hours = 'hours' in event ? event.hours : '';
  const prospect = 'next' in event ? event.next : 'now' in event ? event.now : null;
  return `${event.kind} ${hours} ${prospect?.port ?? ''}`;
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

/** A setting is off if its value is null, false or empty. */
export const isOn = (value: unknown): value is NonNullable<unknown> =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== false;

/** A watch that ends when the next port changes also notifies of that change, even of an ordinary next leg. */
export const withImpliedRules = <R extends Rules>(rules: R): R =>
  rules.untilNextPort ? { ...rules, diverted: true, nextLeg: true } : rules;

export const watchRules = createRegistry();
export const { defaults: defaultRules, choose: chooseRules } = watchRules;

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

/** Updates the memory of every rule, on or off, whose `update` returns a new one. */
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

/** What a reader should do: act (🔴), check (🟠), or nothing (⚪). */
export type Marker = '🔴' | '🟠' | '⚪';

export interface VesselNames {
  nameOf: (imo: Imo) => string | undefined;
  /** The newest first; none where people of other organisations read. */
  referencesOf: (imo: Imo) => readonly string[];
}

/** The names that a watch's message needs. */
export interface WatchNames extends VesselNames {
  ownerName?: string;
  acknowledgedBy?: string;
  /** Who shall act on the most urgent open alert. */
  assigneeName?: string;
}

export interface EventWords extends EventText {
  marker: Marker;
  /** Undefined if the event isn't about a vessel. */
  vessel: string | undefined;
  /** The vessel's references, the newest first. */
  references: readonly string[];
}

export function eventInWords(event: WatchEvent, names: VesselNames, now: Date): EventWords {
  const text = watchRules.ruleOf(event).view(event, { now });
  const vessel = 'imo' in event ? vesselShort(knownVessel(event.imo, names)) : undefined;
  const references = 'imo' in event ? names.referencesOf(event.imo) : [];
  const promised = 'due' in event ? event.due.reference : undefined;
  // Outsiders see none, and a reference may have been removed since.
  const key = promised === undefined ? undefined : referenceKey(promised);
  const isShown = references.some((reference) => referenceKey(reference) === key);
  const headline = isShown && promised ? headed(promised, text.headline) : text.headline;
  const others = references.filter((reference) => referenceKey(reference) !== key);
  return { ...text, headline, vessel, references: others, marker: eventMarker(event, now) };
}

export function eventMarker(event: WatchEvent, now: Date): Marker {
  if (watchRules.isCritical(event)) return '🔴';
  return watchRules.ruleOf(event).view(event, { now }).isRoutine ? '⚪' : '🟠';
}

/** `DS CYPRESS: Rotterdam → Antwerp, 80%`; `DS CYPRESS · Settled: Rotterdam 82%`, since two colons read badly. */
export const headed = (name: string, verdict: string): string =>
  `${name}${verdict.includes(': ') ? ' ·' : ':'} ${verdict}`;

/** An alert in bold, ` (was 50%)` after it, and its figures below. */
interface AlertWords {
  strong: Text;
  rest: string;
  lines: readonly string[];
}

/** `🔴 Southampton → Rotterdam, 86%` and so on. `name` stands before the headline: only in a notification if it is `known`. */
export function alertInWords(words: EventWords, name: string | { known: string }): AlertWords {
  const { marker, headline, aside, figures = [], references, isLinePerFigure } = words;
  const all = [...figures, ...referenceNote(references)];
  const lines = isLinePerFigure ? all : all.length > 0 ? [all.join(' · ')] : [];
  const heading = (text: string) => headed(text, headline).slice(0, -headline.length);
  return {
    strong: [
      `${marker} `,
      typeof name === 'string' ? heading(name) : { inNotification: heading(name.known) },
      headline,
    ],
    rest: aside === undefined ? '' : ` (${aside})`,
    lines: lines.map(capitalised),
  };
}

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
