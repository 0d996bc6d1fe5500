// What keeps the playground plausible. The bounds leave room for a small change of the world and for another choice of
// seeds, but not for a predictor that is never wrong, or that no planner would look at.
import type { Score } from './score.ts';
import type { ViewComparison } from './views.ts';

export interface Bound {
  what: string;
  value: number;
  min: number;
  max: number;
  /** How many calls, polls or records the value is made of. */
  of: number;
}

/** A figure of fewer cases is left to chance, so no bound applies to it. */
const minCases = 200;

/** The figures that are out of bounds. */
export const outOfBounds = (score: Score, views: ViewComparison): Bound[] =>
  boundsOf(score, views).filter(
    ({ value, min, max, of }) => of >= minCases && !(value >= min && value <= max),
  );

function boundsOf({ leads, changes, ...score }: Score, views: ViewComparison): Bound[] {
  const dayAhead = leads.filter(({ leadHours }) => leadHours === 24);
  return [
    ...dayAhead.flatMap(({ calls: of, onTop, absoluteEtaHours: { p50, p90 } }) => [
      // Below it, answers look like guesses; above it, nobody ever sees a wrong one, nor an alert about a diversion.
      {
        what: 'the share of calls whose port was the likeliest 24 h before',
        value: onTop,
        min: 0.86,
        max: 0.97,
        of,
      },
      // A wait for a berth takes up to 33 h, so a tenth of the ETAs may well be off by most of a day.
      { what: 'the median error of the ETA 24 h before, in hours,', value: p50, min: 1, max: 6, of },
      {
        what: 'the 90th percentile of the error of the ETA 24 h before, in hours,',
        value: p90,
        min: 6,
        max: 24,
        of,
      },
    ]),
    // Ships go where they went before, so the true port is hardly ever missing from the list.
    ...leads.map(({ leadHours, calls: of, unlisted, withoutPrediction }) => ({
      what: `the share of calls whose port was not listed ${leadHours} h before`,
      value: (unlisted + withoutPrediction) / of,
      min: 0,
      max: 0.03,
      of,
    })),
    // What is said comes true more often than that, by five points; a wrong scale of probabilities makes far more.
    {
      what: 'the distance between what was said and what came true',
      value: score.calibrationError,
      min: 0,
      max: 0.1,
      of: score.calls,
    },
    // Enough for the alerts to be seen in the playground, few enough for a liner service.
    {
      what: 'the share of calls that were not made as scheduled',
      value: changes.reduce((sum, { change, share }) => sum + (change === 'on schedule' ? 0 : share), 0),
      min: 0.06,
      max: 0.2,
      of: score.calls,
    },
    // Without a drifting bias in the predictor it is 1%: nobody would see a prediction change its mind.
    ...changes
      .filter(({ change }) => change === 'on schedule')
      .map(({ changedMind, calls: of }) => ({
        what: 'the share of calls on schedule for which the likeliest port changed',
        value: changedMind,
        min: 0.03,
        max: 0.2,
        of,
      })),
    // Both come from one prediction, so any difference is a fault of the sandbox.
    {
      what: 'the number of records that differ between vessel view and port view',
      value: views.different,
      min: 0,
      max: 0,
      of: views.records,
    },
  ];
}
