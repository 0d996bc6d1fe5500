import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import { sections } from '../../messages/blocks.ts';
import { percent, share } from '../../messages/formatting/probability.ts';
import { wilsonInterval } from '../../messages/formatting/wilson-interval.ts';
import { counted } from '../../messages/formatting/words.ts';
import { otherCodeNote } from '../../messages/frame/small-print.ts';
import { clip } from '../../messages/limits.ts';
import type { Message, Piece, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { barChart, type Cell, container, dataTable } from '../../messages/rich-blocks.ts';
import { carrierName } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/locode.ts';
import { canonicalPort, portLabel, portName } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import { type LaneStatistics, minJourneys } from './answer.ts';
import { carrierLabel, countCell, indent, interval, ratio, shareCell } from './carrier-words.ts';
import { departureDays } from './departure-days.ts';
import { laneVerdict } from './verdict.ts';

export interface LaneAnswer extends LaneStatistics, PagedAnswer {
  kind: 'lane-statistics';
  reverseLine: string;
  /** Compares the period with the one before it. */
  versusLine: string;
}

/** Slack's limit of a chart. The lines of as many carriers fit in the plain message. */
export const carriersPerPage = 20;

export function laneStatisticsView(answer: LaneAnswer, reader: Reader): Message {
  const { origin, destination, missing } = answer;
  const page = pageOf(answer, [...answer.ranked, ...answer.unranked], { size: carriersPerPage, reader });
  const ranked = page.items.slice(0, Math.max(0, answer.ranked.length - page.offset));
  const unranked = page.items.slice(ranked.length);
  const { bold, rest } = laneVerdict(answer);
  const missingLines = missing.map((scac) => `${escaped(carrierLabel(scac))}: no journeys returned`);
  return page.message({
    texts: [`${bold}${rest}`, ...ranked.map(carrierInWords), ...unranked.map(carrierInWords)]
      .map(escaped)
      .concat(missingLines),
    body: [
      ...sections([`*${escaped(bold)}*${escaped(rest)}`]),
      ...laneFigures(answer, { ranked, unranked }),
      ...sections(missingLines),
    ],
    isForecast: false,
    notes: [...notes(answer), ...page.shownNote],
    runs: answer.ranked.length > 0 ? [{ label: 'Versus previous', line: answer.versusLine }] : [],
    more: [
      { label: `The other way: ${destination} → ${origin}`, line: answer.reverseLine },
      ...[origin, destination].map((port) => ({
        label: `Who is coming to ${portLabel(port)}`,
        line: `portcalls ${port}`,
      })),
    ],
  });
}

/** The carriers of one page. */
export const laneFigures = (
  answer: LaneStatistics,
  { ranked, unranked }: Pick<LaneStatistics, 'ranked' | 'unranked'>,
): Piece[] => [
  ...chartOf(ranked, answer.destination),
  ...dataTable({
    caption: `Carriers by delays at ${portName(answer.destination)}`,
    columns: columnsOf(answer),
    rows: ranked.map(carrierRow),
    lines: ranked.map((carrier) => carrierLines(carrier, answer)),
  }),
  ...unrankedCarriers(answer, unranked),
];

/** What the figures mean. */
export const definitions = [
  'delayed against the original service schedule, per the provider',
  'omission: a scheduled call that the ship did not make',
];

/** Under a title to click on, unless there is nothing else to see. */
function unrankedCarriers(answer: LaneStatistics, shown: readonly CarrierStatistics[]): Piece[] {
  const lines = shown.map((carrier) => unrankedLine(carrier, answer));
  if (answer.ranked.length === 0) return sections(lines);
  const count = counted(answer.unranked.length, 'carrier');
  return container({
    title: `${count} with too few to rank (under ${minJourneys} journeys)`,
    body: sections(lines),
  });
}

const columnsOf = ({ origin, destination }: LaneStatistics) =>
  [
    ...['Carrier', `Delayed ${destination}`, '95%', 'Journeys', `Delayed ${origin}`],
    ...[`Omitted ${origin}`, `Omitted ${destination}`],
  ].map((header) => ({ header }));

/** Omissions are plain counts: they count port calls, not journeys. */
function carrierRow(carrier: CarrierStatistics): Cell[] {
  const { journeys, originDelayed, destinationDelayed, originOmissions, destinationOmissions } = carrier;
  return [
    carrierLabel(carrier.carrier),
    shareCell(destinationDelayed, journeys),
    { value: wilsonInterval(destinationDelayed, journeys).high, text: interval(carrier) },
    countCell(journeys),
    shareCell(originDelayed, journeys),
    countCell(originOmissions),
    countCell(destinationOmissions),
  ];
}

function carrierLines(carrier: CarrierStatistics, lane: LaneStatistics): string {
  const { journeys, originDelayed, destinationDelayed } = carrier;
  const [origin, destination] = [portName(lane.origin), portName(lane.destination)].map(escaped);
  const delayed = `${share(destinationDelayed, journeys)}, 95% interval ${interval(carrier)}`;
  return [
    `${escaped(carrierLabel(carrier.carrier))} · ${counted(journeys, 'journey')}`,
    `${indent}delayed: ${destination} ${delayed} · ${origin} ${share(originDelayed, journeys)}`,
    `${indent}${omissions(carrier, lane)}`,
  ].join('\n');
}

/** Without shares, which say little of so few journeys. */
function unrankedLine(carrier: CarrierStatistics, lane: LaneStatistics): string {
  const { journeys, originDelayed, destinationDelayed } = carrier;
  const [origin, destination] = [portName(lane.origin), portName(lane.destination)].map(escaped);
  return [
    escaped(carrierLabel(carrier.carrier)),
    counted(journeys, 'journey'),
    `delayed: ${destination} ${destinationDelayed}, ${origin} ${originDelayed}`,
    omissions(carrier, lane),
  ].join(' · ');
}

function omissions(carrier: CarrierStatistics, { origin, destination }: LaneStatistics): string {
  const { originOmissions, destinationOmissions } = carrier;
  return `omitted calls: ${escaped(portName(destination))} ${destinationOmissions}, ${escaped(portName(origin))} ${originOmissions}`;
}

/** One bar would compare nothing. */
function chartOf(ranked: readonly CarrierStatistics[], destination: Locode): Piece[] {
  if (ranked.length < 2) return [];
  return barChart({
    title: `Delayed at ${clip(portName(destination), 20)}, % of journeys`,
    series: 'Delayed journeys, %',
    bars: ranked.map(({ carrier, destinationDelayed, journeys }) => ({
      label: carrierName(carrier) ?? carrier,
      value: Math.round(ratio(destinationDelayed, journeys) * 100),
      text: percent(ratio(destinationDelayed, journeys)),
    })),
  });
}

function notes(answer: LaneAnswer): string[] {
  const { origin, destination, ranked, unranked, insteadOf, periodsDiffer } = answer;
  return [
    ...departures(answer),
    ...definitions,
    ...(ranked.length === 0 && unranked.length > 0 ? [`ranked from ${minJourneys} journeys on`] : []),
    ...(ranked.length > 0 ? ['95%: Wilson interval of the delayed share'] : []),
    `${origin} → ${destination}`,
    ...insteadOf.map((code) => otherCodeNote(code, canonicalPort(code))),
    ...(periodsDiffer ? ['the period differs from carrier to carrier'] : []),
  ];
}

const departures = ({ period, fetchedAt }: LaneAnswer): string[] =>
  period ? [`Departures ${departureDays(period, fetchedAt)}`] : [];

/** `Maersk (MAEU) 14% (5 of 37)`. */
export function carrierInWords({ carrier, journeys, destinationDelayed }: CarrierStatistics): string {
  return journeys < minJourneys
    ? `${carrierLabel(carrier)} ${counted(journeys, 'journey')}, too few to rank`
    : `${carrierLabel(carrier)} ${share(destinationDelayed, journeys)}`;
}
