import { z } from 'zod';
import { baseline, date, prospect } from '../evaluation/values.ts';
import { durationTo, etaText, lastNotified, listedText, percent } from '../views/event-text.ts';
import { flag } from './flag-rule.ts';
import { defineRule, vesselEvent } from './rule.ts';

const newly = vesselEvent('newly-expected', { now: prospect });
const noLonger = vesselEvent('no-longer-expected', {
  was: baseline,
  now: prospect.nullable(),
  /** The ETA it was last predicted with, where that is only hours ahead: perhaps it has been reached. */
  nearEta: z.exactOptional(date),
});

/** Vessels newly expected and no longer expected, of a port. */
export const expected = defineRule({
  key: 'expected',
  appliesTo: 'ports',
  ...flag({ typed: 'expected', when: 'a vessel is newly expected, or no longer' }),
  help: 'for a port: a vessel is newly expected there, or no longer',
  brief: () => 'vessels expected',
  event: z.union([newly, noLonger]),
  appeared: ({ imo, current }) => [{ kind: 'newly-expected', imo, now: current }],
  vanished: ({ current, ...facts }) => [
    { kind: 'no-longer-expected' as const, ...facts, now: current ?? null },
  ],
  view(event, context) {
    const vessel = listedText(event.imo, context);
    if (event.kind === 'newly-expected') {
      return {
        headline: `Newly expected: ${vessel}, ${percent(event.now.probability)}`,
        details: [`${etaText(event.now, context.now)}.`],
      };
    }
    const { nearEta, now: current, was } = event;
    const details = [lastNotified(was, context.now)];
    if (current) {
      return {
        headline: `No longer expected: ${vessel}`,
        rest: `; ${percent(current.probability)} now.`,
        details,
      };
    }
    return nearEta
      ? {
          headline: `No longer predicted, ${durationTo(nearEta, context.now)} before its ETA: ${vessel}`,
          details,
        }
      : { headline: `No longer expected: ${vessel}`, rest: '; no longer predicted.', details };
  },
});
