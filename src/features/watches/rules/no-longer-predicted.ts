import { z } from 'zod';
import { prospect } from '../../../reference/stored-values.ts';
import { baseline } from '../evaluation/state.ts';
import { portChangeText } from '../views/port-change-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { flagRule } from './rule-parts.ts';

const event = vesselEvent('no-longer-predicted', {
  was: baseline,
  next: prospect,
  nextLeg: z.exactOptional(z.boolean()),
});

/** The baseline's port is no longer predicted. If `nextPort` is on, that rule reports it instead. */
export const noLongerPredicted = defineRule({
  key: 'noLongerPredicted',
  appliesTo: 'vessels',
  ...flagRule({
    typed: 'unlisted',
    pattern: 'no longer (?:listed|predicted)|unlisted',
    when: 'the port is no longer predicted',
  }),
  help: 'the port of the last alert is no longer predicted',
  event,
  isCritical: ({ nextLeg }) => nextLeg !== true,
  replacesUnpredictedPort: true,
  portChanged(change) {
    if (change.kind !== 'next-port-changed' || change.old) return [];
    const { imo, was, next, nextLeg = false } = change;
    return [{ kind: 'no-longer-predicted', imo, was, next, nextLeg }];
  },
  view: ({ nextLeg = false, ...change }, { now }) => portChangeText({ ...change, nextLeg, old: null }, now),
});
