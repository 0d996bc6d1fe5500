import { z } from 'zod';
import type { Take } from '../../../grammar/options.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { NextPortChange } from '../evaluation/next-port.ts';
import { type Baseline, imo, type Prospect } from '../evaluation/values.ts';
import type { EventText, EventTextContext } from '../views/event-text.ts';
import type { FigureField } from './figure-field.ts';

/** What can be set for a watch: a rule, or a limit such as quiet hours. */
export interface Setting<Key extends string = string, Value = unknown, Typed = unknown> {
  /** Of the stored rules. */
  key: Key;
  /** Rules that were stored before there was this one have the default. */
  schema: z.ZodType<Value>;
  defaultValue: Value;
  /** An example for the help, and when it notifies. */
  typed: string;
  help: string;
  take: Take<Typed>;
  /** The canonical words. */
  format(typed: Typed): string;
  /** What was typed, by the clock and the zone of who typed it, where that is known. Throws UserError. */
  resolve(typed: Typed, context: { now: Date; zone: string | undefined }): Value;
  /** Of a value however it was given. */
  normalize?(value: Value): Value;
  /** Where it is typed in the form; '' there is the default. */
  field?: FigureField<Value>;
  /** In a list of what a watch notifies of, not escaped. */
  words(value: NonNullable<Value>, context: WordsContext): string | readonly string[];
}

export interface WordsContext {
  now: Date;
  /** The watch follows a port, which has other events. */
  isPort: boolean;
}

/** All that is known of one rule: `defineRule` in a file of its own, and a line in the registry. */
export interface Rule<
  Key extends string = string,
  Value = unknown,
  Typed = unknown,
  Event = unknown,
  Memory = unknown,
> extends Setting<Key, Value, Typed>,
    Evaluation<Value, Event, Memory> {
  /** Whose watches have it. */
  concerns: 'vessels' | 'ports' | 'both';
  /** What it is where it is dropped by `only`, or not ticked: null, false or empty. */
  off: Value;
  /** One schema, or a union of several: each names its `kind`, which no other rule has. */
  event: z.ZodType<Event>;
  /** Shown in the channel too, where its mode says so; never, where left out. */
  isCritical?(event: Event): boolean;
  /** The same for the same news, whatever its figures are; left out, it goes by its kind, hours and port. */
  identity?(event: Event): string;
  view(event: Event, context: EventTextContext): EventText;
  /** Its box under «Notify when»; `value` is never the one for off. Left out: it is on while its field is filled. */
  tick?(value: NonNullable<Value>, context: { isPort: boolean }): string;
  /** In the small print of a card, not escaped. */
  brief(value: NonNullable<Value>, context: WordsContext): string | readonly string[];
  /** It stands in the small print even where nothing has been turned off. */
  isThreshold?: boolean;
}

/**
 * A rule's part of `evaluate`, all of it pure; it is asked while the rule is on. What several rules need (damping,
 * baselines, which port is next) evaluation/ has found out before.
 */
interface Evaluation<Value, Event, Memory> {
  /** Each poll in which the baseline's port is still predicted. Its memory lasts for one call at a port. */
  evaluate?(poll: Standing<NonNullable<Value>, Memory>): Verdict<Event, Memory>;
  /** Each poll with predictions, whatever is next. Its memory lasts as long as the watch. */
  evaluateAny?(poll: Poll<NonNullable<Value>, Memory>): Verdict<Event, Memory>;
  /** Another port is next. The first rule with an event for it is the only one. */
  portChanged?(change: NextPortChange): readonly Event[];
  /** A port that is gone is replaced by the next one at once. */
  isGoneNews?: boolean;
  lost?(poll: { imo: Imo; was: Baseline }): readonly Event[];
  back?(poll: { imo: Imo; was: Baseline | null; next: Prospect }): readonly Event[];
  /** The service has not answered since. */
  failed?(since: Date): readonly Event[];
  /** A port's watch, of one vessel: it is likely to come by now, likely no more, or still likely. */
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
  /** Reads what is stored of it, and gives the first memory for undefined. */
  memory?: z.ZodType<Memory>;
  /** Asked while it is off too. From a new baseline on: what is passed already notifies nobody. */
  begin?(poll: { memory: Memory; current: Prospect; value: Value; now: Date }): Memory;
  /** Asked while it is off too: each poll with predictions, though nobody is notified. */
  observe?(poll: Poll<Value, Memory>): Memory;
  /** Of the memory: where it changes the card is drawn anew. */
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

export interface Standing<Value, Memory> {
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
  /** Left out: as before. */
  memory?: Memory;
}

/** As it is, with its types inferred: the value's from `schema`, what is typed from `take`, events from `event`. */
export const defineRule = <const Key extends string, Value, Typed, const Event, Memory = undefined>(
  rule: Rule<Key, Value, Typed, NoInfer<Event>, Memory> & { event: z.ZodType<Event> },
): Rule<Key, Value, Typed, Event, Memory> => rule;

/** The schema of an event about one vessel. */
export const vesselEvent = <const Kind extends string, Shape extends z.ZodRawShape>(
  kind: Kind,
  shape: Shape,
) => z.object({ kind: z.literal(kind), imo, ...shape });
