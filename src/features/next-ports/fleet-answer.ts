import type { Prediction } from '../../analytics/answers.ts';
import { type Answer, type AnswerAction, watchThese } from '../../answers/answer.ts';
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
import { formatVessel } from './words.ts';

type Row = Omit<FleetVessel, 'endpoint'> & { endpoint: FleetVessel['endpoint'] | 'list' };

/** The columns that the tables of several vessels share; `callIn`: the call that a row is about. */
export function vesselColumns<Of extends Row>(callIn: (row: Of) => Prediction | undefined) {
  return {
    vessel: vessel<Of>('Vessel', (row) => row.vessel),
    in: shown<Of>('In', (row, { now }) => {
      const time = callIn(row)?.eta;
      return time ? { sort: time.getTime(), text: untilEta(time, now) } : '';
    }),
    eta: eta<Of>('ETA (UTC)', callIn, { words: (row, { now }) => utcTime(callIn(row)?.eta, now) }),
    eta_zone: etaZone<Of>(callIn),
    imo_shown: imoShown<Of>('IMO', (row) => row.vessel),
    view: view<Of>(({ endpoint }) => endpoint),
    is_answered: field<Of>(
      'boolean',
      '`false` if the service did not answer for the vessel',
      ({ failed }) => !failed,
    ),
  };
}

const columns = vesselColumns<Row>(({ predictions: [first] }) => first);

export const vesselsTable = table<Row>({
  name: 'next-ports-of-vessels',
  about: 'A vessel with its most probable next port, by ETA',
  isOfService: true,
  columns: {
    vessel: columns.vessel,
    port: port('Next port, ETA (LT)', 'port', ({ predictions: [first] }) => first?.port, {
      words({ predictions, failed }, { now }) {
        const [first] = predictions;
        if (!first) return failed ? 'no answer' : 'no prediction';
        return portAndTime(portsOf(predictions), first, now);
      },
    }),
    in: columns.in,
    probability: probability('%', 'from 0 to 1', ({ predictions: [first] }) => first?.probability, {
      words: ({ predictions }) => onlyInTable(percents(nextPorts(predictions))),
    }),
    eta: columns.eta,
    eta_zone: columns.eta_zone,
    imo_shown: columns.imo_shown,
    second_port: port(null, 'second port', ({ predictions: [, second] }) => second?.port),
    second_probability: field(
      'share',
      'of the second port, from 0 to 1',
      ({ predictions: [, second] }) => second?.probability,
    ),
    view: columns.view,
    is_answered: columns.is_answered,
  },
});

/** Rows of a table. */
export const vesselsPerPage = 30;

export interface AskedPage {
  now: Date;
  page: number;
  /** What the button Watch would watch; left out for vessels that are watched. */
  watched?: VesselGroup;
}

/** Where several vessels will probably call next, by ETA. */
export function fleetAnswer(found: FleetPredictions, { now, page: asked, watched }: AskedPage): Answer {
  const { items, ...page } = paged(found.vessels, asked, vesselsPerPage);
  return {
    verdict: fleetVerdict(found, now),
    sections: [vesselsOf(found, items)],
    notes: notes(found, items),
    provenance: found,
    isForecast: true,
    page: { ...page, size: vesselsPerPage },
    actions: {
      about: fleetSubject(found),
      watch: watched && watchThese(watched),
      more: portsOfEach(items),
    },
    comparison: comparisonOf(found.vessels),
  };
}

/** The next ports of some of these vessels, as actions. */
export const portsOfEach = (vessels: readonly FleetVessel[]): AnswerAction[] =>
  vessels
    // A line with a wrong check digit is refused.
    .filter(({ vessel: { imo } }) => hasValidCheckDigit(imo))
    .slice(0, 5)
    .map(({ vessel: of }) => ({
      label: `Ports of ${vesselShort(of)}`,
      line: formatVessel({ imo: of.imo, page: 1 }),
    }));

export function vesselsOf(found: FleetPredictions, onPage: readonly FleetVessel[] = found.vessels) {
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
function portsOf(predictions: FleetVessel['predictions']): string {
  const next = nextPorts(predictions);
  const [first] = next;
  const marker = (first && likelihoodMarker(first.probability)) || (next.length > 1 ? '🟠' : '');
  return [marker, portsInWords(next)].filter(Boolean).join(' ');
}

function notes(found: FleetPredictions, onPage: readonly FleetVessel[]): string[] {
  return [
    ...markerNote(onPage),
    ...forecastNotes(
      found,
      onPage.flatMap(({ predictions }) => predictions.slice(0, 1)),
    ),
  ];
}

/** Which name and forecast were asked, and what is unknown of the predictions that are shown. */
export function forecastNotes(
  { vessels, list, insteadOf }: FleetPredictions & Partial<ListPredictions>,
  shownCalls: readonly Prediction[],
): string[] {
  const failed = vessels.filter((each) => each.failed).length;
  const bySecond = vessels.filter(
    ({ endpoint, predictions }) => endpoint === 'ship' && predictions.length > 0,
  ).length;
  const invalid = vessels.filter((each) => !hasValidCheckDigit(each.vessel.imo)).length;
  return [
    ...otherNameNote(list, insteadOf),
    ...(list === undefined && bySecond > 0 ? [`${counted(bySecond, 'vessel')} from ${secondForecast}`] : []),
    ...zoneNotes(shownCalls),
    ...(failed > 0 ? [`no answer for ${failed}: press Refresh`] : []),
    ...(invalid > 0 ? [`${invalid} with a wrong check digit, as given by the service`] : []),
  ];
}

const otherNameNote = (list = '', insteadOf?: string): string[] =>
  insteadOf === undefined ? [] : [`no list called ${clip(insteadOf, 100)}: this is ${clip(list, 100)}`];

const markerNote = (onPage: readonly FleetVessel[]): string[] =>
  markersIn(onPage.map(({ predictions }) => portsOf(predictions)));

/** What the markers mean that these words begin with. */
export function markersIn(ports: readonly string[]): string[] {
  const legend = [
    ...(ports.some((words) => words.startsWith('🟠')) ? ['🟠 30–69% or undecided'] : []),
    ...(ports.some((words) => words.startsWith('⚪')) ? ['⚪ under 30%'] : []),
  ];
  return legend.length === 0 ? [] : [legend.join(', ')];
}
