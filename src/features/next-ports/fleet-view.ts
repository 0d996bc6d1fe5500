import { formatListName } from '../../grammar/list-name.ts';
import { sections } from '../../messages/blocks.ts';
import { likelihoodMarker, percent } from '../../messages/formatting/probability.ts';
import { portTimeInColumn, untilEta, zonedTime } from '../../messages/formatting/times.ts';
import { vesselListed, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { clip } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../messages/rich-blocks.ts';
import { nextPorts } from '../../predictions/next-port.ts';
import { hasValidCheckDigit } from '../../reference/imo.ts';
import { portListed, portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { FleetVessel } from './answer.ts';
import { timeOf, zoneNotes } from './call-words.ts';
import { callInWords, fleetSubject, fleetVerdict, yourNextTime } from './fleet-verdict.ts';

export interface FleetNextPorts extends PagedAnswer {
  kind: 'fleet-next-ports';
  /** The provider's name for the list. */
  list?: string;
  /** The typed name of the list, if the service knows another spelling of it. */
  insteadOf?: string;
  /** Lists that the person may have meant, if there is no such list. */
  offered?: readonly string[];
  /** `Fleet NORTH`, `Watched here`. `group` and `list` are left out if the line names each vessel. */
  group?: string;
  /** By ETA. */
  vessels: readonly FleetVessel[];
  /** The line that watches these vessels. */
  watchLine?: string;
}

/** Rows of a table. */
export const vesselsPerPage = 30;

export function fleetNextPortsView(answer: FleetNextPorts, reader: Reader): Message {
  if (answer.list !== undefined && answer.vessels.length === 0) return unknownList(answer, reader);
  const { now } = reader;
  const page = pageOf(answer, answer.vessels, { size: vesselsPerPage, reader });
  const { verdict, until, counts, next } = fleetVerdict(answer, reader);
  const others = page.items.filter((vessel) => vessel !== next);
  return page.message({
    texts: [[verdict, ...until, ...counts].join(' · '), ...others.map((vessel) => callInWords(vessel, now))],
    body: [
      ...sections([[`*${verdict}*`, ...until, ...yourNextTime(next, reader), ...counts].join(' · ')]),
      ...dataTable({
        caption: `${fleetSubject(answer)}: next ports by ETA`,
        columns,
        rows: page.items.map((vessel) => row(vessel, now)),
        lines: page.items.map((vessel) => line(vessel, now)),
      }),
    ],
    notes: notes(answer, page.items, page.shownNote),
    ...(answer.watchLine !== undefined && { watch: answer.watchLine }),
    more: page.items
      // A line with a wrong check digit is refused.
      .filter(({ vessel }) => hasValidCheckDigit(vessel.imo))
      .slice(0, 5)
      .map(({ vessel }) => ({ label: `Ports of ${vesselShort(vessel)}`, line: `nextport ${vessel.imo}` })),
  });
}

/** The first two are all that a phone shows, so the port and its ETA share a column. */
const columns = [
  { header: 'Vessel' },
  { header: 'Next port, ETA (LT)' },
  { header: 'In' },
  { header: '%' },
  { header: 'ETA (UTC)' },
  { header: 'IMO' },
] as const;

function row({ vessel, top, failed }: FleetVessel, now: Date): Cell[] {
  const [first] = top;
  const name = vesselShort(vessel);
  const imo = hasValidCheckDigit(vessel.imo) ? `${vessel.imo}` : `${vessel.imo}, check digit wrong`;
  const imoCell = { value: vessel.imo, text: imo };
  if (!first) return [name, failed ? 'no answer' : 'no prediction', '–', '–', '–', imoCell];
  const { eta, port, probability } = first;
  const ports = portsOf(top);
  const percents = { value: probability, text: percentsOf(top) };
  if (!eta) return [name, `${ports} · ETA not given`, '–', percents, '–', imoCell];
  const byTime = (text: string) => ({ value: eta.getTime(), text });
  return [
    name,
    `${ports} · ${portTimeInColumn(eta, portOf(port)?.zone, now)}`,
    byTime(untilEta(eta, now)),
    percents,
    byTime(zonedTime(eta, 'UTC', now)),
    imoCell,
  ];
}

function line({ vessel, top, failed }: FleetVessel, now: Date): string {
  const name = escaped(vesselListed(vessel));
  const [first] = top;
  if (!first) return `• ${name}: ${failed ? 'no answer' : 'no prediction'}`;
  return [`• ${name} → ${escaped(portsOf(top))}`, percentsOf(top), ...timeOf(first, now)].join(' · ');
}

/** `🟠 Singapore SGSIN or Port Klang MYPKG`. */
function portsOf(top: FleetVessel['top']): string {
  const next = nextPorts(top);
  const [first] = next;
  const marker = (first && likelihoodMarker(first.probability)) || (next.length > 1 ? '🟠' : '');
  return [marker, next.map(({ port }) => portListed(port)).join(' or ')].filter(Boolean).join(' ');
}

const percentsOf = (top: FleetVessel['top']): string =>
  nextPorts(top)
    .map(({ probability }) => percent(probability))
    .join(' or ');

function notes(
  { vessels, list, insteadOf }: FleetNextPorts,
  shown: readonly FleetVessel[],
  shownNote: readonly string[],
): string[] {
  const firsts = shown.flatMap(({ top }) => top.slice(0, 1));
  const failed = vessels.filter((vessel) => vessel.failed).length;
  const byShipView = vessels.filter(({ endpoint, top }) => endpoint === 'ship' && top.length > 0).length;
  const invalid = vessels.filter(({ vessel }) => !hasValidCheckDigit(vessel.imo)).length;
  return [
    ...markerNote(shown),
    ...(list === undefined ? [] : ['list view']),
    ...otherNameNote(list, insteadOf),
    ...(list === undefined && byShipView > 0
      ? [`ship view for ${byShipView} (the vessel view has no prediction)`]
      : []),
    ...zoneNotes(firsts),
    ...(failed > 0 ? [`no answer for ${failed}: press Refresh`] : []),
    ...(invalid > 0 ? [`${invalid} with a wrong check digit, as given by the service`] : []),
    ...shownNote,
  ];
}

const otherNameNote = (list = '', insteadOf?: string): string[] =>
  insteadOf === undefined
    ? []
    : [`no list called ${escaped(clip(insteadOf, 100))}: this is ${escaped(clip(list, 100))}`];

function markerNote(shown: readonly FleetVessel[]): string[] {
  const ports = shown.map(({ top }) => portsOf(top));
  const legend = [
    ...(ports.some((words) => words.startsWith('🟠')) ? ['🟠 30–69% or undecided'] : []),
    ...(ports.some((words) => words.startsWith('⚪')) ? ['⚪ under 30%'] : []),
  ];
  return legend.length === 0 ? [] : [legend.join(', ')];
}

function unknownList(answer: FleetNextPorts, reader: Reader): Message {
  const verdict = `No list called ${escaped(clip(answer.list ?? '', 100))}; lists are kept by the provider`;
  return pageOf(answer, [], { size: 1, reader }).message({
    texts: [verdict],
    body: sections([
      `*${verdict}*`,
      "They can't be made here, and a list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: `/nextport 9461477, 9755933`",
    ]),
    notes: ['list view'],
    runs: (answer.offered ?? []).map((list) => ({
      label: `List ${list}`,
      line: `nextport ${formatListName(list)}`,
    })),
  });
}
