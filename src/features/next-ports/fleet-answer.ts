import { type Answer, watchThese } from '../../answers/answer.ts';
import { untilEta } from '../../answers/formatting/times.ts';
import { counted, likelihoodMarker, portsInWords, vesselShort } from '../../answers/formatting/words.ts';
import { eta, field, imoShown, port, probability, shown, vessel } from '../../answers/kinds.ts';
import { clip, paged } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { onlyInTable } from '../../answers/text.ts';
import { nextPorts } from '../../predictions/next-port.ts';
import { hasValidCheckDigit, type VesselGroup } from '../../reference/codes.ts';
import {
  comparisonOf,
  etaZone,
  type FleetPredictions,
  type FleetVessel,
  type ListPredictions,
  percents,
  portAndTime,
  secondForecast,
  utcTime,
  view,
  zoneNotes,
} from './predictions.ts';
import { fleetSubject, fleetVerdict } from './vessel-answer.ts';
import { formatList, formatVessel } from './words.ts';

type Row = Omit<FleetVessel, 'endpoint'> & { endpoint: FleetVessel['endpoint'] | 'list' };

export const vesselsTable = table<Row>({
  name: 'next-ports-of-vessels',
  about: 'A vessel with its most probable next port, by ETA',
  isOfService: true,
  columns: {
    vessel: vessel('Vessel', (row) => row.vessel),
    port: port('Next port, ETA (LT)', 'port', ({ top: [first] }) => first?.port, {
      words({ top, failed }, { now }) {
        const [first] = top;
        if (!first) return failed ? 'no answer' : 'no prediction';
        return portAndTime(portsOf(top), first, now);
      },
    }),
    in: shown('In', ({ top: [first] }, { now }) =>
      first?.eta ? { sort: first.eta.getTime(), text: untilEta(first.eta, now) } : '',
    ),
    probability: probability('%', 'from 0 to 1', ({ top: [first] }) => first?.probability, {
      words: ({ top }) => onlyInTable(percents(nextPorts(top))),
    }),
    eta: eta('ETA (UTC)', ({ top: [first] }) => first, {
      words: ({ top: [first] }, { now }) => utcTime(first?.eta, now),
    }),
    eta_zone: etaZone(({ top: [first] }) => first),
    imo_shown: imoShown('IMO', (row) => row.vessel),
    second_port: port(null, 'second port', ({ top: [, second] }) => second?.port),
    second_probability: field(
      'share',
      'of the second port, from 0 to 1',
      ({ top: [, second] }) => second?.probability,
    ),
    view: view(({ endpoint }) => endpoint),
    is_answered: field(
      'boolean',
      '`false` if the service did not answer for the vessel',
      ({ failed }) => !failed,
    ),
  },
});

/** Rows of a table. */
const vesselsPerPage = 30;

interface Asked {
  now: Date;
  page: number;
  /** What the button Watch would watch; left out for vessels that are watched. */
  watched?: VesselGroup;
}

/** Where several vessels will probably call next, by ETA. */
export function fleetAnswer(found: FleetPredictions, { now, page: asked, watched }: Asked): Answer {
  const { items, ...page } = paged(found.vessels, asked, vesselsPerPage);
  return {
    verdict: fleetVerdict(found, now),
    sections: [vesselsOf(found, items)],
    notes: notes(found, items),
    provenance: found,
    isForecast: true,
    page: { ...page, size: vesselsPerPage },
    actions: {
      watch: watched && watchThese(watched),
      more: items
        // A line with a wrong check digit is refused.
        .filter(({ vessel: { imo } }) => hasValidCheckDigit(imo))
        .slice(0, 5)
        .map(({ vessel: of }) => ({
          label: `Ports of ${vesselShort(of)}`,
          line: formatVessel({ imo: of.imo, page: 1 }),
        })),
    },
    comparison: comparisonOf(found.vessels),
  };
}

/** Refresh and Watch have the spelling that the service knows. */
export function listAnswer(found: ListPredictions, asked: Omit<Asked, 'watched'>): Answer {
  const line = formatList({ name: found.list, page: asked.page });
  if (found.vessels.length === 0) return { line, ...unknownList(found) };
  return { line, ...fleetAnswer(found, { ...asked, watched: { kind: 'list', name: found.list } }) };
}

function vesselsOf(found: FleetPredictions, onPage: readonly FleetVessel[] = found.vessels) {
  const { list, group = '', vessels } = found;
  const rowOf = (each: FleetVessel): Row => (list === undefined ? each : { ...each, endpoint: 'list' });
  return vesselsTable.of({
    caption: `${fleetSubject(found)}: next ports by ETA`,
    rows: vessels.map(rowOf),
    shown: onPage.map(rowOf),
    subject: [list ?? group],
  });
}

/** `🟠 Undecided: Singapore 48% or Port Klang 45%`. */
function portsOf(top: FleetVessel['top']): string {
  const next = nextPorts(top);
  const [first] = next;
  const marker = (first && likelihoodMarker(first.probability)) || (next.length > 1 ? '🟠' : '');
  return [marker, portsInWords(next)].filter(Boolean).join(' ');
}

function notes(
  { vessels, list, insteadOf }: FleetPredictions & Partial<ListPredictions>,
  onPage: readonly FleetVessel[],
): string[] {
  const firsts = onPage.flatMap(({ top }) => top.slice(0, 1));
  const failed = vessels.filter((each) => each.failed).length;
  const bySecond = vessels.filter(({ endpoint, top }) => endpoint === 'ship' && top.length > 0).length;
  const invalid = vessels.filter((each) => !hasValidCheckDigit(each.vessel.imo)).length;
  return [
    ...markerNote(onPage),
    ...otherNameNote(list, insteadOf),
    ...(list === undefined && bySecond > 0 ? [`${counted(bySecond, 'vessel')} from ${secondForecast}`] : []),
    ...zoneNotes(firsts),
    ...(failed > 0 ? [`no answer for ${failed}: press Refresh`] : []),
    ...(invalid > 0 ? [`${invalid} with a wrong check digit, as given by the service`] : []),
  ];
}

const otherNameNote = (list = '', insteadOf?: string): string[] =>
  insteadOf === undefined ? [] : [`no list called ${clip(insteadOf, 100)}: this is ${clip(list, 100)}`];

function markerNote(onPage: readonly FleetVessel[]): string[] {
  const ports = onPage.map(({ top }) => portsOf(top));
  const legend = [
    ...(ports.some((words) => words.startsWith('🟠')) ? ['🟠 30–69% or undecided'] : []),
    ...(ports.some((words) => words.startsWith('⚪')) ? ['⚪ under 30%'] : []),
  ];
  return legend.length === 0 ? [] : [legend.join(', ')];
}

function unknownList(found: ListPredictions): Answer {
  const { list, offered = [] } = found;
  return {
    verdict: {
      strong: `No list called ${clip(list, 100)}; lists are kept by the provider`,
      lines: [
        [
          "They can't be made here, and a list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: ",
          { code: '/nextport 9461477, 9755933' },
        ],
        ...(offered.length > 0 ? [`Lists that are watched here: ${offered.join(', ')}`] : []),
      ],
    },
    sections: [vesselsOf(found)],
    provenance: found,
    isForecast: true,
    actions: {
      runs: offered.map((name) => ({ label: `List ${name}`, line: formatList({ name, page: 1 }) })),
    },
    comparison: comparisonOf([]),
  };
}
