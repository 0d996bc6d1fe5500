import { diverted as event } from '../evaluation/next-port.ts';
import { portChangeText } from '../views/port-change-text.ts';
import { defineRule } from './rule.ts';
import { flagRule } from './rule-parts.ts';

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
  portChanged: (change) => (change.kind === 'diverted' ? [change] : []),
  view: (event, { now }) => portChangeText(event, now),
});
