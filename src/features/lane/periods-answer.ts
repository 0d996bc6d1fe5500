import { millisecondsInDay } from 'date-fns/constants';
import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import type { Answer, Section, Verdict } from '../../answers/answer.ts';
import { counted, listed, percent } from '../../answers/formatting/words.ts';
import { otherCodeNote } from '../../answers/slack/answer-message.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import type { Scac } from '../../reference/carriers.ts';
import { canonicalPort, portName } from '../../reference/ports.ts';
import {
  betaVerdict,
  carriersOf,
  definitions,
  delayedTitle,
  hasEnough,
  laneActions,
  laneName,
  shortName,
  tooFew,
  withDeparturesUntil,
} from './answer.ts';
import type { Found } from './lanes.ts';
import type { Part } from './periods.ts';
import { shareCell, shareOf, sideBySide } from './side-by-side.ts';
import {
  byDelayedShare,
  byJourneys,
  type Change,
  changeOf,
  compareCarriers,
  type LaneStatistics,
  sumOf,
  totals,
} from './statistics.ts';
import { comparisonOf, longestJourneyDays } from './versus.ts';

interface LanePart extends LaneStatistics {
  part: Part;
}

interface Asked {
  /** Empty: all. */
  carriers: readonly Scac[];
  parts: readonly Part[];
  /** Earlier ones of the period that don't fit. */
  left: number;
  by: 'month' | 'quarter';
  page: number;
  lines: {
    /** The same lane the other way. */
    reverse: string;
    /** A part alone. */
    lineOf(part: TimeSpan): string;
  };
}

/** The carriers of a lane in months or quarters side by side, the least delayed over all of them first. */
export function periodsAnswer(found: Found<LanePart, Part>, asked: Asked): Answer {
  const { answered, failed } = found;
  const { parts, left, by, carriers, lines } = asked;
  const [only, ...otherCarriers] = carriers;
  const isOne = only !== undefined && otherCarriers.length === 0;
  const together = isOne ? shortName(only) : only === undefined ? 'All carriers' : 'Together';
  const [lane] = answered;
  const { origin, destination } = answered.find(hasJourneys) ?? lane;
  const all = answered.flatMap(rowsIn);
  const overall = totals(all);
  const first = (one: CarrierStatistics, other: CarrierStatistics) =>
    byDelayedShare(overall.get(one.carrier) ?? one, overall.get(other.carrier) ?? other);
  const ranked = all.filter(hasEnough).sort(first);
  const others = all.filter((row) => !hasEnough(row)).sort(byJourneys);
  const trend = trendIn(answered);
  const whole = { begin: parts[0]?.begin ?? found.fetchedAt, end: parts.at(-1)?.end ?? found.fetchedAt };
  const shown = sideBySide<ReturnType<typeof rowsIn>[number]>(found, asked, {
    ...{ ranked, others, cellOf: shareCell },
    columns: answered.map(({ part }) => ({ on: part.begin.toISOString(), header: headerOf(part) })),
    ...(overall.size > 1 && {
      total: { label: together, cells: answered.map((each) => shareCell(sumOf(each))) },
    }),
    caption: `Delayed at ${portName(destination)} by ${by}`,
    tableOf: (rows, onPage) =>
      carriersOf({ origin, destination, fetchedAt: found.fetchedAt, period: whole }, byCarrier(rows), {
        shown: onPage,
      }),
    othersTitle: (count) => tooFew(count, 'carrier'),
  });
  const last = answered.at(-1)?.part;
  return {
    ...shown,
    sections: [...chartOf(answered, together), ...shown.sections],
    verdict: {
      ...verdictOf({
        lane: laneName({ origin, destination }),
        at: portName(destination),
        trend,
        overall,
        carriers,
      }),
      lines: linesOf(answered, trend),
      ...(failed.length > 0 && { warning: `🟠 No answer for ${listed(failed.map(({ name }) => name))}` }),
    },
    firstNotes: [
      ...(left > 0 ? [`🟠 only the last ${parts.length} of ${counted(parts.length + left, by)} fit`] : []),
      `${counted(parts.length, by)}, an API call each`,
    ],
    notes: notesOf(answered, { failed, trend }),
    comparison: comparisonOf([
      {
        ...{ origin, destination, compared: trend?.compared ?? [] },
        ...((failed.length > 0 || !trend) && { unanswered: 'later' as const }),
      },
    ]),
    actions: {
      about: laneName({ origin, destination }),
      runs: last ? [{ label: `Show ${last.name}`, line: lines.lineOf(last) }] : [],
      more: laneActions({ origin, destination }, lines.reverse),
    },
  };
}

const headerOf = ({ name, isCurrent }: Part): string => (isCurrent ? `${name} (so far)` : name);

const statisticsOf = ({ ranked, unranked }: LaneStatistics) => [...ranked, ...unranked];

/** A file has the periods of a carrier one after the other. */
function byCarrier<Row extends { carrier: Scac; on: string }>(rows: readonly Row[]): Row[] {
  const order = [...new Set(rows.map(({ carrier }) => carrier))];
  return rows.toSorted(
    (one, other) =>
      order.indexOf(one.carrier) - order.indexOf(other.carrier) || one.on.localeCompare(other.on),
  );
}

const hasJourneys = (lane: LaneStatistics): boolean => statisticsOf(lane).length > 0;

/** The service may have several records of a carrier, such as one for each code of a port. */
const rowsIn = (each: LanePart) =>
  [...totals(statisticsOf(each)).values()].map((row) => ({
    ...withDeparturesUntil(each.fetchedAt, row),
    on: each.part.begin.toISOString(),
  }));

interface Total {
  part: Part;
  destinationDelayed: number;
  journeys: number;
}

const totalOf = (each: LanePart): Total => ({ part: each.part, ...sumOf(each) });

interface Trend {
  from: Total;
  to: Total;
  change: Change;
  /** Each carrier in the first and the last of them. */
  compared: ReturnType<typeof compareCarriers>['compared'];
}

/** The trend from the first to the last that is over; a current month lacks most of its journeys. Undefined with too few journeys. */
function trendIn(answered: readonly LanePart[]): Trend | undefined {
  const complete = answered.filter(({ part }) => !part.isCurrent);
  const [first, last] = [complete[0], complete.at(-1)];
  if (!first || !last || first === last) return undefined;
  const [from, to] = [totalOf(first), totalOf(last)];
  const change = changeOf(to, from);
  if (!change) return undefined;
  const { compared } = compareCarriers({ earlier: statisticsOf(first), later: statisticsOf(last) });
  return { from, to, change, compared };
}

const shareIn = ({ destinationDelayed, journeys }: Omit<Total, 'part'>): string =>
  percent(shareOf(destinationDelayed, journeys));

/** `12% in Jan 2026 → 30% in Jun 2026`. */
const fromTo = ({ from, to }: Trend): string =>
  `${shareIn(from)} in ${from.part.name} → ${shareIn(to)} in ${to.part.name}`;

function verdictOf({
  lane,
  at,
  trend,
  overall,
  carriers,
}: {
  lane: string;
  at: string;
  trend: Trend | undefined;
  overall: ReadonlyMap<unknown, CarrierStatistics>;
  carriers: readonly Scac[];
}): Verdict {
  if (!trend)
    return betaVerdict(
      `${lane}: ${overall.size === 0 ? 'no journeys returned' : 'too few journeys to compare periods'}`,
    );
  const [only, ...others] = overall.values();
  const named = only && others.length === 0 ? [only.carrier] : carriers;
  const who = named.length > 0 ? ` for ${listed(named.map(shortName))}` : '';
  const words = {
    more: `more delays at ${at}${who}`,
    fewer: `fewer delays at ${at}${who}`,
    unclear: `no clear trend in delays at ${at}${who}`,
  };
  return betaVerdict(`${lane}: ${words[trend.change]}`, ` · ${fromTo(trend)}`);
}

/** The extremes of all carriers, and the carriers that clearly changed. */
function linesOf(answered: readonly LanePart[], trend: Trend | undefined): string[] {
  const sorted = answered
    .filter(({ part }) => !part.isCurrent)
    .map(totalOf)
    .filter(hasEnough)
    .toSorted((one, other) => byShare(one) - byShare(other));
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  const isVaried = lowest && highest && shareIn(lowest) !== shareIn(highest);
  const clear = trend?.compared.filter(({ change }) => change !== 'unclear').slice(0, 3) ?? [];
  const changes = clear.map(
    ({ carrier, earlier, later }) => `${shortName(carrier)} ${shareIn(earlier)} → ${shareIn(later)}`,
  );
  return [
    ...(isVaried ? [`Lowest: ${withEquals(lowest, sorted)} · highest: ${withEquals(highest, sorted)}`] : []),
    ...(changes.length > 0 ? [`Clearly changed: ${changes.join(', ')}`] : []),
  ];
}

/** `6% in May 2026 and Jul 2026`: the figure as it is shown, with all that have it. */
function withEquals(total: Total, totals: readonly Total[]): string {
  const shown = shareIn(total);
  const equal = totals.filter((other) => shareIn(other) === shown);
  const inOrder = equal.toSorted((one, other) => +one.part.begin - +other.part.begin);
  return `${shown} in ${listed(inOrder.map(({ part }) => part.name))}`;
}

const byShare = ({ destinationDelayed, journeys }: Total): number => shareOf(destinationDelayed, journeys);

/** The delays of all carriers; too few journeys have no bar to compare. */
function chartOf(answered: readonly LanePart[], together: string): Section[] {
  const all = answered
    .filter(({ part }) => !part.isCurrent)
    .map(totalOf)
    .filter(hasEnough);
  const [lane] = answered;
  if (!lane || all.length < 2) return [];
  return [
    {
      kind: 'bars',
      title: delayedTitle(lane.destination),
      categories: all.map(({ part }) => part.name.slice(0, 20)),
      series: [
        {
          name: `${together}, %`,
          bars: all.map((total) => ({ value: Math.round(100 * byShare(total)), text: shareIn(total) })),
        },
      ],
      isInTable: true,
    },
  ];
}

function notesOf(
  answered: readonly LanePart[],
  { failed, trend }: { failed: readonly Part[]; trend: Trend | undefined },
): string[] {
  const current = answered.find(({ part }) => part.isCurrent)?.part;
  const last = answered.at(-1);
  const isRecent = last && +last.part.end > +last.fetchedAt - longestJourneyDays * millisecondsInDay;
  return [
    ...(trend
      ? [
          'a trend is clear if the 95% intervals (Wilson) of the first and the last share do not overlap; else it may be chance',
        ]
      : []),
    ...(current ? [`${current.name} goes on, so the trend leaves it out`] : []),
    ...definitions.slice(0, 1),
    ...(isRecent ? ['how journeys still under way are counted is not documented'] : []),
    ...[...new Set(answered.flatMap(({ insteadOf }) => insteadOf))].map((code) =>
      otherCodeNote(code, canonicalPort(code)),
    ),
    ...(failed.length > 0 ? ['some periods have no answer: press Refresh'] : []),
  ];
}
