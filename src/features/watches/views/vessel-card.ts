import { yourTime } from '../../../answers/formatting/times.ts';
import {
  capitalised,
  nextInWords,
  percent,
  percentUnder,
  referenceNote,
  vesselShort,
} from '../../../answers/formatting/words.ts';
import { limits, linesWithin, type Piece, type Reader } from '../../../answers/message.ts';
import { escaped, sections } from '../../../answers/slack/blocks.ts';
import { card } from '../../../answers/slack/rich-blocks.ts';
import type { Imo } from '../../../reference/codes.ts';
import { portName, portOf } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import { knownVessel } from '../../ctx.ts';
import { type Dispute, vesselStates } from '../../rules/evaluation/state.ts';
import { etaInWords, portChance, stamp } from '../../rules/event-text.ts';
import type { WatchNames } from '../../rules/event-words.ts';
import type { FollowedSubject, WatchWithSubjects } from '../store/watch-list.ts';
import type { CardBody } from './card-body.ts';
import {
  hasMoved,
  type ListedVessel,
  nextOf,
  type ShownPrediction,
  shownPrediction,
} from './shown-prediction.ts';
import { disputeNotes, isPastEta, isToCheck, steadyCountdown } from './vessel-notes.ts';

interface WatchedVessel {
  imo: Imo;
  followed: FollowedSubject;
  watch: WatchWithSubjects;
}

/** The card of one vessel. */
export function vesselBody(
  { imo, followed, watch }: WatchedVessel,
  names: WatchNames,
  reader: Reader,
): CardBody {
  const { now } = reader;
  const prediction = shownPrediction(imo, followed);
  const state = vesselStates(followed.state)[imo];
  const vessel: ListedVessel = { imo, eta: prediction?.eta, state, prediction };
  const name = escaped(vesselShort(knownVessel(imo, names)));
  const references = referenceNote(names.referencesOf(imo)).map(escaped);
  const showAll = { label: 'All ports', line: `nextport ${imo}` };
  if (!prediction) {
    const nothing = `${name}: no prediction now`;
    const why = 'Fishing vessels, tugs and pilot boats are not covered';
    return {
      text: [nothing, why, ...references].join('. '),
      draw: (marker, lines) =>
        drawCard({
          title: `${marker}${nothing}`,
          subtitle: `IMO ${imo}`,
          lines: [why, ...lines, ...references],
        }),
      isToCheck: false,
      notes: [],
      showAll,
    };
  }
  const title = titleOf(name, prediction, state?.dispute ?? null);
  const when = whenParts(vessel, prediction, { now, followed, watch });
  const lines = [...vesselLines(vessel, prediction, now).map(escaped), ...references];
  return {
    text: [[title, ...when.map(escaped)].join(', '), ...lines].join('. '),
    draw: (marker, stateLines) =>
      drawCard({
        title: `${marker}${title}`,
        subtitle: escaped([...when, `IMO ${imo}`].join(' · ')),
        lines: [...stateLines, ...lines],
      }),
    isToCheck: isToCheck(vessel, now),
    notes: [...readersTime(prediction, reader), ...nextOf(prediction).map(({ port }) => port)],
    showAll,
  };
}

/** `DS CYPRESS → Rotterdam 46%, under 50%`. `name` is escaped. */
function titleOf(name: string, prediction: ShownPrediction, dispute: Dispute | null): string {
  const { port, probability, other } = prediction;
  const { below = 0 } = dispute ?? {};
  if (other || probability >= below) return nextInWords(name, nextOf(prediction));
  return `${name} → ${portName(port)} ${percentUnder(probability, below)}, under ${percent(below)}`;
}

/** The lines that fit into the card, and a section below it for the others. */
function drawCard({
  title,
  subtitle,
  lines,
}: {
  title: string;
  subtitle: string;
  lines: readonly string[];
}): Piece[] {
  const fitting = linesWithin(lines, limits.cardBody);
  const body = fitting.length > 0 ? fitting.join('\n') : undefined;
  return [card({ title, subtitle, body }), ...sections(lines.slice(fitting.length))];
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

/** The card's lines are too short for Slack's date token. */
const readersTime = ({ port, eta }: ShownPrediction, reader: Reader): string[] =>
  eta
    ? yourTime(eta, portOf(port)?.zone, reader).map((words) => words.replace('yours:', 'ETA in your time:'))
    : [];

/** What differs from the last alert, and what to know of the prediction. Not escaped. */
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
  const before = percent(was.probability);
  return [
    ...(before === percent(current.probability) ? [] : [before]),
    ...(hasMoved(was, current) ? [eta] : []),
  ];
}
