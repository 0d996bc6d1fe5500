import { countdown } from '../../../answers/formatting/times.ts';
import { percent } from '../../../answers/formatting/words.ts';
import { portName } from '../../../reference/ports.ts';
import { disputedPorts } from '../../rules/dispute.ts';
import type { Dispute } from '../../rules/evaluation/state.ts';
import { portChance, stamp } from '../../rules/event-text.ts';
import { isUnnotified, type ListedVessel, type ShownPrediction } from './shown-prediction.ts';

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

/** What a row of a table says beside the figures, not escaped. */
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
