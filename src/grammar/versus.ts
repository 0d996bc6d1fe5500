import { UserError } from '../errors.ts';
import { nearestCarriers } from '../reference/carriers.ts';
import { nearest } from '../reference/nearest.ts';
import { carriersIn, carriersOption, suffixesOf } from './carriers.ts';
import { monthsAfter } from './dates.ts';
import { type LineHelp, type LineOption, quote, wordsError } from './line.ts';
import { nearestPeriods } from './nearest-period.ts';
import { parsePeriod, periodOption } from './parse-period.ts';
import { badPeriod, formatPeriod, type Period, type PeriodHelp, unitOf } from './period.ts';

/** What a period is compared with: as many days before it, the same of the year before, or another. */
export type Versus = 'previous' | 'year earlier' | Period;

/** As typed; `unit` if it was `the previous quarter`, which is the last quarter or the one before the line's own. */
export interface TypedVersus {
  versus: Versus;
  unit?: string;
}

/** Words before the other period. */
export const versusWord = '(?:versus|vs?\\.?|against|(?:as )?compared? (?:to|with))';
const shape = new RegExp(
  `(?:^|[\\s,])${versusWord}(?:\\s+((?:(?!\\s(?:versus|vs\\.?|against)\\s).)+))?$`,
  'i',
);
const stretch = '(?:one|period|time|stretch|span|days|weeks|months)';
const previousShape = new RegExp(
  `^(?:the )?(?:last(?: one)?|previous|prev|prior|preceding|before|(?:qtr|quarter|month|week|year|yr) before(?: (?:that|it))?|${stretch} (?:right |just )?before(?: (?:that|it))?)(?: ${stretch})?$`,
  'i',
);
const yearEarlier =
  "(?:(?:a|one|1) )?(?:year|yr) (?:earlier|ago|prior)|py|ly|(?:the )?same (?:(?:period|time|quarter|qtr|month|week|half|days|dates|window|stretch)s? )?(?:of |in |a )?(?:the )?(?:last|previous|prior|prev|year|yr) ?(?:year|yr|before|earlier|ago)?|last (?:year|yr)(?:'?s)? same (?:period|quarter|qtr|month|week)";
const yearEarlierShape = new RegExp(`^(?:${yearEarlier})$`, 'i');
/** At the end of a line, without `versus`. */
const overYear = /(?:^|[\s,])(?:yoy|y\/y|y-o-y|(?:year|yr)[ -](?:on|over)[ -](?:year|yr))$/i;
const previousUnitShape =
  /^(?:the )?(?:(?:previous|prior|preceding) (?=\w+$))?(week|month|quarter|year)(?: before)?$/i;

/** Takes `versus previous` or `versus last quarter` off the end of a line. Throws UserError bad-period, bad-date or bad-month. */
export const versusOption: LineOption<TypedVersus> = (words, helpFor) => {
  const [overYears] = overYear.exec(words) ?? [];
  if (overYears !== undefined)
    return {
      rest: words.slice(0, -overYears.length).replace(/[,\s]+$/, ''),
      value: { versus: 'year earlier' },
    };
  const match = shape.exec(words);
  if (!match) return undefined;
  const [text, typed = ''] = match;
  const rest = words.slice(0, match.index).replace(/[,\s]+$/, '');
  const isAfterCarrier = suffixesOf(rest, 4).some(({ suffix }) => carriersIn(suffix).length > 0);
  if (endsInOption(typed) || (isAfterCarrier && namesCarrier(typed))) return undefined;
  if (typed === '') throw missingPeriod(text.trim(), helpFor(rest));
  // `last 60 days vs the 60 before`
  const [, count = ''] = /^the (\d{1,3})(?: (?:days|weeks|months))? before(?: that)?$/i.exec(typed) ?? [];
  const isOfSame = count !== '' && new RegExp(`\\b${count}\\b`).test(rest);
  const other = isOfSame ? typed.replace(`${count} `, '').replace(/^the before\b.*/i, 'before') : typed;
  return { rest, value: parseVersus(other, helpFor(rest)) };
};

export const formatVersus = (versus: Versus): string =>
  `versus ${typeof versus === 'string' ? versus : formatPeriod(versus)}`;

/**
 * `last quarter versus the previous quarter` means the one before, `q3 versus last year` its q3, and `2nd quarter versus
 * 1st` another quarter.
 */
export function settleVersus({ versus, unit }: TypedVersus, period: Period | undefined): Versus {
  const own = period && unitOf(period);
  if (unit !== undefined && own === unit) return 'previous';
  if (typeof versus === 'string') return versus;
  if (period?.kind === 'named-quarter' && versus.kind === 'day') {
    const [, quarter] = /^the ([1-4])(?:st|nd|rd|th)$/.exec(formatPeriod(versus)) ?? [];
    if (quarter !== undefined) return { ...period, quarter: Number(quarter) };
  }
  const isLastYear = versus.kind === 'year' && versus.offset === -1;
  return isLastYear && period && isShorterThanYear(period) ? 'year earlier' : versus;
}

function isShorterThanYear(period: Period): boolean {
  if (period.kind === 'months') return period.from > monthsAfter(period.to, -11);
  const isLong = period.kind === 'last' && period.unit === 'months' && period.amount >= 12;
  const isOfYears = period.kind === 'last-full' && period.unit === 'year';
  return !isLong && !isOfYears && unitOf(period) !== 'year';
}

/**
 * For words that end in `verus q2`: the words before it, and the corrected ending. `isCut`: a period followed, which is
 * no longer among the words.
 */
export function nearestVersusEnding(
  words: string,
  { isCut = false } = {},
): { before: string; corrected: string } | undefined {
  const endings = suffixesOf(words, 8).map(({ rest, suffix }) => {
    const [first = '', ...others] = suffix.split(' ');
    return { before: rest, first: first.toLowerCase(), typed: others.join(' ') };
  });
  const ending = endings.find(({ first }) => isNear(first, 'versus'));
  if (!ending) return undefined;
  const { before, typed } = ending;
  if (typed === '') return { before, corrected: isCut ? 'versus' : 'versus previous' };
  const [corrected = 'previous'] = nearestVersus(typed);
  return { before, corrected: `versus ${corrected}` };
}

const missingPeriod = (word: string, help: LineHelp): UserError =>
  wordsError('missing-argument', `Which period comes after ${quote(word)}?`, help, {
    fixes: ['versus previous', 'versus last quarter'],
  });

export function parseVersus(typed: string, help: LineHelp): TypedVersus {
  const line = (fixed: string) => help.line(`versus ${fixed}`);
  const periodHelp = { ...help, line, direction: 'past' } as const;
  try {
    return exactVersus(typed, periodHelp);
  } catch (error) {
    if (!(error instanceof UserError) || error.choices.length > 0) throw error;
    throw badPeriod(`${quote(typed)} isn't a valid period.`, periodHelp, nearestVersus(typed));
  }
}

function exactVersus(typed: string, help: PeriodHelp): TypedVersus {
  if (previousShape.test(typed)) return { versus: 'previous' };
  if (yearEarlierShape.test(typed)) return { versus: 'year earlier' };
  const unit = previousUnitShape.exec(typed)?.[1]?.toLowerCase();
  return unit === undefined
    ? { versus: parsePeriod(typed, help) }
    : { versus: parsePeriod(`last ${unit}`, help), unit };
}

/** Canonical, the nearest first. `previous` always fits. */
function nearestVersus(typed: string): string[] {
  const exact = readVersus(typed);
  if (exact) return [typeof exact === 'string' ? exact : formatPeriod(exact)];
  const periods = nearestPeriods(typed, 'past');
  return isNear(typed.toLowerCase(), 'previous') ? ['previous', ...periods] : [...periods, 'previous'];
}

const isNear = (typed: string, word: string): boolean =>
  nearest(typed, [{ key: word, value: word }], 1).length > 0;

/** `q2 Maersk`, `previous last 30 days`: carriers or the line's own period come off first. */
function endsInOption(typed: string): boolean {
  const withoutCarriers = takenOff(typed, carriersOption);
  if (withoutCarriers) return readVersus(withoutCarriers) !== undefined;
  return previousShape.test(takenOff(typed, periodOption('past')));
}

/** `msc vs maersk last quarter`, also misspelt: two carriers. */
function namesCarrier(typed: string): boolean {
  const words = takenOff(typed, periodOption('past')) || typed;
  if (carriersIn(words).length > 0) return true;
  const isPeriod = readVersus(words) !== undefined || nearestPeriods(words, 'past').length > 0;
  return !isPeriod && !isNear(words.toLowerCase(), 'previous') && nearestCarriers(words).length > 0;
}

/** The words before the option; empty if there is none. */
function takenOff(typed: string, option: LineOption<unknown>): string {
  try {
    return option(typed, () => noHelp)?.rest.trim() ?? '';
  } catch (error) {
    if (error instanceof UserError) return '';
    throw error;
  }
}

function readVersus(typed: string): Versus | undefined {
  try {
    return exactVersus(typed, { ...noHelp, direction: 'past' }).versus;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const noHelp: LineHelp = { example: '', line: (fixed) => fixed };
