import type { z } from 'zod';
import type { Take } from '../../../grammar/options.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { arriving } from './arriving.ts';
import { below } from './below.ts';
import { due } from './due.ts';
import { etaMoved } from './eta-moved.ts';
import { expected } from './expected.ts';
import type { limits } from './limits.ts';
import { lost } from './lost.ts';
import { nextPort } from './next-port.ts';
import { noLongerPredicted } from './no-longer-predicted.ts';
import { overdue } from './overdue.ts';
import type { Rule } from './rule.ts';
import { stale } from './stale.ts';

/** Every rule, in the order of lines, help, cards and replies. `due` takes a port's name, of any words: it is the last. */
export const ruleList = [
  nextPort,
  noLongerPredicted,
  etaMoved,
  below,
  arriving,
  overdue,
  lost,
  stale,
  expected,
  due,
] as const;

type Settings = (typeof ruleList)[number] | (typeof limits)[number];

/** What a watch notifies of and when: by each rule's key its value. */
export type Rules = { [One in Settings as One['key']]: z.output<One['schema']> };

/** As typed: what is left out has its default, or with `only` is off. */
export type RuleWords = { only?: true } & {
  [One in Settings as One['key']]?: One['take'] extends Take<infer Typed> ? Typed : never;
};

/** What one evaluation goes by: the rules of the watch and, while it sleeps, until when. */
export type ActiveRules = Rules & { snooze: Snooze | null };

/** What a watch notifies of. Each holds the baseline before, so that a message needs nothing else. */
export type WatchEvent = z.output<(typeof ruleList)[number]['event']>;

/** Any of them. */
export type WatchRule = Rule<string, unknown, unknown, WatchEvent>;
