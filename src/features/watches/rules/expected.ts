import { z } from 'zod';
import { percent } from '../../../messages/formatting/probability.ts';
import { duration } from '../../../messages/formatting/times.ts';
import { date, prospect } from '../../../reference/stored-values.ts';
import { baseline } from '../evaluation/state.ts';
import { etaText, lastNotified, vesselText } from '../views/event-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { flagRule } from './rule-parts.ts';

const newlyExpected = vesselEvent('newly-expected', { now: prospect });
const noLongerExpected = vesselEvent('no-longer-expected', {
  was: baseline,
  now: prospect.nullable(),
  /** The last predicted ETA, if it is only hours ahead: the vessel may have arrived early. */
  nearEta: z.exactOptional(date),
});

/** A vessel is newly expected in a port, or no longer. */
export const expected = defineRule({
  key: 'expected',
  appliesTo: 'ports',
  ...flagRule({ typed: 'expected', when: 'a vessel is newly expected, or no longer' }),
  help: 'for a port: a vessel is newly expected there, or no longer',
  brief: () => 'vessels expected',
  event: z.union([newlyExpected, noLongerExpected]),
  appeared: ({ imo, current }) => [{ kind: 'newly-expected', imo, now: current }],
  vanished: ({ current, ...facts }) => [
    { kind: 'no-longer-expected' as const, ...facts, now: current ?? null },
  ],
  view(event, context) {
    const vessel = vesselText(event.imo, context);
    if (event.kind === 'newly-expected') {
      return {
        headline: `Newly expected: ${vessel}, ${percent(event.now.probability)}`,
        details: [`${etaText(event.now, context.now)}.`],
      };
    }
    const { nearEta, now: current, was } = event;
    const details = [lastNotified(was, context.now)];
    if (!current && nearEta) {
      const minutes = Math.max(0, Math.round((nearEta.getTime() - context.now.getTime()) / 60_000));
      return { headline: `No longer predicted, ${duration(minutes)} before its ETA: ${vessel}`, details };
    }
    const rest = current ? `; ${percent(current.probability)} now.` : '; no longer predicted.';
    return { headline: `No longer expected: ${vessel}`, rest, details };
  },
});
