import type { Prediction } from '../../analytics/answers.ts';
import { type Answer, type Comparison, nextPortsOf, type Verdict, watchThese } from '../../answers/answer.ts';
import { portTimeInColumn, untilEta } from '../../answers/formatting/times.ts';
import { likelihoodMarker, percent, rivalInWords, vesselShort } from '../../answers/formatting/words.ts';
import { eta, field, imoShown, port, probability, shown, text, vessel } from '../../answers/kinds.ts';
import { clip, paged } from '../../answers/message.ts';
import { type Cell, table } from '../../answers/table.ts';
import { onlyInLine, onlyInTable } from '../../answers/text.ts';
import { rivalOf } from '../../predictions/next-port.ts';
import { hasValidCheckDigit, isPortGroup } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import { type AskedPage, forecastNotes, markersIn, vesselsPerPage } from './fleet-answer.ts';
import {
  after,
  etaInWords,
  etaZone,
  type FleetPredictions,
  type FleetVessel,
  inOwnZone,
  portAndPercent,
  portAndTime,
  utcTime,
  view,
} from './predictions.ts';
import { type AskedPort, isAt, whoIsComing } from './vessel-answer.ts';
import { formatVessel } from './words.ts';

/** A vessel, and whether it is predicted at the port, or at ports of the group. */
interface Visit extends FleetVessel {
  /** The likeliest first; empty if it isn't predicted there. */
  there: readonly Prediction[];
  /** The port that may be next instead. */
  rival: ReturnType<typeof rivalOf<Prediction>>;
  /** The ports are those of a group, so each is named. */
  isNamed: boolean;
}

export const visitsTable = table<Visit>({
  name: 'next-ports-at',
  about: 'A vessel, and whether it is predicted at the port; the likely ones first, by ETA',
  isOfService: true,
  columns: {
    vessel: vessel('Vessel', (row) => row.vessel),
    port: port('{port}, ETA (LT)', 'port', ({ there: [first] }) => first?.port, {
      words({ failed, isNamed, there }, { now }) {
        const [first] = there;
        if (!first) return failed ? 'no answer' : 'not predicted';
        return portAndTime(shareInWords({ isNamed, there }), first, now);
      },
    }),
    in: shown('In', ({ there: [first] }, { now }) =>
      first?.eta ? { sort: first.eta.getTime(), text: untilEta(first.eta, now) } : '',
    ),
    probability: probability(null, 'from 0 to 1', ({ there: [first] }) => first?.probability),
    rival: shown('May call first at', ({ rival: found }, { now }) => (found ? rivalIn(found, now) : '')),
    eta: eta('ETA (UTC)', ({ there: [first] }) => first, {
      words: ({ there: [first] }, { now }) => utcTime(first?.eta, now),
    }),
    eta_zone: etaZone(({ there: [first] }) => first),
    also_at: text(
      null,
      'other ports of the group where the vessel is predicted, as UN/LOCODEs',
      ({ there: [, ...others] }) => others.map((other) => other.port).join(' ') || undefined,
    ),
    imo_shown: imoShown('IMO', (row) => row.vessel),
    rival_port: port(null, 'port that is likelier, or about as likely', ({ rival }) => rival?.rival.port),
    rival_probability: field('share', 'of that port, from 0 to 1', ({ rival }) => rival?.rival.probability),
    view: view(({ endpoint }) => endpoint),
    is_answered: field(
      'boolean',
      '`false` if the service did not answer for the vessel',
      ({ failed }) => !failed,
    ),
  },
});

/** `🟠 46%`; of a group `🟠 Rotterdam 46%, Antwerp 12%`. */
function shareInWords({ isNamed, there }: Pick<Visit, 'isNamed' | 'there'>): string {
  const [first] = there;
  const marker = first ? likelihoodMarker(first.probability) : '';
  const shares = there.slice(0, isNamed ? maxPorts : 1);
  const words = shares.map((each) => (isNamed ? portAndPercent(each) : percent(each.probability)));
  return [marker, words.join(', ')].filter(Boolean).join(' ');
}

const maxPorts = 3;

/** In a table the header says what it is. */
function rivalIn(found: NonNullable<Visit['rival']>, now: Date): Cell {
  const { rival } = found;
  const zone = portOf(rival.port)?.zone;
  const rivalTime = rival.eta ? portTimeInColumn(rival.eta, zone, now) : etaInWords(rival, now);
  return {
    ...(rival.eta && { sort: rival.eta.getTime() }),
    text: [
      onlyInTable(`${portAndPercent(rival)} · ${rivalTime}`),
      onlyInLine([rivalInWords(found), etaInWords(rival, now)].join(', ')),
    ],
  };
}

/** Which of several vessels may call at a port. */
export function fleetAtAnswer(
  found: FleetPredictions,
  { at, now, page: asked, watched }: AskedPage & { at: AskedPort },
): Answer {
  const visits = visitsIn(found, at);
  const predicted = visits.filter(({ there }) => there.length > 0);
  const { items, ...page } = paged(predicted, asked, vesselsPerPage);
  const name = portName(at.asked);
  return {
    verdict: { ...verdictOf({ found, predicted, name }, now), ...linesOf(visits) },
    sections: [
      visitsTable.of({
        caption: `Vessels that may call at ${name}`,
        rows: visits,
        shown: items,
        words: { port: clip(name, 20) },
        subject: [subjectOf(found) ?? '', name].filter((part) => part !== ''),
      }),
    ],
    notes: [
      at.ports.join(', '),
      ...markersIn(items.map(shareInWords)),
      ...forecastNotes(
        found,
        items.flatMap(({ there }) => there),
      ),
    ],
    provenance: found,
    isForecast: true,
    page: { ...page, size: vesselsPerPage },
    actions: {
      watch: watched && watchThese(watched, at.asked),
      runs: [
        whoIsComing(at.asked),
        ...(watched ? [{ label: 'Next ports of all', intent: nextPortsOf(watched) }] : []),
      ],
      more: items
        // A line with a wrong check digit is refused.
        .filter(({ vessel: { imo } }) => hasValidCheckDigit(imo))
        .slice(0, 5)
        .map(({ vessel: of }) => ({
          label: `Ports of ${vesselShort(of)}`,
          line: formatVessel({ imo: of.imo, page: 1 }),
        })),
    },
    comparison: comparisonOf(visits),
  };
}

/** Those predicted there first, and of these the likely ones; each by ETA. */
function visitsIn({ vessels }: FleetPredictions, at: AskedPort): Visit[] {
  const isNamed = isPortGroup(at.asked);
  const visits = vessels.map((each): Visit => {
    const there = each.predictions.filter((prediction) => isAt(at, prediction.port));
    const rival = there.length > 0 ? rivalOf(each.predictions, ...at.ports) : undefined;
    return { ...each, there, rival, isNamed };
  });
  const rank = (visit: Visit) => (visit.there.length === 0 ? 2 : isUnlikely(visit) ? 1 : 0);
  const timeOf = ({ there: [first] }: Visit) => first?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return visits.sort((one, other) => rank(one) - rank(other) || timeOf(one) - timeOf(other));
}

const isUnlikely = ({ rival }: Visit): boolean => rival?.isLikelier ?? false;

/** `2 of 5 are predicted at Rotterdam: first EVER GIVEN 82%, Thu 26 Nov 14:00 LT (13:00 UTC)`. */
function verdictOf(
  { found, predicted, name }: { found: FleetPredictions; predicted: readonly Visit[]; name: string },
  now: Date,
): Verdict {
  const group = subjectOf(found);
  const subject = group ? `${group} · ` : '';
  const count = found.vessels.filter(({ failed }) => !failed).length;
  const next = predicted.find(({ there: [first] }) => first?.eta && first.eta >= now) ?? predicted[0];
  const [call] = next?.there ?? [];
  if (!next || !call) {
    const [only] = found.vessels;
    const none =
      only && count === 1 ? `${vesselShort(only.vessel)} is not predicted` : `None of ${count} is predicted`;
    return { strong: `${subject}${none} at ${name}` };
  }
  const first = predicted.length === 1 ? '' : 'first ';
  const vesselInWords = `${vesselShort(next.vessel)}${doubtOf(next)}`;
  const verb = predicted.length === 1 ? 'is' : 'are';
  return {
    strong: `${subject}${predicted.length} of ${count} ${verb} predicted at ${name}: ${first}${vesselInWords} ${percent(call.probability)}, ${etaInWords(call, now)}`,
    rest: [
      ...(call.eta ? after([untilEta(call.eta, now)]) : []),
      inOwnZone(call),
      ...after(countsOf(predicted, { first: call, now })),
    ],
  };
}

/** Those that are unlikely stand below the likely ones, also if they are earlier. */
function countsOf(predicted: readonly Visit[], { first, now }: { first: Prediction; now: Date }): string[] {
  const count = (some: (call: Prediction, visit: Visit) => boolean, words: string) => {
    const found = predicted.filter((visit) => visit.there[0] && some(visit.there[0], visit)).length;
    return found === 0 ? [] : [`${found} ${words}`];
  };
  const isBefore = ({ eta: time }: Prediction) =>
    time !== undefined && first.eta !== undefined && time < first.eta;
  return [
    ...(predicted.length > 1
      ? [
          ...count((_, visit) => visit.rival !== undefined && !isUnlikely(visit), 'undecided'),
          ...count((call, visit) => isUnlikely(visit) && isBefore(call), 'unlikely before it'),
          ...count((call, visit) => isUnlikely(visit) && !isBefore(call), 'unlikely'),
        ]
      : []),
    ...count(({ eta: time }) => time !== undefined && time < now, 'past ETA'),
  ];
}

const doubtOf = (visit: Visit): string =>
  visit.rival === undefined ? '' : isUnlikely(visit) ? ' unlikely,' : ' undecided,';

const maxNames = 10;

/** Those that aren't predicted there, in a line; a warning about those without an answer. */
function linesOf(visits: readonly Visit[]): Pick<Verdict, 'lines' | 'warning'> {
  const elsewhere = visits.filter(({ there, failed }) => there.length === 0 && !failed);
  const failed = visits.filter((visit) => visit.failed);
  return {
    lines: elsewhere.length > 0 ? [`Not predicted there: ${namesOf(elsewhere)}`] : [],
    ...(failed.length > 0 && { warning: `🟠 No answer for ${namesOf(failed)}` }),
  };
}

function namesOf(visits: readonly Visit[]): string {
  const names = visits.slice(0, maxNames).map(({ vessel: of }) => vesselShort(of));
  const rest = visits.length - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `Fleet NORTH`, `List FEEDERS`, not escaped; undefined if each vessel was named. */
function subjectOf({ list, group }: FleetPredictions): string | undefined {
  const name = group ?? (list === undefined ? undefined : `List ${list}`);
  return name === undefined ? undefined : clip(name, 40);
}

/** What digests compare: like the calls at a port, so that a vessel is newly expected there, or no longer. */
const comparisonOf = (visits: readonly Visit[]): Comparison => ({
  questions: visits.map(({ vessel: { imo }, there: [first], failed }) => {
    const id = String(imo);
    const rows = first ? [{ id, imo, when: 'within' as const, call: callOf(first) }] : [];
    return { id, isList: true, rows: failed ? null : rows };
  }),
});

const callOf = ({ port: locode, probability: share, eta: time }: Prediction) => ({
  port: locode,
  probability: share,
  eta: time ?? null,
});
