import { millisecondsInMinute } from 'date-fns/constants';
import { countdown } from '../../../answers/formatting/times.ts';
import { counted, percent, vesselShort } from '../../../answers/formatting/words.ts';
import { referenceKey } from '../../../grammar/vessel-directory.ts';
import { nextPorts } from '../../../predictions/next-port.ts';
import type { VesselDue } from '../../../predictions/promises.ts';
import type { Imo } from '../../../reference/codes.ts';
import { portName } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import { knownVessel } from '../../ctx.ts';
import {
  type FollowedSubject,
  isOfOneVessel,
  isOfPort,
  type WatchWithSubjects,
} from '../../polling/index.ts';
import {
  type Baseline,
  type Dispute,
  disputedPorts,
  etaInWords,
  imosIn,
  isShown,
  type Memory,
  portChance,
  type Standing,
  stamp,
  standingLine,
  standingOf,
  type VesselNames,
  type VesselState,
  vesselStates,
  wasProbablyCalled,
} from '../../rules/index.ts';

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
function shownPrediction(
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
const isUnnotified = ({ port, was }: ShownPrediction): boolean => was !== undefined && was.port !== port;

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
  // One may be expected at several ports of a group.
  const length = new Set(expectedVessels(watch).map(({ imo }) => imo)).size;
  const members = watch.condition ? vesselCount(watch) : undefined;
  if (members === undefined) return `${counted(length, 'vessel')} expected`;
  if (members === 1) return length === 1 ? 'expected' : 'not expected';
  return `${length === 0 ? 'none' : length} of ${counted(members, 'vessel')} expected`;
}

/** `next DS CYPRESS → Rotterdam 90%, Tue 24 Nov 22:10 LT`: the port if it is of a group, no name if the title has it. */
export function nextExpected(watch: WatchWithSubjects, names: VesselNames, now: Date): string | undefined {
  const next = nextCallAt(watch, now);
  if (!next) return undefined;
  const isNamed = vesselCount(watch) !== 1;
  const where = watch.portGroup === null ? [] : [isNamed ? '→' : 'at', portName(next.port)];
  const named = isNamed ? ['next', vesselShort(knownVessel(next.imo, names))] : [];
  return `${[...named, ...where, percent(next.probability)].join(' ')}, ${etaInWords(next, now)}`;
}

/** The next vessel at the watched port, or at one of its group. */
export const nextCallAt = (watch: WatchWithSubjects, now: Date): ExpectedCall | undefined =>
  expectedVessels(watch)
    .sort(byEta)
    .find(({ eta }) => eta !== null && eta > now);

interface WithEta {
  imo: Imo;
  eta: Date | null | undefined;
}

/** Earliest ETA first; vessels without an ETA last. */
export const byEta = (one: WithEta, other: WithEta): number =>
  etaMs(one) - etaMs(other) || one.imo - other.imo;

const etaMs = ({ eta }: WithEta): number => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;

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

/** The port is still predicted although its ETA has passed. */
export const isPastEta = ({ prediction, state }: ListedVessel, now: Date): boolean =>
  Boolean(
    prediction?.eta && prediction.eta <= now && !prediction.notifiedAt && !state?.lost && !state?.ended,
  );

export const isToCheck = (vessel: ListedVessel, now: Date): boolean =>
  isPastEta(vessel, now) ||
  Boolean(
    vessel.prediction && (vessel.state?.lost || vessel.state?.dispute || isUnnotified(vessel.prediction)),
  );

/** What a row of a table says beside the figures. */
export function vesselNotes(vessel: ListedVessel, now: Date): string[] {
  const { prediction, state } = vessel;
  if (state?.ended) return ['next port has changed, no longer followed'];
  if (state?.lost) return ['no prediction any more'];
  return [
    ...(isPastEta(vessel, now) ? ['past ETA, still forecast'] : []),
    ...(prediction && state?.dispute ? disputeNotes(state.dispute, prediction) : []),
    ...(prediction?.was && isUnnotified(prediction) ? [`was ${portChance(prediction.was)}`] : []),
    ...(prediction?.isUnlisted && prediction.notifiedAt ? ['not in the latest answer'] : []),
    ...(prediction?.notifiedAt ? [`as of ${stamp(prediction.notifiedAt, now)}`] : []),
  ];
}

/** What the call doesn't say of a dispute: `undecided between Yantian and Ningbo`, `under 50%`. */
export function disputeNotes(dispute: Dispute, { probability, other }: ShownPrediction): string[] {
  const [own, rival] = disputedPorts(dispute);
  if (own && rival) return other ? [] : [`undecided between ${portName(own)} and ${portName(rival)}`];
  const { below = 0 } = dispute;
  return [`${probability < below ? '' : 'was '}under ${percent(below)}`];
}

/** `in 20 d`, `6 h past ETA`: only in words that stay true until the next poll, which updates the card. */
export function steadyCountdown(
  eta: Date,
  { now, nextPollAt }: { now: Date; nextPollAt: Date | undefined },
): string | undefined {
  const waitMs = nextPollAt ? nextPollAt.getTime() - now.getTime() : Number.POSITIVE_INFINITY;
  const words = countdown(eta, now);
  const unitMs = /\bd\b/.test(words) ? 24 * 3_600_000 : 3_600_000;
  return waitMs <= unitMs ? words : undefined;
}

const maxDueLines = 5;

interface DueLine {
  line: string;
  marker: Standing['marker'];
}

/** Whether the latest answer meets each promise. */
export function dueLines(
  watch: WatchWithSubjects,
  names: VesselNames,
  now: Date,
): { lines: string[]; urgent: string[]; marker: Standing['marker'] } {
  const all = promiseLines(watch, { names, above: isOfOneVessel(watch) ? 'next-port' : 'nothing', now });
  const markers = all.map(({ marker }) => marker);
  return {
    lines: withRest(all),
    urgent: withRest(all.filter(({ marker }) => marker !== '')),
    marker: markers.includes('🔴') ? '🔴' : markers.includes('🟠') ? '🟠' : '',
  };
}

export function promiseLines(
  watch: WatchWithSubjects,
  { now, ...shown }: Omit<Promised, 'vessels'>,
): DueLine[] {
  const followed = isOfPort(watch) ? [] : watch.followedSubjects;
  const vessels = new Map(
    followed.flatMap(({ latest, state }) =>
      [...(latest ?? [])].map(([imo, ranked]) => [imo, { ranked, memory: vesselStates(state)[imo]?.memory }]),
    ),
  );
  return linesOf(watch.promises, { vessels, now, ...shown });
}

interface Promised {
  /** The likeliest port first, and what the rules remember; none for a vessel without an answer. */
  vessels: ReadonlyMap<Imo, { ranked: readonly Prospect[]; memory?: Memory | undefined }>;
  names: VesselNames;
  /** What the lines follow: the one vessel's name, or also its likeliest port with its figures. */
  above: 'nothing' | 'vessel' | 'next-port';
  now: Date;
}

/**
 * `BK-4401 at Rotterdam by Sun 20 Dec 14:00 LT: 🔴 at risk, Le Havre is likelier (77%)`. Nothing of references for those
 * who see none.
 */
export const linesOf = (
  promises: readonly VesselDue[],
  { vessels, names, above, now }: Promised,
): DueLine[] =>
  promises.flatMap(({ imo, due }) => {
    const vessel = vessels.get(imo);
    const { reference } = due;
    if (!vessel || (reference !== undefined && !hasReference(names.referencesOf(imo), reference))) return [];
    const { ranked, memory } = vessel;
    const standing = standingOf(due, { ranked, wasProbablyCalled: wasProbablyCalled(due, memory) }, now);
    if (!isShown(due, standing, now)) return [];
    const named = [reference ?? [], above === 'nothing' ? vesselShort(knownVessel(imo, names)) : []].flat();
    const name = named.length > 0 ? named.join(' · ') : undefined;
    const headline = above === 'next-port' ? ranked[0]?.port : undefined;
    return { line: standingLine(due, standing, { name, headline, now }), marker: standing.marker };
  });

const hasReference = (known: readonly string[], reference: string): boolean =>
  known.some((each) => referenceKey(each) === referenceKey(reference));

function withRest(all: readonly DueLine[]): string[] {
  const rest = all.length - maxDueLines;
  return [
    ...all.slice(0, maxDueLines).map(({ line }) => line),
    ...(rest > 0 ? [`… and ${counted(rest, 'more promise')}`] : []),
  ];
}
