import { addDays } from 'date-fns/addDays';
import type { Imo } from '../../../reference/imo.ts';
import { passedThresholds } from '../rules/arriving.ts';
import type { WatchEvent } from '../rules/index.ts';
import { type Baseline, type VesselState, vesselStates, type WatchState } from './state.ts';

/** A vessel that is no longer expected at a port stays worth a look for this long. */
const goneDays = 3;

/** False once an alert's event no longer says anything about its vessel: nobody needs to look at it any more. */
export function isCurrent(
  event: WatchEvent,
  { at, state, now }: { at: Date; state: WatchState; now: Date },
): boolean {
  switch (event.kind) {
    case 'stale':
      return state.stale;
    case 'due':
      return now <= event.due.at;
    case 'no-longer-expected':
      return !isExpected(state, event.imo) && now < addDays(at, goneDays);
    case 'newly-expected':
    case 'expected-eta-moved':
      return isExpected(state, event.imo, at);
    default: {
      const vessel = vesselStates(state)[event.imo];
      return vessel === undefined || isCurrentOf(event, vessel, at);
    }
  }
}

type VesselEvent = Exclude<
  WatchEvent,
  { kind: 'stale' | 'due' | 'no-longer-expected' | 'newly-expected' | 'expected-eta-moved' }
>;

function isCurrentOf(event: VesselEvent, { baseline, calls, dispute, lost }: VesselState, at: Date): boolean {
  switch (event.kind) {
    case 'undecided':
    case 'unlikely':
    case 'back-and-forth':
      return dispute?.since.getTime() === event.since.getTime();
    case 'prediction-lost':
      return lost;
    case 'diverted':
    case 'moved-on':
    case 'prediction-back':
      return baseline?.port === event.next.port;
    case 'eta-slipped':
    case 'eta-advanced':
    case 'overdue':
      return baseline?.port === event.now.port && !isNewer(baseline, at);
    case 'arriving':
      return baseline?.port === event.now.port && !isNewer(baseline, at) && !isNearer(event, calls);
  }
}

/** A shorter threshold has passed since. */
const isNearer = (
  { now: { port }, hours }: Extract<VesselEvent, { kind: 'arriving' }>,
  calls: VesselState['calls'],
): boolean => passedThresholds(calls[port]?.memory).some((passed) => passed < hours);

const isExpected = (state: WatchState, imo: Imo, at?: Date): boolean =>
  state.kind === 'port' &&
  (state.expected?.some((vessel) => vessel.imo === imo && !(at && isNewer(vessel, at))) ?? false);

/** Followers have been notified of something since. */
const isNewer = (baseline: Baseline, at: Date): boolean => baseline.at > at;
