import { isDay } from './dates.ts';
import type { Period, PeriodHelp } from './period.ts';

/** `groups`: the named groups of the shape. */
export type ReadPeriod = (groups: Groups, of: Typed) => Period | undefined;
export type Groups = Record<string, string | undefined>;
export interface Typed {
  typed: string;
  help: PeriodHelp;
}

/** The source of a regular expression. */
export const rangeMark =
  '(?:\\s*(?:\\.{2,3}|→|~|-)\\s*|\\s+(?:(?:up )?to|until|till?|and|thru|through|und|bis|tot|y|e|et|en)\\s+)';

export type Match = (typed: string) => Groups | undefined;

/**
 * The source of a regular expression, where `{day}` stands for any words that pass the test of that name. They are tested
 * apart because an expression with the shapes of several days takes long to compile.
 */
export function shaped(source: string, slots: Record<string, (typed: string) => boolean>): Match {
  const shape = new RegExp(`^(?:${source.replace(/\{([a-z]\w+)\}/gi, '(?<$1>.+?)')})$`, 'i');
  return (typed) => {
    const match = shape.exec(typed);
    const groups: Groups = { ...match?.groups };
    const fits = ([name, part]: [string, string | undefined]) =>
      part === undefined || (slots[name]?.(part) ?? true);
    return match && Object.entries(groups).every(fits) ? groups : undefined;
  };
}

const dayMarks = new RegExp(`${rangeMark}|\\s*[,&+]\\s*`, 'gi');

/** `24-nov - 28-nov`: where both sides are days. */
export function splitDays(typed: string): { from: string; to: string; mark: string } | undefined {
  // `Fri, 27 Nov` is one.
  if (isDay(typed)) return undefined;
  const splits = [...typed.matchAll(dayMarks)].map(({ index, 0: mark }) => ({
    from: typed.slice(0, index),
    to: typed.slice(index + mark.length),
    mark,
  }));
  return splits.find(({ from, to }) => isDay(from) && isDay(to));
}

/** The days of `24, 25 and 26 nov` or `mon, wed & fri`, if there are three or more. */
export function splitList(typed: string): readonly string[] | undefined {
  const pieces = typed.split(/\s*(?:,|&|\+)\s*(?:and )?|\s+and\s+/i);
  if (pieces.length < 3 || pieces.length > 7) return undefined;
  // The month stands with the first or the last number alone.
  const [before = ''] = /^\p{L}{3,}\.? (?=\d)/u.exec(pieces[0] ?? '') ?? [];
  const [, after = ''] = /^\d{1,2}(?:st|nd|rd|th)?(\W.*)$/i.exec(pieces.at(-1) ?? '') ?? [];
  const days = pieces.map((piece) =>
    /^\d{1,2}(?:st|nd|rd|th)?$/i.test(piece) ? before + piece + (before ? '' : after) : piece,
  );
  return days.every(isDay) ? days : undefined;
}

/** `24 nov and 26 nov` leaves out the day between, `between 24 nov and 26 nov` doesn't. */
export const namesBoth = (mark: string, typed: string): boolean =>
  /^\s*(?:[,&+/]|and|und|y|e|et|en)\s*$/i.test(mark) && !/^(?:between|from) /i.test(typed);
