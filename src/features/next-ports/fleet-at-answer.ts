import type { Prediction } from '../../analytics/answers.ts';
import { type Answer, type Comparison, nextPortsOf, type Verdict, watchThese } from '../../answers/answer.ts';
import { portTimeInColumn, shortPortTime, spansInWords, untilEta } from '../../answers/formatting/times.ts';
import {
  likelihoodMarker,
  listed,
  percent,
  rivalInWords,
  vesselShort,
} from '../../answers/formatting/words.ts';
import { field, port, probability, shown, text } from '../../answers/kinds.ts';
import { clip, paged } from '../../answers/message.ts';
import { type Cell, table } from '../../answers/table.ts';
import { onlyInLine, onlyInTable } from '../../answers/text.ts';
import { joinWords } from '../../grammar/line.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { rivalOf } from '../../predictions/next-port.ts';
import { type When, whenIn } from '../../predictions/when.ts';
import { isPortGroup, type Locode, type PortOrGroup } from '../../reference/codes.ts';
import { portName, portOf, samePort } from '../../reference/ports.ts';
import {
  type AskedPage,
  forecastNotes,
  markersIn,
  portsOfEach,
  vesselColumns,
  vesselsPerPage,
} from './fleet-answer.ts';
import {
  after,
  etaInWords,
  type FleetPredictions,
  type FleetVessel,
  inOwnZone,
  portAndPercent,
  portAndTime,
} from './predictions.ts';
import { fleetSubject, isAt, whoIsComing } from './vessel-answer.ts';

/** Ports or groups, with their ports, and perhaps when. */
export interface AskedPorts {
  asked: readonly [PortOrGroup, ...PortOrGroup[]];
  ports: readonly Locode[];
  /** `typed`: its canonical words; `spans`: in the days of each port. */
  period?: { typed: string; spans: readonly { port: Locode; span: TimeSpan }[] } | undefined;
}

/** A vessel, and whether it is predicted at the ports. */
interface Visit extends FleetVessel {
  /** In the period, if any are; the likeliest first. Empty if it isn't predicted there. */
  there: readonly Prediction[];
  /** Where they are in the period; undefined if there are none. */
  when: When | undefined;
  /** The port that may be next instead. */
  rival: ReturnType<typeof rivalOf<Prediction>>;
  /** There are several ports, so each is named. */
  isNamed: boolean;
}

const columns = vesselColumns<Visit>(({ there: [first] }) => first);

export const visitsTable = table<Visit>({
  name: 'next-ports-at',
  about: 'A vessel, and whether it is predicted at the port; the likely ones first, by ETA',
  isOfService: true,
  columns: {
    vessel: columns.vessel,
    port: port('{port}, ETA (LT)', 'port', ({ there: [first] }) => first?.port, {
      words({ failed, isNamed, there }, { now }) {
        const [first] = there;
        if (!first) return failed ? 'no answer' : 'not predicted';
        return portAndTime(shareInWords({ isNamed, there }), first, now);
      },
    }),
    in: columns.in,
    probability: probability(null, 'from 0 to 1', ({ there: [first] }) => first?.probability),
    rival: shown('May call first at', ({ rival: found }, { now }) => (found ? rivalIn(found, now) : '')),
    eta: columns.eta,
    eta_zone: columns.eta_zone,
    also_at: text(
      null,
      'other ports that were asked about where the vessel is predicted, as UN/LOCODEs',
      ({ there: [, ...others] }) => others.map((other) => other.port).join(' ') || undefined,
    ),
    imo_shown: columns.imo_shown,
    rival_port: port(null, 'port that is likelier, or about as likely', ({ rival }) => rival?.rival.port),
    rival_probability: field('share', 'of that port, from 0 to 1', ({ rival }) => rival?.rival.probability),
    view: columns.view,
    is_answered: columns.is_answered,
    when: field(
      'text',
      'where its ETA is in the period: `before`, `within`, `after`, or `unknown` without an ETA; `within` without a period',
      ({ when }) => when,
      { values: ['before', 'within', 'after', 'unknown'] },
    ),
  },
});

/** `🟠 46%`; at several ports `🟠 Rotterdam 46%, Antwerp 12%`. */
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

/** Which of several vessels may call at a port, or at one of several, and perhaps in a period. */
export function fleetAtAnswer(
  found: FleetPredictions,
  { at, now, page: asked, watched }: AskedPage & { at: AskedPorts },
): Answer {
  const visits = visitsIn(found, at, now);
  const predicted = visits.filter(({ when }) => when === 'within');
  const { items, ...page } = paged(predicted, asked, vesselsPerPage);
  const names = at.asked.map(portName);
  const name = nameOf(names);
  const dates = datesOf(at, now);
  const [port, ...otherPorts] = at.asked;
  const only = otherPorts.length === 0 ? port : undefined;
  return {
    verdict: {
      ...verdictOf({ found, predicted, where: joinWords(name, dates) }, now),
      ...linesOf(visits, { dates, now }),
    },
    sections: [
      visitsTable.of({
        caption: `Vessels that may call at ${name}`,
        rows: visits,
        shown: items,
        words: { port: only ? clip(name, 20) : 'Port' },
        subject: [subjectOf(found) ?? '', ...names].filter((part) => part !== ''),
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
      about: `${fleetSubject(found)} at ${name}`,
      watch: watched && watchThese(watched, only),
      runs: [
        ...at.asked.slice(0, 3).map(whoIsComing),
        ...(watched ? [{ label: 'Next ports of all', intent: nextPortsOf(watched) }] : []),
      ],
      more: portsOfEach(items),
    },
    comparison: comparisonOf(visits, at),
  };
}

/** `Rotterdam or Antwerp`; leaves room for the answer in the first 80 characters. */
function nameOf(names: readonly string[]): string {
  const name = listed(names, 'disjunction');
  return names.length === 1 || name.length <= 40 ? name : `one of ${names.length} ports`;
}

/** `23–29 Nov`; undefined without a period. */
const datesOf = ({ period }: AskedPorts, now: Date): string | undefined =>
  period &&
  spansInWords(
    period.spans.map(({ port: code, span }) => ({ span, zone: portOf(code)?.zone })),
    { now, typed: period.typed },
  );

/** Those predicted there in the period first, and of these the likely ones; each by ETA. */
function visitsIn({ vessels }: FleetPredictions, at: AskedPorts, now: Date): Visit[] {
  const isNamed = at.asked.some(isPortGroup) || at.asked.length > 1;
  const whenOf = ({ port: code, eta: time }: Prediction): When =>
    whenIn(at.period?.spans.find(({ port: asked }) => samePort(asked, code))?.span, { eta: time, now });
  const visits = vessels.map((each): Visit => {
    const all = each.predictions.filter((prediction) => isAt(at, prediction.port));
    const within = all.filter((prediction) => whenOf(prediction) === 'within');
    const there = within.length > 0 ? within : all;
    const rival = there.length > 0 ? rivalOf(each.predictions, ...at.ports) : undefined;
    return { ...each, there, when: there[0] && whenOf(there[0]), rival, isNamed };
  });
  const rank = (visit: Visit) =>
    visit.there.length === 0 ? 3 : visit.when !== 'within' ? 2 : isUnlikely(visit) ? 1 : 0;
  const timeOf = ({ there: [first] }: Visit) => first?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return visits.sort((one, other) => rank(one) - rank(other) || timeOf(one) - timeOf(other));
}

const isUnlikely = ({ rival }: Visit): boolean => rival?.isLikelier ?? false;

/** `2 of 5 are predicted at Rotterdam 23–29 Nov: first EVER GIVEN 82%, Thu 26 Nov 14:00 LT (13:00 UTC)`. */
function verdictOf(
  { found, predicted, where }: { found: FleetPredictions; predicted: readonly Visit[]; where: string },
  now: Date,
): Verdict {
  const group = subjectOf(found);
  const subject = group ? `${group} · ` : '';
  const count = found.vessels.filter(({ failed }) => !failed).length;
  const isOne = found.vessels.length === 1;
  const next = predicted.find(({ there: [first] }) => first?.eta && first.eta >= now) ?? predicted[0];
  const [call] = next?.there ?? [];
  if (!next || !call) {
    const [only] = found.vessels;
    const none =
      only && count === 1 ? `${vesselShort(only.vessel)} is not predicted` : `None of ${count} is predicted`;
    return { strong: `${subject}${none} at ${where}` };
  }
  const first = predicted.length === 1 ? '' : 'first ';
  const vesselInWords = `${vesselShort(next.vessel)}${doubtOf(next)}`;
  const share = next.isNamed ? portAndPercent(call) : percent(call.probability);
  const verb = predicted.length === 1 ? 'is' : 'are';
  const counts = `${predicted.length} of ${count} ${verb} predicted at ${where}: ${first}${vesselInWords}`;
  return {
    strong: `${subject}${isOne ? `${vesselInWords} at ${where}:` : counts} ${share}, ${etaInWords(call, now)}`,
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
  visit.rival === undefined ? (visit.isNamed ? ',' : '') : isUnlikely(visit) ? ' unlikely,' : ' undecided,';

const maxNames = 10;

/** Those that aren't predicted there, or not in the period, a line each; a warning about those without an answer. */
function linesOf(
  visits: readonly Visit[],
  { dates = '', now }: { dates: string | undefined; now: Date },
): Pick<Verdict, 'lines' | 'warning'> {
  const apart = visits.filter(({ there, when }) => there.length > 0 && when !== 'within');
  const elsewhere = visits.filter(({ there, failed }) => there.length === 0 && !failed);
  const failed = visits.filter((visit) => visit.failed);
  const timeOf = ({ there: [first], isNamed }: Visit) =>
    first
      ? `, ${isNamed ? portAndPercent(first) : percent(first.probability)}, ${timeInWords(first, now)}`
      : '';
  return {
    lines: [
      ...(apart.length > 0
        ? [`Predicted there, but not ${dates}: ${namesOf(apart, { timeOf, mark: '; ' })}`]
        : []),
      ...(elsewhere.length > 0 ? [`Not predicted there: ${namesOf(elsewhere)}`] : []),
    ],
    ...(failed.length > 0 && { warning: `🟠 No answer for ${namesOf(failed)}` }),
  };
}

const timeInWords = ({ port: code, eta: time }: Prediction, now: Date): string =>
  time ? shortPortTime(time, portOf(code)?.zone, now) : 'ETA not given';

function namesOf(
  visits: readonly Visit[],
  { timeOf = () => '', mark = ', ' }: { timeOf?: (visit: Visit) => string; mark?: string } = {},
): string {
  const names = visits.slice(0, maxNames).map((visit) => vesselShort(visit.vessel) + timeOf(visit));
  const rest = visits.length - names.length;
  return `${names.join(mark)}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `Fleet NORTH`, `List FEEDERS`, not escaped; undefined if each vessel was named. */
function subjectOf({ list, group }: FleetPredictions): string | undefined {
  const name = group ?? (list === undefined ? undefined : `List ${list}`);
  return name === undefined ? undefined : clip(name, 40);
}

/** What digests compare: like the calls at a port, so that a vessel is newly expected there, or no longer. */
const comparisonOf = (visits: readonly Visit[], { period }: AskedPorts): Comparison => ({
  questions: visits.map(({ vessel: { imo }, there: [first], when, failed }) => {
    const id = String(imo);
    const rows = first && when ? [{ id, imo, when, call: callOf(first) }] : [];
    return { id, isList: true, rows: failed ? null : rows };
  }),
  ...(period && { period: period.typed }),
});

const callOf = ({ port: locode, probability: share, eta: time }: Prediction) => ({
  port: locode,
  probability: share,
  eta: time ?? null,
});
