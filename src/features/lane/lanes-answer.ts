import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import type { Answer, AnswerAction, Verdict } from '../../answers/answer.ts';
import {
  counted,
  listed,
  percent,
  share as shareInWords,
  wilsonInterval,
} from '../../answers/formatting/words.ts';
import { otherCodeNote } from '../../answers/slack/answer-message.ts';
import type { Cell } from '../../answers/table.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import type { Locode } from '../../reference/codes.ts';
import { canonicalPort, portName } from '../../reference/ports.ts';
import {
  betaVerdict,
  type CarrierRow,
  carriersTable,
  definitions,
  departureDays,
  hasEnough,
  hasEqualShare,
  laneName,
  periodsInName,
  shortName,
  tooFew,
  withDeparturesUntil,
} from './answer.ts';
import { type Found, maxRequests } from './lanes.ts';
import { type SideRow, shareCell, shareOf, sideBySide } from './side-by-side.ts';
import {
  byAllJourneys,
  byChange,
  byDelayedShare,
  byJourneys,
  type LaneStatistics,
  minJourneys,
  totals,
} from './statistics.ts';
import { comparisonOf, type LaneVersus } from './versus.ts';
import {
  bothPeriods,
  type ComparedRow,
  changeIn,
  changeNotes,
  changesOn,
  comparedTable,
  markers,
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

/** The carriers side by side on several lanes, the least delayed first, whichever the lane. */
export function lanesAnswer(
  found: Found<LaneStatistics>,
  asked: Asked<{ reverse: string; versus: string }>,
): Answer {
  const { answered: lanes, failed } = found;
  const all = lanes.flatMap(rowsOn);
  const ranked = all.filter(hasEnough).sort(byDelayedShare);
  const others = all.filter((row) => !hasEnough(row)).sort(byJourneys);
  const count = lanes.length + failed.length;
  const canCompare = ranked.length > 0 && 2 * count <= maxRequests;
  return {
    ...sideBySide<ReturnType<typeof rowsOn>[number]>(found, asked, {
      ...{ ranked, others, tableOf: statisticsTable(lanes, [lanes[0].period ?? []].flat()) },
      columns: columnsOf(lanes),
      caption: `Delayed at destination, ${asked.title}`,
      othersTitle: (rest) => tooFew(rest, 'carrier'),
      cellOf: shareCell,
    }),
    verdict: {
      ...verdictOf(lanes, asked.title),
      lines: lanes.map(rankingOn),
      ...warningOf([notAnswered(failed)]),
    },
    firstNotes: [`${counted(count, 'lane')}, an API call each`],
    notes: [
      ...departureNotes(found),
      ...chanceNotes(lanes),
      ...(new Set(ranked.map(({ carrier }) => carrier)).size > 1
        ? ['carriers in the order of their lowest share on any lane']
        : []),
      ...definitions.slice(0, 1),
      ...codeNotes(lanes),
      ...refreshNotes(failed),
    ],
    actions: {
      about: asked.title,
      runs: canCompare ? [{ label: 'Versus previous', line: asked.lines.versus }] : [],
      more: [theOtherWay(asked.lines.reverse)],
    },
  };
}

/** The carriers side by side on several lanes in two periods, clear changes first. */
export function lanesVersusAnswer(found: Found<LaneVersus>, asked: Asked<VersusLines>): Answer {
  const { answered: lanes, failed } = found;
  const answered = lanes.filter(({ unanswered }) => unanswered === undefined);
  const onLane = <Row extends object>(lane: LaneVersus, rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, on: laneName(lane) }));
  const ranked = answered.flatMap((lane) => onLane(lane, lane.compared)).sort(byChange);
  const others = answered.flatMap((lane) => onLane(lane, lane.uncompared)).sort(byAllJourneys);
  const tableOf = (rows: readonly ComparedRow[], onPage = rows) =>
    comparedTable.of({
      caption: `Delays in both periods, ${asked.title}`,
      ...{ rows, shown: onPage, words: atEnds, subject: subjectOf(lanes) },
    });
  const [example] = answered;
  const count = lanes.length + failed.length;
  return {
    ...sideBySide<ComparedRow & SideRow>(found, asked, {
      ...{ ranked, others, tableOf, columns: columnsOf(lanes) },
      caption: `Delayed at destination, earlier → later, ${asked.title}`,
      othersTitle: (rest) => tooFewToCompare(rest, 'carrier'),
      cellOf: changeInCell,
    }),
    verdict: {
      ...changesVerdict(answered, asked.title),
      lines: [
        ...(example ? [bothPeriods(example)] : []),
        ...lanes.map((lane) => [lane.unanswered ? '🟠 ' : '', changesOn(lane).strong]),
      ],
      ...warningOf([
        notAnswered([...failed, ...lanes.filter((lane) => !answered.includes(lane))]),
        example && overlapWarning(example),
      ]),
    },
    files: [
      statisticsTable(lanes, [lanes[0].earlier, lanes[0].later])(lanes.flatMap(rowsInBoth)),
      tableOf([...ranked, ...others]),
    ],
    firstNotes: [`${counted(count, 'lane')} in two periods, ${2 * count} API calls`],
    notes: [
      ...changeNotes(answered, definitions.slice(0, 1)),
      ...codeNotes(lanes),
      ...refreshNotes([...failed, ...lanes.filter((lane) => !answered.includes(lane))]),
    ],
    comparison: comparisonOf([...lanes, ...failed.map(withoutAnswer)]),
    actions: {
      about: asked.title,
      runs: example ? periodActions(example, asked.lines) : [],
      more: [theOtherWay(asked.lines.reverse)],
    },
  };
}

type Ends = Record<'origin' | 'destination', Locode>;

const columnsOf = (lanes: readonly Ends[]) => {
  const headers = headersOf(lanes);
  return lanes.map((lane, at) => ({ on: laneName(lane), header: headers[at] ?? '' }));
};

/** `To Rotterdam` if all lanes come from one port. Six columns have no room for names on both sides. */
function headersOf(lanes: readonly Ends[]): string[] {
  const { origin, destination } = commonPorts(lanes);
  return lanes.map((lane) => {
    if (origin) return `To ${portName(lane.destination)}`;
    if (destination) return `From ${portName(lane.origin)}`;
    return lanes.length > 3 ? `${lane.origin} → ${lane.destination}` : laneName(lane);
  });
}

/** Those that all lanes share. */
function commonPorts(lanes: readonly Ends[]): { [Side in keyof Ends]: Locode | undefined } {
  const common = (side: keyof Ends) => {
    const [port, ...others] = new Set(lanes.map((lane) => lane[side]));
    return others.length === 0 ? port : undefined;
  };
  return { origin: common('origin'), destination: common('destination') };
}

const atEnds = { origin: 'at origin', destination: 'at destination' };

const subjectOf = (lanes: readonly Ends[]): string[] =>
  lanes.map(({ origin, destination }) => `${origin}-${destination}`);

/** The service may have several records of a carrier, such as one for each code of a port. */
const rowsOn = (lane: LaneStatistics) =>
  [...totals([...lane.ranked, ...lane.unranked]).values()].map(rowOn(lane));

const rowsInBoth = (lane: LaneVersus) =>
  [...lane.compared, ...lane.uncompared]
    .flatMap(({ earlier, later }) => [earlier, later].filter((each) => each !== undefined))
    .map(rowOn(lane));

const rowOn = (lane: Ends & { fetchedAt: Date }) => (row: CarrierStatistics) => ({
  ...withDeparturesUntil(lane.fetchedAt, row),
  ...{ on: laneName(lane), fetchedAt: lane.fetchedAt },
});

const statisticsTable =
  (lanes: Found<Ends & { fetchedAt: Date }>['answered'], periods: readonly TimeSpan[]) =>
  (rows: readonly CarrierRow[], onPage = rows) =>
    carriersTable.of({
      caption: 'Carriers by lane',
      ...{ rows, shown: onPage, words: atEnds, subject: subjectOf(lanes) },
      period: periodsInName(periods, lanes[0].fetchedAt),
      fetchedAt: ({ fetchedAt }) => fetchedAt,
    });

/** `🟠 8% → 50%`; counts instead of percent where there are too few journeys. */
function changeInCell(row: ComparedRow): Cell {
  const figures = [row.earlier, row.later].map((each) => (each ? shareOnly(each) : 'none'));
  const { destinationDelayed = 0, journeys = 0 } = row.later ?? {};
  return {
    sort: shareOf(destinationDelayed, journeys),
    text: `${markers[changeIn(row) ?? 'unclear']}${figures.join(' → ')}`,
  };
}

const shareOnly = ({ destinationDelayed, journeys }: CarrierStatistics): string =>
  journeys < minJourneys
    ? `${destinationDelayed} of ${journeys}`
    : percent(shareOf(destinationDelayed, journeys));

/** The carriers that share the first rank. */
function bestOn({ ranked }: LaneStatistics): string {
  const [best] = ranked;
  const equals = ranked.filter((other) => best && hasEqualShare(other, best));
  return equals.length > 3
    ? `${equals.length} carriers`
    : listed(equals.map(({ carrier }) => shortName(carrier)));
}

/** The least delayed carrier of each lane that has two to compare, together where it is the same. */
function verdictOf(lanes: readonly LaneStatistics[], title: string): Verdict {
  const ranked = lanes.filter((lane) => lane.ranked.length > 0);
  const compared = ranked.filter((lane) => lane.ranked.length > 1);
  const { start, words } = wordsFor(lanes);
  if (compared.length === 0) return onlyVerdict(ranked, lanes, title);
  const chance = chanceIn(compared);
  const [best, ...others] = new Set(compared.map(bestOn));
  if (others.length === 0 && compared.length === lanes.length)
    return betaVerdict(`${best} least delayed on ${allOf(lanes)}`, chance);
  if (others.length === 0 && !words)
    return betaVerdict(`${best} least delayed on ${compared.length} of ${lanes.length} lanes`, chance);
  if (!words) return betaVerdict(`${lanes.length} lanes: no carrier is least delayed on all`, chance);
  const parts = [...Map.groupBy(compared, bestOn)].map(([names, of]) => `${names} ${words(of)}`);
  return betaVerdict(`Least delayed${start}: ${parts.join(', ')}`, chance);
}

/** At most one carrier of each lane has enough journeys, perhaps since only one was asked about. */
function onlyVerdict(
  ranked: readonly LaneStatistics[],
  lanes: readonly LaneStatistics[],
  title: string,
): Verdict {
  const { start, words } = wordsFor(lanes);
  const [name, ...others] = new Set(ranked.map(bestOn));
  if (name === undefined) {
    const isEmpty = lanes.every(({ unranked }) => unranked.length === 0);
    return betaVerdict(
      `${title}: ${isEmpty ? 'no journeys returned' : 'too few journeys to rank any carrier'}`,
    );
  }
  if (others.length > 0) return betaVerdict(`${title}: too few journeys to compare carriers`);
  if (!words)
    return betaVerdict(
      `Only ${name} has enough journeys to rank, on ${ranked.length} of ${lanes.length} lanes`,
    );
  const shares = ranked.map((lane) => {
    const { destinationDelayed = 0, journeys = 0 } = lane.ranked[0] ?? {};
    return `${percent(shareOf(destinationDelayed, journeys))} ${words([lane])}`;
  });
  return betaVerdict(`${name} delayed${start}: ${shares.join(', ')}`);
}

const allOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'the only lane with an answer' : length === 2 ? 'both lanes' : `all ${length} lanes`;

/** `from Shanghai: … to Rotterdam`, or `… on Shanghai → Rotterdam`; there is no room for more than three such lanes. */
function wordsFor(lanes: readonly Ends[]): { start: string; words?: (on: readonly Ends[]) => string } {
  const { origin, destination } = commonPorts(lanes);
  const portsOn = (on: readonly Ends[], side: keyof Ends) => listed(on.map((lane) => portName(lane[side])));
  if (origin)
    return { start: ` from ${portName(origin)}`, words: (on) => `to ${portsOn(on, 'destination')}` };
  if (destination)
    return { start: ` to ${portName(destination)}`, words: (on) => `from ${portsOn(on, 'origin')}` };
  if (lanes.length > 3) return { start: '' };
  return { start: '', words: (on) => `on ${listed(on.map(laneName))}` };
}

const maxNamed = 3;

/** `Shanghai → Antwerp: Maersk 12%, MSC 15%`. */
function rankingOn(lane: LaneStatistics): string {
  const { ranked, unranked } = lane;
  const shares = ranked
    .slice(0, maxNamed)
    .map(
      ({ carrier, destinationDelayed, journeys }) =>
        `${shortName(carrier)} ${ranked.length === 1 ? shareInWords(destinationDelayed, journeys) : percent(shareOf(destinationDelayed, journeys))}`,
    );
  const more = ranked.length > maxNamed ? [`${ranked.length - maxNamed} more`] : [];
  const reason = unranked.length > 0 ? 'too few journeys to rank any carrier' : 'no journeys returned';
  const words = ranked.length === 1 ? `only ${shares[0]}` : [...shares, ...more].join(', ');
  return `${laneName(lane)}: ${words === '' ? reason : words}`;
}

/** A lane in two periods may lack the answer for one of them. */
const notAnswered = (lanes: readonly Ends[]): string | undefined =>
  lanes.length === 0 ? undefined : `🟠 No answer for ${lanes.map(laneName).join(', ')}`;

const warningOf = (parts: readonly (string | undefined)[]): Pick<Verdict, 'warning'> => {
  const words = parts.filter((part) => part !== undefined);
  return words.length === 0 ? {} : { warning: words.join(' · ') };
};

/** Says on how many lanes delays have clearly changed. */
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

function departureNotes({ answered: lanes, fetchedAt }: Found<LaneStatistics>): string[] {
  const periods = lanes.flatMap(({ period }) => period ?? []);
  if (periods.length === 0) return [];
  const span = { begin: min(periods.map(({ begin }) => begin)), end: max(periods.map(({ end }) => end)) };
  return [`Departures ${departureDays(span, fetchedAt)}`];
}

/** The lanes where the 95% intervals of the two least delayed carriers overlap. */
const uncertain = (compared: readonly LaneStatistics[]): readonly LaneStatistics[] =>
  compared.filter(({ ranked: [best, second] }) => {
    const [one, other] = [best, second].map(
      (each) => each && wilsonInterval(each.destinationDelayed, each.journeys),
    );
    return one && other && one.high >= other.low;
  });

/** `; the lead may be chance on 5 of them`. */
function chanceIn(compared: readonly LaneStatistics[]): string {
  const { length } = uncertain(compared);
  if (length === 0) return '';
  const on = length === compared.length ? '' : ` on ${length} of them`;
  return `; the lead may be chance${on}`;
}

const chanceNotes = (lanes: readonly LaneStatistics[]): string[] =>
  uncertain(lanes).length > 0
    ? ['the lead may be chance where the 95% intervals (Wilson) of the two least delayed carriers overlap']
    : [];

const codeNotes = (lanes: readonly { insteadOf: readonly Locode[] }[]): string[] =>
  [...new Set(lanes.flatMap(({ insteadOf }) => insteadOf))].map((code) =>
    otherCodeNote(code, canonicalPort(code)),
  );

const refreshNotes = (unanswered: readonly unknown[]): string[] =>
  unanswered.length > 0 ? ['some lanes have no answer: press Refresh'] : [];

const withoutAnswer = (lane: Ends) => ({ ...lane, compared: [], unanswered: 'later' as const });

const theOtherWay = (line: string): AnswerAction => ({ label: 'The other way', line });
