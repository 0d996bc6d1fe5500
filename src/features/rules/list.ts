import type { z } from 'zod';
import type { LineOption } from '../../grammar/line.ts';
import type { VesselDue } from '../../predictions/promises.ts';
import { arriving } from './arriving.ts';
import { below } from './below.ts';
import { undecided } from './dispute.ts';
import { diverted, nextLeg } from './diverted.ts';
import { due } from './due.ts';
import { etaMoved } from './eta-moved.ts';
import type { Snooze } from './evaluation/muting.ts';
import { expected } from './expected.ts';
import type { limits } from './limits.ts';
import { lost, stale } from './lost.ts';
import { overdue } from './overdue.ts';
import type { Rule } from './rule.ts';

/**
 * Every rule, in the order of lines, help, cards and replies. `due` is the last, because a port's name can contain
 * the words of the others.
 */
export const ruleList = [
  diverted,
  undecided,
  etaMoved,
  below,
  arriving,
  overdue,
  nextLeg,
  lost,
  stale,
  expected,
  due,
] as const;

type Settings = (typeof ruleList)[number] | (typeof limits)[number];

/** The values of a watch's settings, by their keys. */
export type Rules = { [S in Settings as S['key']]: z.output<S['schema']> };

/** The settings as they are typed. A rule that isn't typed has its default; after `only` it is off. */
export type RuleWords = { only?: true } & {
  [S in Settings as S['key']]?: S['take'] extends LineOption<infer Typed> ? Typed : never;
};

export type ActiveRules = Rules & {
  snooze: Snooze | null;
  /** All that apply to the vessels of the watch. Left out: its own due dates, for whatever vessel. */
  promises?: readonly VesselDue[];
};

/** An event that followers are notified of. It has all that its message shows, also the old baseline. */
export type WatchEvent = z.output<(typeof ruleList)[number]['event']>;

export type WatchRule = Rule<string, unknown, unknown, WatchEvent>;
