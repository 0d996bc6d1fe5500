import { type AnswerButton, nextPortsOf, type Section, type Verdict } from '../../../answers/answer.ts';
import {
  capitalised,
  nextInWords,
  percent,
  percentUnder,
  referenceNote,
  vesselShort,
} from '../../../answers/formatting/words.ts';
import type { Reader } from '../../../answers/message.ts';
import type { Text } from '../../../answers/text.ts';
import type { Imo } from '../../../reference/codes.ts';
import { portName } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import { knownVessel } from '../../ctx.ts';
import type { FollowedSubject, WatchWithSubjects } from '../../polling/watch-list.ts';
import { type Dispute, vesselStates } from '../../rules/evaluation/state.ts';
import { etaInWords, portChance, stamp } from '../../rules/event-text.ts';
import type { WatchNames } from '../../rules/event-words.ts';
import {
  hasMoved,
  type ListedVessel,
  nextOf,
  type ShownPrediction,
  shownPrediction,
} from './shown-prediction.ts';
import { disputeNotes, isPastEta, isToCheck, steadyCountdown } from './vessel-notes.ts';

/** The part of a card that shows the predictions. */
export interface CardBody extends Pick<Verdict, 'rest' | 'isCard'> {
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

interface WatchedVessel {
  imo: Imo;
  followed: FollowedSubject;
  watch: WatchWithSubjects;
}

/** The card of one vessel. */
export function vesselBody(
  { imo, followed, watch }: WatchedVessel,
  names: WatchNames,
  { now, audience }: Pick<Reader, 'now' | 'audience'>,
): CardBody {
  const prediction = shownPrediction(imo, followed);
  const state = vesselStates(followed.state)[imo];
  const vessel: ListedVessel = { imo, eta: prediction?.eta, state, prediction };
  const name = vesselShort(knownVessel(imo, names));
  const references = referenceNote(names.referencesOf(imo));
  const common = {
    isCard: true,
    showAll: { label: 'All ports', intent: nextPortsOf({ imos: [imo] }) },
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
  const when = whenParts(vessel, prediction, { now, followed, watch });
  const { eta } = prediction;
  return {
    ...common,
    title: titleOf(name, prediction, state?.dispute ?? null),
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
function titleOf(name: string, prediction: ShownPrediction, dispute: Dispute | null): string {
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
  const before = percent(was.probability);
  return [
    ...(before === percent(current.probability) ? [] : [before]),
    ...(hasMoved(was, current) ? [eta] : []),
  ];
}
