import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import type { Answer, AnswerAction, ChartSection, Verdict } from '../../answers/answer.ts';
import { counted, percent, share as shareInWords } from '../../answers/formatting/words.ts';
import { paged } from '../../answers/message.ts';
import { otherCodeNote } from '../../answers/slack/answer-message.ts';
import type { TableSection } from '../../answers/table.ts';
import type { Scac } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/codes.ts';
import { canonicalPort, portName } from '../../reference/ports.ts';
import {
  betaVerdict,
  type CarrierRow,
  carriersTable,
  definitions,
  departureDays,
  hasEqualShare,
  laneName,
  listed,
  missingSections,
  shortName,
  tooFew,
  withDeparturesUntil,
  withOthers,
} from './answer.ts';
import { type Found, maxRequests } from './lanes.ts';
import { byAllJourneys, byChange, byDelayedShare, byJourneys, type LaneStatistics } from './statistics.ts';
import { comparisonOf, type LaneVersus } from './versus.ts';
import {
  bothPeriods,
  changeNotes,
  changesOn,
  comparedTable,
  overlapWarning,
  periodActions,
  tooFewToCompare,
  type VersusLines,
} from './versus-answer.ts';

interface Asked<Lines> {
  /** `Shanghai → ARA`. */
  title: string;
  page: number;
  lines: Lines;
}

/** As many also fit where Slack refuses tables. */
const rowsPerPage = 30;

/** How the carriers performed on each of several lanes: the least delayed first, whichever the lane. */
export function lanesAnswer(
  found: Found<LaneStatistics>,
  asked: Asked<{ reverse: string; versus: string }>,
): Answer {
  const { lanes, failed } = found;
  const ranked = lanes.flatMap((lane) => lane.ranked.map(rowOn(lane))).sort(byDelayedShare);
  const unranked = lanes.flatMap((lane) => lane.unranked.map(rowOn(lane))).sort(byJourneys);
  const canCompare = ranked.length > 0 && 2 * (lanes.length + failed.length) <= maxRequests;
  return {
    ...common(found, asked, {
      ...{ ranked, others: unranked },
      tableOf: (rows, shown) => statisticsTable(lanes, { caption: asked.title, rows, shown }),
      othersTitle: tooFew(unranked.length, 'row'),
      chart: chartOf(lanes),
    }),
    verdict: { ...verdictOf(lanes, asked.title), lines: [...lanes.map(bestOn), ...failed.map(notAnswered)] },
    firstNotes: [`${counted(lanes.length + failed.length, 'lane')}, an API call each`],
    notes: [
      ...departureNotes(found),
      ...definitions,
      '95%: Wilson interval of the delayed share; where two overlap, the order may be chance',
      ...codeNotes(lanes),
      ...refreshNotes(failed),
    ],
    actions: {
      runs: canCompare ? [{ label: 'Versus previous', line: asked.lines.versus }] : [],
      more: [theOtherWay(asked.lines.reverse)],
    },
  };
}

/** The carriers of several lanes in two periods: clear changes first. */
export function lanesVersusAnswer(found: Found<LaneVersus>, asked: Asked<VersusLines>): Answer {
  const { lanes, failed } = found;
  const answered = lanes.filter(({ unanswered }) => unanswered === undefined);
  const named =
    <Row extends object>(lane: LaneVersus) =>
    (row: Row) => ({ ...row, lane: laneName(lane) });
  const ranked = answered.flatMap((lane) => lane.compared.map(named(lane))).sort(byChange);
  const others = answered.flatMap((lane) => lane.uncompared.map(named(lane))).sort(byAllJourneys);
  const [example] = answered;
  const tableOf = (rows: readonly ((typeof ranked)[number] | (typeof others)[number])[], shown = rows) =>
    comparedTable.of({
      caption: `Delays in both periods, ${asked.title}`,
      ...{ rows, shown, subject: subjectOf(lanes) },
      words: atEnds,
    });
  const inBoth = lanes.flatMap((lane) =>
    [...lane.compared, ...lane.uncompared].flatMap(({ earlier, later }) =>
      [earlier, later].flatMap((each) => (each ? rowOn(lane)(each) : [])),
    ),
  );
  return {
    ...common(found, asked, {
      ...{ ranked, others, tableOf },
      othersTitle: tooFewToCompare(others.length, 'row'),
    }),
    verdict: {
      ...changesVerdict(answered, asked.title),
      lines: [
        ...(example ? [bothPeriods(example)] : []),
        ...lanes.map((lane) => [lane.unanswered ? '🟠 ' : '', changesOn(lane).strong]),
        ...failed.map(notAnswered),
      ],
      warning: example && overlapWarning(example),
    },
    files: [statisticsTable(lanes, { caption: asked.title, rows: inBoth }), tableOf([...ranked, ...others])],
    firstNotes: [
      `${counted(lanes.length + failed.length, 'lane')} in two periods, ${2 * (lanes.length + failed.length)} API calls`,
    ],
    notes: [
      ...changeNotes(answered),
      ...codeNotes(lanes),
      ...refreshNotes([...failed, ...lanes.filter((lane) => !answered.includes(lane))]),
    ],
    comparison: comparisonOf([...lanes, ...failed.map(withoutAnswer)]),
    actions: {
      runs: example ? periodActions(example, asked.lines) : [],
      more: [theOtherWay(asked.lines.reverse)],
    },
  };
}

/** What both answers have: a table with the lane in each row, in pages. */
function common<Row extends object>(
  found: Found<LaneStatistics | LaneVersus>,
  asked: Asked<unknown>,
  rows: {
    ranked: readonly Row[];
    others: readonly Row[];
    tableOf(rows: readonly Row[], shown: readonly Row[]): TableSection;
    othersTitle: string;
    chart?: ChartSection[];
  },
) {
  const { ranked, others, tableOf, othersTitle, chart = [] } = rows;
  const { items, ...page } = paged([...ranked, ...others], asked.page, rowsPerPage);
  const isShown = new Set(items);
  const [main, rest] = [ranked, others].map((all) =>
    tableOf(
      all,
      all.filter((row) => isShown.has(row)),
    ),
  );
  const [lane] = found.lanes;
  // A carrier may have journeys on one lane only.
  const missing = lane.missing.filter((scac) => found.lanes.every((each) => each.missing.includes(scac)));
  return {
    sections: [
      ...(main && rest ? withOthers(chart, main, { others: rest, title: othersTitle }) : []),
      ...missingSections(missing),
    ],
    provenance: found,
    page: { ...page, size: rowsPerPage },
  };
}

type Ends = Record<'origin' | 'destination', Locode>;

const atEnds = { origin: 'at origin', destination: 'at destination' };

const subjectOf = (lanes: readonly Ends[]): string[] =>
  lanes.map(({ origin, destination }) => `${origin}-${destination}`);

const rowOn =
  (lane: Ends & { fetchedAt: Date }) =>
  (row: CarrierStatistics): CarrierRow => ({
    ...withDeparturesUntil(lane.fetchedAt, row),
    ...{ lane: laneName(lane), fetchedAt: lane.fetchedAt },
  });

const statisticsTable = (
  lanes: readonly Ends[],
  {
    caption,
    rows,
    shown = rows,
  }: { caption: string; rows: readonly CarrierRow[]; shown?: readonly CarrierRow[] },
) =>
  carriersTable.of({
    caption: `Carriers by lane, ${caption}`,
    ...{ rows, shown, subject: subjectOf(lanes) },
    words: atEnds,
    fetchedAt: ({ fetchedAt }) => fetchedAt,
  });

/** The carriers that share the first rank. */
function bestOf({ ranked }: LaneStatistics): CarrierStatistics[] {
  const [best] = ranked;
  return best ? ranked.filter((other) => hasEqualShare(other, best)) : [];
}

const namesOf = (carriers: readonly CarrierStatistics[]): string =>
  carriers.length > 3
    ? `${carriers.length} carriers`
    : listed(carriers.map(({ carrier }) => shortName(carrier)));

/** The least delayed carrier of each lane, together where it is the same. */
function verdictOf(lanes: readonly LaneStatistics[], title: string): Verdict {
  const ranked = lanes.filter((lane) => lane.ranked.length > 0);
  if (ranked.length === 0) return betaVerdict(`${title}: too few journeys to rank any carrier`);
  const byBest = Map.groupBy(ranked, (lane) => namesOf(bestOf(lane)));
  const [only = ''] = byBest.keys();
  if (byBest.size === 1 && ranked.length === lanes.length)
    return betaVerdict(`${only} least delayed on ${allOf(lanes)}`);
  const { start, words } = wordsFor(ranked);
  const parts = [...byBest].map(([names, on]) => `${names} ${words(on)}`);
  return betaVerdict(`Least delayed${start}: ${parts.join(', ')}`);
}

const allOf = (lanes: readonly unknown[]): string =>
  lanes.length === 1
    ? 'the only lane with an answer'
    : lanes.length === 2
      ? 'both lanes'
      : `all ${lanes.length} lanes`;

/** `from Shanghai: … to Rotterdam`, or `… on Shanghai → Rotterdam`; more than three such lanes are counted. */
function wordsFor(lanes: readonly Ends[]): { start: string; words: (on: readonly Ends[]) => string } {
  const only = (side: keyof Ends): Locode | undefined => {
    const [port, ...others] = new Set(lanes.map((lane) => lane[side]));
    return others.length === 0 ? port : undefined;
  };
  const [origin, destination] = [only('origin'), only('destination')];
  const named = (side: keyof Ends) => (on: readonly Ends[]) => listed(on.map((lane) => portName(lane[side])));
  if (origin) return { start: ` from ${portName(origin)}`, words: (on) => `to ${named('destination')(on)}` };
  if (destination)
    return { start: ` to ${portName(destination)}`, words: (on) => `from ${named('origin')(on)}` };
  if (lanes.length > 3) return { start: '', words: (on) => `on ${counted(on.length, 'lane')}` };
  return { start: '', words: (on) => `on ${listed(on.map(laneName))}` };
}

/** `Shanghai → Antwerp: Maersk, 12% (5 of 41) delayed`. */
function bestOn(lane: LaneStatistics): string {
  const best = bestOf(lane);
  const [{ destinationDelayed = 0, journeys = 0 } = {}] = best;
  const share =
    best.length === 1
      ? shareInWords(destinationDelayed, journeys)
      : percent(destinationDelayed / Math.max(1, journeys));
  const words =
    best.length > 0
      ? `${namesOf(best)}, ${destinationDelayed === 0 ? 'no delays' : `${share} delayed`}`
      : lane.unranked.length > 0
        ? 'too few journeys to rank any carrier'
        : 'no journeys returned';
  return `${laneName(lane)}: ${words}`;
}

const notAnswered = (lane: Ends): string => `🟠 ${laneName(lane)}: no answer`;

/** On how many lanes delays have clearly changed. */
function changesVerdict(lanes: readonly LaneVersus[], title: string): Verdict {
  const count = (wanted: string) =>
    lanes.filter(({ compared }) => compared.some(({ change }) => change === wanted)).length;
  const [more, fewer] = [count('more'), count('fewer')];
  if (lanes.length === 0) return betaVerdict(`${title}: no lane has an answer for both periods`);
  if (lanes.every(({ compared }) => compared.length === 0))
    return betaVerdict(`${title}: too few journeys to compare any carrier`);
  if (more + fewer === 0) return betaVerdict(`${title}: no clear change in delays`);
  const of = `of ${counted(lanes.length, 'lane')}`;
  const parts = [
    ...(more > 0 ? [`more delays on ${more} ${of}`] : []),
    ...(fewer > 0 ? [more > 0 ? `fewer on ${fewer}` : `fewer delays on ${fewer} ${of}`] : []),
  ];
  return betaVerdict(`${title}: clearly ${parts.join(', ')}`);
}

/** Bars side by side for the carriers that can be ranked on every lane: Slack draws no gaps. */
function chartOf(lanes: readonly LaneStatistics[]): ChartSection[] {
  const shares = lanes.map(({ ranked }) => new Map(ranked.map((row) => [row.carrier, row])));
  const [first] = lanes;
  const carriers = (first?.ranked ?? [])
    .map(({ carrier }) => carrier)
    .filter((scac) => shares.every((rows) => rows.has(scac)));
  if (carriers.length < 2 || lanes.length < 2) return [];
  const barOf = (rows: Map<Scac, CarrierStatistics> | undefined) => (scac: Scac) => {
    const { destinationDelayed = 0, journeys = 1 } = rows?.get(scac) ?? {};
    const ratio = destinationDelayed / journeys;
    return { value: Math.round(ratio * 100), text: percent(ratio) };
  };
  return [
    {
      kind: 'bars',
      title: 'Delayed at destination, % of journeys',
      categories: carriers.map(shortName),
      series: lanes.map((lane, index) => ({
        name: laneName(lane),
        bars: carriers.map(barOf(shares[index])),
      })),
      isInTable: true,
    },
  ];
}

function departureNotes({ lanes, fetchedAt }: Found<LaneStatistics>): string[] {
  const periods = lanes.flatMap(({ period }) => period ?? []);
  if (periods.length === 0) return [];
  const span = { begin: min(periods.map(({ begin }) => begin)), end: max(periods.map(({ end }) => end)) };
  return [`Departures ${departureDays(span, fetchedAt)}`];
}

const codeNotes = (lanes: readonly { insteadOf: readonly Locode[] }[]): string[] =>
  [...new Set(lanes.flatMap(({ insteadOf }) => insteadOf))].map((code) =>
    otherCodeNote(code, canonicalPort(code)),
  );

const refreshNotes = (unanswered: readonly unknown[]): string[] =>
  unanswered.length > 0 ? ['some lanes have no answer: press Refresh'] : [];

const withoutAnswer = (lane: Ends) => ({ ...lane, compared: [], unanswered: 'later' as const });

const theOtherWay = (line: string): AnswerAction => ({ label: 'The other way', line });
