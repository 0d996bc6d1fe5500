import { attempt, UserError } from '../../errors.ts';
import { carriersIn, carriersOption, formatCarriers, suffixesOf } from '../../grammar/carriers.ts';
import {
  formatLanes,
  type Lanes,
  lanesBetween,
  lanesOnce,
  parseLanes,
  sidesOfLanes,
} from '../../grammar/lanes.ts';
import {
  formatPage,
  joinWords,
  type LineOption,
  pageOption,
  scanOptions,
  wordsError,
} from '../../grammar/line.ts';
import { isPeriod } from '../../grammar/mentions.ts';
import { nearestPeriods } from '../../grammar/nearest-period.ts';
import { periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { checkDifferent, type PortPair, readPort, readPortPair } from '../../grammar/port.ts';
import {
  formatVersus,
  nearestVersusEnding,
  settleVersus,
  type TypedVersus,
  type Versus,
  versusOption,
} from '../../grammar/versus.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';
import type { PortOrGroup } from '../../reference/codes.ts';
import type { ParseContext } from '../ctx.ts';

export interface LaneValues {
  lanes: Lanes;
  /** If empty, all carriers. */
  carriers: readonly Scac[];
  /** If left out, the service chooses the dates. */
  period: Period | undefined;
  /** Compares with another period. */
  versus: Versus | undefined;
  /** The period in parts, side by side. */
  by: By;
  page: number;
}

export const parts = ['whole', 'month', 'quarter'] as const;
export type By = (typeof parts)[number];

interface Parsed extends Omit<LaneValues, 'versus'> {
  versus: TypedVersus | undefined;
}

/** The fields of the tool: from each origin to each destination, then the others. */
export interface ParsedLane extends Omit<Parsed, 'lanes'> {
  origin: readonly [PortOrGroup, ...PortOrGroup[]];
  destination: readonly [PortOrGroup, ...PortOrGroup[]];
  otherLanes: Lanes | undefined;
}

export const example = 'lane Singapore Xiamen';

export const laneOptions = {
  page: pageOption,
  by: byOption,
  versus: versusOfPeriods,
  period: periodOption('past'),
  carriers: carriersAfterLanes,
};

export function parse(
  words: string,
  context: Partial<Pick<ParseContext, 'dateOrder' | 'vessels'>> = {},
): LaneValues {
  const { dateOrder, vessels: groups } = context;
  const others = withoutLeftOut(words);
  if (others !== undefined) {
    const read = attempt(() => parse(others, context));
    throw cannotLeaveOut(read instanceof UserError ? undefined : format(read));
  }
  const { rest, values, help } = scanOptions(words, laneOptions, { command: 'lane', example, dateOrder });
  if (rest === '' && values.carriers) throw whichLane(values.carriers);
  const lanes = parseLanes(rest, {
    ...help,
    groups,
    nearestEnding: (ending) => nearestEnding(ending, { isCut: values.period !== undefined }),
  });
  return settled({
    lanes,
    carriers: [],
    page: 1,
    period: undefined,
    versus: undefined,
    by: 'whole',
    ...values,
  });
}

function settled({ versus, ...parsed }: Parsed): LaneValues {
  const { by, period } = parsed;
  return {
    ...parsed,
    period: by === 'whole' ? period : inParts(period, by),
    versus: versus && settleVersus(versus, period),
  };
}

/** `last 6 months by month` are whole ones. */
function inParts(period: Period | undefined, unit: 'month' | 'quarter'): Period {
  if (!period) return { kind: 'last-full', amount: unit === 'month' ? 6 : 4, unit };
  if (period.kind !== 'last' || period.unit !== 'months') return period;
  const size = unit === 'month' ? 1 : 3;
  return { kind: 'last-full', amount: Math.max(1, Math.round(period.amount / size)), unit };
}

/** `by month`, `monthly`, `each quarter of 2026`, `quarter on quarter trend`. */
function byOption(...[words]: Parameters<LineOption<Exclude<By, 'whole'>>>) {
  const match =
    /(?:^|[\s,])(?:(?:split |broken down )?(?:by|per|each|every) (?:calendar )?(?<unit>month|mth|quarter|qtr)s?|(?<unit>month|quarter)ly(?: (?:trends?|view|split|figures))?|(?<!\b(?:this|current|next|last|past|previous|prior) )(?:(?<unit>month)[ -]by[ -]month|(?<unit>quarter)[ -]by[ -]quarter)|(?:(?<unit>month)[ -](?:on|over)[ -]month|(?<unit>quarter)[ -](?:on|over)[ -]quarter|(?<unit>m)om|(?<unit>q)oq) trends?)(?: (?:of|in|for|over|since))?$/i.exec(
      words,
    );
  if (!match) return undefined;
  const value = /^m/i.test(match.groups?.unit ?? '') ? ('month' as const) : ('quarter' as const);
  return { rest: words.slice(0, match.index), value };
}

/** Throws UserError same-port. */
export function settle({ origin, destination, otherLanes, ...parsed }: ParsedLane): LaneValues {
  const [lane, ...others] = lanesOnce([...lanesBetween(origin, destination), ...(otherLanes ?? [])]);
  if (!lane) {
    checkDifferent({ origin: origin[0], destination: destination[0] }, noHelp);
    throw new Error('the only port of each side is the same');
  }
  return settled({ ...parsed, lanes: [lane, ...others] });
}

/** The inverse of `settle`. */
export function sidesOf([lane, ...others]: Lanes): Pick<ParsedLane, 'origin' | 'destination' | 'otherLanes'> {
  const sides = sidesOfLanes([lane, ...others]);
  if (sides) return { origin: sides[0], destination: sides[1], otherLanes: undefined };
  const [other, ...more] = others;
  return {
    origin: [lane.origin],
    destination: [lane.destination],
    otherLanes: other && [other, ...more],
  };
}

const noHelp = { example, line: (fixed: string) => fixed };

/** `Shanghai Rotterdam vs Ningbo Rotterdam` names two lanes, and in `… vs Hamburg` there is no period either. */
function versusOfPeriods(...[words, helpFor]: Parameters<LineOption<TypedVersus>>) {
  const [, typed = ''] = /^.*\s(?:versus|vs\.?|against|compared (?:to|with))\s+(.+)$/i.exec(words) ?? [];
  const beginnings = suffixesOf(typed, 10).map(({ rest }) => rest);
  if ([typed, ...beginnings].some((beginning) => readPortPair(beginning, {}))) return undefined;
  const read = attempt(() => versusOption(words, helpFor));
  if (!(read instanceof UserError)) return read;
  if (readPort(typed).kind !== 'none') return undefined;
  const isCarrierFirst = suffixesOf(typed, 8).some(
    ({ rest, suffix }) => carriersIn(rest).length > 0 && isPeriod(suffix),
  );
  throw isCarrierFirst ? oneQuestionEach([]) : read;
}

/** Refuses carriers that may each have a period or a lane of their own. */
export const oneQuestionEach = (lines: readonly string[]): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: 'All carriers of a question have the same lanes and periods. Ask one question each.',
    choices: lines.map((line) => ({ label: `/${line}`, line })),
    example: `${example} Maersk q2`,
  });

/** Those of `Shanghai Rotterdam Maersk, Ningbo Rotterdam` might be of one lane, or of both. */
function carriersAfterLanes(...[words, helpFor]: Parameters<LineOption<readonly Scac[]>>) {
  const read = attempt(() => carriersOption(words, helpFor));
  if (!(read instanceof UserError)) return read;
  const isLane = words.split(',').some((piece, index) => index > 0 && readPortPair(piece, {}));
  if (!isLane) throw read;
  const message = 'Carriers come after the last lane: they count for all lanes.';
  throw wordsError('unexpected-words', message, {
    ...helpFor(words),
    example: 'lane Shanghai Rotterdam, Ningbo Rotterdam Maersk, MSC',
  });
}

const leavesOut =
  /(?:^|[\s,])(?:(?:all|every|any|everyone|everybody)\s+)?(?:the\s+)?(?:(?:other\s+)?(?:carriers?|lines?)\s+)?(?:not|without|w\/o|except(?:ing)?(?:\s+for)?|excl\.?|excluding|exclude|all but|but not|other than|apart from|besides|minus|no)\s+(?:the\s+)?(.+)$/i;

/** `Shanghai Rotterdam all but MSC q3` without `all but MSC`; undefined if the words leave no carrier out. */
export function withoutLeftOut(words: string): string | undefined {
  const match = leavesOut.exec(words);
  const after = match?.[1]?.split(' ') ?? [];
  const count = [...after.slice(0, 10).keys()].findLast(
    (last) => carriersIn(after.slice(0, last + 1).join(' ')).length > 0,
  );
  if (!match || count === undefined) return undefined;
  return joinWords(words.slice(0, match.index), after.slice(count + 1).join(' '));
}

/** `line`: with all carriers. */
export function cannotLeaveOut(line: string | undefined): UserError {
  return new UserError({
    code: 'unexpected-words',
    message: "I can't leave a carrier out: name those that you want.",
    choices: line === undefined ? [] : [{ label: `/${line}`, line }],
    example: `${example} Maersk, Hapag-Lloyd`,
  });
}

/** `msc vs maersk`, without ports. */
function whichLane(carriers: readonly Scac[]): UserError {
  const names = carriers.map((scac) => carrierName(scac) ?? scac).join(' and ');
  return new UserError({
    code: 'missing-argument',
    message: `On which trade lane? ${names} ${carriers.length === 1 ? 'is a carrier' : 'are carriers'}.`,
    hint: 'Origin first, then destination, by name or UN/LOCODE.',
    example: `${example} ${formatCarriers(carriers)}`,
  });
}

/** `Maersk last 30 dyas verus q2`: a misspelt period may follow carriers, a misspelt `versus` may follow both. */
function nearestEnding(ending: string, { isCut }: { isCut: boolean }): string[] {
  const versus = nearestVersusEnding(ending, { isCut });
  if (!versus) return nearestPeriodEnding(ending);
  const { before, corrected } = versus;
  if (before === '') return [corrected];
  const asTyped = scanned(before);
  const nearest = asTyped === undefined ? nearestPeriodEnding(before) : [asTyped];
  return nearest.map((words) => joinWords(words, corrected));
}

/** Carriers and a period that need no correction. */
function scanned(words: string): string | undefined {
  const period = periodOption('past')(words, () => ({ example, line: (fixed) => fixed }));
  const carriers = period ? period.rest : words;
  const read = carriers.trim() === '' ? '' : readCarriers(carriers.trim());
  return read === undefined ? undefined : joinWords(read, period && formatPeriod(period.value));
}

function nearestPeriodEnding(ending: string): string[] {
  return suffixesOf(ending, 5).flatMap(({ rest, suffix }) => {
    const carriers = rest === '' ? '' : readCarriers(rest);
    if (carriers === undefined) return [];
    return nearestPeriods(suffix, 'past').map((period) => joinWords(carriers, period));
  });
}

function readCarriers(words: string): string | undefined {
  const parsed = carriersOption(words, () => ({ example, line: (fixed) => fixed }));
  return parsed?.rest === '' ? formatCarriers(parsed.value) : undefined;
}

export function format({
  lanes,
  carriers,
  period,
  versus,
  by,
  page,
}: Omit<LaneValues, 'lanes'> & { lanes: readonly PortPair[] }): string {
  return joinWords(
    'lane',
    formatLanes(lanes),
    carriers.length > 0 ? formatCarriers(carriers) : undefined,
    period && formatPeriod(period),
    versus && formatVersus(versus),
    by === 'whole' ? undefined : `by ${by}`,
    formatPage(page),
  );
}
