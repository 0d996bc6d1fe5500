import { z } from 'zod';
import { prospect } from '../../../reference/stored-values.ts';
import { baseline } from '../evaluation/state.ts';
import { portChangeText } from '../views/port-change-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { flagRule, isStillNext } from './rule-parts.ts';

const event = vesselEvent('diverted', {
  was: baseline,
  next: prospect,
  old: prospect.nullable(),
  isSettled: z.exactOptional(z.boolean()),
  mayHaveCalled: z.exactOptional(z.boolean()),
});

/** Another port takes the lead, or the port is no longer predicted well before its ETA. */
export const diverted = defineRule({
  key: 'diverted',
  appliesTo: 'vessels',
  ...flagRule({
    typed: 'diverted',
    pattern: 'diverted|diversions?|next port(?: changes?)?|port changes?|no longer (?:listed|predicted)',
    when: 'another port becomes the likeliest before the call',
  }),
  help: 'another port becomes the likeliest, or the port is no longer predicted well before its ETA',
  event,
  isCritical: ({ mayHaveCalled = false }) => !mayHaveCalled,
  portChanged: ({ kind, ...change }) => (kind === 'diverted' ? [{ kind, ...change }] : []),
  isCurrent: ({ next }, after) => isStillNext(next, after),
  view: (event, { now }) => portChangeText(event, now),
});
