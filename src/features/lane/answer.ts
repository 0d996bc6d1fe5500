import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import {
  type Answer,
  type AnswerAction,
  callsAt,
  lines,
  type Section,
  type Verdict,
} from '../../answers/answer.ts';
import { dateRange, periodName } from '../../answers/formatting/times.ts';
import {
  counted,
  figure,
  listed,
  percent,
  share as shareInWords,
  wilsonInterval,
} from '../../answers/formatting/words.ts';
import { carrier, carrierLabel, count, field, port, share, shown } from '../../answers/kinds.ts';
import { clip, joinWithin, paged } from '../../answers/message.ts';
import { otherCodeNote } from '../../answers/slack/answer-message.ts';
import { type TableSection, table } from '../../answers/table.ts';
import type { Choice } from '../../errors.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';
import type { Locode, PortOrGroup } from '../../reference/codes.ts';
import { canonicalPort, portLabel, portName } from '../../reference/ports.ts';
import { spanName } from './periods.ts';
import { type LaneStatistics, minJourneys } from './statistics.ts';

export const hasEnough = ({ journeys }: Pick<CarrierStatistics, 'journeys'>): boolean =>
  journeys >= minJourneys;

/** `fetchedAt`: when the service answered for its lane, if lanes differ. */
export interface CarrierRow extends CarrierStatistics {
  fetchedAt?: Date;
}

/** One column with one value a lane, for pivot tables. */
export const laneField = <Row>(portsOf: (row: Row) => Pick<CarrierStatistics, 'origin' | 'destination'>) =>
  field<Row>('text', 'origin and destination: `SGSIN-CNXAM`', (row) => {
    const { origin, destination } = portsOf(row);
    return `${origin}-${destination}`;
  });

export const carriersTable = table<CarrierRow>({
  name: 'lane',
  about:
    'A carrier of the trade lane in a period, in the order of the answer; with `versus`, a row for each period',
  isOfService: true,
  columns: {
    origin_port: port(null, 'origin', ({ origin }) => origin),
    destination_port: port(null, 'destination', ({ destination }) => destination),
    lane: laneField((row) => row),
    carrier: carrier('Carrier', 'the carrier', ({ carrier }) => carrier),
    departures_from: field(
      'instant',
      'start of the period of departures, in UTC',
      ({ beginsAt }) => beginsAt,
    ),
    departures_until: field(
      'instant',
      'end of that period, not included, in UTC; the time of the answer if the period goes on',
      ({ endsAt }) => endsAt,
    ),
    is_ranked: field('boolean', `\`false\` under ${minJourneys} journeys, too few to rank`, hasEnough),
    destination_delayed: share(
      'Delayed {destination}',
      'journeys delayed at the destination, against the original service schedule, per the provider',
      ({ destinationDelayed, journeys }) => [destinationDelayed, journeys],
      { minimum: minJourneys, whole: 'journeys' },
    ),
    interval: shown('95%', (row) => (hasEnough(row) ? { sort: highOf(row), text: interval(row) } : ''), {
      isFigure: true,
    }),
    journeys: count('Journeys', 'journeys in the period', ({ journeys }) => journeys),
    origin_delayed: share(
      'Delayed {origin}',
      'journeys delayed at the origin',
      ({ originDelayed, journeys }) => [originDelayed, journeys],
      { minimum: minJourneys },
    ),
    // Plain counts: they count port calls, not journeys.
    origin_omitted_calls: count(
      'Omitted {origin}',
      'scheduled calls at the origin that were not made',
      ({ originOmissions }) => originOmissions,
    ),
    destination_omitted_calls: count(
      'Omitted {destination}',
      'scheduled calls at the destination that were not made',
      ({ destinationOmissions }) => destinationOmissions,
    ),
  },
});

const highOf = ({ destinationDelayed, journeys }: CarrierStatistics): number =>
  wilsonInterval(destinationDelayed, journeys).high;

/** Of the delayed share at the destination: `6–28%`. */
export function interval({ destinationDelayed, journeys }: CarrierStatistics): string {
  const { low, high } = wilsonInterval(destinationDelayed, journeys);
  return `${Math.round(low * 100)}–${Math.round(high * 100)}%`;
}

/** Slack's limit of a chart. */
export const carriersPerPage = 20;

interface Lines {
  /** The same lane the other way. */
  reverse: string;
  /** Compares the period with the one before it. */
  versus: string;
  /** Its months side by side, if it has several. */
  byMonth: readonly Choice[];
}

/** How the carriers of a lane performed, the least delayed first. */
export function laneAnswer(
  statistics: LaneStatistics,
  { page: asked, lines: other, span }: { page: number; lines: Lines; span?: TimeSpan | undefined },
): Answer {
  const { ranked, unranked, missing } = statistics;
  const { items, ...page } = paged([...ranked, ...unranked], asked, carriersPerPage);
  return {
    verdict: verdictOf(statistics, span),
    sections: [...carrierSections(statistics, items), ...missingSections(missing)],
    notes: notesOf(statistics),
    provenance: statistics,
    page: { ...page, size: carriersPerPage },
    actions: {
      about: laneName(statistics),
      runs: ranked.length > 0 ? [{ label: 'Versus previous', line: other.versus }, ...other.byMonth] : [],
      more: laneActions(statistics, other.reverse),
    },
  };
}

/** The menu of both answers. */
export const laneActions = (
  { origin, destination }: Pick<LaneStatistics, 'origin' | 'destination'>,
  reverseLine: string,
): AnswerAction[] => [
  { label: `The other way: ${destination} → ${origin}`, line: reverseLine },
  ...[origin, destination].map((code) => ({
    label: `Who is coming to ${portLabel(code)}`,
    intent: callsAt(code),
  })),
];

/** The chart, the carriers with enough journeys, and the others to open. `onPage`: the carriers to be shown. */
export function carrierSections(statistics: LaneStatistics, onPage: readonly CarrierStatistics[]): Section[] {
  const { ranked, unranked, destination } = statistics;
  const isShown = new Set(onPage);
  const rankedTable = carriersOf(statistics, ranked, { shown: ranked.filter((row) => isShown.has(row)) });
  const others = carriersOf(statistics, unranked, { shown: unranked.filter((row) => isShown.has(row)) });
  const chart = chartOf(
    ranked.filter((row) => isShown.has(row)),
    destination,
  );
  return withOthers(chart, rankedTable, { others, title: tooFewTitle(unranked) });
}

/** A few are named: somebody may have asked about one of them. */
function tooFewTitle(unranked: readonly CarrierStatistics[]): string {
  const { length } = unranked;
  if (length > 3) return tooFew(length, 'carrier');
  const names = listed(unranked.map(({ carrier: scac }) => shortName(scac)));
  return `${names} ${length === 1 ? 'has' : 'have'} too few to rank (under ${minJourneys} journeys)`;
}

export const tooFew = (count: number, noun: string): string =>
  `${counted(count, noun)} with too few to rank (under ${minJourneys} journeys)`;

/** The chart and the rows that can be ranked or compared, and the others to open; or the others alone. */
export function withOthers(
  chart: readonly Section[],
  main: TableSection,
  { others, title }: { others: TableSection; title: string },
): Section[] {
  if (main.rowCount === 0) return [others];
  const details: Section = { kind: 'details', title, sections: [others] };
  return [...chart, main, ...(others.shownCount > 0 ? [details] : [])];
}

/** The table with these carriers. Departures after the answer don't count: `this year` has none yet. */
export function carriersOf(
  {
    origin,
    destination,
    fetchedAt,
    period,
  }: Pick<LaneStatistics, 'origin' | 'destination' | 'fetchedAt' | 'period'>,
  rows: readonly CarrierStatistics[],
  {
    shown: onPage = rows,
    periods = period ? [period] : [],
  }: { shown?: readonly CarrierStatistics[]; periods?: readonly TimeSpan[] } = {},
) {
  const cut = (row: CarrierStatistics) => withDeparturesUntil(fetchedAt, row);
  return carriersTable.of({
    caption: `Carriers by delays at ${portName(destination)}`,
    rows: rows.map(cut),
    shown: onPage.map(cut),
    words: { origin, destination },
    subject: [origin, destination],
    period: periodsInName(periods, fetchedAt),
  });
}

/** As the name of a file has them. */
export const periodsInName = (periods: readonly TimeSpan[], fetchedAt: Date): string | undefined =>
  periods.length === 0
    ? undefined
    : periods.map((each) => periodName(departuresWithin(each, fetchedAt), 'UTC')).join('-versus-');

export const missingSections = (missing: readonly Scac[]): Section[] =>
  lines(missing.map((scac) => `${carrierLabel(scac)}: no journeys returned`));

/** One bar would compare nothing. */
function chartOf(ranked: readonly CarrierStatistics[], destination: Locode): Section[] {
  if (ranked.length < 2) return [];
  const bars = ranked.map(({ destinationDelayed, journeys }) => {
    const ratio = journeys > 0 ? destinationDelayed / journeys : 0;
    return { value: Math.round(ratio * 100), text: percent(ratio) };
  });
  return [
    {
      kind: 'bars',
      title: delayedTitle(destination),
      categories: ranked.map(({ carrier: scac }) => shortName(scac)),
      series: [{ name: 'Delayed journeys, %', bars }],
      isInTable: true,
    },
  ];
}

export const delayedTitle = (destination: Locode): string =>
  `Delayed at ${clip(portName(destination), 20)}, % of journeys`;

const beta = ' · BETA';

/** A verdict with the words that follow it: ` (18 and 13 journeys) · BETA`. */
export const betaVerdict = (strong: string, rest = ''): Verdict => ({ strong, rest: `${rest}${beta}` });

/** Which carriers are delayed least at the destination. `span`: as asked, if it was. */
function verdictOf(statistics: LaneStatistics, span: TimeSpan | undefined): Verdict {
  const { ranked, unranked, missing, destination, period = span, fetchedAt } = statistics;
  // Who typed `december` may have thought of another year.
  const days = span && period && spanName(departuresWithin(period, fetchedAt));
  const lane = [laneName(statistics), days ?? []].flat().join(', ');
  const [best] = ranked;
  if (!best) {
    const reason = unranked.length > 0 ? 'too few journeys to rank any carrier' : 'no journeys returned';
    return betaVerdict(`${lane}: ${reason}`);
  }
  const { carrier: scac, journeys, destinationDelayed } = best;
  const delayed = `${shareInWords(destinationDelayed, journeys)} delayed at ${portName(destination)}`;
  if (ranked.length === 1 && unranked.length + missing.length > 0) {
    const only = `Only ${shortName(scac)} has enough journeys to rank (${journeys.toLocaleString('en')})`;
    return betaVerdict(`${only}: ${delayed}`, ` · ${lane}`);
  }
  if (ranked.length === 1)
    return betaVerdict(`${lane}: ${shortName(scac)}, ${delayed}`, ` · ${omittedInWords(best, statistics)}`);
  return verdictAmong(
    ranked.filter((other) => hasEqualShare(other, best)),
    { lane, at: portName(destination) },
  );
}

/** `3 calls omitted at Singapore, none at Rotterdam`. */
function omittedInWords(
  { originOmissions: there, destinationOmissions: here }: CarrierStatistics,
  { origin, destination }: Pick<LaneStatistics, 'origin' | 'destination'>,
): string {
  if (there + here === 0) return 'no calls omitted';
  const first = there === 0 ? 'no calls' : counted(there, 'call');
  return `${first} omitted at ${portName(origin)}, ${here === 0 ? 'none' : figure(here)} at ${portName(destination)}`;
}

/** For the carriers that share the first rank. */
function verdictAmong(
  group: readonly CarrierStatistics[],
  { lane, at }: { lane: string; at: string },
): Verdict {
  const names =
    group.length > 3 ? `${group.length} carriers` : listed(group.map(({ carrier: scac }) => shortName(scac)));
  const [{ journeys = 0, destinationDelayed = 0 } = {}] = group;
  const isPunctual = destinationDelayed === 0;
  const counts = group.map((each) => {
    const figure = isPunctual
      ? each.journeys.toLocaleString('en')
      : `${each.destinationDelayed} of ${each.journeys}`;
    return group.length > 3 ? `${shortName(each.carrier)} ${figure}` : figure;
  });
  const figures = group.length > 3 ? joinWithin(counts, ', ', 300) : listed(counts);
  return betaVerdict(
    isPunctual
      ? `${lane}: ${names}, no delays at ${at}`
      : `${lane}: ${names} least delayed at ${at}, ${percent(destinationDelayed / Math.max(1, journeys))}`,
    ` (${figures} journeys)`,
  );
}

/** Without the rounding of a division. */
export const hasEqualShare = (one: CarrierStatistics, other: CarrierStatistics): boolean =>
  one.destinationDelayed * other.journeys === other.destinationDelayed * one.journeys;

export const laneName = ({ origin, destination }: Record<'origin' | 'destination', PortOrGroup>): string =>
  `${portName(origin)} → ${portName(destination)}`;

/** `Maersk`, or the bare code. */
export const shortName = (scac: Scac): string => carrierName(scac) ?? scac;

function notesOf(statistics: LaneStatistics): string[] {
  const { origin, destination, ranked, unranked, insteadOf, period, periodsDiffer, fetchedAt } = statistics;
  return [
    ...(period ? [`Departures ${departureDays(period, fetchedAt)}`] : []),
    ...definitions,
    ...(ranked.length === 0 && unranked.length > 0 ? [`ranked from ${minJourneys} journeys on`] : []),
    ...(ranked.length > 0 ? ['95%: Wilson interval of the delayed share'] : []),
    `${origin} → ${destination}`,
    ...insteadOf.map((code) => otherCodeNote(code, canonicalPort(code))),
    ...(periodsDiffer ? ['the period differs from carrier to carrier'] : []),
  ];
}

/** What the figures mean. */
export const definitions = [
  'delayed against the original service schedule, per the provider',
  'omission: a scheduled call that the ship did not make',
];

/** The part of a half-open period that has departures: `this year` has none after the answer. */
function departuresWithin({ begin, end }: TimeSpan, fetchedAt: Date): TimeSpan {
  return { begin, end: max([begin, min([end, fetchedAt])]) };
}

export function withDeparturesUntil<Row extends CarrierStatistics>(until: Date, row: Row): Row {
  const { begin, end } = departuresWithin({ begin: row.beginsAt, end: row.endsAt }, until);
  return { ...row, beginsAt: begin, endsAt: end };
}

/** `23 Aug – 21 Nov 2026`, in UTC. */
export function departureDays(period: TimeSpan, fetchedAt: Date): string {
  const { begin, end } = departuresWithin(period, fetchedAt);
  // If it ends at midnight, the day before is its last.
  const lastMoment = new Date(Math.max(begin.getTime(), end.getTime() - 1));
  return dateRange(begin, lastMoment, 'UTC');
}
