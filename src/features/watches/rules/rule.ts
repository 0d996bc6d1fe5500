import { z } from 'zod';
import type { Take } from '../../../grammar/options.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { NextPortChange } from '../evaluation/next-port.ts';
import { type Baseline, imo, type Prospect } from '../evaluation/values.ts';
import type { EventText, EventTextContext } from '../views/event-text.ts';
import type { FigureField } from './figure-field.ts';

/** What can be set for a watch: a rule, or a limit such as quiet hours. */
export interface Setting<Key extends string = string, Value = unknown, Typed = unknown> {
  /** Its key in the stored rules. */
  key: Key;
  /** Rules that were stored before this one existed get its default. */
  schema: z.ZodType<Value>;
  defaultValue: Value;
  /** An example for the help, and when it notifies. */
  typed: string;
  help: string;
  take: Take<Typed>;
  /** The canonical words. */
  format(typed: Typed): string;
  /** Turns what was typed into a value, by the person's clock and, if it is known, their zone. Throws UserError. */
  resolve(typed: Typed, context: { now: Date; zone: string | undefined }): Value;
  /** Applied to every value, typed or filled in. */
  normalize?(value: Value): Value;
  /** Its field in the form; an empty field means the default. */
  field?: FigureField<Value>;
  /** Its entry in the list of what a watch notifies of, not escaped. */
  words(value: NonNullable<Value>, context: WordsContext): string | readonly string[];
}

export interface WordsContext {
  now: Date;
  /** The watch follows a port, which has other events. */
  isPort: boolean;
}

/** Everything about one rule: `defineRule` in its own file, and a line in the registry. */
export interface Rule<
  Key extends string = string,
  Value = unknown,
  Typed = unknown,
  Event = unknown,
  Memory = unknown,
> extends Setting<Key, Value, Typed>,
    Evaluation<Value, Event, Memory> {
  /** Whose watches can have it. */
  appliesTo: 'vessels' | 'ports' | 'both';
  /** The value when the rule is off (omitted with `only`, or not ticked): null, false or empty. */
  off: Value;
  /** One schema, or a union of several: each names its `kind`, which no other rule has. */
  event: z.ZodType<Event>;
  /** Whether it is shown in the channel too, if the channel's mode says so. Omitted: never. */
  isCritical?(event: Event): boolean;
  /** A deduplication key, equal for events that report the same news. Omitted: made of its kind, hours and port. */
  identity?(event: Event): string;
  view(event: Event, context: EventTextContext): EventText;
  /** The label of its box under «Notify when»; `value` is never `off`. Omitted: it is on while its field is filled. */
  tick?(value: NonNullable<Value>, context: { isPort: boolean }): string;
  /** Its entry in the small print of a card, not escaped. */
  brief(value: NonNullable<Value>, context: WordsContext): string | readonly string[];
  /** It is in the small print even if every rule has its default. */
  isThreshold?: boolean;
}

/**
 * A rule's part of `evaluate`: pure functions, called while the rule is on. What several rules need (damping,
 * baselines, which port is next) is computed before, in evaluation/.
 */
interface Evaluation<Value, Event, Memory> {
  /** Called for each poll in which the baseline's port is still predicted. Its memory lasts for one call at a port. */
  evaluate?(poll: PollWithBaseline<NonNullable<Value>, Memory>): Verdict<Event, Memory>;
  /** Called for each poll with predictions. Its memory lasts as long as the watch. */
  evaluateAny?(poll: Poll<NonNullable<Value>, Memory>): Verdict<Event, Memory>;
  /** Another port is next. Only the first rule that returns an event is used. */
  portChanged?(change: NextPortChange): readonly Event[];
  /** If the baseline's port is no longer predicted, the next one replaces it at once. */
  replacesLostPort?: boolean;
  lost?(poll: { imo: Imo; was: Baseline }): readonly Event[];
  back?(poll: { imo: Imo; was: Baseline | null; next: Prospect }): readonly Event[];
  /** The service has not answered since. */
  failed?(since: Date): readonly Event[];
  /** For one vessel in the watch of a port: it is newly expected, no longer expected, or still expected. */
  appeared?(poll: { imo: Imo; current: Prospect }): readonly Event[];
  vanished?(poll: {
    imo: Imo;
    was: Baseline;
    current: Prospect | undefined;
    nearEta?: Date;
  }): readonly Event[];
  stillExpected?(poll: {
    imo: Imo;
    was: Baseline;
    current: Prospect;
    value: NonNullable<Value>;
  }): readonly Event[];
  /** Parses the stored memory; undefined gives the first one. */
  memory?: z.ZodType<Memory>;
  /** Called at each new baseline, also while the rule is off: what has passed already doesn't alert. */
  begin?(poll: { memory: Memory; current: Prospect; value: Value; now: Date }): Memory;
  /** Called for each poll with predictions, also while the rule is off; it never alerts. */
  observe?(poll: Poll<Value, Memory>): Memory;
  /** The part of the memory that the card shows: the card is updated when it changes. */
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

export interface PollWithBaseline<Value, Memory> {
  imo: Imo;
  baseline: Baseline;
  /** The baseline's port, as it is now. */
  current: Prospect;
  isOnTop: boolean;
  /** The likeliest other port. */
  rival: Prospect | undefined;
  isWavering: boolean;
  /** Which of the vessel's calls this is. */
  call: number;
  memory: Memory;
  value: Value;
  now: Date;
}

export interface Verdict<Event, Memory> {
  events: readonly Event[];
  /** Omitted: unchanged. */
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
