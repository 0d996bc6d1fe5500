import { sections } from '../../messages/blocks.ts';
import { isUndecided, percent } from '../../messages/formatting/probability.ts';
import { portTime, untilEta } from '../../messages/formatting/times.ts';
import { vesselListed, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { clip } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { portLabel, portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { FleetVessel } from './answer.ts';

export interface FleetNextPorts extends PagedAnswer {
  kind: 'fleet-next-ports';
  /** The provider's name for the list. */
  list?: string;
  /** `Fleet NORTH`, `Watched in this channel`. `group` and `list` are left out if the line names each vessel. */
  group?: string;
  vessels: readonly FleetVessel[];
}

export function fleetNextPortsView(answer: FleetNextPorts, reader: Reader): Message {
  if (answer.list !== undefined && answer.vessels.length === 0) return unknownList(answer, reader);
  const page = pageOf(answer, answer.vessels, { size: 20, reader });
  const title = heading(answer);
  const rows = page.items.map((vessel) => row(vessel, reader.now));
  const [first = 'none', ...others] = page.items.map((vessel) => inWords(vessel, reader));
  return page.message({
    texts: [`${title}: ${first}`, ...others],
    body: [
      ...sections([`*${title}*`]),
      ...dataTable({ caption: title, columns, rows, lines: rows.map(plainRow) }),
    ],
    notes: notes(answer, page.shownNote),
    more: page.items.slice(0, 5).map(({ vessel }) => ({
      label: `${vesselShort(vessel)}: all ports`,
      line: `nextport ${vessel.imo}`,
    })),
  });
}

const columns = [
  { header: 'Vessel' },
  { header: 'Next port' },
  { header: 'Probability', align: 'right' },
  { header: 'ETA' },
  { header: 'In' },
] as const;

function heading({ list, group, vessels }: FleetNextPorts): string {
  const count = counted(vessels.length, 'vessel');
  if (group !== undefined) return `${escaped(clip(group, 100))}, ${count} by ETA`;
  return list === undefined ? `Next ports of ${count}` : `List ${escaped(clip(list, 100))}, ${count} by ETA`;
}

function row({ vessel, top, failed }: FleetVessel, now: Date): string[] {
  const [first, second] = top;
  const name = vesselListed(vessel);
  if (failed) return [name, 'no answer', '–', '–', '–'];
  if (!first) return [name, 'no prediction', '–', '–', '–'];
  const undecided = isUndecided(first.probability, second?.probability);
  const port = portLabel(first.port);
  return [
    name,
    undecided && second ? `undecided: ${port} or ${portLabel(second.port)}` : port,
    percent(first.probability),
    first.eta ? portTime(first.eta, portOf(first.port)?.zone, now) : 'ETA not given',
    first.eta ? untilEta(first.eta, now) : '–',
  ];
}

function plainRow(cells: readonly string[]): string {
  const [name = '', ...rest] = cells.filter((cell) => cell !== '–');
  return `*${escaped(name)}* · ${rest.map(escaped).join(' · ')}`;
}

function inWords(answer: FleetVessel, { now }: Reader): string {
  const [, port, probability, eta] = row(answer, now).map(escaped);
  const name = escaped(vesselShort(answer.vessel));
  const hasPrediction = !answer.failed && answer.top.length > 0;
  return hasPrediction ? `${name} ${port} ${probability}, ${eta}` : `${name} ${port}`;
}

function notes({ vessels, list }: FleetNextPorts, shownNote: readonly string[]): string[] {
  const failed = vessels.filter((vessel) => vessel.failed).length;
  const byShipView = vessels.filter(({ endpoint, top }) => endpoint === 'ship' && top.length > 0);
  const zoneAssumed = vessels.some(({ top }) => top[0]?.eta && top[0].etaZone === 'assumed-utc');
  return [
    'Predicted, not reported',
    "each vessel's most probable port",
    ...(list === undefined && byShipView.length > 0
      ? [`ship view for ${byShipView.length} (the vessel view has no prediction)`]
      : []),
    ...(zoneAssumed ? ['zone assumed UTC for ETAs from the list view or ship view'] : []),
    ...(failed > 0 ? [`no answer for ${failed}: press Refresh`] : []),
    ...shownNote,
  ];
}

function unknownList(answer: FleetNextPorts, reader: Reader): Message {
  const name = escaped(clip(answer.list ?? '', 100));
  return pageOf(answer, [], { size: 1, reader }).message({
    texts: [`No list called ${name}; lists are kept by the provider`],
    body: sections([
      `*No list called ${name}*`,
      "Lists are kept by the provider; they can't be made here. A list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: `/nextport 9461477, 9755933`",
    ]),
    notes: ['list view'],
  });
}
