import { maxVessels } from '../../../grammar/vessel.ts';
import { sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { counted } from '../../../messages/formatting/words.ts';
import { clip, joinWithin, limits } from '../../../messages/limits.ts';
import type { Reader } from '../../../messages/message.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { dataTable } from '../../../messages/rich-blocks.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portLabel, portName } from '../../../reference/ports.ts';
import { knownVessel } from '../../run-context.ts';
import { watchRules } from '../rules/registry.ts';
import { type FollowedSubject, vesselSubjects, type WatchWithSubjects } from '../store/watch-list.ts';
import type { CardBody } from './card-body.ts';
import { etaInWords, stamp } from './event-text.ts';
import type { WatchNames } from './event-words.ts';
import { type ListedVessel, listedVessels } from './shown-prediction.ts';
import { vesselBody } from './vessel-card.ts';
import { isPastEta, isToCheck, vesselNotes } from './vessel-notes.ts';

/** Leaves room in the card's `text` for the watch's state and the mark of invented data. */
const maxText = limits.messageText - 1_000;

export function cardBody(watch: WatchWithSubjects, names: WatchNames, reader: Reader): CardBody {
  const { now } = reader;
  const { followedSubjects } = watch;
  const [first] = followedSubjects;
  if (!first || followedSubjects.every(({ state }) => state === null)) return waitingBody(watch);
  const { subject } = first;
  if (subject.kind === 'port') return portBody(subject.port, first, names, now);
  if (subject.kind === 'vessel' && followedSubjects.length === 1)
    return vesselBody({ imo: subject.imo, followed: first, watch }, names, reader);
  return vesselsBody(watch, names, now);
}

function waitingBody(watch: WatchWithSubjects): CardBody {
  const title = escaped(clip(watch.title, 150));
  const what = 'The first answer is on its way; changes are posted in this thread.';
  return {
    text: `${title} is watched here. ${what}`,
    draw: (marker, lines) => sections([`${marker}*${title}* is watched here`, what, ...lines]),
    isToCheck: false,
    notes: [],
  };
}

const maxRows = 30;

function vesselsBody(watch: WatchWithSubjects, names: WatchNames, now: Date): CardBody {
  const vessels = listedVessels(watch).sort(byEta);
  const critical = openCriticalVessels(watch);
  const shown = vessels.slice(0, maxRows).map((vessel) => {
    const checkMarker = isToCheck(vessel, now) ? '🟠 ' : '';
    return vesselRow(vessel, { marker: critical.has(vessel.imo) ? '🔴 ' : checkMarker, names, now });
  });
  const title = escaped(clip(watch.title, 150));
  const late = vessels.filter((vessel) => isPastEta(vessel, now)).length;
  const next = vessels.find(({ eta }) => eta && eta > now);
  const count = counted(vessels.length, 'vessel');
  const verdict = late > 0 ? `${late} of ${count} past ETA` : count;
  const nextCall = next?.prediction
    ? ` · next ${escaped(`${vesselShort(knownVessel(next.imo, names))} → ${portName(next.prediction.port)}, ${etaInWords(next.prediction, now)}`)}`
    : '';
  const showAll = allVesselsButton(watch);
  const hasNotes = shown.some(({ note }) => note !== '');
  const columns = [
    { header: 'Vessel' },
    { header: 'Next port' },
    { header: 'ETA' },
    { header: '%', align: 'right' },
    ...(hasNotes ? [{ header: 'Note' }] : []),
    { header: 'IMO' },
  ] as const;
  return {
    text: joinWithin([`${title}: ${verdict}${nextCall}`, ...shown.map(({ line }) => line)], '; ', maxText),
    draw: (marker, lines) => [
      ...sections([`${marker}*${title}: ${verdict}*${nextCall}`, ...lines]),
      ...dataTable({
        caption: watch.title,
        columns,
        rows: shown.map(({ imo, cells, note }) => [...cells, ...(hasNotes ? [note] : []), String(imo)]),
        lines: shown.map(({ line }) => line),
      }),
    ],
    isToCheck: vessels.some((vessel) => isToCheck(vessel, now)),
    notes: moreNote(vessels.length, shown.length, showAll.label),
    showAll,
  };
}

/** The vessels of a critical alert that nobody has acknowledged. */
const openCriticalVessels = (watch: WatchWithSubjects): Set<number> =>
  new Set(
    (watch.openAlerts?.first.events ?? []).flatMap((event) =>
      watchRules.isCritical(event) && 'imo' in event ? [event.imo] : [],
    ),
  );

function vesselRow(
  vessel: ListedVessel,
  { marker, names, now }: { marker: string; names: WatchNames; now: Date },
) {
  const { imo, prediction, state } = vessel;
  const name = `${marker}${vesselShort(knownVessel(imo, names))}`;
  if (!prediction) {
    const missing = state ? 'no prediction' : 'no answer yet';
    return { imo, cells: [name, missing, '–', '–'], note: '', line: escaped(`${name}: ${missing}`) };
  }
  const { port, eta, probability } = prediction;
  const note = vesselNotes(vessel, now).join(', ');
  const when = etaInWords(prediction, now);
  const call = `${name} → ${portName(port)} ${percent(probability)}`;
  return {
    imo,
    cells: [name, portName(port), eta ? { value: eta.getTime(), text: when } : when, percent(probability)],
    note,
    line: escaped([call, when, ...(note === '' ? [] : [note])].join(' · ')),
  };
}

const moreNote = (all: number, shown: number, label: string): string[] =>
  all > shown ? [`the ${shown} with the nearest ETA; ${label} (⋯) shows ${all - shown} more`] : [];

function allVesselsButton({ followedSubjects }: WatchWithSubjects): { label: string; line: string } {
  const [first] = followedSubjects;
  if (first?.subject.kind === 'shiplist') {
    const name = first.subject.name.replaceAll('"', '""');
    return { label: 'All vessels', line: `nextport list:"${name}"` };
  }
  const imos = vesselSubjects(followedSubjects);
  return imos.length <= maxVessels
    ? { label: 'All vessels', line: `nextport ${imos.join(', ')}` }
    : { label: 'All watched vessels', line: 'nextport watched' };
}

/** Earliest ETA first; vessels without an ETA last. */
const byEta = (one: Pick<ListedVessel, 'imo' | 'eta'>, other: Pick<ListedVessel, 'imo' | 'eta'>): number =>
  etaMs(one) - etaMs(other) || one.imo - other.imo;

const etaMs = ({ eta }: Pick<ListedVessel, 'eta'>): number => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** The vessels expected at a port. */
function portBody(
  port: Locode,
  { state, latest, polledAt }: FollowedSubject,
  names: WatchNames,
  now: Date,
): CardBody {
  const expected = ((state?.kind === 'port' && state.expected) || [])
    .map((baseline) => {
      const current = latest?.get(baseline.imo)?.[0];
      const isOld = !current && polledAt && baseline.at < polledAt;
      const asOf = isOld ? `as of ${stamp(baseline.at, now)}` : '';
      return { ...(current ?? baseline), imo: baseline.imo, asOf };
    })
    .sort(byEta);
  const shown = expected.slice(0, maxRows).map(({ imo, asOf, ...call }) => {
    const { eta, probability } = call;
    const isLate = eta !== null && eta <= now;
    const name = `${isLate ? '🟠 ' : ''}${vesselShort(knownVessel(imo, names))}`;
    const when = etaInWords(call, now);
    const note = [...(isLate ? ['past ETA, still forecast'] : []), ...(asOf === '' ? [] : [asOf])].join(', ');
    const line = [name, when, percent(probability), ...(note === '' ? [] : [note])].join(' · ');
    return { when: eta ? { value: eta.getTime(), text: when } : when, name, probability, note, imo, line };
  });
  const hasNotes = shown.some(({ note }) => note !== '');
  const showAll = { label: 'All calls', line: `portcalls ${port}` };
  const title = escaped(portLabel(port));
  const verdict = `${counted(expected.length, 'vessel')} expected`;
  const next = expected.find(({ eta }) => eta !== null && eta > now);
  const nextCall = next
    ? ` · next ${escaped(`${vesselShort(knownVessel(next.imo, names))}, ${etaInWords(next, now)}`)}`
    : '';
  const lines = shown.map(({ line }) => escaped(line));
  return {
    text: joinWithin([`${title}: ${verdict}${nextCall}`, ...lines], '; ', maxText),
    draw: (marker, stateLines) => [
      ...sections([`${marker}*${escaped(portName(port))}: ${verdict}*${nextCall}`, ...stateLines]),
      ...dataTable({
        caption: `Vessels expected at ${portName(port)}`,
        columns: [
          { header: 'Vessel' },
          { header: 'ETA' },
          { header: '%', align: 'right' },
          ...(hasNotes ? [{ header: 'Note' }] : []),
          { header: 'IMO' },
        ],
        rows: shown.map(({ when, name, probability, note, imo }) => [
          name,
          when,
          percent(probability),
          ...(hasNotes ? [note] : []),
          String(imo),
        ]),
        lines,
      }),
    ],
    isToCheck: expected.some(({ eta }) => eta !== null && eta <= now),
    notes: [port, ...moreNote(expected.length, shown.length, showAll.label)],
    showAll,
  };
}
