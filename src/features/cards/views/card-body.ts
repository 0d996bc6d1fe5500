import {
  type AnswerButton,
  callsAt,
  nextPortsOf,
  type Section,
  type Verdict,
} from '../../../answers/answer.ts';
import { unbroken } from '../../../answers/formatting/times.ts';
import {
  capitalised,
  counted,
  nextInWords,
  percent,
  percentUnder,
  portsInWords,
  referenceNote,
  referencesInCell,
  vesselShort,
} from '../../../answers/formatting/words.ts';
import * as kinds from '../../../answers/kinds.ts';
import { clip, type Reader } from '../../../answers/message.ts';
import { type Table, table } from '../../../answers/table.ts';
import type { Text } from '../../../answers/text.ts';
import { maxVessels } from '../../../grammar/vessel.ts';
import { thresholds } from '../../../predictions/thresholds.ts';
import { type Imo, isPortGroup, type PortOrGroup } from '../../../reference/codes.ts';
import { portLabel, portName } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import { openEvents } from '../../alerts/index.ts';
import { knownVessel } from '../../ctx.ts';
import {
  type FollowedSubject,
  isOfOneVessel,
  portSubjects,
  targetOf,
  titleAtStart,
  vesselSubjects,
  type WatchWithSubjects,
  watchedPort,
} from '../../polling/index.ts';
import {
  type Dispute,
  damping,
  etaInWords,
  portChance,
  shortTimeAt,
  stamp,
  type WatchNames,
  watchRules,
} from '../../rules/index.ts';
import {
  byEta,
  disputeNotes,
  expectedInWords,
  expectedVessels,
  hasMoved,
  isPastEta,
  isToCheck,
  type ListedVessel,
  listedVessels,
  nextExpected,
  nextOf,
  type ShownPrediction,
  steadyCountdown,
  vesselNotes,
} from './shown-vessel.ts';

/** The part of a card that shows the predictions. */
interface CardBody extends Pick<Verdict, 'rest' | 'isCard'> {
  /** In bold, after the card's marker. */
  title: string;
  /** Below it, before the lines about the watch's state. */
  subtitle?: string;
  /** After them. */
  lines?: readonly string[];
  sections?: readonly Section[];
  /** Something in it needs a look. */
  isToCheck: boolean;
  notes: readonly Text[];
  /** The button of the whole answer. */
  showAll?: AnswerButton;
}

export function cardBody(
  watch: WatchWithSubjects,
  names: WatchNames,
  reader: Pick<Reader, 'now' | 'audience'>,
): CardBody {
  const { followedSubjects } = watch;
  const [first] = followedSubjects;
  if (!first || followedSubjects.every(({ state }) => state === null)) return waitingBody(watch);
  const port = watchedPort(targetOf(watch));
  if (port !== undefined) return portBody(watch, port, names, reader.now);
  const [vessel] = listedVessels(watch);
  return vessel && isOfOneVessel(watch)
    ? vesselBody(vessel, { watch, followed: first }, names, reader)
    : vesselsBody(watch, names, reader.now);
}

const titleOf = ({ title }: WatchWithSubjects): string => clip(titleAtStart(title), 150);

const waitingBody = (watch: WatchWithSubjects): CardBody => ({
  title: titleOf(watch),
  rest: ' is watched here',
  subtitle: 'The first answer is on its way; changes are posted in this thread.',
  isToCheck: false,
  notes: [],
});

/** A row of the card's table; the texts are as they are shown. */
interface Row {
  imo: Imo;
  name: string;
  /** `DS CYPRESS → Rotterdam 53%` */
  said: string;
  /** `Rotterdam 53% · Wed 25 Nov 07:47` */
  ports?: string;
  when: string;
  eta: Date | null | undefined;
  /** Set for a vessel at the port that is watched. */
  probability?: string;
  note: string;
  references: readonly string[];
}

const etaColumn = kinds.shown<Row>('ETA', ({ when, eta }) =>
  eta ? { text: when, sort: eta.getTime() } : when,
);

const lastColumns = {
  note: kinds.shown<Row>('Note', ({ note }) => note),
  imo: kinds.shown<Row>('IMO', ({ imo }) => ({ text: { inTable: String(imo), inLine: '' } })),
  references: kinds.shown<Row>('Ref', ({ references }) => ({ text: referencesInCell(references) }), {
    membersOnly: true,
  }),
};

// The first two columns are all that a phone shows, and a screen reader begins each row with the first.
const callsTable = table<Row>({
  name: 'expected-vessels',
  about: 'A vessel that is expected at the port of a watch',
  columns: {
    vessel: kinds.shown('Vessel', ({ name }) => name),
    eta: etaColumn,
    probability: kinds.shown('%', ({ probability = '' }) => probability),
    // Only the ports of a group have names here.
    port: kinds.shown('Port', ({ ports = '' }) => ports),
    ...lastColumns,
  },
});

const vesselsTable = table<Row>({
  name: 'watched-vessels',
  about: 'A vessel of a watch',
  columns: {
    vessel: kinds.shown('Vessel', ({ name }) => name),
    port: kinds.shown('Next port, ETA (LT)', ({ ports = '' }) => ports),
    eta: etaColumn,
    ...lastColumns,
  },
});

/** How many vessels a card lists. */
const maxRows = 30;

const tableOf = (shape: Table<Row>, rows: readonly Row[], caption: string): Section[] => [
  shape.of({ caption, rows: rows.slice(0, maxRows), inWords: rowInWords }),
];

/** `🟠 DS CYPRESS → Rotterdam 53% · Wed 25 Nov 07:47 LT (05:47 UTC) · was Hamburg 52%` */
const rowInWords = ({ said, when, note }: Row): string =>
  [said, when, note].filter((part) => part !== '').join(' · ');

const moreNote = (all: readonly unknown[], label: string): string[] =>
  all.length > maxRows
    ? [`the ${maxRows} with the nearest ETA; ${label} (⋯) shows ${all.length - maxRows} more`]
    : [];

/** The vessels expected at a port, or at the ports of a group; with a condition, those of its vessels. */
function portBody(watch: WatchWithSubjects, port: PortOrGroup, names: WatchNames, now: Date): CardBody {
  const isGroup = isPortGroup(port);
  const expected = expectedVessels(watch).sort(byEta);
  const isLate = ({ eta }: Pick<Prospect, 'eta'>) => eta !== null && eta <= now;
  const nameOf = ({ imo }: { imo: Imo }) => vesselShort(knownVessel(imo, names));
  const rows = expected.map(({ notifiedAt, ...call }) => {
    const name = `${isLate(call) ? '🟠 ' : ''}${nameOf(call)}`;
    const probability = percent(call.probability);
    return {
      ...{ ...call, name, probability, when: etaInWords(call, now) },
      said: [name, ...(isGroup ? ['→', portName(call.port)] : []), probability].join(' '),
      references: names.referencesOf(call.imo),
      ...(isGroup && { ports: portName(call.port) }),
      note: [
        ...(isLate(call) ? ['past ETA, still forecast'] : []),
        ...(notifiedAt ? [`as of ${stamp(notifiedAt, now)}`] : []),
      ].join(', '),
    };
  });
  const { condition } = watch;
  const label = condition ? `All calls at ${portName(port)}` : 'All calls';
  const title = condition ? titleOf(watch).replace(portLabel(port), portName(port)) : portName(port);
  const next = nextExpected(watch, names, now);
  // Why a vessel that has the port among its next ports may be missing.
  const scope = `${condition ? '' : `next ${damping.portDays} days, `}from ${percent(thresholds.alert.likely)}`;
  return {
    title: `${title}: ${expectedInWords(watch)}`,
    rest: next === undefined ? '' : ` · ${next}`,
    sections: tableOf(callsTable, rows, `Vessels expected at ${portName(port)}`),
    isToCheck: expected.some(isLate),
    notes: [
      isGroup ? portSubjects(watch.followedSubjects).join(', ') : port,
      scope,
      ...moreNote(expected, label),
    ],
    showAll: { label, intent: callsAt(port) },
  };
}

function vesselsBody(watch: WatchWithSubjects, names: WatchNames, now: Date): CardBody {
  const vessels = listedVessels(watch).sort(byEta);
  const critical = openCriticalVessels(watch);
  const nameOf = ({ imo }: { imo: Imo }) => vesselShort(knownVessel(imo, names));
  const rows = vessels.map((vessel) => {
    const checkMarker = isToCheck(vessel, now) ? '🟠 ' : '';
    const name = `${critical.has(vessel.imo) ? '🔴 ' : checkMarker}${nameOf(vessel)}`;
    return { ...rowOf(vessel, name, now), references: names.referencesOf(vessel.imo) };
  });
  const late = vessels.filter((vessel) => isPastEta(vessel, now)).length;
  const next = vessels.find(({ eta }) => eta && eta > now);
  const count = counted(vessels.length, 'vessel');
  const showAll = allVesselsButton(watch);
  return {
    title: `${titleOf(watch)}: ${late > 0 ? `${late} of ${count} past ETA` : count}`,
    rest: next?.prediction
      ? ` · next ${nextInWords(nameOf(next), nextOf(next.prediction))}, ${etaInWords(next.prediction, now)}`
      : '',
    sections: tableOf(vesselsTable, rows, titleAtStart(watch.title)),
    isToCheck: vessels.some((vessel) => isToCheck(vessel, now)),
    notes: moreNote(vessels, showAll.label),
    showAll,
  };
}

/** The vessels of a critical alert that nobody has acknowledged. */
const openCriticalVessels = (watch: WatchWithSubjects): Set<number> =>
  new Set(
    openEvents(watch).flatMap((event) => (watchRules.isCritical(event) && 'imo' in event ? [event.imo] : [])),
  );

function rowOf(vessel: ListedVessel, name: string, now: Date): Omit<Row, 'references'> {
  const { imo, prediction, state } = vessel;
  if (!prediction) {
    const ports = state ? 'no prediction' : 'no answer yet';
    return { imo, name, ports, said: `${name}: ${ports}`, eta: null, when: '', note: '' };
  }
  const next = nextOf(prediction);
  return {
    ...{ imo, name, said: nextInWords(name, next), eta: prediction.eta },
    ports: `${portsInWords(next)} · ${shortEta(prediction, now)}`,
    when: etaInWords(prediction, now),
    note: vesselNotes(vessel, now).join(', '),
  };
}

const shortEta = ({ port, eta }: ShownPrediction, now: Date): string =>
  eta ? unbroken(shortTimeAt(port, eta, now)) : 'ETA not given';

function allVesselsButton({ followedSubjects }: WatchWithSubjects): AnswerButton & { label: string } {
  const [first] = followedSubjects;
  if (first?.subject.kind === 'shiplist')
    return { label: 'All vessels', intent: nextPortsOf({ kind: 'list', name: first.subject.name }) };
  const [imo, ...others] = vesselSubjects(followedSubjects);
  return imo !== undefined && others.length < maxVessels
    ? { label: 'All vessels', intent: nextPortsOf({ kind: 'vessels', imos: [imo, ...others] }) }
    : { label: 'All watched vessels', intent: nextPortsOf('watched') };
}

/** The card of one vessel. */
function vesselBody(
  vessel: ListedVessel,
  watched: { watch: WatchWithSubjects; followed: FollowedSubject },
  names: WatchNames,
  { now, audience }: Pick<Reader, 'now' | 'audience'>,
): CardBody {
  const { imo, eta, state, prediction } = vessel;
  const name = vesselShort(knownVessel(imo, names));
  const references = referenceNote(names.referencesOf(imo));
  const common = {
    isCard: true,
    showAll: { label: 'All ports', intent: nextPortsOf(imo) },
  };
  if (!prediction)
    return {
      ...common,
      title: `${name}: no prediction now`,
      subtitle: `IMO ${imo}`,
      lines: ['Fishing vessels, tugs and pilot boats are not covered', ...references],
      isToCheck: false,
      notes: [],
    };
  const when = whenParts(vessel, prediction, { ...watched, now });
  return {
    ...common,
    title: vesselTitle(name, prediction, state?.dispute ?? null),
    subtitle: [...when, `IMO ${imo}`].join(' · '),
    lines: [...vesselLines(vessel, prediction, now), ...references],
    isToCheck: isToCheck(vessel, now),
    notes: [
      // The card's lines are too short for the reader's own time.
      ...(eta && audience !== 'private' ? [['ETA in your time: ', { instant: eta }]] : []),
      ...nextOf(prediction).map(({ port }) => port),
    ],
  };
}

/** `DS CYPRESS → Rotterdam 46%, under 50%`. */
function vesselTitle(name: string, prediction: ShownPrediction, dispute: Dispute | null): string {
  const { port, probability, other } = prediction;
  const { below = 0 } = dispute ?? {};
  if (other || probability >= below) return nextInWords(name, nextOf(prediction));
  return `${name} → ${portName(port)} ${percentUnder(probability, below)}, under ${percent(below)}`;
}

/** `Sat 19 Dec 01:43 LT`, `in 20 d`; or `6 h past ETA, still forecast`. */
function whenParts(
  vessel: ListedVessel,
  prediction: ShownPrediction,
  { now, followed, watch }: { now: Date; followed: FollowedSubject; watch: WatchWithSubjects },
): string[] {
  const { eta, other } = prediction;
  const time = [...new Set(nextOf(prediction).map((one) => etaInWords(one, now)))].join(' or ');
  // How far ahead two ETAs are would be too much.
  if (other && !isPastEta(vessel, now)) return [time];
  if (!eta || vessel.state?.lost || vessel.state?.ended) return [time];
  const isUpdated = watch.status === 'active' && followed.state?.stale === false && !prediction.notifiedAt;
  const nextPollAt = isUpdated ? followed.nextPollAt : undefined;
  const words = steadyCountdown(eta, { now, nextPollAt });
  if (isPastEta(vessel, now)) return [time, `${words ?? 'past ETA'}, still forecast`];
  return words === undefined ? [time] : [time, words];
}

/** What differs from the last alert, and what to know of the prediction. */
function vesselLines({ state }: ListedVessel, prediction: ShownPrediction, now: Date): string[] {
  const { was, notifiedAt, isUnlisted } = prediction;
  const unlisted = isUnlisted ? 'No longer predicted in the latest answer: these' : 'These';
  return [
    ...(was ? [`Was ${formerFigures(was, prediction, now).join(', ')}, as of ${stamp(was.at, now)}`] : []),
    ...(state?.dispute ? [disputeLine(state.dispute, prediction, now)] : []),
    ...(state?.lost ? ['No prediction any more: these are the last figures'] : []),
    ...(state?.ended ? ['The next port has changed: this vessel is no longer followed'] : []),
    ...(notifiedAt && !state?.lost && !state?.ended
      ? [`${unlisted} figures are from ${stamp(notifiedAt, now)}`]
      : []),
  ];
}

/** `Undecided since Tue 24 Nov 09:00 UTC`, `Fell under 50% on Tue 24 Nov 09:00 UTC`. */
function disputeLine(dispute: Dispute, prediction: ShownPrediction, now: Date): string {
  const { kind, below = 0, since } = dispute;
  if (kind === 'unlikely') return `Fell under ${percent(below)} on ${stamp(since, now)}`;
  const [note = 'undecided'] = disputeNotes(dispute, prediction);
  return `${capitalised(note)} since ${stamp(since, now)}`;
}

/** Only those that look different now, or all of another port. */
function formerFigures(was: Prospect, current: Prospect, now: Date): string[] {
  const eta = was.eta ? `ETA ${etaInWords(was, now)}` : 'ETA not given';
  if (was.port !== current.port) return [portChance(was), eta];
  const isSame = percent(was.probability) === percent(current.probability);
  return [...(isSame ? [] : [portChance(was)]), ...(hasMoved(was, current) ? [eta] : [])];
}
