import { z } from 'zod';
import { baseline, prospect } from '../evaluation/values.ts';
import { chance, etaText, lastNotified, portText } from '../views/event-text.ts';
import { flag } from './flag-rule.ts';
import { defineRule, vesselEvent } from './rule.ts';

const event = vesselEvent('no-longer-predicted', {
  was: baseline,
  next: prospect,
  nextLeg: z.exactOptional(z.boolean()),
});

/** The baseline's port left the predictions. A change of the next port says so too: this is for who wants only that. */
export const noLongerPredicted = defineRule({
  key: 'noLongerPredicted',
  appliesTo: 'vessels',
  ...flag({
    typed: 'unlisted',
    pattern: 'no longer (?:listed|predicted)|unlisted',
    when: 'the port is no longer predicted',
  }),
  help: 'the port of the last alert is no longer predicted',
  event,
  isCritical: ({ nextLeg }) => nextLeg !== true,
  replacesLostPort: true,
  portChanged(change) {
    if (change.kind !== 'next-port-changed' || change.old) return [];
    const { imo, was, next, nextLeg } = change;
    return [{ kind: 'no-longer-predicted', imo, was, next, nextLeg }];
  },
  view: ({ was, next }, { now }) => ({
    headline: `${portText(was)} is no longer predicted`,
    startsWithName: true,
    rest: `; next is ${chance(next)}.`,
    details: [`${etaText(next, now)}. ${lastNotified(was, now)}`],
  }),
});
