import { millisecondsInMinute } from 'date-fns/constants';
import { counted, percent } from '../../../answers/formatting/words.ts';
import { nextPorts } from '../../../predictions/next-port.ts';
import type { Imo } from '../../../reference/codes.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import { disputedPorts } from '../../rules/dispute.ts';
import { type Baseline, imosIn, type VesselState, vesselStates } from '../../rules/evaluation/state.ts';
import { type FollowedSubject, isOfPort, type WatchWithSubjects } from '../store/watch-list.ts';

/** What cards and lists show for a vessel: its next port in the latest answer, or else the last one notified of. */
export interface ShownPrediction extends Prospect {
  /** The less likely of two ports, if the next port is undecided. */
  other: Prospect | undefined;
  /** The baseline, if it looks different from this, and no alert in the thread is kept up to date. */
  was: Baseline | undefined;
  /** Set if these figures are not from the latest answer but from a notification at that time. */
  notifiedAt: Date | undefined;
  /** The latest answer is known, and predicts nothing. */
  isUnlisted: boolean;
}

/** Undefined if there has never been a prediction. */
export function shownPrediction(
  imo: Imo,
  { state, latest, polledAt }: Pick<FollowedSubject, 'state' | 'latest' | 'polledAt'>,
): ShownPrediction | undefined {
  const vessel = vesselStates(state)[imo];
  if (!vessel?.baseline) return undefined;
  const { baseline, ended, dispute } = vessel;
  const ranked = ended ? [] : (latest?.get(imo) ?? []);
  const [current, other] = nextPorts(ranked, disputedPorts(dispute));
  if (current) {
    const was = dispute || looksSame(current, baseline) ? undefined : baseline;
    return { ...current, other, was, notifiedAt: undefined, isUnlisted: false };
  }
  const isOfLastPoll = polledAt !== null && baseline.at.getTime() >= polledAt.getTime();
  const notifiedAt = isOfLastPoll ? undefined : baseline.at;
  const [first = baseline, second] = nextPorts(dispute?.shown ?? [], disputedPorts(dispute));
  const { port, probability, eta } = first;
  const isUnlisted = Boolean(latest) && !ended;
  return { port, probability, eta, other: second, was: undefined, notifiedAt, isUnlisted };
}

/** One port, or two if the next one is undecided. */
export const nextOf = ({ other, ...first }: ShownPrediction): readonly [Prospect, ...Prospect[]] =>
  other ? [first, other] : [first];

/** Another port than the one that was notified last. */
export const isUnnotified = ({ port, was }: ShownPrediction): boolean =>
  was !== undefined && was.port !== port;

export interface ListedVessel {
  imo: Imo;
  eta: Date | null | undefined;
  /** Undefined before the first answer. */
  state: VesselState | undefined;
  prediction: ShownPrediction | undefined;
}

/** All vessels of a watch, whether it follows them one by one or as a list; none if it is about a port. */
export function listedVessels(watch: WatchWithSubjects): ListedVessel[] {
  if (isOfPort(watch)) return [];
  return watch.followedSubjects.flatMap((followed) => {
    const { subject, state } = followed;
    const imos = subject.kind === 'vessel' ? [subject.imo] : imosIn(state);
    return imos.map((imo) => {
      const prediction = shownPrediction(imo, followed);
      return { imo, eta: prediction?.eta, state: vesselStates(state)[imo], prediction };
    });
  });
}

/** A call at the watched port, with the latest figures. */
interface ExpectedCall extends Prospect {
  imo: Imo;
  /** Set if these figures are not from the latest answer but from a notification at that time. */
  notifiedAt: Date | undefined;
}

/** The vessels expected at the watched port; none if the watch isn't about a port. */
export const expectedVessels = ({ followedSubjects }: WatchWithSubjects): ExpectedCall[] =>
  followedSubjects.flatMap(({ state, latest, polledAt }) =>
    (state?.kind === 'port' ? (state.expected ?? []) : []).map((baseline) => {
      const current = latest?.get(baseline.imo)?.[0];
      const isOld = !current && polledAt && baseline.at < polledAt;
      const { port, probability, eta } = current ?? baseline;
      return { imo: baseline.imo, port, probability, eta, notifiedAt: isOld ? baseline.at : undefined };
    }),
  );

/** `3 vessels expected`; with a condition `2 of 20 vessels expected`, of one vessel `expected`. */
export function expectedInWords(watch: WatchWithSubjects): string {
  const { length } = expectedVessels(watch);
  const members = watch.condition ? vesselCount(watch) : undefined;
  if (members === undefined) return `${counted(length, 'vessel')} expected`;
  if (members === 1) return length === 1 ? 'expected' : 'not expected';
  return `${length === 0 ? 'none' : length} of ${counted(members, 'vessel')} expected`;
}

/** How many vessels the watch is about, expected at its port or not; undefined if it is about all of a port. */
export function vesselCount(watch: WatchWithSubjects): number | undefined {
  const { condition, followedSubjects } = watch;
  if (condition?.imos) return condition.imos.length;
  const imos = followedSubjects.flatMap(({ subject, state }) =>
    subject.kind === 'vessel' ? [subject.imo] : imosIn(state),
  );
  return isOfPort(watch) && !condition ? undefined : new Set(imos).size;
}

/** Whole percents are all that people see. */
const looksSame = (one: Prospect, other: Prospect): boolean =>
  one.port === other.port && percent(one.probability) === percent(other.probability) && !hasMoved(one, other);

/** A smaller shift of the ETA isn't shown as a change. */
const leastShiftMs = 30 * millisecondsInMinute;

/** Whether the ETA of a port differs enough to be shown as a change. */
export function hasMoved(was: Pick<Prospect, 'eta'>, now: Pick<Prospect, 'eta'>): boolean {
  if (!was.eta || !now.eta) return was.eta?.getTime() !== now.eta?.getTime();
  return Math.abs(now.eta.getTime() - was.eta.getTime()) >= leastShiftMs;
}
