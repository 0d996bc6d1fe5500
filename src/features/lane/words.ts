import { UserError } from '../../errors.ts';
import { carriersOption, formatCarriers, suffixesOf } from '../../grammar/carriers.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/line.ts';
import { nearestPeriods } from '../../grammar/nearest-period.ts';
import { periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { checkDifferent, formatPortPair, parsePortPair } from '../../grammar/port.ts';
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
  origin: PortOrGroup;
  destination: PortOrGroup;
  /** If empty, all carriers. */
  carriers: readonly Scac[];
  /** If left out, the service chooses the dates. */
  period: Period | undefined;
  /** Compares with another period. */
  versus: Versus | undefined;
  page: number;
}

export type ParsedLane = Omit<LaneValues, 'versus'> & { versus: TypedVersus | undefined };

export const example = 'lane Singapore Xiamen';

export const laneOptions = {
  page: pageOption,
  versus: versusOption,
  period: periodOption('past'),
  carriers: carriersOption,
};

export function parse(
  words: string,
  { dateOrder, vessels: groups }: Partial<Pick<ParseContext, 'dateOrder' | 'vessels'>> = {},
): LaneValues {
  const { rest, values, help } = scanOptions(words, laneOptions, { command: 'lane', example, dateOrder });
  if (rest === '' && values.carriers) throw whichLane(values.carriers);
  const pair = parsePortPair(rest, {
    ...help,
    groups,
    nearestEnding: (ending) => nearestEnding(ending, { isCut: values.period !== undefined }),
  });
  return settle({ ...pair, carriers: [], page: 1, period: undefined, versus: undefined, ...values });
}

/** Throws UserError same-port. */
export function settle({ versus, ...parsed }: ParsedLane): LaneValues {
  checkDifferent(parsed, { example, line: (fixed) => fixed });
  return { ...parsed, versus: versus && settleVersus(versus, parsed.period) };
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

export function format({ origin, destination, carriers, period, versus, page }: LaneValues): string {
  return joinWords(
    'lane',
    formatPortPair({ origin, destination }),
    carriers.length > 0 ? formatCarriers(carriers) : undefined,
    period && formatPeriod(period),
    versus && formatVersus(versus),
    formatPage(page),
  );
}
