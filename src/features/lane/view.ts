import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import { sections } from '../../messages/blocks.ts';
import { share } from '../../messages/formatting/probability.ts';
import { dateRange } from '../../messages/formatting/times.ts';
import { counted } from '../../messages/formatting/words.ts';
import { otherCodeNote } from '../../messages/frame/small-print.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/locode.ts';
import { canonicalPort, portLabel, portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { LaneStatistics } from './answer.ts';

export interface LaneAnswer extends LaneStatistics, PagedAnswer {
  kind: 'lane-statistics';
  reverseLine: string;
}

export function laneStatisticsView(answer: LaneAnswer, reader: Reader): Message {
  const { origin, destination } = answer;
  const carriers = [...answer.ranked, ...answer.unranked];
  const page = pageOf(answer, carriers, { size: 10, reader });
  const lane = `${origin} → ${destination}`;
  const names = { origin: portNameOf(origin), destination: portNameOf(destination) };
  const shown = page.items.map((carrier, index) => {
    const rank = page.offset + index + 1;
    return { ...carrier, rank: rank <= answer.ranked.length ? rank : undefined };
  });
  const intro = [
    `*${lane}* ${names.origin} to ${names.destination} · BETA`,
    ...departures(answer, names.origin),
    ...(carriers.length === 0 ? ['*No journeys returned*'] : []),
  ];
  const [verdict, ...others] = textsOf(answer);
  return page.message({
    texts: [`${lane}: ${verdict}`, ...others],
    body: [
      ...sections(intro),
      ...dataTable({
        caption: `Carriers from ${origin} to ${destination}`,
        columns: columnsOf(answer),
        rows: shown.map(carrierRow),
        lines: shown.map((carrier) => carrierLines(carrier, names)),
      }),
      ...sections(missingLines(answer)),
    ],
    isForecast: false,
    notes: [
      ...(answer.ranked.length > 1 ? ['Ranked by the delayed share at the destination, lowest first'] : []),
      'Delayed against the original service schedule, per the provider',
      'Omission: a scheduled call that the ship did not make',
      'The provider refreshes these figures daily',
      ...answer.insteadOf.map((code) => otherCodeNote(code, canonicalPort(code))),
      ...(answer.periodsDiffer ? ['the period differs from carrier to carrier'] : []),
      ...page.shownNote,
    ],
    more: [
      { label: `The other way: ${destination} → ${origin}`, line: answer.reverseLine },
      ...[origin, destination].map((port) => ({
        label: `Who is coming to ${portLabel(port)}`,
        line: `portcalls ${port}`,
      })),
    ],
  });
}

function departures({ period }: LaneAnswer, origin: string): string[] {
  if (!period) return [];
  // The period is half-open: if it ends at midnight, the day before is its last.
  const lastMoment = new Date(Math.max(period.begin.getTime(), period.end.getTime() - 1));
  return [`Departures from ${origin} ${dateRange(period.begin, lastMoment, 'UTC')}, UTC`];
}

const columnsOf = ({ origin, destination }: LaneAnswer) =>
  [
    ...['Carrier', 'Journeys'],
    ...[`Delayed ${origin}`, `Delayed ${destination}`],
    ...[`Omitted ${origin}`, `Omitted ${destination}`],
  ].map((header) => ({ header }));

interface ListedCarrier extends CarrierStatistics {
  rank: number | undefined;
}

function carrierRow(carrier: ListedCarrier): string[] {
  const { rank, journeys, originOmissions, destinationOmissions } = carrier;
  const label = carrierLabel(carrier.carrier);
  return [
    rank === undefined ? label : `${rank} ${label}`,
    rank === undefined ? `${journeys}, too few to rank` : `${journeys}`,
    ...delaysOf(carrier),
    `${originOmissions}`,
    `${destinationOmissions}`,
  ];
}

/** At the origin and at the destination; shares only for ranked carriers. */
const delaysOf = ({ rank, journeys, originDelayed, destinationDelayed }: ListedCarrier): string[] =>
  [originDelayed, destinationDelayed].map((count) => (rank ? share(count, journeys) : `${count}`));

/** An em space, since Slack and browsers drop plain spaces at the beginning of a line. */
const indent = '\u2003';

function carrierLines(carrier: ListedCarrier, names: { origin: string; destination: string }): string {
  const { rank, originOmissions, destinationOmissions } = carrier;
  const label = escaped(carrierLabel(carrier.carrier));
  const journeys = journeysOf(carrier);
  const [originDelays, destinationDelays] = delaysOf(carrier);
  const delayed = `Delayed: ${names.origin} ${originDelays} · ${names.destination} ${destinationDelays}`;
  const omitted = `Omitted calls: ${names.origin} ${originOmissions} · ${names.destination} ${destinationOmissions}`;
  return rank === undefined
    ? `${label} · ${journeys} · too few to rank\n${indent}${delayed} · ${omitted}`
    : `*${rank} ${label}* · ${journeys}\n${indent}${delayed}\n${indent}${omitted}`;
}

const journeysOf = ({ journeys }: CarrierStatistics): string => counted(journeys, 'journey');

function missingLines({ missing }: LaneAnswer): string[] {
  if (missing.length === 0) return [];
  return [`${missing.map((scac) => escaped(carrierLabel(scac))).join(', ')}: no journeys returned`];
}

function textsOf({ ranked, unranked, missing, destination }: LaneAnswer): string[] {
  const [best, ...others] = ranked;
  const delayed = ({ destinationDelayed, journeys }: CarrierStatistics) =>
    share(destinationDelayed, journeys);
  const nothing = unranked.length > 0 ? 'too few journeys to rank any carrier' : 'no journeys returned';
  const port = portOf(destination)?.name ?? destination;
  return [
    best ? `least delayed ${carrierLabel(best.carrier)}, ${delayed(best)} at ${port}` : nothing,
    ...others.map((carrier) => `${carrierLabel(carrier.carrier)} ${delayed(carrier)}`),
    ...unranked.map((carrier) => `${carrierLabel(carrier.carrier)} ${journeysOf(carrier)}, too few to rank`),
    ...missing.map((scac) => `${carrierLabel(scac)}: no journeys returned`),
  ].map(escaped);
}

/** `Maersk (MAEU)`, or the bare code. */
function carrierLabel(scac: Scac): string {
  const name = carrierName(scac);
  return name === undefined ? scac : `${name} (${scac})`;
}

const portNameOf = (port: Locode): string => escaped(portOf(port)?.name ?? port);
