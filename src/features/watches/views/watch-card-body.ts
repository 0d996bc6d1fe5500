import { counted, nextInWords, percent, portNames, vesselShort } from '../../../answers/formatting/words.ts';
import { clip, joinWithin, type Reader } from '../../../answers/message.ts';
import { escaped, sections } from '../../../answers/slack/blocks.ts';
import { dataTable } from '../../../answers/slack/rich-blocks.ts';
import { maxVessels } from '../../../grammar/vessel.ts';
import { knownVessel } from '../../ctx.ts';
import { etaInWords } from '../../rules/event-text.ts';
import type { WatchNames } from '../../rules/event-words.ts';
import { watchRules } from '../../rules/registry.ts';
import { openEvents } from '../store/open-alerts.ts';
import {
  targetOf,
  titleAtStart,
  vesselSubjects,
  type WatchWithSubjects,
  watchedPort,
} from '../store/watch-list.ts';
import { byEta, type CardBody, maxCardText, maxRows, moreNote } from './card-body.ts';
import { portBody } from './port-card.ts';
import { type ListedVessel, listedVessels, nextOf } from './shown-prediction.ts';
import { vesselBody } from './vessel-card.ts';
import { isPastEta, isToCheck, vesselNotes } from './vessel-notes.ts';

export function cardBody(watch: WatchWithSubjects, names: WatchNames, reader: Reader): CardBody {
  const { now } = reader;
  const { followedSubjects } = watch;
  const [first] = followedSubjects;
  if (!first || followedSubjects.every(({ state }) => state === null)) return waitingBody(watch);
  const { subject } = first;
  const port = watchedPort(targetOf(watch));
  if (port !== undefined) return portBody(watch, port, names, now);
  if (subject.kind === 'vessel' && followedSubjects.length === 1)
    return vesselBody({ imo: subject.imo, followed: first, watch }, names, reader);
  return vesselsBody(watch, names, now);
}

function waitingBody(watch: WatchWithSubjects): CardBody {
  const title = escaped(clip(titleAtStart(watch.title), 150));
  const what = 'The first answer is on its way; changes are posted in this thread.';
  return {
    text: `${title} is watched here. ${what}`,
    draw: (marker, lines) => sections([`${marker}*${title}* is watched here`, what, ...lines]),
    isToCheck: false,
    notes: [],
  };
}

function vesselsBody(watch: WatchWithSubjects, names: WatchNames, now: Date): CardBody {
  const vessels = listedVessels(watch).sort(byEta);
  const critical = openCriticalVessels(watch);
  const shown = vessels.slice(0, maxRows).map((vessel) => {
    const checkMarker = isToCheck(vessel, now) ? '🟠 ' : '';
    return vesselRow(vessel, { marker: critical.has(vessel.imo) ? '🔴 ' : checkMarker, names, now });
  });
  const title = escaped(clip(titleAtStart(watch.title), 150));
  const late = vessels.filter((vessel) => isPastEta(vessel, now)).length;
  const next = vessels.find(({ eta }) => eta && eta > now);
  const count = counted(vessels.length, 'vessel');
  const verdict = late > 0 ? `${late} of ${count} past ETA` : count;
  const nextCall = next?.prediction
    ? ` · next ${escaped(`${vesselShort(knownVessel(next.imo, names))} → ${portNames(nextOf(next.prediction))}, ${etaInWords(next.prediction, now)}`)}`
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
    text: joinWithin(
      [`${title}: ${verdict}${nextCall}`, ...shown.map(({ line }) => line)],
      '; ',
      maxCardText,
    ),
    draw: (marker, lines) => [
      ...sections([`${marker}*${title}: ${verdict}*${nextCall}`, ...lines]),
      ...dataTable({
        caption: titleAtStart(watch.title),
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
    openEvents(watch).flatMap((event) => (watchRules.isCritical(event) && 'imo' in event ? [event.imo] : [])),
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
  const { eta } = prediction;
  const next = nextOf(prediction);
  const note = vesselNotes(vessel, now).join(', ');
  const when = etaInWords(prediction, now);
  const percents = next.map(({ probability }) => percent(probability)).join(' or ');
  return {
    imo,
    cells: [name, portNames(next), eta ? { value: eta.getTime(), text: when } : when, percents],
    note,
    line: escaped([nextInWords(name, next), when, ...(note === '' ? [] : [note])].join(' · ')),
  };
}

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
