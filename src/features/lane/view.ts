import type { CarrierStatistics, StatisticsAnswer } from '../../analytics/answers.ts';
import { sections, table } from '../../messages/blocks.ts';
import { otherCode } from '../../messages/formatting/other-code.ts';
import { share } from '../../messages/formatting/probability.ts';
import { dateRange } from '../../messages/formatting/times.ts';
import { answerMessage } from '../../messages/frame/answer-message.ts';
import { pageButtons, pageLine, shownNote } from '../../messages/frame/paging.ts';
import { joinWithin, limits, paged } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { carrierName } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/locode.ts';
import { canonicalPort, portLabel, portOf } from '../../reference/ports.ts';
import type { Scac } from '../../reference/scac.ts';

/** How the carriers of a lane performed: those ranked, then those with too few journeys. */
export interface LaneAnswer extends Omit<StatisticsAnswer, 'statistics'> {
  kind: 'lane-statistics';
  line: string;
  origin: Locode;
  destination: Locode;
  /** Codes that were asked for, where the service gives nothing for them: the above are others of the same ports. */
  insteadOf: readonly Locode[];
  /** 10 journeys or more, by the delayed share at the destination, lowest first. */
  ranked: readonly CarrierStatistics[];
  /** Under 10 journeys, most first. */
  unranked: readonly CarrierStatistics[];
  /** Asked for by name and not in the answer. */
  missing: readonly Scac[];
  /** As the service gave it back, half-open; as asked where it gave none; left out where neither is known. */
  period?: { begin: Date; end: Date };
  /** The service gave carriers different periods: `period` spans them all. */
  periodsDiffer: boolean;
  reverseLine: string;
  page: number;
}

const pageSize = 10;

export function laneStatisticsView(answer: LaneAnswer, reader: Reader): Message {
  const { origin, destination, line } = answer;
  const carriers = [...answer.ranked, ...answer.unranked];
  const page = paged(carriers, answer.page, pageSize);
  const offset = (page.page - 1) * pageSize;
  const lane = `${origin} → ${destination}`;
  const names = { origin: nameOf(origin), destination: nameOf(destination) };
  const shown = page.items.map((one, index) => ({
    one,
    ...(offset + index < answer.ranked.length && { rank: offset + index + 1 }),
  }));
  const top = [
    `*${lane}* ${names.origin} to ${names.destination} · BETA`,
    ...departures(answer, names.origin),
    ...(carriers.length === 0 ? ['*No journeys returned*'] : []),
  ];
  const rows = shown.map(carrierRow);
  return answerMessage(
    {
      text: joinWithin([`${lane}: ${verdict(answer)}`, ...textLines(answer)], '; ', limits.messageText - 200),
      body: [
        ...sections(top),
        ...(rows.length > 0 ? [table(columnsOf(answer), rows)] : []),
        ...sections(missingLine(answer)),
      ],
      plainBody: sections([
        ...top,
        ...shown.map((carrier) => carrierLines(carrier, names)),
        ...missingLine(answer),
      ]),
      notes: [
        ...(answer.ranked.length > 1 ? ['Ranked by the delayed share at the destination, lowest first'] : []),
        'Delayed against the original service schedule, per the provider',
        'Omission: a scheduled call that the ship did not make',
        'The provider refreshes these figures daily',
        ...answer.insteadOf.map((code) => otherCode(code, canonicalPort(code))),
        ...(answer.periodsDiffer ? ['the period differs from carrier to carrier'] : []),
        ...shownNote(page, pageSize),
      ],
      provenance: answer,
      actions: {
        line: pageLine(line, page.page),
        runs: pageButtons(line, page, pageSize),
        more: [
          { label: `The other way: ${destination} → ${origin}`, line: answer.reverseLine },
          ...[origin, destination].map((port) => ({
            label: `Who is coming to ${portLabel(port)}`,
            line: `portcalls ${port}`,
          })),
        ],
      },
    },
    reader,
  );
}

function departures({ period }: LaneAnswer, origin: string): string[] {
  if (!period) return [];
  // Half-open: a period that ends at midnight has the day before as its last.
  const lastMoment = new Date(Math.max(period.begin.getTime(), period.end.getTime() - 1));
  return [`Departures from ${origin} ${dateRange(period.begin, lastMoment, 'UTC')}, UTC`];
}

interface Names {
  origin: string;
  destination: string;
}

/** `rank` is left out below 10 journeys, where a share would say little. */
interface Shown {
  one: CarrierStatistics;
  rank?: number;
}

const columnsOf = ({ origin, destination }: LaneAnswer) =>
  [
    { header: 'Carrier' },
    { header: 'Journeys' },
    { header: `Delayed ${origin}` },
    { header: `Delayed ${destination}` },
    { header: `Omitted ${origin}` },
    { header: `Omitted ${destination}` },
  ] as const;

function carrierRow({ one, rank }: Shown): string[] {
  const { journeys } = one;
  const carrier = carrierLabel(one.carrier);
  const delayed = [one.originDelayed, one.destinationDelayed];
  return [
    rank === undefined ? carrier : `${rank} ${carrier}`,
    rank === undefined ? `${journeys}, too few to rank` : `${journeys}`,
    ...delayed.map((count) => (rank === undefined ? `${count}` : share(count, journeys))),
    `${one.originOmissions}`,
    `${one.destinationOmissions}`,
  ];
}

/** An em space: Slack and browsers fold plain spaces at the beginning of a line. */
const indent = '\u2003';

function carrierLines({ one, rank }: Shown, names: Names): string {
  const { journeys } = one;
  const count = journeysOf(one);
  const carrier = escaped(carrierLabel(one.carrier));
  const omitted = `${names.origin} ${one.originOmissions} · ${names.destination} ${one.destinationOmissions}`;
  if (rank === undefined) {
    const delayed = `${names.origin} ${one.originDelayed} · ${names.destination} ${one.destinationDelayed}`;
    return `${carrier} · ${count} · too few to rank\n${indent}Delayed: ${delayed} · Omitted calls: ${omitted}`;
  }
  const atOrigin = `${names.origin} ${share(one.originDelayed, journeys)}`;
  const atDestination = `${names.destination} ${share(one.destinationDelayed, journeys)}`;
  return [
    `*${rank} ${carrier}* · ${count}`,
    `${indent}Delayed: ${atOrigin} · ${atDestination}`,
    `${indent}Omitted calls: ${omitted}`,
  ].join('\n');
}

const journeysOf = ({ journeys }: CarrierStatistics): string =>
  `${journeys} ${journeys === 1 ? 'journey' : 'journeys'}`;

function missingLine({ missing }: LaneAnswer): string[] {
  if (missing.length === 0) return [];
  return [`${missing.map((scac) => escaped(carrierLabel(scac))).join(', ')}: no journeys returned`];
}

function verdict({ ranked, unranked, destination }: LaneAnswer): string {
  const [best] = ranked;
  if (best)
    return `least delayed ${carrierLabel(best.carrier)}, ${share(best.destinationDelayed, best.journeys)} at ${nameOf(destination)}`;
  return unranked.length > 0 ? 'too few journeys to rank any carrier' : 'no journeys returned';
}

function textLines({ ranked, unranked, missing }: LaneAnswer): string[] {
  return [
    ...ranked
      .slice(1)
      .map((one) => `${carrierLabel(one.carrier)} ${share(one.destinationDelayed, one.journeys)}`),
    ...unranked.map((one) => `${carrierLabel(one.carrier)} ${journeysOf(one)}, too few to rank`),
    ...missing.map((scac) => `${carrierLabel(scac)}: no journeys returned`),
  ].map(escaped);
}

/** `Maersk (MAEU)`, or the bare code. */
function carrierLabel(scac: Scac): string {
  const name = carrierName(scac);
  return name === undefined ? scac : `${name} (${scac})`;
}

function nameOf(port: Locode): string {
  return escaped(portOf(port)?.name ?? port);
}
