import { maxVessels } from '../../../grammar/vessel.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { shortPortTime, yourTime } from '../../../messages/formatting/times.ts';
import { vesselHeading, vesselListed, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { counted } from '../../../messages/formatting/words.ts';
import { clip, joinWithin, limits } from '../../../messages/limits.ts';
import type { Piece, Reader } from '../../../messages/message.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { dataTable } from '../../../messages/rich-blocks.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import { knownVessel } from '../../run-context.ts';
import { type VesselState, vesselStates } from '../evaluation/state.ts';
import { type FollowedSubject, vesselSubjects, type WatchWithSubjects } from '../store/watch-list.ts';
import { etaInWords, portText, stamp } from './event-text.ts';
import { type ListedVessel, listedVessels, predictionNotes, shownPrediction } from './shown-prediction.ts';
import type { WatchNames } from './watch-reply.ts';

/** The part of a card that shows the predictions. Mrkdwn. */
interface CardBody {
  text: string;
  heading: string;
  lines: string[];
  /** A table of several vessels. */
  table?: readonly Piece[];
  /** The button for the whole answer, with its command line. */
  showAll?: { label: string; line: string };
}

/** Leaves room in the card's `text` for the watch's state and the mark of invented data. */
const maxText = limits.messageText - 1_000;

export function cardBody(watch: WatchWithSubjects, names: WatchNames, reader: Reader): CardBody {
  const { now } = reader;
  const { followedSubjects } = watch;
  const [first] = followedSubjects;
  if (!first || followedSubjects.every(({ state }) => state === null)) return waitingBody(watch, names);
  const { subject } = first;
  if (subject.kind === 'port') return portBody(subject.port, first, names, now);
  if (subject.kind === 'vessel' && followedSubjects.length === 1)
    return vesselBody(subject.imo, first, names, reader);
  return vesselsBody(watch, names, now);
}

function waitingBody(watch: WatchWithSubjects, names: WatchNames): CardBody {
  const title = escaped(clip(watch.title, 150));
  const [imo, ...others] = vesselSubjects(watch.followedSubjects);
  return {
    text: `${title} is watched here: the first answer is on its way`,
    heading: imo && others.length === 0 ? vesselHeading(knownVessel(imo, names)) : `*${title}*`,
    lines: ['Watched here. The first answer is on its way; changes are posted in this thread.'],
  };
}

function vesselBody(imo: Imo, followed: FollowedSubject, names: WatchNames, reader: Reader): CardBody {
  const { now } = reader;
  const { state } = followed;
  const vesselState = vesselStates(state)[imo];
  const vessel = knownVessel(imo, names);
  const heading = vesselHeading(vessel);
  const name = escaped(vesselShort(vessel));
  const showAll = { label: 'All ports', line: `nextport ${imo}` };
  const prediction = shownPrediction(imo, followed);
  if (!prediction) {
    const nothing = 'No prediction now. Fishing vessels, tugs and pilot boats are not covered';
    return { text: `${name}: ${nothing}`, heading, lines: [nothing], showAll };
  }
  const { eta, was } = prediction;
  const port = portText(prediction);
  const chance = percent(prediction.probability);
  const when = etaInWords(prediction, now);
  const notes = predictionNotes(prediction, now).map(escaped);
  return {
    text: `${name}: next port ${port} ${chance}, ${eta ? 'ETA ' : ''}${[when, ...notes].join(', ')}${stateSuffix(vesselState)}`,
    heading: `${heading} → *${port}* ${chance}`,
    lines: [
      [when, ...(eta ? yourTime(eta, portOf(prediction.port)?.zone, reader) : []), ...notes].join(' · '),
      ...(was
        ? [`Last notified ${stamp(was.at, now)}: ${percent(was.probability)}, ${etaInWords(was, now)}`]
        : []),
      ...stateLines(vesselState),
    ],
    showAll,
  };
}

const maxVesselsShown = 30;

function vesselsBody(watch: WatchWithSubjects, names: WatchNames, now: Date): CardBody {
  const vessels = listedVessels(watch).sort(byEta);
  const shown = vessels.slice(0, maxVesselsShown);
  const rows = shown.map((vessel) => row(vesselListed(knownVessel(vessel.imo, names)), vessel, now));
  const showAll = allVesselsButton(watch);
  const title = escaped(clip(watch.title, 150));
  const count = counted(vessels.length, 'vessel');
  const rest = vessels.length - shown.length;
  const lead = `${title}, ${count}: `;
  const inWords = rows.map((cells) => escaped(cells.filter(isFilled).join(' ')));
  return {
    text: `${lead}${joinWithin(inWords, '; ', maxText - lead.length) || 'no predictions now'}`,
    heading: `*${title}* · ${count}`,
    lines:
      rest > 0 ? [`The ${shown.length} with the nearest ETA. Press ${showAll.label} for ${rest} more.`] : [],
    table: dataTable({ caption: watch.title, columns, rows }),
    showAll,
  };
}

const columns = [
  { header: 'Vessel' },
  { header: 'Next port' },
  { header: 'Probability', align: 'right' },
  { header: 'ETA' },
] as const;

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

function row(name: string, { state, prediction }: ListedVessel, now: Date): string[] {
  if (!state || !prediction) return [name, state ? 'no prediction' : 'no answer yet', '–', '–'];
  const notes = predictionNotes(prediction, now);
  return [
    name,
    `${portLabel(prediction.port)}${stateSuffix(state)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`,
    percent(prediction.probability),
    etaInWords(prediction, now),
  ];
}

const isFilled = (cell: string): boolean => cell !== '–';

function stateLines(state: VesselState | undefined): string[] {
  if (!state) return [];
  const { wavering, lost, ended } = state;
  const ports = wavering?.ports.map((port) => portText({ port })) ?? [];
  return [
    ...(wavering ? [`Wavering between ${ports.join(' and ')}`] : []),
    ...(lost ? ['No prediction any more: this is the last one that you were notified of'] : []),
    ...(ended ? ['The next port has changed: this vessel is no longer followed'] : []),
  ];
}

/** Not escaped. */
function stateSuffix(state: VesselState | undefined): string {
  if (state?.lost) return ' (no prediction any more)';
  if (state?.wavering) return ' (wavering)';
  return state?.ended ? ' (changed, no longer followed)' : '';
}

const maxCallsShown = 15;

/** The vessels expected at a port. */
function portBody(
  port: Locode,
  { state, latest, polledAt }: FollowedSubject,
  names: WatchNames,
  now: Date,
): CardBody {
  const showAll = { label: 'All calls', line: `portcalls ${port}` };
  const label = portText({ port });
  const zone = portOf(port)?.zone;
  const expected = ((state?.kind === 'port' && state.expected) || [])
    .map((baseline) => {
      const current = latest?.get(baseline.imo)?.[0];
      const isOld = !current && polledAt && baseline.at < polledAt;
      const note = isOld ? ` · as notified ${stamp(baseline.at, now)}` : '';
      return { ...(current ?? baseline), imo: baseline.imo, note };
    })
    .sort(byEta);
  const calls = expected.slice(0, maxCallsShown).map(({ imo, eta, probability, note }) => {
    const when = eta ? shortPortTime(eta, zone, now) : 'ETA not given';
    return `${when} · ${escaped(vesselListed(knownVessel(imo, names)))} · ${percent(probability)}${note}`;
  });
  const count = `${counted(expected.length, 'vessel')} expected`;
  const rest = expected.length - calls.length;
  return {
    text: joinWithin([`${label}: ${count}`, ...calls], '; ', maxText),
    heading: `*${label}* · ${count}`,
    lines: [...calls, ...(rest > 0 ? [`Press ${showAll.label} for ${rest} more.`] : [])],
    showAll,
  };
}
