import type { Choice, UserError } from '../errors.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';

const noun = '(?:ship|vessel|boat)';
const one = new RegExp(`^(?:it|she|he|this|that|(?:this|that|the) (?:${noun}|one))$`, 'i');
const several = new RegExp(`^(?:they|them|these|those|(?:these|those|the) ${noun}s)$`, 'i');

/** `it`, `this ship`, `them`: the vessels of the thread in which the line was typed. */
export const isPronoun = (typed: string): boolean => one.test(typed) || isPlural(typed);

export const isPlural = (typed: string): boolean => several.test(typed);

/** `choices`: the vessels of a thread about several. */
export const whichVessel = (typed: string, help: LineHelp, choices: readonly Choice[]): UserError =>
  wordsError('missing-argument', `Which vessel is ${quote(typed)}?`, help, {
    ...(choices.length === 0 && { hint: 'Name the vessel, or ask in the thread of its watch.' }),
    choices,
  });
