import { type AnswerButton, callsAt, nextPortsOf, type Section } from '../../../answers/answer.ts';
import { counted, nextInWords, percent, portNames, vesselShort } from '../../../answers/formatting/words.ts';
import * as kinds from '../../../answers/kinds.ts';
import { clip, type Reader } from '../../../answers/message.ts';
import { table } from '../../../answers/table.ts';
import { maxVessels } from '../../../grammar/vessel.ts';
import { thresholds } from '../../../predictions/changes.ts';
import type { Imo, Locode } from '../../../reference/codes.ts';
import { portLabel, portName } from '../../../reference/ports.ts';
import { openEvents } from '../../alerts/alert.ts';
import { knownVessel } from '../../ctx.ts';
import {
  targetOf,
  titleAtStart,
  vesselSubjects,
  type WatchWithSubjects,
  watchedPort,
} from '../../polling/watch-list.ts';
import { damping } from '../../rules/evaluation/damping.ts';
import { etaInWords, stamp } from '../../rules/event-text.ts';
import type { WatchNames } from '../../rules/event-words.ts';
import { watchRules } from '../../rules/registry.ts';
import {
  expectedInWords,
  expectedVessels,
  type ListedVessel,
  listedVessels,
  nextOf,
  vesselCount,
} from './shown-prediction.ts';
import { type CardBody, vesselBody } from './vessel-card.ts';
import { isPastEta, isToCheck, vesselNotes } from './vessel-notes.ts';

export function cardBody(
  watch: WatchWithSubjects,
  names: WatchNames,
  reader: Pick<Reader, 'now' | 'audience'>,
): CardBody {
  const { followedSubjects } = watch;
  const [first] = followedSubjects;
  if (!first || followedSubjects.every(({ state }) => state === null)) return waitingBody(watch);
  const { subject } = first;
  const port = watchedPort(targetOf(watch));
  if (port !== undefined) return portBody(watch, port, names, reader.now);
  if (subject.kind === 'vessel' && followedSubjects.length === 1)
    return vesselBody({ imo: subject.imo, followed: first, watch }, names, reader);
  return vesselsBody(watch, names, reader.now);
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
  ports?: string;
  when: string;
  eta: Date | null | undefined;
  probability: string;
  note: string;
}

const vesselsTable = table<Row>({
  name: 'watched-vessels',
  about: 'A vessel of a watch',
  columns: {
    vessel: kinds.shown('Vessel', ({ name }) => name),
    port: kinds.shown('Next port', ({ ports = '' }) => ports),
    eta: kinds.shown('ETA', ({ when, eta }) => (eta ? { text: when, sort: eta.getTime() } : when)),
    probability: kinds.shown('%', ({ probability }) => probability),
    note: kinds.shown('Note', ({ note }) => note),
    imo: kinds.shown('IMO', ({ imo }) => ({ text: { inTable: String(imo), inLine: '' } })),
  },
});

/** How many vessels a card lists. */
const maxRows = 30;

const tableOf = (rows: readonly Row[], caption: string): Section[] => [
  vesselsTable.of({ caption, rows: rows.slice(0, maxRows), inWords: rowInWords }),
];

/** `🟠 DS CYPRESS → Rotterdam 53% · Wed 25 Nov 07:47 LT (05:47 UTC) · was Hamburg 52%` */
const rowInWords = ({ said, when, note }: Row): string =>
  [said, when, note].filter((part) => part !== '').join(' · ');

const moreNote = (all: readonly unknown[], label: string): string[] =>
  all.length > maxRows
    ? [`the ${maxRows} with the nearest ETA; ${label} (⋯) shows ${all.length - maxRows} more`]
    : [];

interface WithEta {
  imo: Imo;
  eta: Date | null | undefined;
}

/** Earliest ETA first; vessels without an ETA last. */
const byEta = (one: WithEta, other: WithEta): number => etaMs(one) - etaMs(other) || one.imo - other.imo;

const etaMs = ({ eta }: WithEta): number => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** The vessels expected at a port; with a condition, those of its vessels. */
function portBody(watch: WatchWithSubjects, port: Locode, names: WatchNames, now: Date): CardBody {
  const expected = expectedVessels(watch).sort(byEta);
  const isLate = ({ eta }: WithEta) => eta !== null && eta !== undefined && eta <= now;
  const nameOf = ({ imo }: { imo: Imo }) => vesselShort(knownVessel(imo, names));
  const rows = expected.map(({ notifiedAt, ...call }) => {
    const name = `${isLate(call) ? '🟠 ' : ''}${nameOf(call)}`;
    const probability = percent(call.probability);
    return {
      ...{ ...call, name, probability, said: `${name} ${probability}`, when: etaInWords(call, now) },
      note: [
        ...(isLate(call) ? ['past ETA, still forecast'] : []),
        ...(notifiedAt ? [`as of ${stamp(notifiedAt, now)}`] : []),
      ].join(', '),
    };
  });
  const { condition } = watch;
  const label = condition ? `All calls at ${portName(port)}` : 'All calls';
  const title = condition ? titleOf(watch).replace(portLabel(port), portName(port)) : portName(port);
  const next = expected.find(({ eta }) => eta !== null && eta > now);
  // The title names a single one already.
  const nextVessel = next && vesselCount(watch) !== 1 ? `next ${nameOf(next)}, ` : '';
  // Why a vessel that has the port among its next ports may be missing.
  const scope = `${condition ? '' : `next ${damping.portDays} days, `}from ${percent(thresholds.alert.likely)}`;
  return {
    title: `${title}: ${expectedInWords(watch)}`,
    rest: next ? ` · ${nextVessel}${etaInWords(next, now)}` : '',
    sections: tableOf(rows, `Vessels expected at ${portName(port)}`),
    isToCheck: expected.some(isLate),
    notes: [port, scope, ...moreNote(expected, label)],
    showAll: { label, intent: callsAt(port) },
  };
}

function vesselsBody(watch: WatchWithSubjects, names: WatchNames, now: Date): CardBody {
  const vessels = listedVessels(watch).sort(byEta);
  const critical = openCriticalVessels(watch);
  const nameOf = ({ imo }: { imo: Imo }) => vesselShort(knownVessel(imo, names));
  const rows = vessels.map((vessel) => {
    const checkMarker = isToCheck(vessel, now) ? '🟠 ' : '';
    return rowOf(vessel, `${critical.has(vessel.imo) ? '🔴 ' : checkMarker}${nameOf(vessel)}`, now);
  });
  const late = vessels.filter((vessel) => isPastEta(vessel, now)).length;
  const next = vessels.find(({ eta }) => eta && eta > now);
  const count = counted(vessels.length, 'vessel');
  const showAll = allVesselsButton(watch);
  return {
    title: `${titleOf(watch)}: ${late > 0 ? `${late} of ${count} past ETA` : count}`,
    rest: next?.prediction
      ? ` · next ${nameOf(next)} → ${portNames(nextOf(next.prediction))}, ${etaInWords(next.prediction, now)}`
      : '',
    sections: tableOf(rows, titleAtStart(watch.title)),
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

function rowOf(vessel: ListedVessel, name: string, now: Date): Row {
  const { imo, prediction, state } = vessel;
  if (!prediction) {
    const ports = state ? 'no prediction' : 'no answer yet';
    return { imo, name, ports, said: `${name}: ${ports}`, eta: null, when: '', probability: '', note: '' };
  }
  const next = nextOf(prediction);
  return {
    ...{ imo, name, said: nextInWords(name, next), eta: prediction.eta },
    ports: portNames(next),
    when: etaInWords(prediction, now),
    probability: next.map(({ probability }) => percent(probability)).join(' or '),
    note: vesselNotes(vessel, now).join(', '),
  };
}

function allVesselsButton({ followedSubjects }: WatchWithSubjects): AnswerButton & { label: string } {
  const [first] = followedSubjects;
  if (first?.subject.kind === 'shiplist')
    return { label: 'All vessels', intent: nextPortsOf({ list: first.subject.name }) };
  const [imo, ...others] = vesselSubjects(followedSubjects);
  return imo !== undefined && others.length < maxVessels
    ? { label: 'All vessels', intent: nextPortsOf({ imos: [imo, ...others] }) }
    : { label: 'All watched vessels', intent: nextPortsOf('watched') };
}
