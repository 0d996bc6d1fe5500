import { type AnswerAction, type Comparison, type Verdict, watchPort } from '../../answers/answer.ts';
import { otherCodeNote } from '../../answers/slack/answer-message.ts';
import type { UserError } from '../../errors.ts';
import {
  formatPage,
  joinWords,
  type LineOption,
  minimumOption,
  orderOption,
  pageOption,
  quote,
  scanOptions,
  wordOption,
  wordsError,
} from '../../grammar/line.ts';
import { nearestPeriodOf } from '../../grammar/nearest-period.ts';
import { periodOption } from '../../grammar/parse-period.ts';
import { formatPeriod, hasTimeOfDay, type Period, periodExamples, wholeDays } from '../../grammar/period.ts';
import { formatPorts, parsePorts } from '../../grammar/port.ts';
import type { When } from '../../predictions/when.ts';
import { isPortGroup, type Locode, type PortOrGroup } from '../../reference/codes.ts';
import { canonicalPort, confusedWith, portInCountry, portName, portOf } from '../../reference/ports.ts';
import type { Prediction } from '../../reference/prediction.ts';
import type { ParseContext } from '../ctx.ts';
import type { PortAnswers } from './ask.ts';

interface Port {
  port: Locode;
  insteadOf: Locode | undefined;
  isUnknown: boolean;
  listed: readonly (Pick<Prediction, 'imo' | 'probability' | 'eta'> & {
    /** Where its ETA is in the period. */
    when: When;
  })[];
  /** By day, all calls count. */
  minProbability?: number;
}

export interface AskedLine {
  page: number;
  now: Date;
  /** As typed: with groups of ports, not with their ports. */
  typed: PortcallsValues['port'];
  /** As it can be typed. */
  periodInWords: string | undefined;
  /** The line on its first page, with other values. */
  lineWith(values: Partial<PortcallsValues>): string;
}

/** Undefined if several ports were asked for. */
export const onlyPort = <Asked>({ ports, failed }: Pick<PortAnswers<Asked>, 'ports' | 'failed'>) =>
  ports.length + failed.length === 1 ? ports[0] : undefined;

/** Leaves room for the answer in the first 80 characters. */
const maxNames = 40;

/** For the verdict: `Rotterdam, Antwerp`, `ARA`; `5 ports` if the names are too long; `2 of 3 ports` if a request failed. */
export function portsAsked(
  { ports, failed }: PortAnswers<Pick<Port, 'port'>>,
  { typed }: Pick<AskedLine, 'typed'>,
): string {
  const count = ports.length + failed.length;
  const names = hasGroup(typed) ? typed.map(portName).join(', ') : portNames(ports);
  const isShort = count === 1 || names.length <= maxNames;
  if (failed.length === 0) return isShort ? names : `${count} ports`;
  const answered = `${ports.length} of ${count} ports`;
  return hasGroup(typed) && isShort ? `${names}, ${answered}` : answered;
}

export const hasGroup = (typed: AskedLine['typed']): boolean => typed.some(isPortGroup);

export const portNames = (ports: readonly Pick<Port, 'port'>[]): string =>
  ports.map(({ port }) => portName(port)).join(', ');

export const unknownVerdict = ({ port }: Pick<Port, 'port'>): Verdict => ({
  strong: `No predictions for ${portName(port)}`,
  rest: ' · none expected, or the service does not know the port',
});

/** A line for each of several ports; a warning about those that nothing is known of. */
export function portLines<Asked extends Port>(
  asked: PortAnswers<Asked>,
  lineOf: (port: Asked) => string,
): Pick<Verdict, 'lines' | 'warning'> {
  if (onlyPort(asked)) return {};
  const unknown = asked.ports.filter(({ isUnknown }) => isUnknown);
  const gaps = [
    ...(unknown.length > 0 ? [`No predictions for ${portNames(unknown)}`] : []),
    ...asked.failed.map((port) => `🟠 No answer for ${portName(port)}`),
  ];
  return {
    lines: asked.ports.filter(({ isUnknown }) => !isUnknown).map(lineOf),
    ...(gaps.length > 0 && { warning: gaps.join(' · ') }),
  };
}

/** Which ports these are: `NLRTM, BEANR`. */
export function codeNotes(ports: readonly Port[]): string[] {
  const known = ports.filter(({ port }) => portOf(port));
  return known.length > 0 ? [known.map(({ port }) => port).join(', ')] : [];
}

/** What isn't known of the ports, or of the typed codes. */
export const portNotes = ({ ports, failed }: PortAnswers<Port>): string[] => [
  ...ports.flatMap(({ port, insteadOf }) => {
    const known = portOf(port);
    const unknown = known ? 'zone' : 'name and zone';
    return [
      ...(insteadOf ? [otherCodeNote(insteadOf, port)] : []),
      ...(known?.zone ? [] : [`${unknown} not known here: times are UTC`]),
    ];
  }),
  ...(failed.length > 0 ? [`no answer for ${failed.join(', ')}: press Refresh`] : []),
];

/** Watch, for the only port or group; for several, the menu: a watch has one. */
export function watchActions(asked: PortAnswers<Port>, { typed: [first, ...others] }: AskedLine) {
  if (isPortGroup(first) && others.length === 0) return { watch: watchPort(first) };
  const known = asked.ports.filter(({ isUnknown }) => !isUnknown).map(({ port }) => port);
  if (onlyPort(asked)) return { watch: known[0] && watchPort(known[0]) };
  return { more: known.map((port) => ({ label: `Watch ${portName(port)}`, intent: watchPort(port) })) };
}

/** The same question about the port that has the same name, if that one may be meant. */
export function alsoActions(asked: PortAnswers<Port>, { lineWith }: AskedLine): AnswerAction[] {
  const only = onlyPort(asked);
  const other = only && confusedWith(only.port);
  return other
    ? [{ label: `Also: ${portInCountry(other)} (${other})`, line: lineWith({ port: [other] }) }]
    : [];
}

/** What a digest compares. Calls on other days are in it, so that a call that moved isn't a new one. */
export function comparisonOf({ ports, failed }: PortAnswers<Port>, { periodInWords }: AskedLine): Comparison {
  const questionAt = (port: Locode) => ({ id: canonicalPort(port), isList: true });
  return {
    questions: [
      ...ports.map(({ port, listed }) => ({
        ...questionAt(port),
        rows: listed.map(({ imo, probability, eta = null, when }) => ({
          ...{ id: String(imo), imo, when, call: { port, probability, eta } },
        })),
      })),
      ...failed.map((port) => ({ ...questionAt(port), rows: null })),
    ],
    ...(periodInWords !== undefined && { period: periodInWords }),
    from: ports[0]?.minProbability ?? 0,
  };
}

export const sumOf = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0);

export interface PortcallsValues {
  /** Up to six. */
  port: readonly [PortOrGroup, ...PortOrGroup[]];
  /** If left out, all dates; by day, the next ten days. */
  period: Period | undefined;
  /** A whole percentage, from 0 to 1. Vessels below it are hidden, except by day. */
  minProbability: number;
  by: (typeof orders)[number];
  page: number;
}

/** `minProbability`: undefined if it was left out. */
export type ParsedPortcalls = Omit<PortcallsValues, 'minProbability'> & {
  minProbability: number | undefined;
};

export const orders = ['eta', 'probability', 'day'] as const;
export const defaultMinimum = 0.1;
export const example = 'portcalls Rotterdam next 3 days';

export function parse(
  words: string,
  { dateOrder, vessels: groups }: Partial<Pick<ParseContext, 'dateOrder' | 'vessels'>> = {},
): PortcallsValues {
  const options = {
    page: pageOption,
    period: periodOption('future'),
    min: minimumOption,
    all: wordOption('all'),
    by: byOption,
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'portcalls', example, dateOrder });
  const subjectHelp = {
    ...help,
    groups,
    nearestEnding: (ending: string) => nearestPeriodOf(ending, 'future'),
    endingHint: `A period can follow a port: ${periodExamples.future}.`,
  };
  const { period, min, all, by = 'eta', page = 1 } = values;
  // By day, the unlikely calls count anyway.
  // `all above 50%` leaves out the others.
  const minPercent = min ?? (all && by !== 'day' ? 0 : undefined);
  return settle({
    port: parsePorts(rest, subjectHelp),
    ...{ period, by, page },
    minProbability: minPercent === undefined ? undefined : minPercent / 100,
  });
}

/** `by eta`, `by day`; also `daily`, `how many per day`, `day wise`, `likeliest first` and the like. */
const byOption: LineOption<PortcallsValues['by']> = (words, helpFor) =>
  orderOption(orders)(
    words
      .replace(
        /(?<=^|\s)(?:(?:(?:how many|count|totals?),? )?(?:per|each|a) day|daily(?: (?:totals?|counts?))?|day by day|by days|day[ -]?wise)$/i,
        'by day',
      )
      .replace(
        /(?<=^|\s)(?:by (?:likelihood|chance)|(?:the )?(?:likeliest|most (?:likely|probable)|highest(?: probability)?) (?:ones? )?(?:first|on top))$/i,
        'by probability',
      ),
    helpFor,
  );

/** Throws UserError unexpected-words. */
export function settle({ minProbability, ...parsed }: ParsedPortcalls): PortcallsValues {
  const values = { ...parsed, minProbability: minProbability ?? defaultMinimum };
  const { by, period } = parsed;
  if (by === 'day' && period && hasTimeOfDay(period))
    throw notByDay(formatPeriod(period), 'Likely calls per day are those of whole days.', [
      { ...values, period: wholeDays(period) },
      { ...values, by: 'eta' },
    ]);
  if (by === 'day' && minProbability !== undefined) {
    const hint = 'Likely calls per day are sums of all probabilities, small ones too.';
    throw notByDay(minimumInWords(minProbability), hint, [values, { ...values, by: 'eta' }]);
  }
  return values;
}

function notByDay(words: string, hint: string, instead: readonly PortcallsValues[]): UserError {
  const choices = instead.map(format).map((line) => ({ label: line, line }));
  const help = { example, line: (fixed: string) => fixed };
  return wordsError('conflicting-words', `${quote(words)} doesn't go with “by day”.`, help, {
    hint,
    choices,
  });
}

export function format({ port, period, minProbability, by, page }: PortcallsValues): string {
  const hasMinimum = minProbability !== defaultMinimum && by !== 'day';
  return joinWords(
    'portcalls',
    formatPorts(port),
    period && formatPeriod(period),
    hasMinimum ? minimumInWords(minProbability) : undefined,
    by === 'eta' ? undefined : `by ${by}`,
    formatPage(page),
  );
}

const minimumInWords = (minProbability: number): string => `min ${Math.round(minProbability * 100)}%`;
