import { z } from 'zod';
import { capitalised } from '../../answers/formatting/words.ts';
import type { UserError } from '../../errors.ts';
import {
  type DateOrder,
  type LineHelp,
  type LineOption,
  optionOf,
  quote,
  wordsError,
} from '../../grammar/line.ts';
import { readCount } from '../../grammar/number-words.ts';
import type { OwnThresholds } from '../../predictions/changes.ts';
import type { Imo } from '../../reference/codes.ts';
import { imo, type Prospect } from '../../reference/prediction.ts';
import type { Baseline, ExpectedVessel, PortChange, VesselState, WatchState } from './evaluation/state.ts';
import type { EventText } from './event-text.ts';

/** Anything that can be set for a watch: a rule, or a limit such as quiet hours. */
export interface Setting<Key extends string = string, Value = unknown, Typed = unknown> {
  /** The key of its value in the stored rules. */
  key: Key;
  /** Rules that were stored before this setting existed get its default. */
  schema: z.ZodType<Value>;
  defaultValue: Value;
  /** For a setting that is off by default: the value that its box in the form sets. */
  usualValue?: Value;
  /** A watch of one vessel has the usual value by default. */
  isOnForOneVessel?: boolean;
  /** An example for the help. */
  typed: string;
  help: string;
  /** Takes the words off the end of a line. */
  take: LineOption<Typed>;
  /** Asked if only its words are typed, without a value. */
  question?: ValueQuestion;
  /** The canonical words. */
  format(typed: Typed): string;
  /** Turns what was typed into a value. Throws UserError. */
  resolve(typed: Typed, context: TypingContext): Value;
  normalize?(value: Value): Value;
  /** An empty field means the default. */
  field?: FormField<Value>;
  /** Says when the watch notifies; not escaped. */
  words(value: NonNullable<Value>, context: WordsContext): string | readonly string[];
}

/** `eta`: by how many hours? */
interface ValueQuestion {
  /** A regular expression for its words. */
  words: string;
  /** Follows the words: `by how many hours?` */
  asks: string;
  /** Usual values, in canonical words. */
  fixes: readonly string[];
}

/** A field of the watch form, for a setting. */
interface FormField<Value> {
  /** Also the word that precedes the value on a command line. */
  id: string;
  label: string;
  placeholder: string;
  hint?: string;
  maxLength?: number;
  isMultiline?: boolean;
  /** The value as it would be typed. */
  text(value: NonNullable<Value>, context: TypingContext): string;
  /** Throws UserError. Default: the text is read by the grammar of the command, after the word. */
  read?(text: string, context: FieldContext<Value>): Value;
}

/** The person's clock and zone. */
export interface TypingContext {
  now: Date;
  zone: string | undefined;
  dateOrder?: DateOrder | undefined;
  /** A line with that rule; left out for forms, whose errors show none. */
  example?: (rule: string) => string;
}

export interface FieldContext<Value> extends TypingContext {
  /** The field when the form was opened. */
  opened: { text: string; value: Value };
}

export interface WordsContext {
  now: Date;
  /** True for a watch of a port, which has other events than vessels. */
  isPort: boolean;
}

/** Everything about one rule. A rule is one file with `defineRule`, and one entry in the list of rules. */
export interface Rule<
  Key extends string = string,
  Value = unknown,
  Typed = unknown,
  Event = unknown,
  Memory = unknown,
> extends Setting<Key, Value, Typed> {
  appliesTo: 'vessels' | 'ports' | 'both';
  /** The value of a rule that is off (not named after `only`, or not ticked): null, false or empty. */
  off: Value;
  /** A schema or a union of schemas. Each has a `kind` that no other rule has. */
  event: z.ZodType<Event>;
  /** Whether the event is also shown in the channel, if the channel's mode says so. Default: false. */
  isCritical?(event: Event): boolean;
  /** A deduplication key, equal for events that report the same news. Default: kind, hours and port. */
  identity?(event: Event): string;
  view(event: Event, context: { now: Date }): EventText;
  /**
   * What an alert moves. `own memory`: it is routine, so the other rules go on comparing with what was notified before.
   * Default: the baseline, if the alert shows the current figures of its port.
   */
  moves?: 'baseline' | 'own memory';
  /** Kinds of events of other rules that say the same, if one poll brings both: they are left out. */
  replaces?: readonly string[];
  /** False once an alert no longer says anything about its vessel: nobody needs to look at it any more. */
  isCurrent(event: Event, after: AfterPoll): boolean;
  /** What counts as a change in `watch changes`. Also called while the rule is off, with its default. */
  differs?(value: NonNullable<Value>): Partial<OwnThresholds>;
  /** The label of its box under “Notify when”. A rule without a box is on while its field is filled in. */
  tick?(value: NonNullable<Value>, context: { isPort: boolean }): string;
  /** Its entry in the small print of a card, not escaped. */
  brief(value: NonNullable<Value>, context: WordsContext): string | readonly string[];
  /** The small print shows it even if every rule has its default. */
  isThreshold?: boolean;

  // The rest is the rule's part of `evaluate`: pure functions, called while the rule is on. The folder evaluation/
  // computes what several rules need: damping, baselines and the next port.

  /**
   * Called for each poll that still predicts the baseline's port, or a port's call of the vessel. Its memory
   * lasts for one port call.
   */
  evaluate?(poll: PollWithBaseline<NonNullable<Value>, Memory>): Verdict<Event, Memory>;
  /** Called for each poll with predictions, also without a baseline. Its memory lasts as long as the watch. */
  evaluateRanking?(poll: Poll<NonNullable<Value>, Memory>): Verdict<Event, Memory>;
  /** Called when another port is next. Only the events of the first rule that returns any are used. */
  portChanged?(change: PortChange, now: Date): readonly Event[];
  /** Called when there are no predictions any more, and when there are some again. */
  lost?(poll: { imo: Imo; was: Baseline }): readonly Event[];
  back?(poll: { imo: Imo; was: Baseline | null; next: Prospect }): readonly Event[];
  /** Called when the service has not answered for too long. */
  failed?(since: Date): readonly Event[];
  /** Called for each vessel of a port that is newly expected, or no longer. */
  appeared?(poll: { imo: Imo; current: Prospect }): readonly Event[];
  vanished?(poll: { imo: Imo; was: Baseline; current: Prospect | undefined }): readonly Event[];
  /** The schema of the stored memory. It parses undefined as the first memory. */
  memory?: z.ZodType<Memory>;
  /** Called for each new baseline, even while the rule is off. Remembers passed thresholds, which don't alert. */
  begin?(poll: Omit<Poll<Value, Memory>, 'imo'> & { current: Prospect }): Memory;
  /** Called for each poll with predictions, even while the rule is off or the watch is muted. Never alerts. */
  observe?(poll: Poll<Value, Memory>): Memory;
  /** The part of the memory that a card shows: the card is updated when it changes. */
  shown?(memory: Memory): unknown;
}

export interface Poll<Value, Memory> {
  imo: Imo;
  /** Likeliest first. */
  ranked: readonly Prospect[];
  memory: Memory;
  value: Value;
  now: Date;
}

interface PollWithBaseline<Value, Memory> extends Omit<Poll<Value, Memory>, 'ranked'> {
  baseline: Baseline;
  /** The current prediction for the baseline's port. */
  current: Prospect;
  isOnTop: boolean;
  /** The likeliest other port. */
  rival: Prospect | undefined;
  /** An alert that is edited in place says that the next port isn't clear. */
  isDisputed: boolean;
  /** The sequence number of the vessel's port call; 0 for a watch of a port. */
  call: number;
  /** The watch is of a port. Then there are no other ports, and no disputes. */
  isPort: boolean;
}

/** What a watch remembers after a poll, some time after an alert. */
export interface AfterPoll {
  /** When the alert's event happened. */
  at: Date;
  now: Date;
  state: WatchState;
  /** The vessel of the event. Undefined for a watch of a port, and if another subject of the watch has it. */
  vessel: VesselState | undefined;
  /** The same, for a watch of a port. Undefined if the vessel isn't expected there. */
  expected: ExpectedVessel | undefined;
}

export interface Verdict<Event, Memory> {
  events: readonly Event[];
  /** Omitted if it is unchanged. */
  memory?: Memory;
}

/** Returns the rule, with its types inferred from `schema` (value), `take` (typed words) and `event`. */
export const defineRule = <const Key extends string, Value, Typed, const Event, Memory = undefined>(
  rule: Rule<Key, Value, Typed, NoInfer<Event>, Memory> & { event: z.ZodType<Event> },
): Rule<Key, Value, Typed, Event, Memory> => rule;

/** The schema of an event about one vessel. */
export const vesselEvent = <const Kind extends string, Shape extends z.ZodRawShape>(
  kind: Kind,
  shape: Shape,
) => z.object({ kind: z.literal(kind), imo, ...shape });

/** The common part of rules that are only on or off. They are on by default, unless `isOff`. */
export function flagRule({
  typed,
  pattern = typed,
  when,
  isOff = false,
}: {
  typed: string;
  /** A regular expression for all spellings of `typed`. */
  pattern?: string;
  /** When the rule notifies, in words. */
  when: string;
  isOff?: boolean;
}) {
  const shape = new RegExp(`(?:(?:^|[\\s,]+)(?:and )?(?:the )?(?:${pattern}))+$`, 'i');
  const option: LineOption<true> = optionOf(shape, () => true);
  // If it is on by default, it is taken only after `only`: otherwise the word could be part of a vessel's name.
  const take: LineOption<true> = (words, helpFor) =>
    isOff || /\bonly\b/i.test(words) ? option(words, helpFor) : undefined;
  return {
    typed,
    schema: z.boolean(),
    defaultValue: !isOff,
    usualValue: true,
    off: false,
    take,
    format: () => typed,
    resolve: () => true,
    tick: () => capitalised(when),
    words: () => when,
    brief: () => typed,
  };
}

/** The common part of rules whose value is a number of hours: `eta 6h`, `eta moves by 2 days`. */
export function hoursRule({
  word,
  pattern,
  defaultValue,
  label,
}: {
  word: string;
  /** A regular expression for all spellings of `word`. */
  pattern: string;
  defaultValue: number;
  label: string;
}) {
  const typed = `${word} 6h`;
  const shape = new RegExp(`(?:^|\\s)${pattern} (\\S+?) ?(h|hrs?|hours?|d|days?|weeks?)?$`, 'i');
  const question: ValueQuestion = {
    words: pattern,
    asks: 'by how many hours?',
    fixes: [`${word} 6h`, `${word} 12h`, `${word} 24h`],
  };
  const onlyWords = new RegExp(`^\\s*${pattern}$`, 'i');
  const take: LineOption<number> = optionOf(shape, ([text, number = '', unit = 'h'], help) => {
    const hours = readNumber(number) * (hoursByUnit[unit.charAt(0).toLowerCase()] ?? 1);
    if (hours >= 1 && hours <= maxHours) return hours;
    if (onlyWords.test(text)) throw valueQuestion(text, question, help);
    const expected = `it takes 1 to ${maxHours} hours, or up to ${maxHours / 24} days`;
    throw badRule({ text, expected, fix: typed }, help);
  });
  const field: FormField<number | null> = {
    id: word,
    label,
    placeholder: String(defaultValue),
    text: String,
  };
  return {
    typed,
    schema: z.number().positive().nullable(),
    defaultValue,
    off: null,
    take,
    question,
    format: (value: number) => `${word} ${value}h`,
    resolve: (value: number) => value,
    field,
  };
}

export const maxHours = 240;

const hoursByUnit: Record<string, number> = { h: 1, d: 24, w: 7 * 24 };

/** `12`, `2.5`, `two`, `a`; 0 for anything else. */
export function readNumber(typed: string): number {
  return /^\d{1,4}[.,]\d{1,2}$/.test(typed) ? Number(typed.replace(',', '.')) : readCount(typed);
}

export function badRule(
  { text, expected, fix }: { text: string; expected: string; fix: string },
  help: LineHelp,
): UserError {
  const message = `${quote(text.trim())} isn't a valid rule: ${expected}.`;
  return wordsError('bad-rule', message, help, { fixes: [fix] });
}

/** For a rule that is typed without its value. */
export const valueQuestion = (text: string, { asks, fixes }: ValueQuestion, help: LineHelp): UserError =>
  wordsError('bad-rule', `${quote(text.trim())}: ${asks}`, help, { fixes });

/** Help for words that are typed into a form, which can't offer whole lines. */
export const formHelp: LineHelp = { line: (fixed) => fixed, example: '' };

/** The next port that an alert named is still the next one. */
export const isStillNext = ({ port }: Prospect, { vessel }: AfterPoll): boolean =>
  vessel === undefined || vessel.baseline?.port === port;

/** The followers haven't been notified of anything else about that port since. */
export const isLatestOf = (call: Prospect, after: AfterPoll): boolean =>
  isStillNext(call, after) && !(after.vessel?.baseline && after.vessel.baseline.at > after.at);

/** The port still expects the vessel, and the followers haven't been notified of anything else about it since. */
export const isLatestAtPort = ({ expected, at }: AfterPoll): boolean =>
  expected !== undefined && expected.at <= at;
