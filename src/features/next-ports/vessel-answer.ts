import { millisecondsInDay } from 'date-fns/constants';
import type { Prediction } from '../../analytics/answers.ts';
import {
  type Answer,
  type AnswerAction,
  callsAt,
  copyForCustomer,
  type Verdict,
  watchThese,
} from '../../answers/answer.ts';
import { untilEta, zonedTime } from '../../answers/formatting/times.ts';
import {
  counted,
  type KnownVessel,
  nextInWords,
  percent,
  rivalInWords,
  vesselShort,
} from '../../answers/formatting/words.ts';
import { eta, port, probability, shown, vessel } from '../../answers/kinds.ts';
import { clip, paged } from '../../answers/message.ts';
import { type Cell, table } from '../../answers/table.ts';
import { forMembers, onlyInTable } from '../../answers/text.ts';
import { isUndecided, nextPorts, rivalOf } from '../../predictions/next-port.ts';
import { isPortGroup, type Locode, type PortOrGroup } from '../../reference/codes.ts';
import { portName, portOf, samePort } from '../../reference/ports.ts';
import type { Met } from '../promises/index.ts';
import {
  after,
  etaInWords,
  etaZone,
  type FleetPredictions,
  type FleetVessel,
  forecastOf,
  imoNote,
  inOwnZone,
  nextCall,
  portAndPercent,
  secondForecast,
  timeOf,
  type VesselPredictions,
  vesselNotes,
  view,
  zoneNotes,
} from './predictions.ts';
import { formatCompare, formatHistory, formatMap, formatVessel } from './words.ts';

interface Candidate extends Pick<VesselPredictions, 'vessel' | 'endpoint'> {
  prediction: Prediction;
  /** From 1. */
  rank: number;
}

export const candidatesTable = table<Candidate>({
  name: 'next-ports',
  about: 'A port that may be the next one of the vessel, the most probable first',
  isOfService: true,
  columns: {
    vessel: vessel(null, ({ vessel }) => vessel),
    port: port('Port', 'port', ({ prediction }) => prediction.port),
    // On a phone the first two columns show, and the verdict has the first percentage.
    eta_shown: shown('ETA, LT', ({ prediction }, { now }) => etaInColumn(prediction, now)),
    probability: probability('%', 'from 0 to 1', ({ prediction }) => prediction.probability),
    eta: eta('ETA, UTC', ({ prediction }) => prediction, {
      words: ({ prediction: { eta: time } }, { now }) =>
        time ? onlyInTable(zonedTime(time, 'UTC', now)) : '',
    }),
    in: shown('In', ({ prediction }, { now }) =>
      prediction.eta ? { sort: prediction.eta.getTime(), text: untilEta(prediction.eta, now) } : '',
    ),
    eta_zone: etaZone(({ prediction }) => prediction),
    view: view(({ endpoint }) => endpoint),
  },
});

/** Beside a column with the ETA in UTC, which a line says too: `Mon 23 Nov 15:05`. */
function etaInColumn(prediction: Prediction, now: Date): Cell {
  const { eta: time, port: locode } = prediction;
  const inLine = etaInWords(prediction, now);
  if (!time) return { text: inLine };
  const zone = portOf(locode)?.zone;
  const inTable = zone === undefined ? inLine : zonedTime(time, zone, now);
  return { sort: time.getTime(), text: { inTable, inLine } };
}

/** The candidate ports of a vessel; the table shows those on this page. */
export function candidatesOf(
  { vessel: of, endpoint, predictions }: VesselPredictions,
  { onPage = predictions, said = [] }: { onPage?: readonly Prediction[]; said?: readonly Prediction[] } = {},
) {
  const rows = predictions.map((prediction, index) => ({
    vessel: of,
    endpoint,
    prediction,
    rank: index + 1,
  }));
  const isShown = new Set(onPage);
  const other = onPage.findIndex((prediction) => !said.includes(prediction));
  return candidatesTable.of({
    caption: `Next ports of ${vesselShort(of)}`,
    rows,
    shown: rows.filter(({ prediction }) => isShown.has(prediction)),
    inVerdict: other === -1 ? onPage.length : other,
    subject: [String(of.imo)],
  });
}

/** Ports below this are counted, not listed. */
export const minListed = 0.05;

/** A phone has no room for more. */
const portsPerPage = 20;

const maxPromises = 5;

/** A port, or a group with its ports. */
export interface AskedPort {
  asked: PortOrGroup;
  ports: readonly Locode[];
}

export const isAt = ({ ports }: Pick<AskedPort, 'ports'>, locode: Locode): boolean =>
  ports.some((port) => samePort(port, locode));

interface Asked {
  now: Date;
  page: number;
  /** The port, or the ports of the group, that was asked about: `nextport 9755933 at Rotterdam`. */
  at?: AskedPort | undefined;
  /** Whether it will be there by the date that was asked about. */
  met?: Met | undefined;
  /** Lists the improbable ports too: `nextport 9755933 all`. */
  showsAll?: boolean | undefined;
  /** How its promises stand, a line each; for members only. */
  promised?: readonly string[];
  /** The same can be shown on a map. */
  hasMap: boolean;
  /** The reference that was typed. Left out where people of other organisations read. */
  reference?: string | undefined;
}

/** Where a vessel will probably call next. */
export function vesselAnswer(found: VesselPredictions, asked: Asked): Answer {
  const { vessel: of, predictions } = found;
  const { now, at, met, showsAll = false, promised = [], hasMap, reference } = asked;
  const [first] = predictions;
  if (!first) return noPrediction(found);
  const listed = showsAll ? predictions : predictions.filter(isListed(first, at));
  const hidden = predictions.length - listed.length;
  const { items, ...page } = paged(listed, asked.page, portsPerPage);
  const verdict = at === undefined ? verdictOf(found, now) : atPortVerdict({ ...found, at, met }, now);
  const port = at?.asked ?? first.port;
  // A customer is sent to one port of a group, the likeliest.
  const there = at && (predictions.find((each) => isAt(at, each.port))?.port ?? at.ports[0]);
  const one = { imo: of.imo, page: 1 };
  return {
    verdict: {
      ...toVerdict(verdict, now),
      lines: promised.slice(0, maxPromises).map((line) => forMembers(line)),
    },
    sections: [candidatesOf(found, { onPage: items, said: verdict.said })],
    firstNotes: hidden > 0 ? [`${hidden} more under ${percent(minListed)}`] : [],
    notes: [...vesselNotes(of, reference), ...notesOn(found, at?.ports ?? [first.port]), ...zoneNotes(items)],
    page: { ...page, size: portsPerPage },
    ...forecastOf(found),
    nextCall: nextCall(at ? predictions.filter((each) => isAt(at, each.port)) : predictions),
    actions: {
      ...actionsOf(found),
      runs: [
        whoIsComing(port),
        ...(hidden > 0 ? [{ label: 'Show all', line: formatVessel({ ...one, showsAll: true }) }] : []),
      ],
      more: [
        { label: 'History', line: formatHistory(one) },
        copyForCustomer({ imo: of.imo, ...(there && { at: there }), ...(reference && { reference }) }),
        ...(hasMap ? [{ label: 'Map', line: formatMap(one) }] : []),
        { label: 'Compare both forecasts', line: formatCompare(one) },
        ...items
          .filter((other) => !(at ? isAt(at, other.port) : samePort(other.port, first.port)))
          .slice(0, 2)
          .map((other) => whoIsComing(other.port)),
      ],
    },
  };
}

/** The verdict has the first port, or the first two. */
const maxPortsInBrief = 3;

/** The same in a few lines, such as under a link: no table, and nothing to press. */
export function briefAnswer(found: VesselPredictions, now: Date): Answer {
  const { predictions } = found;
  const [first] = predictions;
  const about = vesselShort(found.vessel);
  if (!first) return { ...noPrediction(found), actions: { about } };
  const { said, ...verdict } = verdictOf(found, now);
  const listed = predictions.filter(isListed(first)).slice(0, maxPortsInBrief);
  const more = predictions.length - listed.length;
  const { called, rest } = verdict;
  return {
    verdict: {
      strong: verdict.strong,
      rest: [...(called ? timeOf(called, now) : []), ...rest].map((words) => ` · ${words}`),
      lines: listed
        .filter((prediction) => !said.includes(prediction))
        .map((other) => [portAndPercent(other), ...timeOf(other, now)].join(' · ')),
    },
    firstNotes: more > 0 ? [`${more} more`] : [],
    // Guests read it too, so it names no references.
    notes: [imoNote(found.vessel), ...notesOn(found, [first.port]), ...zoneNotes(listed)],
    ...forecastOf(found),
    actions: { about },
  };
}

/** The port asked about, and those that may be the next one, are always listed. */
export const isListed =
  (first: Prediction, at?: AskedPort) =>
  ({ port: locode, probability: share }: Prediction): boolean =>
    share >= minListed || isUndecided(first.probability, share) || (at !== undefined && isAt(at, locode));

export const whoIsComing = (locode: PortOrGroup): AnswerAction => ({
  label: `Who is coming to ${portName(locode)}`,
  intent: callsAt(locode),
});

/** Watch, and Name it for a vessel without a name. */
const actionsOf = ({ vessel: of }: VesselPredictions) => ({
  about: vesselShort(of),
  watch: watchThese(of.imo),
  unnamed: of.name === undefined ? of.imo : undefined,
});

/** Small print about the port. */
function notesOn({ endpoint, predictions }: VesselPredictions, codes: readonly Locode[]): string[] {
  // 5% leaves room for rounding.
  const sum = predictions.reduce((total, { probability: share }) => total + share, 0);
  return [
    codes.join(', '),
    ...(endpoint === 'vessel' ? [] : [secondForecast]),
    ...(sum > 1.05 ? [`the probabilities are as given; they add up to ${Math.round(sum * 100)}%`] : []),
  ];
}

export function noPrediction(found: VesselPredictions): Answer {
  const { vessel: of, isRefused } = found;
  return {
    verdict: {
      strong: `No prediction for IMO ${of.imo}`,
      rest: of.name === undefined ? '' : ` (${vesselShort(of)})`,
      lines: [
        ...(isRefused
          ? ["The service couldn't process the request (status 422); it may not know this vessel."]
          : []),
        'The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.',
      ],
    },
    sections: [candidatesOf(found)],
    notes: ["neither of the service's two forecasts has one"],
    ...forecastOf(found),
    actions: actionsOf(found),
  };
}

/** What is said about one vessel. */
interface VesselVerdict {
  strong: string;
  /** The call whose time follows. */
  called?: Prediction | undefined;
  /** What follows the time. */
  rest: readonly string[];
  /** The predictions that the answer contains. */
  said: readonly Prediction[];
}

/** `predictions`: the most probable first, at least one. */
export function verdictOf(
  { vessel, predictions }: { vessel: KnownVessel; predictions: readonly Prediction[] },
  now: Date,
): VesselVerdict {
  const name = vesselShort(vessel);
  const either = nextPorts(predictions);
  const [first] = either;
  if (first && either.length === 1)
    return {
      strong: `${name} → ${portName(first.port)}, ${percent(first.probability)}`,
      called: first,
      rest: [],
      said: [first],
    };
  return {
    strong: nextInWords(name, either),
    rest: [[...new Set(either.map((prediction) => etaInWords(prediction, now)))].join(' or ')],
    said: either,
  };
}

/** Whether the vessel is predicted at a port, or at ports of a group, and when. `rest` is the port that may be next instead. */
function atPortVerdict(
  {
    vessel,
    predictions,
    at,
    met,
  }: { vessel: KnownVessel; predictions: readonly Prediction[]; at: AskedPort } & Pick<Asked, 'met'>,
  now: Date,
): VesselVerdict {
  const name = vesselShort(vessel);
  const port = portName(at.asked);
  const all = predictions.filter((prediction) => isAt(at, prediction.port));
  const [there] = all;
  const found = rivalOf(predictions, ...at.ports);
  const rest = found ? [[rivalInWords(found), ...timeOf(found.rival, now)].join(', ')] : [];
  const said = [...all, ...(found ? [found.rival] : [])];
  if (met) {
    const { line, figures } = met;
    const isSaid = !there || figures?.startsWith('ETA');
    const call = isSaid
      ? []
      : [...(figures === undefined ? [portAndPercent(there)] : []), ...timeOf(there, now)];
    return { strong: line, rest: call.length > 0 ? [call.join(', ')] : [], said: all };
  }
  if (!there) return { strong: `${port} is not predicted for ${name}`, rest, said };
  const share = isPortGroup(at.asked)
    ? `: ${all.map(portAndPercent).join(', ')}`
    : `, ${percent(there.probability)}`;
  // An arrow would read like a forecast.
  const strong = found
    ? `${name}: ${port} ${found.isLikelier ? 'unlikely' : 'undecided'}${share}`
    : `${name} → ${port}${share}`;
  return { strong, called: there, rest, said };
}

export const toVerdict = ({ strong, called, rest }: VesselVerdict, now: Date): Verdict => ({
  strong,
  rest: [...after(called ? timeOf(called, now) : []), inOwnZone(called), ...after(rest)],
});

/** `Fleet NORTH, 20 vessels`, not escaped. */
export function fleetSubject({ list, group, vessels }: FleetPredictions): string {
  const name = group ?? (list === undefined ? undefined : `List ${list}`);
  return [...(name === undefined ? [] : [clip(name, 40)]), counted(vessels.length, 'vessel')].join(', ');
}

/** The next call of several vessels, how long until then, and how many need a look. Without a call, the counts alone. */
export function fleetVerdict(fleet: FleetPredictions, now: Date): Verdict {
  const subject = fleetSubject(fleet);
  const next = fleet.vessels.find(({ predictions: [first] }) => first?.eta && first.eta >= now);
  const counts = countsOf(fleet.vessels, now);
  const [first] = next?.predictions ?? [];
  if (!next || !first?.eta) return { strong: [subject, counts.join(', ')].filter(Boolean).join(': ') };
  return {
    strong: `${subject}: next ${callInWords(next, now)}`,
    rest: [...after([untilEta(first.eta, now)]), inOwnZone(first), ...after(counts)],
  };
}

/** `MSC DIANA → Singapore 82%, Sun 22 Nov 09:00 LT (01:00 UTC)`. */
function callInWords({ vessel, predictions, failed }: FleetVessel, now: Date): string {
  const name = vesselShort(vessel);
  const [first] = predictions;
  if (!first) return `${name}: ${failed ? 'no answer' : 'no prediction'}`;
  return `${nextInWords(name, nextPorts(predictions))}, ${etaInWords(first, now)}`;
}

function countsOf(vessels: readonly FleetVessel[], now: Date): string[] {
  const count = (isCounted: (vessel: FleetVessel) => boolean, words: string) => {
    const found = vessels.filter(isCounted).length;
    return found === 0 ? [] : [`${found} ${words}`];
  };
  /** How long until the ETA. */
  const msUntil = ({ predictions: [first] }: FleetVessel) =>
    first?.eta && first.eta.getTime() - now.getTime();
  return [
    ...count((vessel) => isBetween(msUntil(vessel), 0, millisecondsInDay), 'within 24 h'),
    ...count((vessel) => isBetween(msUntil(vessel), Number.NEGATIVE_INFINITY, -1), 'past ETA'),
    ...count(({ predictions }) => nextPorts(predictions).length > 1, 'undecided'),
    ...count(({ predictions: [first] }) => first !== undefined && first.eta === undefined, 'without an ETA'),
    ...count(({ predictions, failed }) => !failed && predictions.length === 0, 'without a prediction'),
    ...count(({ failed }) => failed, 'without an answer'),
  ];
}

const isBetween = (value: number | undefined, min: number, max: number): boolean =>
  value !== undefined && value >= min && value <= max;
