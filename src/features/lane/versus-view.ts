import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { context, sections } from '../../messages/blocks.ts';
import { percent, share } from '../../messages/formatting/probability.ts';
import { counted } from '../../messages/formatting/words.ts';
import { otherCodeNote } from '../../messages/frame/small-print.ts';
import { clip } from '../../messages/limits.ts';
import type { Message, Piece, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { type Cell, container, dataTable, groupedBarChart } from '../../messages/rich-blocks.ts';
import { canonicalPort, portLabel, portName } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import { minJourneys } from './answer.ts';
import { carrierLabel, indent, interval, ratio, shareCell, shortName } from './carrier-words.ts';
import type { ComparedCarrier, UncomparedCarrier } from './compare-carriers.ts';
import { departureDays } from './departure-days.ts';
import type { LaneVersus } from './versus.ts';
import { versusVerdict } from './versus-verdict.ts';
import { carrierInWords, carriersPerPage, definitions, laneFigures } from './view.ts';

export interface LaneVersusAnswer extends LaneVersus, PagedAnswer {
  kind: 'lane-versus';
  reverseLine: string;
  /** Each period alone. */
  earlierLine: string;
  laterLine: string;
}

/** The carriers of a lane in two periods. Only clear changes are marked: those whose 95% intervals don't overlap. */
export function laneVersusView(answer: LaneVersusAnswer, reader: Reader): Message {
  const { missing } = answer;
  const page = pageOf(answer, [...answer.compared, ...answer.uncompared], { size: carriersPerPage, reader });
  const compared = page.items.filter((item): item is ComparedCarrier => 'change' in item);
  const uncompared = page.items.filter((item) => !('change' in item));
  const { bold, rest } = versusVerdict(answer);
  const periods = periodsOf(answer);
  const missingLines = missing.map((scac) => `${escaped(carrierLabel(scac))}: no journeys returned`);
  return page.message({
    texts: [
      `${escaped(bold)}${escaped(rest)}`,
      ...periods,
      ...[...compared.map(inWords), ...uncompared.map((each) => uncomparedInWords(each, answer))].map(
        escaped,
      ),
      ...missingLines,
    ],
    body: [
      ...sections([`*${escaped(bold)}*${escaped(rest)}`, ...periods]),
      ...warnings(answer),
      ...figures(answer, { compared, uncompared }),
      ...sections(missingLines),
    ],
    isForecast: false,
    notes: [...notes(answer), ...page.shownNote],
    ...buttons(answer),
  });
}

/** Each period alone, and the same for the other way. */
function buttons(answer: LaneVersusAnswer) {
  const { origin, destination, unanswered, earlier, later, fetchedAt } = answer;
  const show = (span: TimeSpan, line: string) => ({ label: `Show ${departureDays(span, fetchedAt)}`, line });
  return {
    runs: [
      ...(unanswered === 'later' ? [] : [show(later, answer.laterLine)]),
      ...(unanswered === 'earlier' ? [] : [show(earlier, answer.earlierLine)]),
    ],
    more: [
      { label: `The other way: ${destination} → ${origin}`, line: answer.reverseLine },
      ...[origin, destination].map((port) => ({
        label: `Who is coming to ${portLabel(port)}`,
        line: `portcalls ${port}`,
      })),
    ],
  };
}

/** Of the period that was answered, if the other one was not. */
function figures(
  answer: LaneVersusAnswer,
  { compared, uncompared }: { compared: ComparedCarrier[]; uncompared: UncomparedCarrier[] },
): Piece[] {
  const { only } = answer;
  if (only) {
    const answered = new Set(uncompared.map(({ carrier }) => carrier));
    const isShown = ({ carrier }: CarrierStatistics) => answered.has(carrier);
    return laneFigures(only, {
      ranked: only.ranked.filter(isShown),
      unranked: only.unranked.filter(isShown),
    });
  }
  return [
    ...chartOf(compared, answer),
    ...dataTable({
      caption: `Delays at ${portName(answer.destination)} in both periods`,
      columns: columnsOf(answer),
      rows: compared.map(row),
      lines: compared.map((carrier) => comparedLines(carrier, answer)),
    }),
    ...uncomparedCarriers(answer, uncompared),
  ];
}

/** `Earlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026`; the verdict names them if one has no answer. */
const periodsOf = ({ earlier, later, fetchedAt, unanswered }: LaneVersusAnswer): string[] =>
  unanswered === undefined
    ? [`Earlier: ${departureDays(earlier, fetchedAt)} · later: ${departureDays(later, fetchedAt)}`]
    : [];

/** Journeys that count twice make the periods look more alike than they are, so a mark is still sound. */
const warnings = ({ overlap, unanswered, fetchedAt }: LaneVersusAnswer): Piece[] =>
  overlap && unanswered === undefined
    ? [
        context(
          `🟠 ${departureDays(overlap, fetchedAt)} is in both periods, so they differ less than they could`,
        ),
      ]
    : [];

const columnsOf = ({ origin, destination }: LaneVersusAnswer) =>
  [
    ...['Carrier', `Delayed ${destination}`, 'Change', 'Earlier', '95% earlier', 'Later', '95% later'],
    ...[`Delayed ${origin}`, `Omitted ${origin}`, `Omitted ${destination}`],
  ].map((header) => ({ header }));

/** The first two cells are all that a phone shows. */
function row({ carrier, earlier, later, change, difference }: ComparedCarrier): Cell[] {
  const omissions = (count: (statistics: CarrierStatistics) => number): Cell => ({
    value: count(later),
    text: `${count(earlier)} → ${count(later)}`,
  });
  return [
    `${marker(change)}${carrierLabel(carrier)}`,
    { value: delayed(later), text: fromTo(earlier, later) },
    { value: difference, text: points(earlier, later) },
    shareCell(earlier.destinationDelayed, earlier.journeys),
    interval(earlier),
    shareCell(later.destinationDelayed, later.journeys),
    interval(later),
    {
      value: ratio(later.originDelayed, later.journeys),
      text: [earlier, later].map((each) => percent(ratio(each.originDelayed, each.journeys))).join(' → '),
    },
    omissions(({ originOmissions }) => originOmissions),
    omissions(({ destinationOmissions }) => destinationOmissions),
  ];
}

const marker = (change: ComparedCarrier['change']): string =>
  ({ more: '🟠 ', fewer: '⚪ ', unclear: '' })[change];

const delayed = ({ destinationDelayed, journeys }: CarrierStatistics): number =>
  Math.min(1, ratio(destinationDelayed, journeys));

const fromTo = (earlier: CarrierStatistics, later: CarrierStatistics): string =>
  `${percent(delayed(earlier))} → ${percent(delayed(later))}`;

/** `+17 points`: the difference of the whole percents that stand beside it. */
function points(earlier: CarrierStatistics, later: CarrierStatistics): string {
  const [before = 0, after = 0] = [earlier, later].map((each) => Math.round(delayed(each) * 100));
  const difference = after - before;
  return `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${counted(Math.abs(difference), 'point')}`;
}

const changeWords: Record<ComparedCarrier['change'], string> = {
  more: 'more delays',
  fewer: 'fewer delays',
  unclear: 'no clear change',
};

function inWords({ carrier, earlier, later, change }: ComparedCarrier): string {
  return `${carrierLabel(carrier)} ${fromTo(earlier, later)}, ${changeWords[change]}`;
}

function comparedLines(compared: ComparedCarrier, { origin, destination }: LaneVersusAnswer): string {
  const { carrier, earlier, later, change } = compared;
  const shares = [earlier, later].map((each) => share(each.destinationDelayed, each.journeys)).join(' → ');
  const elsewhere = [earlier, later].map((each) => share(each.originDelayed, each.journeys)).join(' → ');
  const omitted = [
    `${portName(origin)} ${earlier.originOmissions} → ${later.originOmissions}`,
    `${portName(destination)} ${earlier.destinationOmissions} → ${later.destinationOmissions}`,
  ];
  return [
    `${marker(change)}${carrierLabel(carrier)} · ${changeWords[change]} (${points(earlier, later)})`,
    `${indent}delayed: ${portName(destination)} ${shares}, 95% intervals ${interval(earlier)} and ${interval(later)}`,
    `${indent}${portName(origin)} ${elsewhere} · omitted calls: ${omitted.join(', ')}`,
  ]
    .map(escaped)
    .join('\n');
}

/** Under a title to click on, unless there is nothing else to see. */
function uncomparedCarriers(answer: LaneVersusAnswer, shown: readonly UncomparedCarrier[]): Piece[] {
  const lines = shown.map((carrier) => escaped(uncomparedLine(carrier, answer)));
  if (answer.compared.length === 0) return sections(lines);
  const count = counted(answer.uncompared.length, 'carrier');
  return container({
    title: `${count} with too few to compare (under ${minJourneys} journeys in a period)`,
    body: sections(lines),
  });
}

/** Without shares, which say little of so few journeys. */
function uncomparedLine(uncompared: UncomparedCarrier, { origin, destination }: LaneVersusAnswer): string {
  const change = (count: (statistics: CarrierStatistics) => number) => changeOf(uncompared, count);
  const [from, to] = [portName(origin), portName(destination)];
  return [
    carrierLabel(uncompared.carrier),
    journeysOf(uncompared),
    `delayed: ${to} ${change((each) => each.destinationDelayed)}, ${from} ${change((each) => each.originDelayed)}`,
    `omitted calls: ${to} ${change((each) => each.destinationOmissions)}, ${from} ${change((each) => each.originOmissions)}`,
  ].join(' · ');
}

/** `4 → 12 journeys`, `none earlier, 12 journeys later`. */
function journeysOf(uncompared: UncomparedCarrier): string {
  const [before, after] = [uncompared.earlier, uncompared.later].map((each) => each?.journeys ?? 0);
  if (!before) return `none earlier, ${counted(after ?? 0, 'journey')} later`;
  if (!after) return `${counted(before, 'journey')} earlier, none later`;
  return `${before.toLocaleString('en')} → ${counted(after, 'journey')}`;
}

function uncomparedInWords(uncompared: UncomparedCarrier, { unanswered }: LaneVersusAnswer): string {
  const alone = unanswered && (uncompared.earlier ?? uncompared.later);
  if (alone) return carrierInWords(alone);
  return `${carrierLabel(uncompared.carrier)} ${journeysOf(uncompared)}, too few to compare`;
}

/** `2 → 0`; a single count if the carrier is in one period only. */
function changeOf(
  { earlier, later }: UncomparedCarrier,
  count: (statistics: CarrierStatistics) => number,
): string {
  return [earlier, later].flatMap((each) => (each ? [count(each).toLocaleString('en')] : [])).join(' → ');
}

/** The verdict says all about a single carrier. */
function chartOf(compared: readonly ComparedCarrier[], { destination }: LaneVersusAnswer): Piece[] {
  if (compared.length < 2) return [];
  const series = (name: string, of: (carrier: ComparedCarrier) => CarrierStatistics) => ({
    name,
    bars: compared.map((carrier) => ({
      value: Math.round(delayed(of(carrier)) * 100),
      text: percent(delayed(of(carrier))),
    })),
  });
  return groupedBarChart({
    title: `Delayed at ${clip(portName(destination), 20)}, % of journeys`,
    categories: compared.map(({ carrier }) => shortName(carrier)),
    series: [series('Earlier', ({ earlier }) => earlier), series('Later', ({ later }) => later)],
  });
}

function notes(answer: LaneVersusAnswer): string[] {
  const { origin, destination, insteadOf, compared, uncompared, unanswered, isRecent, periodsDiffer } =
    answer;
  const isClear = (wanted: ComparedCarrier['change']) => compared.some(({ change }) => change === wanted);
  return [
    ...(isClear('more') ? ['🟠 clearly more delays'] : []),
    ...(isClear('fewer') ? ['⚪ clearly fewer'] : []),
    ...(compared.length > 0
      ? [
          'a change is clear if the 95% intervals (Wilson) of the delayed shares do not overlap; else it may be chance',
        ]
      : []),
    ...(compared.length === 0 && uncompared.length > 0 && unanswered === undefined
      ? [`compared from ${minJourneys} journeys on in each period`]
      : []),
    ...definitions,
    ...(isRecent ? ['how journeys still under way are counted is not documented'] : []),
    ...(periodsDiffer ? ['the periods differ from carrier to carrier'] : []),
    `${origin} → ${destination}, by departure`,
    ...insteadOf.map((code) => otherCodeNote(code, canonicalPort(code))),
  ];
}
